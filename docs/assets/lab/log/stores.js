/**
 * Rebuilds the content of every store at a position from the changes that events carry. Pure.
 * Each key keeps the list of its changes, so any position costs one binary search per key, forward or back.
 */

import { lastAtOrBefore } from "../search.js";

/** @typedef {{position: number, change: import("../shapes.js").Change}} Entry */
/** @typedef {{store: string, key: string, entries: Entry[]}} KeyHistory */

/**
 * @typedef {object} StoredKey
 * @property {string} store
 * @property {string} key
 * @property {string} type
 * @property {any} value null when the current event removed it
 * @property {any} before value before the current event; undefined when it did not touch the key
 * @property {import("../shapes.js").Group[]} groups the consumer groups of a stream; empty for all else
 * @property {"added" | "changed" | "removed" | null} touched what the current event did
 * @property {number | null} expiresAtMs
 * @property {boolean} expired its moment has passed, though no command has looked at it since
 */

/**
 * storesOf indexes all changes of a trace, in the order in which keys first appeared.
 * @param {import("../shapes.js").TraceEvent[]} events
 * @returns {KeyHistory[]}
 */
export function storesOf(events) {
  const keys = /** @type {Map<string, KeyHistory>} */ (new Map());
  events.forEach((event, position) => {
    for (const change of event.fields?.changes ?? []) {
      const name = `${change.store}\n${change.key}`;
      let history = keys.get(name);
      if (!history) keys.set(name, (history = { store: change.store, key: change.key, entries: [] }));
      const last = history.entries.at(-1);
      if (last?.position === position) last.change = change;
      else history.entries.push({ position, change });
    }
  });
  return [...keys.values()];
}

/**
 * storesAt returns what exists at a position, plus what the event at that position removed.
 * A key still exists at the very instant of its expiry and is gone after it.
 * @param {KeyHistory[]} histories
 * @param {number} position
 * @param {number} at_us the instant of that position
 * @returns {StoredKey[]}
 */
export function storesAt(histories, position, at_us) {
  const found = /** @type {StoredKey[]} */ ([]);
  for (const { store, key, entries } of histories) {
    const index = lastAtOrBefore(entries, position, (entry) => entry.position);
    if (index < 0) continue;
    const { change, position: since } = entries[index];
    const touchedNow = since === position;
    const before = index > 0 ? entries[index - 1].change.value : null;
    if (change.value === null && !(touchedNow && before !== null)) continue;
    const expiresAtMs = change.expires_at_ms ?? null;
    found.push({
      store,
      key,
      type: change.type,
      value: change.value,
      before: touchedNow ? before : undefined,
      groups: change.groups ?? [],
      touched: touchedNow ? touchOf(before, change.value) : null,
      expiresAtMs,
      expired: expiresAtMs !== null && at_us > expiresAtMs * 1000,
    });
  }
  return found;
}

/**
 * touchOf names what happened between two values of a key.
 * @param {any} before
 * @param {any} after
 */
function touchOf(before, after) {
  if (after === null) return "removed";
  return before === null ? "added" : "changed";
}
