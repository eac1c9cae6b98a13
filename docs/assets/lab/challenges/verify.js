/**
 * "Check a token": a token that somebody pastes, and what its checks say when they are made again. Decides what is said of a text
 * that is no token, and of a lab that cannot answer. Who makes the checks is Python.
 */

import { define, h, uniqueId } from "../dom.js";
import { formatMegabytes, formatNumber, reason } from "../format.js";
import { isExaminationState, verifyRequestText } from "../messages.js";
import { lab } from "../runtime.js";
import { text } from "../text/index.js";
import { glyph } from "../views/figure.js";
import { checkList, made, resultItems, stateItems, undecided } from "./checks.js";
import { linkTo, pageOf } from "./links.js";
import { TOKEN_MAX } from "./progress.js";

/** @typedef {import("../messages.js").ExaminationState} ExaminationState */

export class LabVerify extends HTMLElement {
  #lab = lab();
  #checking = false;
  #field = h("textarea", { class: "lab-token lab-mono", id: uniqueId("verify"), rows: 4, spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
  #begin = h("button", { type: "button", class: "lab-button lab-primary lab-verify", onclick: () => this.run() }, text.challenge.overview.begin);
  #stop = h("button", { type: "button", class: "lab-button lab-check-stop", hidden: true, onclick: () => this.#lab.stop() }, text.challenge.stop);
  #moving = h("p", { class: "lab-note lab-check-progress" });
  #said = h("p", { class: "lab-check-said", role: "status" });
  #of = h("p", { class: "lab-check-of" });
  #list = checkList();

  connectedCallback() {
    for (const type of ["lab-state", "lab-progress"]) this.#lab.addEventListener(type, this);
    if (this.firstChild) return;
    const words = text.challenge.overview;
    this.classList.add("lab-verify-box");
    const about = h("p", { class: "lab-note", id: uniqueId("about") }, words.about);
    this.#field.setAttribute("aria-describedby", about.id);
    for (const type of ["pointerenter", "focus"]) this.#begin.addEventListener(type, () => this.#lab.warm());
    this.append(
      h("p", { class: "lab-verify-heading" }, h("strong", {}, words.heading)),
      about,
      h("label", { for: this.#field.id }, words.field),
      this.#field,
      h("p", { class: "lab-challenge-row" }, this.#begin, this.#stop),
      this.#moving,
      this.#said,
      this.#of,
      this.#list,
    );
  }

  disconnectedCallback() {
    for (const type of ["lab-state", "lab-progress"]) this.#lab.removeEventListener(type, this);
    if (this.#checking) this.#lab.stop();
  }

  /** handleEvent follows the loading of Python. */
  handleEvent() {
    if (!this.#checking || this.#lab.state !== "loading") return;
    const { stage, loaded, total } = this.#lab.progress;
    const words = text.challenge.overview;
    this.#moving.textContent = stage === "download" && total > 0 ? words.download(formatMegabytes(loaded), formatMegabytes(total)) : words.loading;
  }

  /** run checks the token in the field. */
  async run() {
    const words = text.challenge.overview;
    const token = this.#field.value.trim();
    this.#clear();
    if (token === "" || token.length > TOKEN_MAX) {
      this.#said.textContent = token === "" ? words.empty : words.long(formatNumber(TOKEN_MAX));
      this.#field.focus();
      return;
    }
    this.#switch(true);
    this.#said.textContent = text.challenge.begun;
    let last = /** @type {ExaminationState | null} */ (null);
    try {
      const work = this.#lab.work(verifyRequestText(token), isExaminationState, (state) => this.#tell((last = state)));
      this.handleEvent(); // it may be loading already
      const { result } = await work;
      if (result) this.#show(result);
    } catch (error) {
      this.#fail(error, last);
    } finally {
      this.#moving.textContent = "";
      this.#switch(false);
    }
  }

  #clear() {
    for (const part of [this.#moving, this.#said, this.#of]) part.textContent = "";
    this.#list.replaceChildren();
    delete this.dataset.result;
  }

  /** @param {boolean} checking */
  #switch(checking) {
    const focused = document.activeElement;
    this.#checking = checking;
    this.#begin.disabled = checking;
    this.#stop.hidden = !checking;
    if (focused === this.#begin || focused === this.#stop) (checking ? this.#stop : this.#begin).focus({ preventScroll: true });
  }

  /** @param {ExaminationState} state */
  #tell({ runs, checks }) {
    const done = made(checks);
    const said = done > 0 ? text.challenge.done(formatNumber(done), formatNumber(checks.length)) : text.challenge.begun;
    if (this.#said.textContent !== said) this.#said.textContent = said;
    const underWay = checks.find(({ status }) => status === "running");
    this.#moving.textContent = underWay ? text.challenge.progress(formatNumber(runs), underWay.label) : "";
    this.#list.replaceChildren(...stateItems(checks));
  }

  /** @param {import("../messages.js").Examination} result */
  #show({ experiment, title, solved, runs, checks }) {
    const [words, all] = [text.challenge, formatNumber(checks.length)];
    const failed = checks.filter(({ status }) => status === "failed").length;
    this.#said.replaceChildren(glyph(solved ? "good" : "bad", solved ? "✓" : "✗"), " ", h("strong", {}, solved ? words.passedAll(all, formatNumber(runs)) : words.failedSome(formatNumber(failed), all)));
    this.#of.replaceChildren(`${words.overview.of} `, linkTo(pageOf(experiment), title));
    this.#list.replaceChildren(...resultItems(checks));
    this.dataset.result = solved ? "solved" : "failed";
  }

  /**
   * @param {any} error
   * @param {ExaminationState | null} last
   */
  #fail(error, last) {
    const [words, why] = [text.challenge.overview, String(error?.message ?? error)];
    const said = /** @type {Record<string, () => string>} */ ({
      stopped: () => (last ? text.challenge.stopped(formatNumber(last.runs), formatNumber(made(last.checks)), formatNumber(last.checks.length)) : text.challenge.stoppedEmpty),
      busy: () => words.busy,
      load: () => words.load(why),
      input: () => words.input(reason(error)),
      program: () => words.program(why, placeOf(error)),
    })[error?.kind];
    this.#said.textContent = said ? said() : words.internal(why);
    this.#list.replaceChildren(...(error?.kind === "stopped" ? stateItems(undecided(last?.checks ?? [])) : []));
  }
}

/**
 * placeOf names where a program failed, where its message does not begin with it.
 * @param {{file?: string | null, line?: number | null, message: string}} error
 */
const placeOf = ({ file, line, message }) => (file && !message.startsWith(`${file}, line ${line}`) ? text.status.place(file, line ?? null) : "");

define("lab-verify", LabVerify);
