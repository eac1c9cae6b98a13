/**
 * The lanes of the run that is compared with, below those of the run shown and on the same axis, and the marks of the moments
 * at which the two part, in both. Decides what they look like beside each other; what parts is found in log/divergence.js.
 */

import { h, s, uniqueId } from "../dom.js";
import { timeAxis } from "../log/axis.js";
import { text } from "../text/index.js";
import { drawCursor, drawGrid, drawLanes, drawPicture, explainMark, sizePlot } from "./draw.js";
import { layout, xOfValue } from "./layout.js";

/** @typedef {import("../log/divergence.js").Comparison} Comparison */
/** @typedef {import("../log/divergence.js").Parting} Parting */

export class Companion {
  /** @type {Comparison | null} */
  #comparison = null;
  /** @type {import("./layout.js").Frame | null} */
  #frame = null;
  #bottom = 0;
  #position = -1;
  #stem;
  #clipId = uniqueId("clip");
  #clip = s("rect", { y: 0 });
  #still = s("g", {});
  #picture = s("g", { "clip-path": `url(#${this.#clipId})` });
  #cursor = s("g", { "clip-path": `url(#${this.#clipId})` });
  #plot = s("g", {}, this.#still, this.#picture, this.#cursor);
  #drawing = s("svg", { class: "lab-plot", role: "img" }, s("clipPath", { id: this.#clipId }, this.#clip), this.#plot);
  #name = h("p", { class: "lab-compared-name" });
  lanes = h("div", { class: "lab-lanes lab-compared-lanes" }, this.#drawing);
  element = h("div", { class: "lab-compared", hidden: true });

  /** @param {string} stem of the ids of the patterns, which are the other drawing's */
  constructor(stem) {
    this.#stem = stem;
  }

  /** The longest label, which decides how much room the labels of both runs get. */
  get labelLength() {
    return Math.max(0, ...(this.#comparison?.other.lanes ?? []).map((lane) => lane.label.length));
  }

  /**
   * show takes another comparison, or none.
   * @param {Comparison | null} comparison
   * @param {string} name of the other run
   */
  show(comparison, name) {
    this.#comparison = comparison;
    this.element.hidden = comparison === null;
    this.element.replaceChildren(...(comparison ? [this.#name, this.lanes] : []));
    this.#name.textContent = name;
    if (comparison) this.#drawing.setAttribute("aria-label", `${name}. ${text.timeline.picture(comparison.other.lanes.length)}`);
  }

  /**
   * draw lays the lanes out as those of the run shown are.
   * @param {import("./layout.js").Frame} main frame of the run shown
   * @param {{whole: number, gutter: number, margin: number}} room width with labels, width of the labels, room at both ends
   */
  draw(main, { whole, gutter, margin }) {
    if (!this.#comparison) return;
    const { other } = this.#comparison;
    const frame = { ...main, axis: timeAxis(other, main.axis.high) };
    this.#frame = frame;
    this.#bottom = frame.top + frame.laneHeight * other.lanes.length;
    sizePlot(this.#drawing, whole, this.#bottom + 6);
    for (const [name, value] of Object.entries({ x: -margin, width: frame.width + 2 * margin, height: this.#bottom + 6 })) this.#clip.setAttribute(name, String(value));
    this.#plot.setAttribute("transform", `translate(${gutter + margin} 0)`);
    const picture = layout(other, frame);
    this.#still.replaceChildren(...drawGrid(frame, picture, this.#bottom), ...drawLanes(other, frame, gutter));
    this.#picture.replaceChildren(...drawPicture(frame, picture, this.#stem), ...drawPartings(this.#comparison, "there", frame, this.#bottom));
    this.#drawCursor();
  }

  /**
   * move shows a position of the other run.
   * @param {number} position
   */
  move(position) {
    this.#position = position;
    this.#drawCursor();
  }

  #drawCursor() {
    if (!this.#comparison || !this.#frame) return;
    this.#cursor.replaceChildren(...drawCursor(this.#comparison.other, this.#frame, this.#position, this.#bottom));
  }
}

/**
 * drawPartings marks both partings in one run: a line over the lanes with a hollow or a filled head. Where a run has nothing
 * of its own there, the line stands at the instant of the other's event.
 * @param {Comparison} comparison
 * @param {"here" | "there"} side
 * @param {import("./layout.js").Frame} frame
 * @param {number} bottom
 */
export function drawPartings({ log, other, first, story }, side, frame, bottom) {
  const events = (side === "here" ? log : other).events;
  /** @param {Parting} parting */
  const instant = (parting) => events[parting[side] ?? -1]?.at_us ?? parting.at_us;
  const marks = /** @type {const} */ ([["first", first], ["story", story]]);
  return marks.flatMap(([kind, parting]) => (parting === null ? [] : [drawParting(kind, xOfValue(frame, instant(parting)), bottom)]));
}

/**
 * @param {"first" | "story"} kind
 * @param {number} x
 * @param {number} bottom
 */
function drawParting(kind, x, bottom) {
  const head = kind === "first" ? `M${x} 14l5 5l-5 5l-5 -5z` : `M${x - 5} 14h10l-5 9z`;
  return s(
    "g",
    { class: `lab-parting lab-parting-${kind}`, "data-parting": kind },
    s("title", {}, text.compare.legend[kind]),
    s("path", { class: "lab-parting-line", d: `M${x} 23V${bottom}` }),
    s("path", { class: "lab-parting-head", d: head }),
  );
}

/** partingLegend explains the marks. */
export function partingLegend() {
  return /** @type {const} */ (["first", "story"]).map((kind) => explainMark((x, bottom) => drawParting(kind, x, bottom), text.compare.legend[kind]));
}
