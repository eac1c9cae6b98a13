/**
 * The content of every store at the position: keys in one table per store, rows of a database in one table per table.
 * Decides how values are written and how the current event's change stands out (a word and a bar, not colour alone).
 */

import { define, h } from "../dom.js";
import { formatJson, formatMs } from "../format.js";
import { storesAt } from "../log/stores.js";
import { text } from "../text/index.js";

/** @typedef {import("../log/stores.js").StoredKey} StoredKey */

export class LabStore extends HTMLElement {
  connectedCallback() {
    this.classList.add("lab-store");
  }

  /**
   * show lists what is stored at a position.
   * @param {import("../log/log.js").Log} log
   * @param {number} position
   */
  show(log, position) {
    const at_us = log.events[position]?.at_us ?? 0;
    const keys = storesAt(log.stores, position, at_us);
    if (keys.length === 0) {
      const words = log.stores.length === 0 ? text.store.never : text.store.empty;
      this.replaceChildren(h("p", { class: "lab-note" }, words));
      return;
    }
    const groups = groupBy(keys, (key) => (key.type === "row" ? `row ${tableOf(key)}` : `key ${key.store}`));
    this.replaceChildren(
      ...[...groups].map(([name, group]) => scrollable(name.startsWith("row ") ? rowsTable(tableOf(group[0]), group) : keysTable(group[0].store, group, at_us))),
    );
  }
}

/**
 * keysTable shows keys of a Redis-like store.
 * @param {string} store
 * @param {StoredKey[]} keys
 * @param {number} at_us
 */
function keysTable(store, keys, at_us) {
  const words = text.store;
  const rows = [...keys].sort((one, other) => (one.key < other.key ? -1 : 1)).map((key) =>
    h(
      "tr",
      { class: key.touched && "lab-touched", "data-key": key.key },
      h("th", { scope: "row", class: "lab-mono" }, key.key),
      h("td", {}, key.type),
      h("td", { class: "lab-mono lab-value" }, ...valueNodes(key), ...key.groups.map(groupNode)),
      h("td", {}, expiryOf(key, at_us)),
      h("td", {}, ...changeNodes(key)),
    ),
  );
  return tableOfRows(words.caption(store), [words.key, words.type, words.value, words.expires, words.change], rows);
}

/**
 * rowsTable shows rows of a database table under the columns that any of them has.
 * @param {string} table
 * @param {StoredKey[]} keys
 */
function rowsTable(table, keys) {
  const columns = [...new Set(keys.flatMap((key) => Object.keys(key.value ?? key.before ?? {})))];
  const rows = keys.map((key) => {
    const values = key.value ?? key.before ?? {};
    const cells = columns.map((column) => {
      const changed = key.touched === "changed" && formatJson(key.before?.[column]) !== formatJson(values[column]);
      return h("td", { class: changed ? "lab-mono lab-value lab-changed" : "lab-mono lab-value" }, show(values[column]));
    });
    return h(
      "tr",
      { class: key.touched && "lab-touched", "data-key": key.key },
      h("th", { scope: "row", class: "lab-mono" }, key.key.slice(table.length + 1)),
      ...cells,
      h("td", {}, ...changeNodes(key)),
    );
  });
  return tableOfRows(text.store.rows(table), [text.store.row, ...columns, text.store.change], rows);
}

/**
 * @param {string} caption
 * @param {string[]} heads
 * @param {HTMLElement[]} rows
 */
function tableOfRows(caption, heads, rows) {
  return h(
    "table",
    { class: "lab-table" },
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, ...rows),
  );
}

/**
 * scrollable lets a wide table scroll by itself, by keyboard too.
 * @param {HTMLElement} table
 */
export function scrollable(table) {
  return h("div", { class: "lab-scroll", tabindex: 0, role: "group", "aria-label": table.querySelector("caption")?.textContent ?? "" }, table);
}

/**
 * valueNodes writes a stored value: maps and ranked members one per line, all else as text.
 * @param {StoredKey} key
 */
function valueNodes(key) {
  const value = key.value ?? key.before;
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => h("div", {}, Array.isArray(item) ? item.map((part) => formatJson(part)).join("  ") : formatJson(item)));
  }
  if (value !== null && typeof value === "object" && Object.keys(value).length > 0) {
    return Object.entries(value).map(([field, item]) => h("div", {}, `${field}: ${formatJson(item)}`));
  }
  return [show(value)];
}

/**
 * groupNode says below a stream's entries how far a consumer group has read, and what is pending for whom.
 * @param {import("../shapes.js").Group} group
 */
function groupNode(group) {
  const words = text.store;
  const pending = group.pending.map((entry) =>
    h("li", {}, words.pending(entry.id, entry.consumer, formatMs(entry.delivered_at_ms * 1000), entry.deliveries, entry.deleted)),
  );
  const list = pending.length > 0 ? [h("ul", {}, ...pending)] : [];
  return h("div", { class: "lab-group", "data-group": group.name }, words.group(group.name, group.last_id, group.consumers), ...list);
}

/** @param {StoredKey} key */
function changeNodes(key) {
  if (!key.touched) return [];
  const was = key.touched === "changed" && typeof key.before !== "object" ? ` ${text.store.was(formatJson(key.before, 40))}` : "";
  return [h("span", { class: "lab-chip lab-chip-changed" }, text.store.touched[key.touched]), was];
}

/**
 * @param {StoredKey} key
 * @param {number} at_us
 */
function expiryOf(key, at_us) {
  if (key.expiresAtMs === null) return text.store.never_expires;
  return key.expired ? text.store.expired : text.store.inTime(formatMs(key.expiresAtMs * 1000 - at_us));
}

/** @param {any} value */
function show(value) {
  return value === null || value === undefined ? text.nothing : formatJson(value, 200);
}

/** @param {StoredKey} key */
function tableOf(key) {
  return key.key.split("/")[0];
}

/**
 * @param {StoredKey[]} keys
 * @param {(key: StoredKey) => string} name
 */
function groupBy(keys, name) {
  const groups = /** @type {Map<string, StoredKey[]>} */ (new Map());
  for (const key of keys) groups.set(name(key), [...(groups.get(name(key)) ?? []), key]);
  return groups;
}

define("lab-store", LabStore);
