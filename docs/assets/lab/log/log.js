/**
 * Opens a report as an immutable log: events, lanes, calls, spans, and the folds that rebuild any state at a position.
 * A position is an index into the trace; "at position p" means just after event p. Pure, no DOM.
 * Start here; calls.js, spans.js, stores.js, lines.js hold one index each, axis.js turns positions into places.
 */

import { callsOf } from "./calls.js";
import { spansOf } from "./spans.js";
import { storesOf } from "./stores.js";
import { linesOf } from "./lines.js";

/**
 * @typedef {object} Log
 * @property {import("../shapes.js").Report} report
 * @property {import("../shapes.js").TraceEvent[]} events
 * @property {import("../shapes.js").Lane[]} lanes
 * @property {Map<string, number>} laneOf lane index by actor
 * @property {Map<number, import("./calls.js").Call>} calls
 * @property {import("./spans.js").Span[]} spans
 * @property {import("./stores.js").KeyHistory[]} stores
 * @property {import("./lines.js").LineIndex} lines
 * @property {number} endUs the last instant that anything in the report mentions
 * @property {number[]} violations positions at which a claim was violated, ascending
 */

/**
 * openLog indexes a report. It reads every event once per index and never changes the report.
 * @param {import("../shapes.js").Report} report
 * @returns {Log}
 */
export function openLog(report) {
  const events = report.trace;
  const lanes = lanesOf(report);
  const laneOf = new Map(lanes.flatMap((lane, index) => lane.actors.map((actor) => [actor, index])));
  const calls = callsOf(events);
  return {
    report,
    events,
    lanes,
    laneOf,
    calls,
    spans: spansOf(events, laneOf),
    stores: storesOf(events),
    lines: linesOf(events, calls),
    endUs: endOf(report),
    violations: violationsOf(report),
  };
}

/**
 * lanesOf returns the report's lanes, plus one for every actor that none of them names: nothing is left undrawn.
 * @param {import("../shapes.js").Report} report
 */
function lanesOf(report) {
  const lanes = [...report.lanes];
  const known = new Set(lanes.flatMap((lane) => lane.actors));
  for (const event of report.trace) {
    if (event.actor === null || known.has(event.actor)) continue;
    known.add(event.actor);
    lanes.push({ id: event.actor, label: event.actor, actors: [event.actor] });
  }
  return lanes;
}

/** @param {import("../shapes.js").Report} report */
function endOf(report) {
  let end = 0;
  for (const event of report.trace) end = Math.max(end, event.at_us);
  for (const view of report.scene) {
    if (view.view === "series") for (const line of view.lines) for (const [at_us] of line.points) end = Math.max(end, at_us);
    if (view.view === "dots") for (const row of view.rows) for (const dot of row.points) end = Math.max(end, dot.at_us);
  }
  return end;
}

/** @param {import("../shapes.js").Report} report */
function violationsOf(report) {
  const positions = report.claims.filter((claim) => claim.holds === false).map((claim) => claim.position);
  const inside = positions.filter((position) => typeof position === "number" && position < report.trace.length);
  return /** @type {number[]} */ (inside).sort((one, other) => one - other);
}

/**
 * firstShown returns where the reader should be put after a run: at the first violation, else at the end.
 * @param {Log} log
 */
export function firstShown(log) {
  return log.violations[0] ?? log.events.length - 1;
}

/**
 * clampPosition keeps a position inside the trace; an empty trace has only position -1.
 * @param {Log} log
 * @param {number} position
 */
export function clampPosition(log, position) {
  return Math.max(Math.min(Math.round(position), log.events.length - 1), Math.min(0, log.events.length - 1));
}
