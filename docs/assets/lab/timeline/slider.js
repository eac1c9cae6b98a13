/**
 * The strip under the lanes: the whole run at a glance, and the ARIA slider that holds the position.
 * Decides what its value says; which keys move it is decided in keys.js. Knows the log only through positions and places.
 */

import { define, h, s, setAll } from "../dom.js";
import { describePlace } from "../describe.js";
import { MoveEvent } from "../events.js";
import { nearest } from "../log/axis.js";
import { text } from "../text/index.js";
import { drawOutlook, foretell, STRIP_HEIGHT } from "./outlook.js";

const HEIGHT = 30;

export class LabSlider extends HTMLElement {
  /** @type {import("../log/log.js").Log | null} */
  #log = null;
  /** @type {import("../log/axis.js").Axis | null} */
  #axis = null;
  #density = s("path", { class: "lab-density" });
  #window = s("rect", { class: "lab-window", y: 0, height: HEIGHT });
  #flags = s("g", { class: "lab-flags" });
  #past = s("rect", { class: "lab-past", x: 0, y: HEIGHT - 4, height: 4 });
  #picture = s("svg", { class: "lab-overview", "aria-hidden": "true", height: HEIGHT }, this.#window, this.#density, this.#past, this.#flags);
  #strip = s("svg", { class: "lab-outlook-strip", "aria-hidden": "true", height: STRIP_HEIGHT });
  #thumb = h("div", { class: "lab-thumb" });
  /** @type {import("../log/outlook.js").Outlook | null} */
  #outlook = null;

  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add("lab-slider");
    setAll(this, { role: "slider", tabindex: 0, "aria-label": text.timeline.slider, "aria-orientation": "horizontal" });
    this.append(this.#strip, this.#picture, this.#thumb);
    this.addEventListener("pointerdown", this);
    this.addEventListener("pointermove", this);
  }

  /**
   * show sets the run and the axis. Call `move` afterwards.
   * @param {import("../log/log.js").Log} log
   * @param {import("../log/axis.js").Axis} axis
   */
  show(log, axis) {
    this.#log = log;
    this.#axis = axis;
    const count = log.events.length;
    setAll(this, { "aria-valuemin": Math.min(1, count), "aria-valuemax": count, "aria-disabled": count === 0 ? "true" : null });
    this.draw();
  }

  /** draw redoes the strip for the present width. */
  draw() {
    const [log, axis, width] = [this.#log, this.#axis, this.clientWidth];
    if (!log || !axis || width === 0) return;
    setAll(this.#picture, { width, viewBox: `0 0 ${width} ${HEIGHT}` });
    this.#density.setAttribute("d", densityPath(log, axis, width));
    setAll(this.#strip, { width, viewBox: `0 0 ${width} ${STRIP_HEIGHT}` });
    this.#strip.replaceChildren(...(this.#outlook ? drawOutlook(this.#outlook, (at) => this.#place(at), log.events.length - 1, width) : []));
    this.#flags.replaceChildren(
      ...log.violations.map((at) => s("path", { d: `M${this.#place(at) * width} 1v${HEIGHT - 2}m0 ${2 - HEIGHT}h7l-2 3l2 3h-7` })),
    );
  }

  /**
   * foresee draws above the strip what becomes of the run from each position; null takes it away. Call `move` afterwards.
   * @param {import("../log/outlook.js").Outlook | null} outlook
   */
  foresee(outlook) {
    this.#outlook = outlook;
    this.toggleAttribute("data-outlook", outlook !== null);
    this.draw();
  }

  /**
   * move puts the thumb at a position. While playing, what assistive technology hears stays as it is (`quiet`).
   * @param {number} position
   * @param {boolean} quiet
   */
  move(position, quiet) {
    if (!this.#log) return;
    const share = this.#place(position);
    this.#thumb.style.insetInlineStart = `${share * 100}%`;
    this.#past.setAttribute("width", String(share * this.clientWidth));
    const foretold = this.#outlook ? `. ${foretell(this.#outlook, position)}` : "";
    if (!quiet) setAll(this, { "aria-valuenow": position + 1, "aria-valuetext": describePlace(this.#log, position) + foretold });
  }

  /**
   * showRange marks the part that the lanes show.
   * @param {import("../log/axis.js").Range} range
   */
  showRange({ low, high }) {
    const axis = this.#axis;
    if (!axis) return;
    const whole = axis.high - axis.low;
    const width = this.clientWidth;
    setAll(this.#window, {
      x: ((low - axis.low) / whole) * width,
      width: ((high - low) / whole) * width,
      visibility: high - low < whole ? "visible" : "hidden",
    });
  }

  /** @param {PointerEvent} event */
  handleEvent(event) {
    const [log, axis] = [this.#log, this.#axis];
    if (!log || !axis || log.events.length === 0) return;
    if (event.type === "pointerdown") {
      if (event.button !== 0) return;
      this.setPointerCapture(event.pointerId);
      this.focus({ preventScroll: true });
    } else if (!this.hasPointerCapture(event.pointerId)) {
      return;
    }
    const box = this.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const value = axis.low + share * (axis.high - axis.low);
    this.dispatchEvent(new MoveEvent(nearest(axis, value, log.events.length), "scrub"));
  }

  /** @param {number} position */
  #place(position) {
    const axis = this.#axis;
    return axis ? (axis.value(position) - axis.low) / (axis.high - axis.low) : 0;
  }
}

/**
 * densityPath draws how many events fall into each few pixels, on a root scale so that single events stay visible.
 * @param {import("../log/log.js").Log} log
 * @param {import("../log/axis.js").Axis} axis
 * @param {number} width
 */
export function densityPath(log, axis, width) {
  const step = 3;
  const counts = new Array(Math.ceil(width / step) + 1).fill(0);
  for (let position = 0; position < log.events.length; position++) {
    counts[Math.floor((((axis.value(position) - axis.low) / (axis.high - axis.low)) * width) / step)] += 1;
  }
  const most = Math.sqrt(Math.max(1, ...counts));
  let path = "";
  counts.forEach((count, index) => {
    if (count > 0) path += `M${index * step + 1} ${HEIGHT - 5}v${-Math.max(2, (Math.sqrt(count) / most) * (HEIGHT - 9)).toFixed(1)}`;
  });
  return path;
}

define("lab-slider", LabSlider);
