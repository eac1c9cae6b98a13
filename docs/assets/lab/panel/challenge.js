/**
 * The part of a panel whose experiment is a challenge: the goal, hints, and the checks of the reader's repair, with what came of
 * each. Decides what is shown when. Who makes the checks is Python; what is kept of a solved one is challenges/progress.js.
 */

import { checkList, made, resultItems, stateItems, undecided } from "../challenges/checks.js";
import { hintsBox } from "../challenges/hints.js";
import { Progress } from "../challenges/progress.js";
import { solvedBox } from "../challenges/solved.js";
import { define, h } from "../dom.js";
import { CommandEvent, MoveEvent } from "../events.js";
import { formatNumber } from "../format.js";
import { text } from "../text/index.js";
import { glyph } from "../views/figure.js";

/** @typedef {import("../messages.js").CheckResult} CheckResult */
/** @typedef {import("../messages.js").ExaminationState} ExaminationState */

export class LabChallenge extends HTMLElement {
  #panel;
  #progress = new Progress();
  /** @type {Element | null} where the program is edited, too */
  #around = null;
  #possible = false;
  /** whether the program was edited since the checks began */
  #stale = false;
  #begin = h("button", { type: "button", class: "lab-button lab-primary lab-check-repair", disabled: true, onclick: () => this.run() }, text.challenge.begin);
  #stop = h("button", { type: "button", class: "lab-button lab-check-stop", hidden: true, onclick: () => this.dispatchEvent(new CommandEvent("stop")) }, text.challenge.stop);
  #moving = h("p", { class: "lab-note lab-check-progress" });
  #said = h("p", { class: "lab-check-said", role: "status" });
  #of = h("p", { class: "lab-note lab-check-of" });
  #list = checkList();
  #solved = h("div", { class: "lab-challenge-solved" });

  /** @param {import("./panel.js").Panel} panel */
  constructor(panel) {
    super();
    this.#panel = panel;
  }

