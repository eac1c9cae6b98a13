/**
 * Works out where everything of the timeline stands, in pixels, for the part of the axis that is shown.
 * Pure: numbers in, path texts and numbers out. Draws only what is visible, and of marks that would share a pixel only one,
 * so that the work is bounded by the width and not by the length of the run.
 */

import { roundValues } from "../log/axis.js";

/** With more messages than this in sight, arrows turn faint; with many more, they lose their heads too. */
const ARROWS_CLEAR_MAX = 70;
const ARROWS_HEADED_MAX = 240;

/** @typedef {"call" | "mark" | "life" | "bad"} MarkFamily */
/** @typedef {"request" | "reply" | "failed" | "lost"} ArrowFamily */
/** @typedef {{kind: import("../log/spans.js").SpanKind, lane: number, x: number, width: number, open: boolean}} Bar */

/**
 * @typedef {object} Frame the geometry that a drawing shares
 * @property {number} width of the plot
 * @property {number} laneHeight
 * @property {number} top space above the first lane
 * @property {import("../log/axis.js").Axis} axis
 * @property {import("../log/axis.js").Range} range
 */

/**
 * @typedef {object} Picture
 * @property {Record<MarkFamily, string>} marks path data, zero-length strokes that the style rounds
 * @property {Record<ArrowFamily, string>} arrows path data
 * @property {string} heads path data of arrow heads
 * @property {"few" | "many" | "dense"} crowd how many arrows there are
 * @property {Bar[]} bars
 * @property {{x: number, value: number}[]} grid
 */

/** Events that are drawn as something other than a small dot. */
const FAMILIES = /** @type {Record<string, MarkFamily>} */ ({
  mark: "mark",
  output: "mark",
  "actor.started": "life",
  "actor.ended": "life",
  "actor.paused": "life",
  "actor.resumed": "life",
  "actor.crashed": "bad",
  "task.failed": "bad",
  "replica.promoted": "life",
  "replica.cut": "bad",
  "call.failed": "bad",
  "call.lost": "bad",
  "offload.failed": "bad",
});

/**
 * layout returns the picture of a log in a frame.
 * @param {import("../log/log.js").Log} log
 * @param {Frame} frame
 * @returns {Picture}
 */
export function layout(log, frame) {
  const [first, last] = frame.axis.between(frame.range.low, frame.range.high);
  return {
    marks: layMarks(log, frame, first, last),
    ...layArrows(log, frame, first, last),
    bars: layBars(log, frame),
    grid: layGrid(frame),
  };
}

/**
 * xOf gives the place of a position in the plot.
 * @param {Frame} frame
 * @param {number} position
 */
export function xOf(frame, position) {
  return xOfValue(frame, frame.axis.value(position));
}

/**
 * xOfValue gives the place of an axis value in the plot.
 * @param {Frame} frame
 * @param {number} value
 */
export function xOfValue(frame, value) {
  const { low, high } = frame.range;
  return Math.round(((value - low) / (high - low)) * frame.width * 10) / 10;
}

/**
 * valueAtX is the inverse of xOfValue.
 * @param {Frame} frame
 * @param {number} x
 */
export function valueAtX(frame, x) {
  const { low, high } = frame.range;
  return low + (x / frame.width) * (high - low);
}

/**
 * yOf gives the middle line of a lane.
 * @param {Frame} frame
 * @param {number} lane
 */
export function yOf(frame, lane) {
  return frame.top + (lane + 0.5) * frame.laneHeight;
}

/** @type {Record<MarkFamily | ArrowFamily, number>} */
const FAMILY_NUMBERS = { call: 0, mark: 1, life: 2, bad: 3, request: 0, reply: 1, failed: 2, lost: 3 };

/**
 * placeKey makes one number of a family and a few places, so that drawings on the same pixels are known by it. Places
 * far outside the plot share their key with others there: nobody sees them.
 * @param {number} family
 * @param {number[]} places
 */
function placeKey(family, places) {
  let key = family;
  for (const place of places) key = key * 4096 + Math.min(Math.max(Math.round(place) + 1024, 0), 4095);
  return key;
}

/**
 * layMarks draws one dot per event, and one per pixel and lane where there are more.
 * @param {import("../log/log.js").Log} log
 * @param {Frame} frame
 * @param {number} first
 * @param {number} last
 */
function layMarks(log, frame, first, last) {
  const marks = { call: "", mark: "", life: "", bad: "" };
  const drawn = new Set();
  for (let position = first; position <= last; position++) {
    const event = log.events[position];
    const lane = log.laneOf.get(event.actor ?? "");
    if (lane === undefined) continue;
    const family = FAMILIES[event.kind] ?? "call";
    const x = xOf(frame, position);
    const place = placeKey(FAMILY_NUMBERS[family], [lane, x]);
    if (drawn.has(place)) continue;
    drawn.add(place);
    marks[family] += markPath(family, x, yOf(frame, lane));
  }
  return marks;
}

/**
 * markPath is the shape of a mark, so that families differ without colour: dot, diamond, bar, cross.
 * @param {MarkFamily} family
 * @param {number} x
 * @param {number} y
 */
