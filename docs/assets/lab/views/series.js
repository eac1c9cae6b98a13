/**
 * Stepped lines over virtual time, with the values at the position. Decides the scale and what is past and what is to come.
 */

import { h, s, setAll } from "../dom.js";
import { formatMs, withUnit } from "../format.js";
import { roundValues, TIMELESS_US } from "../log/axis.js";
import { valueAt } from "../log/scenes.js";
import { text } from "../text/index.js";
import { TONES, toneOf } from "../tones.js";
import { figure } from "./figure.js";

const HEIGHT = 128;
const LABEL_HEIGHT = 13;
const MARGIN = { top: 10, right: 8, bottom: 20, left: 34 };

export class SeriesFigure {
  #view;
  #endUs;
  #width = 0;
  #at_us = 0;
  #lines = s("g", {});
  #axes = s("g", {});
  #future = s("rect", { class: "lab-future", y: 0, height: HEIGHT - MARGIN.bottom });
  #head = s("path", { class: "lab-playhead" });
  #dots = s("g", {});
  #drawing;
  /** @type {HTMLElement[]} */
  #values = [];
  #instant = h("span", { class: "lab-instant" });

  /**
   * @param {import("../shapes.js").SeriesView} view
   * @param {number} endUs
   */
  constructor(view, endUs) {
    this.#view = view;
    this.#endUs = endUs || TIMELESS_US;
    this.#drawing = s("svg", { class: "lab-chart", "aria-hidden": "true", height: HEIGHT }, this.#axes, this.#lines, this.#future, this.#head, this.#dots);
    const legend = view.lines.map((line) => {
      const value = h("b", {});
      this.#values.push(value);
      return h("li", { "data-line": line.id }, swatch(line.tone), h("span", {}, line.label), value);
    });
    this.element = figure(view, h("div", { class: "lab-chart-box" }, this.#drawing), h("ul", { class: "lab-legend" }, ...legend, h("li", {}, this.#instant)));
  }

  /**
   * @param {number} _position
   * @param {number} at_us
   */
  move(_position, at_us) {
    this.#at_us = at_us;
    this.#instant.textContent = text.views.at(formatMs(at_us));
    this.#view.lines.forEach((line, index) => {
      this.#values[index].textContent = withUnit(valueAt(line.points, at_us), this.#view.unit);
    });
    this.#drawHead();
  }

  resize() {
    const width = this.#drawing.parentElement?.clientWidth ?? 0;
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    setAll(this.#drawing, { width, viewBox: `0 0 ${width} ${HEIGHT}` });
    this.#lines.replaceChildren(
      ...this.#view.lines.map((line) => {
        const tone = toneOf(line.tone);
        return s("path", { class: `lab-line lab-tone-${tone}`, "stroke-dasharray": TONES[tone].dash || null, d: this.#path(line.points) });
      }),
    );
    this.#axes.replaceChildren(...this.#drawAxes());
    this.#drawHead();
  }

  /** @param {[number, number][]} points */
  #path(points) {
    let path = "";
    for (const [at_us, value] of points) path += path === "" ? `M${this.#x(at_us)} ${this.#y(value)}` : `H${this.#x(at_us)}V${this.#y(value)}`;
    return path === "" ? path : `${path}H${this.#x(this.#endUs)}`;
  }

  #drawAxes() {
    const { minimum, maximum } = this.#view;
    const inside = [0].filter((level) => Math.abs(this.#y(level) - this.#y(minimum)) > LABEL_HEIGHT && Math.abs(this.#y(level) - this.#y(maximum)) > LABEL_HEIGHT);
    const levels = [...new Set([minimum, ...inside, maximum])];
    const grid = roundValues(0, this.#endUs, this.#width - MARGIN.left - MARGIN.right);
    return [
      ...levels.flatMap((level) => [
        s("path", { class: "lab-grid", d: `M${MARGIN.left} ${this.#y(level)}H${this.#width - MARGIN.right}` }),
        s("text", { class: "lab-grid-label", x: MARGIN.left - 6, y: this.#y(level) + 4, "text-anchor": "end" }, withUnit(level, null)),
      ]),
      ...grid.map((at_us) => {
        const anchor = at_us === 0 ? "start" : this.#x(at_us) > this.#width - 30 ? "end" : "middle";
        return s("text", { class: "lab-grid-label", x: this.#x(at_us), y: HEIGHT - 4, "text-anchor": anchor }, formatMs(at_us));
      }),
    ];
  }

  #drawHead() {
    if (this.#width === 0) return;
    const x = this.#x(this.#at_us);
    setAll(this.#future, { x: x + 1, width: Math.max(0, this.#width - x) });
    this.#head.setAttribute("d", `M${x} 4V${HEIGHT - MARGIN.bottom}`);
    this.#dots.replaceChildren(
      ...this.#view.lines.flatMap((line) => {
        const value = valueAt(line.points, this.#at_us);
        return value === null ? [] : [s("circle", { class: `lab-point lab-tone-${toneOf(line.tone)}`, cx: x, cy: this.#y(value), r: 4 })];
      }),
    );
  }

  /** @param {number} at_us */
  #x(at_us) {
    return Math.round((MARGIN.left + (Math.min(at_us, this.#endUs) / this.#endUs) * (this.#width - MARGIN.left - MARGIN.right)) * 10) / 10;
  }

  /** @param {number} value */
  #y(value) {
    const { minimum, maximum } = this.#view;
    const share = maximum > minimum ? (value - minimum) / (maximum - minimum) : 0.5;
    return Math.round((HEIGHT - MARGIN.bottom - share * (HEIGHT - MARGIN.top - MARGIN.bottom)) * 10) / 10;
  }
}

/** @param {string} tone */
function swatch(tone) {
  const known = toneOf(tone);
  return s(
    "svg",
    { width: 22, height: 10, viewBox: "0 0 22 10", "aria-hidden": "true" },
    s("path", { class: `lab-line lab-tone-${known}`, "stroke-dasharray": TONES[known].dash || null, d: "M1 5H21" }),
  );
}
