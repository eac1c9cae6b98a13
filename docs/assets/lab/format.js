/**
 * Turns numbers, instants and JSON values into the text that readers see. Pure; takes its words from the text table.
 */

import { text } from "./text/index.js";

const numbers = new Intl.NumberFormat(text.locale, { maximumFractionDigits: 3 });
const megabytes = new Intl.NumberFormat(text.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * formatNumber groups digits and keeps at most three decimals: 6667 becomes "6,667".
 * @param {number} number
 */
export function formatNumber(number) {
  return numbers.format(number);
}

/**
 * formatMs gives an instant or a duration in milliseconds: 490 µs becomes "0.49 ms".
 * @param {number} at_us
 */
export function formatMs(at_us) {
  return `${numbers.format(at_us / 1000)} ms`;
}

/**
 * formatMegabytes gives a size for progress lines: 5400000 becomes "5.4 MB".
 * @param {number} bytes
 */
export function formatMegabytes(bytes) {
  return `${megabytes.format(bytes / 1e6)} MB`;
}

/**
 * formatValue gives any JSON value of a reading: null is a dash, lists are joined, maps are "key: value".
 * A list inside a list is written as in programs, ungrouped: in "[2, 9020]" a comma must only separate.
 * @param {any} value
 * @returns {string}
 */
export function formatValue(value) {
  if (value === null || value === undefined) return text.nothing;
  if (typeof value === "number") return formatNumber(value);
  if (typeof value === "boolean") return value ? text.yes : text.no;
  if (Array.isArray(value)) {
    if (value.length === 0) return text.none;
    return value.map((item) => (Array.isArray(item) ? JSON.stringify(item).replaceAll(",", ", ") : formatValue(item))).join(", ");
  }
  if (typeof value === "object") {
    const entries = Object.entries(value);
    return entries.length === 0 ? text.none : entries.map(([key, item]) => `${key}: ${formatValue(item)}`).join(", ");
  }
  return String(value);
}

/**
 * formatJson gives a value as programs would write it, cut to a length: for replies and stored values.
 * @param {any} value
 * @param {number} [lengthMax]
 */
export function formatJson(value, lengthMax = 90) {
  const whole = typeof value === "string" ? value : JSON.stringify(value) ?? "null";
  return whole.length > lengthMax ? `${whole.slice(0, lengthMax - 1)}…` : whole;
}

/**
 * withUnit joins a value with its unit, except where there is no value.
 * @param {any} value
 * @param {string | null | undefined} unit
 */
export function withUnit(value, unit) {
  const shown = formatValue(value);
  return unit && value !== null && value !== undefined ? `${shown} ${unit}` : shown;
}

/**
 * reason returns what an error says, to stand inside a sentence.
 * @param {unknown} error
 */
export function reason(error) {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}
