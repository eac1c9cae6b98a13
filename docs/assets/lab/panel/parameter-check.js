/**
 * Reads what a reader typed into a parameter's field: a value, or one sentence that says what is allowed. Pure.
 * Python checks again and has the last word; this is here so that the answer comes while typing.
 */

import { formatJson, formatNumber } from "../format.js";
import { text } from "../text/index.js";

/** @typedef {import("../shapes.js").Parameter} Parameter */
/** @typedef {{value: any, problem: null} | {value: null, problem: string}} Checked */

/** Longest piece of what was typed that a sentence repeats. */
const QUOTED_MAX = 40;

const WHOLE = /^[+-]?\d{1,12}$/;

/**
 * checkParameter reads one field.
 * @param {Parameter} parameter
 * @param {string} typed
 * @returns {Checked}
 */
export function checkParameter(parameter, typed) {
  const given = typed.trim();
  if (parameter.type === "choice") {
    const choices = parameter.choices ?? [];
    return choices.includes(given) ? { value: given, problem: null } : refuse(text.parameters.notWhole, parameter, given);
  }
  if (given === "") return { value: null, problem: text.parameters.empty(parameter.label, allowed(parameter)) };
  const parts = parameter.type === "integers" ? given.split(",").map((part) => part.trim()) : [given];
  const wrong = parts.find((part) => !WHOLE.test(part));
  if (wrong !== undefined) return refuse(text.parameters.notWhole, parameter, wrong);
  const numbers = parts.map(Number);
  const outside = numbers.find((number) => number < (parameter.minimum ?? -Infinity) || number > (parameter.maximum ?? Infinity));
  if (outside !== undefined) return refuse(text.parameters.outside, parameter, formatNumber(outside));
  return { value: parameter.type === "integers" ? numbers : numbers[0], problem: null };
}

/**
 * writeParameter is what a field shows for a value; checkParameter reads it back to the same value.
 * @param {any} value
 */
export function writeParameter(value) {
  if (Array.isArray(value) && !value.some((item) => typeof item === "object")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * sameValue tells whether two parameter values are equal.
 * @param {any} one
 * @param {any} other
 */
export function sameValue(one, other) {
  return writeParameter(one) === writeParameter(other);
}

/**
 * notUsual lists the parameters that are given another value than their default.
 * @param {Parameter[]} parameters
 * @param {Record<string, any>} values by name; one that is not there counts as usual
 */
export function notUsual(parameters, values) {
  return parameters.filter(({ name, default: usual }) => name in values && !sameValue(values[name], usual));
}

/**
 * allowed says what a parameter takes, as the middle of a sentence.
 * @param {Parameter} parameter
 */
export function allowed(parameter) {
  const words = text.parameters;
  if (parameter.type === "choice") return words.oneOf((parameter.choices ?? []).join(", "));
  const kind = parameter.type === "integers" ? `${words.numbers}, ${words.each}` : words.whole;
  return `${kind} ${range(parameter)}`.trim();
}

/** @param {Parameter} parameter */
function range({ minimum, maximum, unit }) {
  const words = text.parameters;
  const suffix = unit ? ` ${unit}` : "";
  if (typeof minimum === "number" && typeof maximum === "number") return words.between(formatNumber(minimum), formatNumber(maximum), suffix);
  return typeof minimum === "number" ? words.atLeast(formatNumber(minimum), suffix) : "";
}

/**
 * @param {(label: string, given: string, allowed: string) => string} sentence
 * @param {Parameter} parameter
 * @param {string} given
 * @returns {Checked}
 */
function refuse(sentence, parameter, given) {
  return { value: null, problem: sentence(parameter.label, formatJson(given, QUOTED_MAX), allowed(parameter)) };
}
