/**
 * Turns positions into places and back. Two axes: by virtual time, where pauses have their length, and by order, where
 * every event has a place of its own even if many share one instant. Pure.
 */

import { itself, lastAtOrBefore } from "../search.js";

/**
 * @typedef {object} Axis
 * @property {"time" | "order"} kind
 * @property {number} low
 * @property {number} high always above low
 * @property {(position: number) => number} value place of an event
 * @property {(value: number) => number} reached last position that has been reached at a place, going forward
 * @property {(low: number, high: number) => [number, number]} between first and last position with a place in a range
 */

/** Length of an axis along which no time has passed: short enough to say so, long enough for values that differ. */
export const TIMELESS_US = 1000;

/**
 * timeAxis places events by their instant in microseconds; a trace is in order of time.
 * @param {import("./log.js").Log} log
 * @param {number} [untilUs] end of another run that shares the axis
 * @returns {Axis}
 */
export function timeAxis(log, untilUs = 0) {
  const { events } = log;
  /** @param {number} value */
  const upTo = (value) => lastAtOrBefore(events, value, (event) => event.at_us);
  return {
    kind: "time",
    low: 0,
    high: Math.max(log.endUs, untilUs) || TIMELESS_US,
    value: (position) => events[position]?.at_us ?? 0,
    reached: (value) => Math.max(0, upTo(value)),
    between: (low, high) => [upTo(low - 1) + 1, upTo(high)],
  };
}

/**
 * orderAxis places events one after the other.
 * @param {import("./log.js").Log} log
 * @returns {Axis}
 */
export function orderAxis(log) {
  const last = log.events.length - 1;
  return {
    kind: "order",
    low: 0,
    high: Math.max(last, 1),
    value: itself,
    reached: (value) => Math.max(0, Math.min(last, Math.floor(value))),
    between: (low, high) => [Math.max(0, Math.ceil(low)), Math.min(last, Math.floor(high))],
  };
}

/**
 * nearest returns the position whose place is closest to a value; of those at one place, the last.
 * @param {Axis} axis
 * @param {number} value
 * @param {number} count number of events
 */
export function nearest(axis, value, count) {
  const before = axis.reached(value);
  if (before + 1 >= count) return before;
  const after = axis.reached(axis.value(before + 1));
  return axis.value(after) - value < value - axis.value(before) ? after : before;
}

/** @typedef {{low: number, high: number}} Range a part of an axis */

/**
 * zoomed returns a range `factor` times as long around a value, kept inside the axis and no shorter than a sliver.
 * @param {Axis} axis
 * @param {Range} range
 * @param {number} factor
 * @param {number} around
 * @returns {Range}
 */
export function zoomed(axis, range, factor, around) {
  const whole = axis.high - axis.low;
  const length = Math.min(whole, Math.max((range.high - range.low) * factor, axis.kind === "time" ? whole / 5000 : 4));
  const share = (around - range.low) / (range.high - range.low);
  return shifted(axis, { low: around - share * length, high: around + (1 - share) * length });
}

/**
 * shifted moves a range back inside its axis without changing its length.
 * @param {Axis} axis
 * @param {Range} range
 * @returns {Range}
 */
export function shifted(axis, range) {
  const length = Math.min(range.high - range.low, axis.high - axis.low);
  const low = Math.min(Math.max(range.low, axis.low), axis.high - length);
  return { low, high: low + length };
}

/**
 * following returns a range that contains a value: the same one if it does, else moved so that the value is near its start.
 * @param {Axis} axis
 * @param {Range} range
 * @param {number} value
 * @returns {Range}
 */
export function following(axis, range, value) {
  if (value >= range.low && value <= range.high) return range;
  const length = range.high - range.low;
  return shifted(axis, { low: value - length * 0.2, high: value + length * 0.8 });
}

/**
 * roundValues chooses round numbers in a range for grid lines, about one per 110 pixels.
 * @param {number} low
 * @param {number} high
 * @param {number} width in pixels
 * @param {number} [stepMin]
 */
export function roundValues(low, high, width, stepMin = 0) {
  const rough = (high - low) / Math.max(2, Math.floor(width / 110));
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find((one) => one * power >= rough) ?? 10;
  const step = Math.max(stepMin, factor * power);
  const values = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) values.push(value);
  return values;
}
