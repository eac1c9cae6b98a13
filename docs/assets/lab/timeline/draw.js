/**
 * Turns a picture (layout.js) into SVG. Decides which element shows what; the colours are in timeline.css.
 */

import { formatMs, formatNumber } from "../format.js";
import { h, s, setAll } from "../dom.js";
import { text } from "../text/index.js";
import { headPath, legsOf, xOf, yOf } from "./layout.js";

/** Bars narrower than this carry no word of their own. */
const WORD_WIDTH_MIN = 62;

/** Patterns by span kind, so that bars differ without colour. */
const PATTERNS = {
  busy: "M-1 7L7 -1M5 9L9 5M-1 1L1 -1",
  paused: "M2 2h1.4v1.4h-1.4zM6 6h1.4v1.4h-1.4z",
  offload: "M0 2h8M0 6h8",
  crashed: "M0 0L8 8M8 0L0 8",
};

/**
 * patternDefs returns the patterns under ids that start with a stem of the page's own.
 * @param {string} stem
 */
export function patternDefs(stem) {
  return s(
    "defs",
    {},
    ...Object.entries(PATTERNS).map(([kind, d]) =>
      s(
        "pattern",
        { id: `${stem}-${kind}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
        s("rect", { width: 8, height: 8, class: `lab-bar-ground lab-bar-${kind}` }),
        s("path", { d, class: `lab-bar-lines lab-bar-${kind}` }),
      ),
    ),
  );
}

/**
 * drawLanes returns labels and base lines.
 * @param {import("../log/log.js").Log} log
 * @param {import("./layout.js").Frame} frame
 * @param {number} gutter width left of the plot; 0 puts labels above their line
 */
export function drawLanes(log, frame, gutter) {
  return log.lanes.map((lane, index) => {
    const y = yOf(frame, index);
    const label = gutter > 0 ? { x: -gutter - 8, y: y + 4 } : { x: -8, y: y - frame.laneHeight / 2 + 11 };
    return s(
      "g",
      {},
      s("path", { class: "lab-lane-line", d: `M0 ${y}H${frame.width}` }),
      s("text", { class: "lab-lane-label", ...label }, lane.label, lane.actors.length > 1 || lane.label === lane.id ? null : s("title", {}, lane.id)),
    );
  });
}

/**
 * drawPicture returns everything that depends on the range but not on the position.
 * @param {import("./layout.js").Frame} frame
 * @param {import("./layout.js").Picture} picture
 * @param {string} stem of the pattern ids
 */
export function drawPicture(frame, picture, stem) {
  const arrowClass = `lab-arrow lab-${picture.crowd}`;
  return [
    ...picture.bars.map((bar) => drawBar(frame, bar, stem)),
    ...Object.entries(picture.arrows).map(([family, d]) => d && s("path", { class: `${arrowClass} lab-arrow-${family}`, d })),
    picture.heads && s("path", { class: `${arrowClass} lab-heads`, d: picture.heads }),
    ...Object.entries(picture.marks).map(([family, d]) => d && s("path", { class: `lab-mark lab-mark-${family}`, d })),
  ].filter((node) => node !== "");
}

/**
 * drawBar draws one span: a life as a thick line, all else as a patterned bar with its word.
 * @param {import("./layout.js").Frame} frame
 * @param {import("./layout.js").Bar} bar
 * @param {string} stem
 */
function drawBar(frame, bar, stem) {
  const y = yOf(frame, bar.lane);
  if (bar.kind === "alive") return s("path", { class: "lab-alive", d: `M${bar.x} ${y}h${bar.width}` });
  const height = bar.kind === "crashed" ? 8 : 14;
  const word = text.timeline.spans[bar.kind];
  return s(
    "g",
    {},
    s("title", {}, word),
    s("rect", { class: `lab-bar lab-bar-${bar.kind}`, x: bar.x, y: y - height / 2, width: bar.width, height, rx: 2, fill: `url(#${stem}-${bar.kind})` }),
    bar.width > WORD_WIDTH_MIN && s("text", { class: "lab-bar-word", x: Math.max(bar.x, 0) + 6, y: y + 4 }, word),
  );
}

/**
 * drawGrid returns grid lines with their values.
 * @param {import("./layout.js").Frame} frame
 * @param {import("./layout.js").Picture} picture
 * @param {number} bottom
 */
export function drawGrid(frame, picture, bottom) {
  return picture.grid.map(({ x, value }) => {
    const label = frame.axis.kind === "time" ? formatMs(value) : text.timeline.order(formatNumber(Math.round(value) + 1));
    const anchor = x > frame.width - 30 ? "end" : x < 20 ? "start" : "middle";
    return s("g", {}, s("path", { class: "lab-grid", d: `M${x} 16V${bottom}` }), s("text", { class: "lab-grid-label", x, y: 11, "text-anchor": anchor }, label));
  });
}

/**
 * drawCursor returns the playhead: a line, a ring on the event, and the messages of the event's call in full strength.
 * @param {import("../log/log.js").Log} log
 * @param {import("./layout.js").Frame} frame
 * @param {number} position
 * @param {number} bottom
 */
export function drawCursor(log, frame, position, bottom) {
  const event = log.events[position];
  if (!event) return [];
  const x = xOf(frame, position);
  const nodes = [/** @type {Node} */ (s("path", { class: "lab-playhead", d: `M${x} 16V${bottom}` }))];
  const call = log.calls.get(event.fields?.call);
  for (const leg of call ? legsOf(log, call) : []) {
    const [x1, y1, x2, y2] = [xOf(frame, leg.from), yOf(frame, leg.fromLane), xOf(frame, leg.to), yOf(frame, leg.toLane)];
    nodes.push(s("path", { class: `lab-arrow lab-arrow-${leg.family} lab-current`, d: `M${x1} ${y1}L${x2} ${y2}${headPath(x1, y1, x2, y2)}` }));
  }
  const lane = log.laneOf.get(event.actor ?? "");
  if (lane !== undefined) nodes.push(s("circle", { class: "lab-ring", cx: x, cy: yOf(frame, lane), r: 7 }));
  return nodes;
}

/**
 * legend explains the marks in words beside their drawings.
 * @param {import("../log/log.js").Log} log
 * @param {string} stem
 */
export function drawLegend(log, stem) {
  const words = text.timeline;
  const spans = /** @type {const} */ (["busy", "paused", "offload", "crashed"]).filter((kind) => log.spans.some((span) => span.kind === kind));
  const sample = /** @param {...Node} drawing */ (...drawing) => s("svg", { width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true" }, ...drawing);
  const entries = spans.map((kind) => ({
    drawing: sample(s("rect", { class: `lab-bar lab-bar-${kind}`, x: 1, y: 2, width: 24, height: 10, rx: 2, fill: `url(#${stem}-${kind})` })),
    word: words.spans[kind],
  }));
  const calls = [...log.calls.values()];
  if (calls.length > 0) {
    entries.push({ drawing: sample(s("path", { class: "lab-arrow lab-arrow-request", d: "M1 7H22M17 4L22 7L17 10" })), word: words.legend.request });
    entries.push({ drawing: sample(s("path", { class: "lab-arrow lab-arrow-reply", d: "M1 7H22" })), word: words.legend.reply });
  }
  if (calls.some((call) => call.failed)) entries.push({ drawing: sample(s("path", { class: "lab-arrow lab-arrow-failed", d: "M1 7H22" })), word: words.legend.failed });
  if (calls.some((call) => call.lost.length > 0)) entries.push({ drawing: sample(s("path", { class: "lab-arrow lab-arrow-lost", d: "M1 7H16M12 3l8 8M20 3l-8 8" })), word: words.legend.lost });
  if (log.violations.length > 0) entries.push({ drawing: sample(s("path", { class: "lab-flag", d: "M8 1v12M8 1h9l-2.5 3l2.5 3h-9" })), word: words.legend.violation });
  return h("ul", { class: "lab-legend" }, ...entries.map(({ drawing, word }) => h("li", {}, drawing, word)));
}

/**
 * explainMark is the legend's entry for a mark that stands over the lanes.
 * @param {(x: number, bottom: number) => SVGElement} mark
 * @param {string} word
 */
export function explainMark(mark, word) {
  return h("li", {}, s("svg", { width: 14, height: 26, viewBox: "-7 10 14 26", "aria-hidden": "true" }, mark(0, 36)), word);
}

/** @param {SVGSVGElement} plot @param {number} width @param {number} height */
export function sizePlot(plot, width, height) {
  setAll(plot, { width, height, viewBox: `0 0 ${width} ${height}` });
}

/**
 * letKeysScroll lets lanes that are not all in sight be reached and scrolled by keys; others are no stop of the Tab key.
 * @param {HTMLElement} lanes
 */
export function letKeysScroll(lanes) {
  const more = lanes.scrollHeight > lanes.clientHeight + 1;
  setAll(lanes, { tabindex: more ? 0 : null, role: more ? "group" : null, "aria-label": more ? text.timeline.lanes : null });
}
