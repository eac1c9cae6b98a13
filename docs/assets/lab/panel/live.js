/**
 * The live switch: the same question in real time, on the reader's own machine. Decides how live numbers are kept apart
 * from documented ones: a notice, a frame of their own, and no verdict.
 */

import { define, h, uniqueId } from "../dom.js";
import { formatNumber } from "../format.js";
import { text } from "../text/index.js";
import { beatDots, DotsFigure } from "../views/dots.js";
import { LabReadings } from "./readings.js";

/** @typedef {{beats_actual: number, beats_theoretical: number, delay_ms_max: number, beats_ms: number[]}} LiveResult */

export class LabLive extends HTMLElement {
  #id = uniqueId("live");
  #box = h("input", { type: "checkbox", id: this.#id, class: "lab-checkbox", onchange: () => this.#switched() });
  /** The switch, which the panel puts beside Run. */
  switch = h("label", { class: "lab-live-switch", for: this.#id, title: text.live.help }, this.#box, text.live.switch);
  #status = h("p", { class: "lab-live-status", role: "status" });
  #count = h("p", { class: "lab-note" });
  #picture = h("div", { class: "lab-live-picture" });
  #numbers = new LabReadings();
  /** @type {import("../shapes.js").Variant | null} */
  #variant = null;
  /** @type {import("../shapes.js").Reading[]} */
  #readings = [];
  /** @type {() => Record<string, any> | null} */
  #parameters = () => null;
  /** @type {AbortController | null} */
  #abort = null;

  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add("lab-live");
    this.hidden = true;
    this.append(h("p", { class: "lab-live-notice" }, text.live.notice), this.#status, this.#count, this.#picture, this.#numbers);
  }

  /** True while the switch is on: Run measures instead of simulating. */
  get active() {
    return this.#box.checked;
  }

  /**
   * choose sets what the next measurement measures.
   * @param {import("../shapes.js").Variant} variant
   * @param {() => Record<string, any> | null} parameters
   */
  choose(variant, parameters) {
    this.#variant = variant;
    this.#parameters = parameters;
    this.#forget();
  }

  /** @param {import("../shapes.js").Reading[]} readings labels for the numbers */
  setReadings(readings) {
    this.#readings = readings;
  }

  /** clear turns the switch off. */
  clear() {
    this.#box.checked = false;
    this.#switched();
  }

  get running() {
    return this.#abort !== null;
  }

  /** stop ends a measurement that is going on. */
  stop() {
    this.#abort?.abort();
  }

  /** run measures once and shows what came out. */
  async run() {
    const parameters = this.#parameters();
    if (!this.#variant || parameters === null || this.running) return;
    const abort = new AbortController();
    this.#forget();
    this.#abort = abort;
    this.#status.textContent = text.live.running;
    this.#changed();
    try {
      const { runLive } = await import("../live.js");
      let beats = 0;
      const count = () => (this.#count.textContent = text.live.beats(formatNumber((beats += 1))));
      const result = await runLive({ mode: this.#variant.id, parameters }, count, { signal: abort.signal });
      this.#show(result);
      this.#end(text.live.done);
    } catch (error) {
      this.#end(abort.signal.aborted ? text.live.stopped : text.live.failed(error instanceof Error ? error.message : String(error)));
    }
  }

  /** @param {LiveResult} result */
  #show(result) {
    const figure = new DotsFigure(beatDots(result.beats_ms), Math.max(...result.beats_ms, 0) * 1000);
    this.#picture.replaceChildren(figure.element);
    figure.resize();
    figure.move(Infinity, Infinity);
    this.#numbers.show(this.#readings, result);
  }

  /** @param {string} sentence */
  #end(sentence) {
    this.#abort = null;
    this.#status.textContent = sentence;
    this.#count.textContent = "";
    this.#changed();
  }

  #forget() {
    this.#picture.replaceChildren();
    this.#numbers.replaceChildren();
    this.#status.textContent = "";
    this.#count.textContent = "";
  }

  #switched() {
    this.hidden = !this.active;
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("lab-live", { bubbles: true }));
  }
}

define("lab-live", LabLive);
