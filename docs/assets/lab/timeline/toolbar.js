/**
 * The row of buttons above the lanes: transport, speed, axis, zoom. Decides names and order; what they do is the timeline's.
 */

import { h } from "../dom.js";
import { handOn } from "../focus.js";
import { formatNumber } from "../format.js";
import { icon } from "../icons.js";
import { text } from "../text/index.js";
import { SPEEDS } from "./playback.js";

/** @typedef {import("./keys.js").Action} Action */

/**
 * Toolbar makes the row and keeps it in step with the timeline.
 */
export class Toolbar {
  #act;
  #play;
  #counter = h("span", { class: "lab-counter" });
  #violation;
  #axis;
  #steppers;
  #zooms;
  speed = 1;

  /**
   * @param {(action: Action) => void} act
   * @param {(kind: "time" | "order") => void} chooseAxis
   */
  constructor(act, chooseAxis) {
    this.#act = act;
    const words = text.timeline;
    this.#play = this.#button("play", words.play, { act: "play" }, "lab-play");
    this.#violation = this.#button("flag", words.violation, { to: "violation" }, "lab-to-violation");
    this.#steppers = [
      this.#button("first", words.first, { to: "first" }),
      this.#button("back", words.back, { step: -1 }),
      this.#play,
      this.#button("forward", words.forward, { step: 1 }),
      this.#button("last", words.last, { to: "last" }),
    ];
    this.#zooms = [
      this.#button("minus", words.zoomOut, { zoom: 2 }),
      this.#button("plus", words.zoomIn, { zoom: 0.5 }),
      this.#button("all", words.zoomAll, { act: "all" }),
    ];
    this.#axis = /** @type {const} */ (["time", "order"]).map((kind) =>
      h("button", { type: "button", class: "lab-segment", "data-axis": kind, onclick: () => chooseAxis(kind) }, kind === "time" ? words.byTime : words.byOrder),
    );
    this.element = h(
      "div",
      { class: "lab-toolbar" },
      h("div", { class: "lab-transport", role: "group", "aria-label": words.name }, ...this.#steppers, this.#violation),
      this.#counter,
      h("span", { class: "lab-spring" }),
      h("div", { class: "lab-tools" }, h("label", { class: "lab-speed" }, h("span", { class: "lab-speed-word" }, words.speed), this.#speedSelect()),
      h("div", { class: "lab-segments", role: "group", "aria-label": words.axis }, ...this.#axis),
      h("div", { class: "lab-transport lab-zoom", role: "group", "aria-label": words.zoom }, ...this.#zooms),
      this.#button("keys", words.keys, { act: "help" }, "lab-help")),
    );
  }

  /**
   * update shows the state of the timeline.
   * @param {{position: number, count: number, playing: boolean, axis: "time" | "order", compared: boolean, zoomed: boolean, violations: number}} state
   *   compared: with another run, for which there is only the axis of time
   */
  update({ position, count, playing, axis, compared, zoomed, violations }) {
    const words = text.timeline;
    const label = playing ? words.pause : words.play;
    if (this.#play.getAttribute("aria-label") !== label) {
      this.#play.replaceChildren(icon(playing ? "pause" : "play"));
      this.#play.setAttribute("aria-label", label);
      this.#play.title = label;
    }
    this.#counter.textContent = count === 0 ? words.empty : words.counter(formatNumber(position + 1), formatNumber(count));
    for (const button of this.#steppers) button.disabled = count === 0;
    this.#violation.hidden = violations === 0;
    for (const button of this.#axis) button.setAttribute("aria-pressed", String(button.dataset.axis === axis));
    this.#axis[1].disabled = compared;
    handOn(this.#zooms, () => (this.#zooms[0].disabled = this.#zooms[2].disabled = !zoomed));
  }

  /**
   * @param {Parameters<typeof icon>[0]} name
   * @param {string} label
   * @param {Action} action
   * @param {string} [extra]
   */
  #button(name, label, action, extra = "") {
    return h("button", { type: "button", class: `lab-icon-button ${extra}`, "aria-label": label, title: label, onclick: () => this.#act(action) }, icon(name));
  }

  #speedSelect() {
    const select = h(
      "select",
      { class: "lab-select", "aria-label": text.timeline.speed, onchange: () => (this.speed = Number(select.value)) },
      ...SPEEDS.map((speed) => h("option", { value: speed, selected: speed === 1 }, `${formatNumber(speed)}×`)),
    );
    return select;
  }
}
