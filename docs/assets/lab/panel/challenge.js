/**
 * The part of a panel whose experiment is a challenge: the goal, hints, and the checks of the reader's repair, with what came of
 * each. Decides what is shown when. Who makes the checks is Python; what is kept of a solved one is challenges/progress.js.
 */

import { hintsBox } from "../challenges/hints.js";
import { Progress } from "../challenges/progress.js";
import { CheckReport } from "../challenges/report.js";
import { solvedBox } from "../challenges/solved.js";
import { define, h, setAll } from "../dom.js";
import { CommandEvent, MoveEvent, warmNear } from "../events.js";
import { BeginStop } from "../focus.js";
import { text } from "../text/index.js";

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
  #begin = h("button", { type: "button", class: "lab-button lab-primary lab-check-repair", onclick: () => this.run() }, text.challenge.begin);
  #stop = h("button", { type: "button", class: "lab-button lab-check-stop", onclick: () => this.dispatchEvent(new CommandEvent("stop")) }, text.challenge.stop);
  #buttons = new BeginStop(this.#stop, this.#begin);
  /** The same, beside the editor, which is far below. */
  #here = h("button", { type: "button", class: "lab-button lab-primary lab-check-here", disabled: true, "aria-label": text.challenge.beginHere, onclick: () => this.#runHere() }, text.challenge.begin);
  #row = h("div", { class: "lab-challenge-row" });
  #report = new CheckReport("lab-note lab-check-of");
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
    for (const button of [this.#begin, this.#here]) warmNear(button, () => this.dispatchEvent(new CommandEvent("warm")));
    this.#panel.inspector.beside.append(this.#here);
    const edit = h("button", { type: "button", class: "lab-button lab-challenge-edit", onclick: () => this.#edit(challenge.file) }, words.edit(challenge.file));
    this.#row.append(edit, this.#begin, this.#stop);
    this.append(
      h("p", { class: "lab-challenge-goal" }, h("strong", {}, `${words.name}: `), challenge.goal),
      this.#row,
      h("p", { class: "lab-note" }, words.why),
      ...this.#report.elements,
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
    this.#report.of.textContent = text.challenge.changed;
  }

  /** run has the reader's repair checked. */
  async run() {
    const asked = this.#panel.ask("check");
    if (!asked) return;
    const { runner } = this.#panel;
    this.clear();
    this.#stale = false;
    this.#report.said.textContent = text.challenge.begun;
    let last = /** @type {ExaminationState | null} */ (null);
    const kept = this.#panel.keep();
    const request = { experiment: asked.experiment, sources: asked.sources };
    const state = await this.#buttons.during(() => runner.examine(request, (now) => this.#report.tell((last = now))));
    if (!kept()) return this.clear();
    this.#report.moving.textContent = "";
    if (state?.result) this.#show(state.result, asked.sources !== undefined);
    else if (runner.stopped) this.#report.stopped(last);
    else {
      this.clear();
      this.#report.said.textContent = text.challenge.notMade;
    }
  }

  /** runHere has the repair checked by the button beside the editor, and goes to where the report will stand. */
  #runHere() {
    this.#begin.focus({ preventScroll: true }); // which hands it to Stop
    this.run();
    this.#row.scrollIntoView({ block: "start", behavior: "instant" });
  }

  /** enable hears whether the lab is free. @param {boolean} possible */
  enable(possible) {
    this.#possible = possible;
    this.#buttons.enable(possible);
    this.#here.disabled = !possible;
    for (const button of this.#shows()) setAll(button, { "aria-disabled": possible ? null : "true" });
  }

  /** clear forgets the last checks: they were of something else. */
  clear() {
    this.#report.clear();
    delete this.dataset.result;
  }

  /** @returns {NodeListOf<HTMLButtonElement>} */
  #shows() {
    return this.#report.list.querySelectorAll("button");
  }

  /**
   * @param {import("../messages.js").Examination} result
   * @param {boolean} edited
   */
  #show(result, edited) {
    const { solved, token } = result;
    this.#report.show(result, (check) => this.#showButton(check));
    this.#report.of.textContent = edited ? "" : text.challenge.published;
    this.dataset.result = solved ? "solved" : "failed";
    if (this.#stale) this.#age();
    const { experiment } = this.#panel;
    if (!solved || token === null || !experiment?.challenge) return;
    const { edition } = experiment.challenge;
    this.#progress.keep(experiment.slug, { token, edition });
    this.#showSolved();
  }

  /** showSolved tells of a solved challenge, now or when the page was opened. */
  #showSolved() {
    const { experiment } = this.#panel;
    const solved = this.#progress.solved(experiment?.slug ?? "");
    if (solved && experiment?.challenge) this.#solved.replaceChildren(solvedBox(experiment.slug, experiment.challenge, solved, this.#progress.keeps(experiment.slug)));
  }

  /**
   * showButton makes one that keeps the focus while it cannot be used, which is as long as the run takes that it asks for.
   * @param {CheckResult} check
   */
  #showButton(check) {
    const words = text.challenge;
    const attributes = { type: "button", class: "lab-button lab-check-show", "aria-disabled": this.#possible ? null : "true", "aria-label": words.showOf(check.label) };
    return check.schedule !== null && h("p", {}, h("button", { ...attributes, onclick: () => this.#possible && this.#showRun(check) }, words.show));
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
    this.#report.of.textContent = text.challenge.shown(label);
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
