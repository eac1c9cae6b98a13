/**
 * Rows of marks along virtual time, one mark per thing that happened or failed to. Decides shapes and counts.
 */

import { h, s, setAll } from "../dom.js";
import { formatMs, formatNumber } from "../format.js";
import { TIMELESS_US } from "../log/axis.js";
import { reachedDots } from "../log/scenes.js";
import { text } from "../text/index.js";
import { toneOf } from "../tones.js";
import { figure, glyph } from "./figure.js";

const ROW = 24;
const BOTTOM = 18;
const SIDE = 8;

/** @typedef {{past: SVGPathElement, future: SVGPathElement, count: HTMLElement, last: HTMLElement}} RowParts */

export class DotsFigure {
  #view;
  #endUs;
  #width = 0;
  #position = -1;
  #at_us = 0;
  /** @type {RowParts[]} */
  #rows = [];
  #grid = s("g", {});
  #head = s("path", { class: "lab-playhead" });
  #drawing;
  #height;

  /**
   * @param {import("../shapes.js").DotsView} view
   * @param {number} endUs
   */
  constructor(view, endUs) {
    this.#view = view;
    this.#endUs = endUs || TIMELESS_US;
    this.#height = view.rows.length * ROW + BOTTOM;
    const legend = view.rows.map((row) => {
      const tone = `lab-dot lab-dot-${toneOf(row.tone)} lab-tone-${toneOf(row.tone)}`;
      const parts = { past: s("path", { class: tone }), future: s("path", { class: `${tone} lab-to-come` }), count: h("b", {}), last: h("span", { class: "lab-dot-last" }) };
      this.#rows.push(parts);
      return h("li", { "data-row": row.id }, glyph(row.tone), h("span", {}, row.label), parts.count, parts.last);
    });
    const paths = this.#rows.flatMap(({ past, future }) => [future, past]);
    this.#drawing = s("svg", { class: "lab-chart", "aria-hidden": "true", height: this.#height }, this.#grid, ...paths, this.#head);
    this.element = figure(view, h("div", { class: "lab-chart-box" }, this.#drawing), h("ul", { class: "lab-legend" }, ...legend));
  }

  /**
   * @param {number} position
   * @param {number} at_us
   */
  move(position, at_us) {
    this.#position = position;
    this.#at_us = at_us;
    this.#draw();
  }

  resize() {
    const width = this.#drawing.parentElement?.clientWidth ?? 0;
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    setAll(this.#drawing, { width, viewBox: `0 0 ${width} ${this.#height}` });
    this.#grid.replaceChildren(
      ...this.#view.rows.map((_, row) => s("path", { class: "lab-grid", d: `M${SIDE} ${rowY(row)}H${width - SIDE}` })),
      s("text", { class: "lab-grid-label", x: SIDE, y: this.#height - 3 }, formatMs(0)),
      s("text", { class: "lab-grid-label", x: width - SIDE, y: this.#height - 3, "text-anchor": "end" }, formatMs(this.#endUs)),
    );
    this.#draw();
  }

  #draw() {
    this.#view.rows.forEach((row, index) => {
      const { past, future, count, last } = this.#rows[index];
      const reached = reachedDots(row.points, this.#position, this.#at_us);
      count.textContent = formatNumber(reached);
      const dot = row.points[reached - 1];
      last.textContent = dot?.text && dot.position === this.#position && !row.label.includes(dot.text) ? dot.text : "";
      if (this.#width === 0) return;
      past.setAttribute("d", this.#path(row, index, 0, reached));
      future.setAttribute("d", this.#path(row, index, reached, row.points.length));
    });
    this.#head.setAttribute("d", `M${this.#x(this.#at_us)} 2V${this.#height - BOTTOM}`);
  }

  /**
   * One path for all dots of a row, and one dot per pixel where there are more.
   * @param {import("../shapes.js").DotsView["rows"][number]} row
   * @param {number} index
   * @param {number} from
   * @param {number} to
   */
  #path(row, index, from, to) {
    let path = "";
    let before = -1;
    for (const dot of row.points.slice(from, to)) {
      const x = this.#x(dot.at_us);
      if (Math.round(x) === before) continue;
      before = Math.round(x);
      path += dotPath(toneOf(row.tone), x, rowY(index));
    }
    return path;
  }

  /** @param {number} at_us */
  #x(at_us) {
    return Math.round((SIDE + (Math.min(at_us, this.#endUs) / this.#endUs) * (this.#width - 2 * SIDE)) * 10) / 10;
  }
}

/** @param {number} row */
function rowY(row) {
  return row * ROW + ROW / 2;
}

/**
 * dotPath is the shape of a tone in a drawing, the same as its glyph in text.
 * @param {import("../shapes.js").Tone} tone
 * @param {number} x
 * @param {number} y
 */
function dotPath(tone, x, y) {
  if (tone === "bad") return `M${x - 3.5} ${y - 3.5}l7 7M${x + 3.5} ${y - 3.5}l-7 7`;
  if (tone === "warn") return `M${x} ${y - 4}l4 7h-8z`;
  if (tone === "busy") return `M${x} ${y - 4.5}l4 4.5l-4 4.5l-4 -4.5z`;
  if (tone === "neutral") return `M${x - 3} ${y - 3}h6v6h-6z`;
  return `M${x - 3.5} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0`;
}

/**
 * beatDots makes a view of beats that came in real time, on the reader's own machine.
 * @param {number[]} beats_ms
 * @returns {import("../shapes.js").DotsView}
 */
export function beatDots(beats_ms) {
  const points = beats_ms.map((at_ms) => ({ at_us: Math.round(at_ms * 1000) }));
  return { view: "dots", id: "live", label: text.live.dots, rows: [{ id: "ran", label: text.live.ran, tone: "good", points }] };
}
