/**
 * A program with a safeguard taken out, and put back: texts only. Decides when a safeguard counts as in, as out, or as rewritten
 * by the reader, who may have edited the same lines.
 */

/** @typedef {import("../shapes.js").Safeguard} Safeguard */

/**
 * stateOf says whether a program's text has the safeguard: "in", "out", or "rewritten" where neither can be told.
 * @param {Safeguard} safeguard
 * @param {string} source
 * @returns {"in" | "out" | "rewritten"}
 */
export function stateOf({ changes }, source) {
  if (changes.every(([old, fresh]) => count(source, old) === 1 && count(source, fresh) === 0)) return "in";
  if (changes.every(([old, fresh]) => count(source, fresh) === 1 && count(source, old) === 0)) return "out";
  return "rewritten";
}

/**
 * without returns a text that has the safeguard, less it.
 * @param {Safeguard} safeguard
 * @param {string} source
 */
export function without({ changes }, source) {
  return changes.reduce((text, [old, fresh]) => text.replace(old, () => fresh), source);
}

/**
 * restored returns a text without the safeguard, with it.
 * @param {Safeguard} safeguard
 * @param {string} source
 */
export function restored({ changes }, source) {
  return changes.reduce((text, [old, fresh]) => text.replace(fresh, () => old), source);
}

/**
 * @param {string} source
 * @param {string} part never empty
 */
function count(source, part) {
  return source.split(part).length - 1;
}