  connectedCallback() {
    this.#around = this.closest(".lab");
    this.#around?.addEventListener("lab-edited", this);
    if (this.firstChild) return;
    const experiment = this.#panel.experiment;
    const challenge = experiment?.challenge;
    this.hidden = !challenge;
    if (!experiment || !challenge) return;
    const words = text.challenge;
    this.classList.add("lab-challenge");
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", words.name);
    for (const type of ["pointerenter", "focus"]) this.#begin.addEventListener(type, () => !this.#begin.disabled && this.dispatchEvent(new CommandEvent("warm")));
    const edit = h("button", { type: "button", class: "lab-button lab-challenge-edit", onclick: () => this.#edit(challenge.file) }, words.edit(challenge.file));
    this.append(
      h("p", { class: "lab-challenge-goal" }, h("strong", {}, `${words.name}: `), challenge.goal),
      h("div", { class: "lab-challenge-row" }, edit, this.#begin, this.#stop),
      h("p", { class: "lab-note" }, words.why),
      this.#moving,
      this.#said,
      this.#of,
      this.#list,
      this.#solved,
      hintsBox(challenge),
    );
    this.#showSolved();
  }

  disconnectedCallback() {
    this.#around?.removeEventListener("lab-edited", this);
  }

  /** handleEvent hears of an edit: what is shown is of the text before. */
  handleEvent() {
    this.#stale = true;
    if (this.dataset.result !== undefined) this.#age();
  }

  /** age says that the results are of another text, whose runs cannot be shown any more. */
  #age() {
    for (const button of this.#shows()) button.remove();
    this.#of.textContent = text.challenge.changed;
  }

  /** run has the reader's repair checked. */
  async run() {
    const asked = this.#panel.ask("check");
    if (!asked) return;
    const { runner } = this.#panel;
    this.clear();
    this.#stale = false;
    this.#said.textContent = text.challenge.begun;
    this.#stop.hidden = false;
    let last = /** @type {ExaminationState | null} */ (null);
    const kept = this.#panel.keep();
    const state = await runner.examine({ experiment: asked.experiment, sources: asked.sources }, (now) => this.#tell((last = now)));
    this.#stop.hidden = true;
    if (!kept()) return this.clear();
    this.#moving.textContent = "";
    if (state?.result) this.#show(state.result, asked.sources !== undefined);
    else if (runner.stopped) this.#stopped(last);
    else {
      this.clear();
      this.#said.textContent = text.challenge.notMade;
    }
  }

  /**
   * enable hears whether the lab is free; a button that goes away under the reader's focus hands it on.
   * @param {boolean} possible
   */
  enable(possible) {
    const focused = document.activeElement;
    this.#possible = possible;
    this.#begin.disabled = !possible;
    for (const button of this.#shows()) button.disabled = !possible;
    if (focused === this.#begin && !possible && !this.#stop.hidden) this.#stop.focus({ preventScroll: true });
    if (focused === this.#stop && possible) this.#begin.focus({ preventScroll: true });
  }

  /** clear forgets the last checks: they were of something else. */
  clear() {
    for (const part of [this.#moving, this.#said, this.#of]) part.textContent = "";
    this.#list.replaceChildren();
    delete this.dataset.result;
  }

  /** @returns {NodeListOf<HTMLButtonElement>} */
  #shows() {
    return this.#list.querySelectorAll("button");
  }

  /**
   * tell shows how far the checks are; of what moves, only a check that is over is announced.
   * @param {ExaminationState} state
   */
  #tell({ runs, checks }) {
    const [done, words] = [made(checks), text.challenge];
    const underWay = checks.find(({ status }) => status === "running");
    this.#moving.textContent = underWay ? words.progress(formatNumber(runs), underWay.label) : "";
    const said = done > 0 ? words.done(formatNumber(done), formatNumber(checks.length)) : words.begun;
    if (this.#said.textContent !== said) this.#said.textContent = said;
    this.#list.replaceChildren(...stateItems(checks));
  }

  /** @param {ExaminationState | null} last the last state that was told */
  #stopped(last) {
    const checks = undecided(last?.checks ?? []);
    this.#list.replaceChildren(...stateItems(checks));
    this.#said.textContent = last ? text.challenge.stopped(formatNumber(last.runs), formatNumber(made(checks)), formatNumber(checks.length)) : text.challenge.stoppedEmpty;
  }

  /**
   * @param {import("../messages.js").Examination} result
   * @param {boolean} edited
   */
  #show({ solved, runs, checks, token }, edited) {
    const [words, all] = [text.challenge, formatNumber(checks.length)];
    const failed = checks.filter(({ status }) => status === "failed").length;
    this.#say(solved, solved ? words.passedAll(all, formatNumber(runs)) : words.failedSome(formatNumber(failed), all));
    this.#of.textContent = edited ? "" : words.published;
    this.#list.replaceChildren(...resultItems(checks, (check) => this.#showButton(check)));
    this.dataset.result = solved ? "solved" : "failed";
    if (this.#stale) this.#age();
    const { experiment } = this.#panel;
    if (!solved || token === null || !experiment?.challenge) return;
    const { edition } = experiment.challenge;
    this.#progress.keep(experiment.slug, { token, edition });
    this.#showSolved();
  }

  /**
   * @param {boolean} good
   * @param {string} sentence
   */
  #say(good, sentence) {
    this.#said.replaceChildren(glyph(good ? "good" : "bad", good ? "✓" : "✗"), " ", h("strong", {}, sentence));
  }

  /** showSolved tells of a solved challenge, now or when the page was opened. */
  #showSolved() {
    const { experiment } = this.#panel;
    const solved = this.#progress.solved(experiment?.slug ?? "");
    if (solved && experiment?.challenge) this.#solved.replaceChildren(solvedBox(experiment.slug, experiment.challenge, solved, this.#progress.keeps(experiment.slug)));
  }

  /** @param {CheckResult} check */
  #showButton(check) {
    const words = text.challenge;
    return check.schedule !== null && h("p", {}, h("button", { type: "button", class: "lab-button lab-check-show", disabled: !this.#possible, "aria-label": words.showOf(check.label), onclick: () => this.#showRun(check) }, words.show));
  }

  /**
   * showRun makes the run in which a check failed the one shown, at the moment at which its first claim falls.
   * @param {CheckResult} check
   */
  async #showRun({ schedule, violated, label }) {
    if (schedule === null) return;
    const kept = this.#panel.keep();
    const report = await this.#panel.replay(schedule);
    if (!kept() || report?.schedule !== schedule) return;
    const fallen = report.claims.filter(({ id, holds }) => holds === false && violated.some((claim) => claim.id === id));
    const positions = fallen.flatMap(({ position }) => (typeof position === "number" ? [position] : []));
    if (positions.length > 0) this.dispatchEvent(new MoveEvent(Math.min(...positions), "step"));
    this.#of.textContent = text.challenge.shown(label);
    this.#around?.querySelector(".lab-stage")?.scrollIntoView({ block: "start", behavior: "instant" });
    const slider = this.#around?.querySelector("[role=slider]");
    if (slider instanceof HTMLElement) slider.focus({ preventScroll: true });
  }

  /** @param {string} file */
  #edit(file) {
    this.closest("ownership-lab")?.removeAttribute("compact"); // the compact form has no place to edit
    this.#panel.inspector.edit(file);
  }
}

define("lab-challenge", LabChallenge);