function markPath(family, x, y) {
  if (family === "call") return `M${x} ${y}h0`;
  if (family === "mark") return `M${x} ${y - 5}l4.5 5l-4.5 5l-4.5 -5z`;
  if (family === "life") return `M${x} ${y - 6}v12`;
  return `M${x - 4} ${y - 4}l8 8M${x + 4} ${y - 4}l-8 8`;
}

/**
 * layArrows draws the messages of every call that has something in sight.
 * @param {import("../log/log.js").Log} log
 * @param {Frame} frame
 * @param {number} first
 * @param {number} last
 */
function layArrows(log, frame, first, last) {
  const arrows = { request: "", reply: "", failed: "", lost: "" };
  const legs = [];
  const drawn = new Set();
  for (const call of log.calls.values()) {
    if (call.last < first || call.first > last) continue;
    for (const leg of legsOf(log, call)) {
      const from = xOf(frame, leg.from);
      const to = xOf(frame, leg.to);
      const place = placeKey(FAMILY_NUMBERS[leg.family], [from, leg.fromLane, to, leg.toLane]);
      if (leg.fromLane === leg.toLane || drawn.has(place)) continue;
      drawn.add(place);
      legs.push({ family: leg.family, x1: from, y1: yOf(frame, leg.fromLane), x2: to, y2: yOf(frame, leg.toLane) });
    }
  }
  const crowd = legs.length > ARROWS_HEADED_MAX ? crowded("dense") : crowded(legs.length > ARROWS_CLEAR_MAX ? "many" : "few");
  let heads = "";
  for (const { family, x1, y1, x2, y2 } of legs) {
    const end = family === "lost" ? { x: (x1 + x2) / 2, y: (y1 + y2) / 2 } : { x: x2, y: y2 };
    arrows[family] += `M${x1} ${y1}L${end.x} ${end.y}`;
    if (family === "lost") arrows.lost += `M${end.x - 4} ${end.y - 4}l8 8M${end.x + 4} ${end.y - 4}l-8 8`;
    else if (crowd !== "dense") heads += headPath(x1, y1, x2, y2);
  }
  return { arrows, heads, crowd };
}

/**
 * legsOf lists the messages of one call between lanes. A lost message goes half of its way.
 * @param {import("../log/log.js").Log} log
 * @param {import("../log/calls.js").Call} call
 * @returns {{family: ArrowFamily, from: number, fromLane: number, to: number, toLane: number}[]}
 */
export function legsOf(log, call) {
  const caller = log.laneOf.get(call.caller ?? "");
  const service = log.laneOf.get(call.service ?? "");
  if (caller === undefined || service === undefined) return [];
  const legs = [];
  const { started, applied, ended } = call;
  if (started !== null) {
    for (const at of applied) legs.push({ family: leg("request"), from: started, fromLane: caller, to: at, toLane: service });
  }
  const answered = applied.at(-1);
  if (answered !== undefined && ended !== null && ended > answered) {
    legs.push({ family: leg(call.failed ? "failed" : "reply"), from: answered, fromLane: service, to: ended, toLane: caller });
  }
  for (const at of call.lost) {
    const applies = applied.filter((position) => position < at).at(-1);
    if (log.events[at].fields.direction === "reply" && applies !== undefined) {
      legs.push({ family: leg("lost"), from: applies, fromLane: service, to: at, toLane: caller });
    } else if (started !== null) {
      legs.push({ family: leg("lost"), from: started, fromLane: caller, to: at, toLane: service });
    }
  }
  return legs;
}

/** @param {ArrowFamily} family */
const leg = (family) => family;

/** @param {Picture["crowd"]} crowd */
const crowded = (crowd) => crowd;

/**
 * headPath draws an open arrow head that stops short of the lane's line.
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 */
export function headPath(x1, y1, x2, y2) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const ux = (x2 - x1) / length;
  const uy = (y2 - y1) / length;
  const [tipX, tipY] = [x2 - ux * 4, y2 - uy * 4];
  const [backX, backY] = [tipX - ux * 6, tipY - uy * 6];
  /** @param {number} value */
  const round = (value) => Math.round(value * 10) / 10;
  return `M${round(backX - uy * 3)} ${round(backY + ux * 3)}L${round(tipX)} ${round(tipY)}L${round(backX + uy * 3)} ${round(backY - ux * 3)}`;
}

/**
 * layBars cuts the spans to what is in sight.
 * @param {import("../log/log.js").Log} log
 * @param {Frame} frame
 * @returns {Bar[]}
 */
function layBars(log, frame) {
  const bars = [];
  for (const span of log.spans) {
    const from = frame.axis.value(span.from);
    const to = span.to === null ? frame.axis.high : frame.axis.value(span.to);
    if (to < frame.range.low || from > frame.range.high) continue;
    const left = Math.max(-2, xOfValue(frame, from));
    const right = Math.min(frame.width + 2, xOfValue(frame, to));
    bars.push({ kind: span.kind, lane: span.lane, x: left, width: Math.max(1.5, right - left), open: span.to === null });
  }
  return bars;
}

/** @param {Frame} frame */
function layGrid(frame) {
  const values = roundValues(frame.range.low, frame.range.high, frame.width, frame.axis.kind === "order" ? 1 : 0);
  return values.map((value) => ({ x: xOfValue(frame, value), value }));
}
