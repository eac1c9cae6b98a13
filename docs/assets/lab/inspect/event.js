/**
 * Says what the event at the position is: number, instant, actor, one sentence, and what it changed.
 * Not a live region: the slider speaks for itself, and playing must not talk without end.
 */

import { define, h } from "../dom.js";
import { describeEvent, kindLabel } from "../describe.js";
import { formatJson, formatMs, formatNumber } from "../format.js";
import { storesAt } from "../log/stores.js";
import { text } from "../text/index.js";

export class LabEvent extends HTMLElement {
  connectedCallback() {
    this.classList.add("lab-event");
  }

  /**
   * show describes the event at a position.
   * @param {import("../log/log.js").Log} log
   * @param {number} position
   */
  show(log, position) {
    const event = log.events[position];
    if (!event) {
      this.replaceChildren(h("p", { class: "lab-note" }, text.timeline.empty));
      return;
    }
    this.dataset.position = String(position + 1);
    const head = h(
      "p",
      { class: "lab-event-head" },
      h("span", { class: "lab-event-number" }, `#${formatNumber(position + 1)}`),
      h("span", { class: "lab-event-at" }, formatMs(event.at_us)),
      h("span", { class: "lab-chip" }, kindLabel(event.kind)),
    );
    const line = log.lines.shown[position];
    const place = line && h("span", { class: "lab-event-line" }, `${line.file}:${line.line}`);
    if (place) head.append(place);
    this.replaceChildren(head, h("p", { class: "lab-event-text" }, describeEvent(log, position)), ...changesOf(log, position, event.at_us));
  }
}

/**
 * changesOf lists what the event did to stored keys, old value first.
 * @param {import("../log/log.js").Log} log
 * @param {number} position
 * @param {number} at_us
 */
function changesOf(log, position, at_us) {
  if (!log.events[position].fields?.changes?.length) return [];
  const touched = storesAt(log.stores, position, at_us).filter((key) => key.touched);
  const items = touched.map((key) =>
    h(
      "li",
      {},
      h("span", { class: "lab-mono" }, key.key),
      ` ${text.store.touched[key.touched ?? "changed"]}: `,
      h("span", { class: "lab-mono" }, `${short(key.before)} → ${short(key.value)}`),
    ),
  );
  return items.length > 0 ? [h("ul", { class: "lab-event-changes", "aria-label": text.event.changes }, ...items)] : [];
}

/** @param {any} value */
function short(value) {
  return value === null || value === undefined ? text.nothing : formatJson(value, 60);
}

define("lab-event", LabEvent);
