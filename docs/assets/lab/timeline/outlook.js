/**
 * The strip over the slider: for each position how large a share of the continuations from there fails, as height and tone, and the
 * mark at the point of no return. Decides what it looks like and what is said of one position; what was drawn is Python's.
 */

import { h, s } from "../dom.js";
import { formatNumber } from "../format.js";
import { gaps, pointAt, shareOf } from "../log/outlook.js";
import { text } from "../text/index.js";

/** @typedef {import("../log/outlook.js").Outlook} Outlook */
/** @typedef {import("../log/outlook.js").Point} Point */

export const STRIP_HEIGHT = 34;
/** Room above the tallest part, for the head of the mark. */
const TOP = 8;
/** A share of nothing is still drawn, and so is a moment between two events of one instant. */
const THIN = 2;

/**
 * drawOutlook returns the strip's parts.
 * @param {Outlook} outlook
 * @param {(position: number) => number} place of an event, from 0 to 1
 * @param {number} last position of the run
 * @param {number} width
 */
export function drawOutlook({ points, no_return }, place, last, width) {
  /** @param {number} position */
  const x = (position) => (position <= 0 ? 0 : position > last ? width : place(position) * width);
  const bars = points.map((point) => drawPoint(point, x(point.position), x(point.until + 1), width));
  const between = gaps(points).map(({ from, to, before, after }) => drawGap(before, after, x(from), x(to + 1)));
  return [...between, ...bars, ...(no_return ? [drawNoReturn(x(no_return.position))] : [])];
}

/** @param {Point} point */
const top = (point) => STRIP_HEIGHT - Math.max(THIN, (shareOf(point) ?? 0) * (STRIP_HEIGHT - TOP));

/**
 * toneOf names how a moment stands.
 * @param {Point} point
 * @returns {"none" | "some" | "all" | "unknown"}
 */
export function toneOf(point) {
  const share = shareOf(point);
  if (share === null) return "unknown";
  return share === 0 ? "none" : share === 1 && point.cut === 0 ? "all" : "some";
}

/**
 * @param {Point} point
 * @param {number} from
 * @param {number} to
 * @param {number} width
 */
function drawPoint(point, from, to, width) {
  const length = Math.max(to - from, THIN);
  return s("rect", { class: `lab-outlook-bar lab-outlook-${toneOf(point)}`, x: Math.min(from, width - length), y: top(point), width: length, height: STRIP_HEIGHT - top(point) });
}

/**
 * drawGap joins two moments over what was not drawn: dotted, and filled with a wash of their tone where they agree.
 * @param {Point} before
 * @param {Point} after
 * @param {number} from
 * @param {number} to
 */
function drawGap(before, after, from, to) {
  const line = `M${from} ${top(before)}L${Math.max(to, from + THIN)} ${top(after)}`;
  const wash = toneOf(before) === toneOf(after) ? ` lab-outlook-wash-${toneOf(before)}` : "";
  const ground = s("path", { class: `lab-outlook-wash${wash}`, d: `${line}V${STRIP_HEIGHT}H${from}z` });
  return s("g", {}, ground, s("path", { class: "lab-outlook-gap", d: line }));
}

/** @param {number} x */
function drawNoReturn(x) {
  return s("path", { class: "lab-outlook-mark", "data-no-return": "", d: `M${x} ${STRIP_HEIGHT}V${TOP - 2}M${x} ${TOP}l-5 -7h10z` });
}

/** outlookLegend explains strip and mark. @param {Outlook} outlook */
export function outlookLegend({ no_return }) {
  /** @param {Node} drawing @param {string} word */
  const entry = (drawing, word) => h("li", {}, s("svg", { width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true" }, drawing), word);
  const steps = s("g", {}, s("rect", { class: "lab-outlook-bar lab-outlook-some", x: 1, y: 7, width: 12, height: 6 }), s("rect", { class: "lab-outlook-bar lab-outlook-all", x: 13, y: 1, width: 12, height: 12 }));
  const mark = s("path", { class: "lab-outlook-mark", d: "M13 13V6M13 8l-5 -7h10z" });
  return [entry(steps, text.outlook.legend.share), ...(no_return ? [entry(mark, text.outlook.legend.noReturn)] : [])];
}

/**
 * foretell says what became of the continuations from a position.
 * @param {Outlook} outlook
 * @param {number} position
 */
export function foretell({ points }, position) {
  const words = text.outlook;
  const { at, before, after } = pointAt(points, position);
  if (at) return words.here(countOf(at));
  if (!before || !after) return words.unknown;
  return words.between(countOf(before), countOf(after));
}

/**
 * countOf puts the continuations from a moment into words.
 * @param {Point} point
 */
export function countOf({ open, fails, runs, cut }) {
  const words = text.outlook;
  return open ? words.count(formatNumber(fails), formatNumber(runs), formatNumber(cut)) : words.settled;
}
