/**
 * The status line: what is going on, with progress while Python loads, and a way to try again when loading failed.
 * Polite to screen readers: sentences are announced, the moving bytes are not.
 */

import { define, h, setAll } from "../dom.js";
import { CommandEvent } from "../events.js";
import { formatMegabytes } from "../format.js";
import { text } from "../text/index.js";

export class LabStatus extends HTMLElement {
  #words = h("span", { class: "lab-status-words", role: "status" });
  #bar = h("progress", { class: "lab-progress", "aria-label": text.status.progress, hidden: true });
  #bytes = h("span", { class: "lab-status-bytes", "aria-hidden": "true", hidden: true });
  #retry = h("button", { type: "button", class: "lab-button", hidden: true, onclick: () => this.dispatchEvent(new CommandEvent("retry")) }, text.controls.retry);

  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add("lab-status");
    this.append(this.#words, this.#bytes, this.#bar, this.#retry);
  }

  /**
   * say shows a sentence. `problem` marks it as one, with a glyph besides the colour.
   * @param {string} sentence
   * @param {{problem?: boolean, retry?: boolean}} [options]
   */
  say(sentence, { problem = false, retry = false } = {}) {
    if (this.#words.textContent !== sentence) this.#words.textContent = sentence;
    this.classList.toggle("lab-is-problem", problem);
    this.#bar.hidden = this.#bytes.hidden = true;
    this.#retry.hidden = !retry;
  }

  /**
   * sayRan tells where the run that is shown comes from.
   * @param {Record<string, string> | undefined} sources edited programs that it was made from
   * @param {boolean} same whether its digest is that of the recorded run
   */
  sayRan(sources, same) {
    if (sources) this.say(text.status.ranEdited(Object.keys(sources)));
    else this.say(same ? text.status.ranSame : text.status.ran);
  }

  /**
   * progress shows how far loading is.
   * @param {{stage: string, loaded: number, total: number}} progress total 0 when it is not known
   */
  progress({ stage, loaded, total }) {
    const known = stage === "download" && total > 0;
    this.say(stage === "compile" ? text.status.compile : stage === "start" ? text.status.start : text.status.downloadUnknown);
    this.#bar.hidden = false;
    this.#bytes.hidden = !known;
    this.#bytes.textContent = known ? text.status.download(formatMegabytes(loaded), formatMegabytes(total)) : "";
    setAll(this.#bar, { max: known ? total : null, value: known ? Math.min(loaded, total) : null, "aria-valuetext": known ? this.#bytes.textContent : null });
  }
}

define("lab-status", LabStatus);
