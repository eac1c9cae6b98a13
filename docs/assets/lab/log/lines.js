/**
 * Links trace events with source lines, both ways. Pure.
 * An event without a line of its own shows the line that sent its call, else the last line its actor was seen at.
 */

import { lastAtOrBefore, itself } from "../search.js";

/** @typedef {{file: string, line: number}} SourceLine */
/**
 * @typedef {object} LineIndex
 * @property {(SourceLine | null)[]} shown by position
 * @property {Map<string, number[]>} positions by "file:line", ascending
 */

/**
 * linesOf indexes a trace.
 * @param {import("../shapes.js").TraceEvent[]} events
 * @param {Map<number, import("./calls.js").Call>} calls
 * @returns {LineIndex}
 */
export function linesOf(events, calls) {
  const positions = /** @type {Map<string, number[]>} */ (new Map());
  const lastOf = /** @type {Map<string | null, SourceLine>} */ (new Map());
  const shown = events.map((event, position) => {
    if (event.line) {
      const key = lineKey(event.line);
      const seen = positions.get(key);
      if (seen) seen.push(position);
      else positions.set(key, [position]);
      lastOf.set(event.actor, event.line);
      return event.line;
    }
    const sent = calls.get(event.fields?.call)?.started;
    const sender = typeof sent === "number" ? events[sent].line : undefined;
    return sender ?? lastOf.get(event.actor) ?? null;
  });
  return { shown, positions };
}

/** @param {SourceLine} line */
export function lineKey(line) {
  return `${line.file}:${line.line}`;
}

/**
 * nextAtLine returns the next position at which a line ran, going round to its first; null when it never ran.
 * @param {LineIndex} index
 * @param {SourceLine} line
 * @param {number} position
 */
export function nextAtLine(index, line, position) {
  const positions = index.positions.get(lineKey(line));
  if (!positions) return null;
  return positions[lastAtOrBefore(positions, position, itself) + 1] ?? positions[0];
}
