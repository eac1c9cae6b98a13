/**
 * "Check a token": a token that somebody pastes, and what its checks say when they are made again. Decides what is said of a text
 * that is no token, and of a lab that cannot answer. Who makes the checks is Python.
 */

import { define, h, uniqueId } from "../dom.js";
import { warmNear } from "../events.js";
import { BeginStop } from "../focus.js";
import { formatMegabytes, formatNumber, reason } from "../format.js";
import { isExaminationState, verifyRequestText } from "../messages.js";
import { lab } from "../runtime.js";
import { text } from "../text/index.js";
import { linkTo, pageOf } from "./links.js";
import { TOKEN_MAX } from "./progress.js";
import { CheckReport } from "./report.js";

/** @typedef {import("../messages.js").ExaminationState} ExaminationState */

export class LabVerify extends HTMLElement {
  #lab = lab();
  #checking = false;
  #field = h("textarea", { class: "lab-token lab-mono", id: uniqueId("verify"), rows: 4, spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
  #begin = h("button", { type: "button", class: "lab-button lab-primary lab-verify", onclick: () => this.run() }, text.challenge.overview.begin);
  #stop = h("button", { type: "button", class: "lab-button lab-check-stop", onclick: () => this.#lab.stop() }, text.challenge.stop);
  #buttons = new BeginStop(this.#stop, this.#begin);
  #report = new CheckReport("lab-check-of");

  connectedCallback() {
    for (const type of ["lab-state", "lab-progress"]) this.#lab.addEventListener(type, this);
    if (this.firstChild) return;
    const words = text.challenge.overview;
    this.classList.add("lab-verify-box");
    const about = h("p", { class: "lab-note", id: uniqueId("about") }, words.about);
    this.#field.setAttribute("aria-describedby", about.id);
    this.#buttons.alone(false);
    warmNear(this.#begin, () => this.#lab.warm());
    this.append(
      h("p", { class: "lab-verify-heading" }, h("strong", {}, words.heading)),
      about,
      h("label", { for: this.#field.id }, words.field),
      this.#field,
      h("p", { class: "lab-challenge-row" }, this.#begin, this.#stop),
      ...this.#report.elements,
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
    this.#report.moving.textContent = stage === "download" && total > 0 ? words.download(formatMegabytes(loaded), formatMegabytes(total)) : words.loading;
  }

  /** run checks the token in the field. */
  async run() {
    const words = text.challenge.overview;
    const token = this.#field.value.trim();
    this.#clear();
    if (token === "" || token.length > TOKEN_MAX) {
      this.#report.said.textContent = token === "" ? words.empty : words.long(formatNumber(TOKEN_MAX));
      this.#field.focus();
      return;
    }
    this.#switch(true);
    this.#report.said.textContent = text.challenge.begun;
    let last = /** @type {ExaminationState | null} */ (null);
    try {
      const work = this.#lab.work(verifyRequestText(token), isExaminationState, (state) => this.#report.tell((last = state)));
      this.handleEvent(); // it may be loading already
      const { result } = await work;
      if (result) this.#show(result);
    } catch (error) {
      this.#fail(error, last);
    } finally {
      this.#report.moving.textContent = "";
      this.#switch(false);
    }
  }

  #clear() {
    this.#report.clear();
    delete this.dataset.result;
  }

  /** @param {boolean} checking */
  #switch(checking) {
    this.#checking = checking;
    this.#buttons.alone(checking);
  }

  /** @param {import("../messages.js").Examination} result */
  #show(result) {
    this.#report.show(result);
    this.#report.of.replaceChildren(`${text.challenge.overview.of} `, linkTo(pageOf(result.experiment), result.title));
    this.dataset.result = result.solved ? "solved" : "failed";
  }

  /**
   * @param {any} error
   * @param {ExaminationState | null} last
   */
  #fail(error, last) {
    if (error?.kind === "stopped") return this.#report.stopped(last);
    const [words, why] = [text.challenge.overview, String(error?.message ?? error)];
    const said = /** @type {Record<string, () => string>} */ ({
      busy: () => words.busy,
      load: () => words.load(why),
      input: () => words.input(reason(error)),
      program: () => words.program(why, placeOf(error)),
    })[error?.kind];
    this.#report.said.textContent = said ? said() : words.internal(why);
    this.#report.list.replaceChildren();
  }
}

/**
 * placeOf names where a program failed, where its message does not begin with it.
 * @param {{file?: string | null, line?: number | null, message: string}} error
 */
const placeOf = ({ file, line, message }) => (file && !message.startsWith(`${file}, line ${line}`) ? text.status.place(file, line ?? null) : "");

define("lab-verify", LabVerify);
