/**
 * The run as a table: every event that the timeline draws, in order, with the same words. One page of rows at a time, and
 * always the page that holds the position.
 */

import { define, h } from "../dom.js";
import { describeEvent, kindLabel } from "../describe.js";
import { MoveEvent } from "../events.js";
import { handOn } from "../focus.js";
import { formatMs, formatNumber } from "../format.js";
import { text } from "../text/index.js";

/** Rows per page: enough to read on, few enough to redraw while playing. */
export const PAGE_ROWS = 50;

export class LabTable extends HTMLElement {
  /** @type {import("../log/log.js").Log | null} */
  #log = null;
  #page = -1;
  #caption = h("caption", {});
  #body = h("tbody", {});
  #box = h("div", { class: "lab-scroll lab-table-box", tabindex: 0, role: "group" });
  #previous = h("button", { type: "button", class: "lab-button", onclick: () => this.#turn(-1) }, text.table.previous);
  #next = h("button", { type: "button", class: "lab-button", onclick: () => this.#turn(1) }, text.table.next);

  connectedCallback() {
    if (this.firstChild) return;
    const words = text.table;
    this.classList.add("lab-events");
    const heads = [words.number, words.at, words.actor, words.kind, words.what, words.line];
    this.#box.append(h("table", { class: "lab-table" }, this.#caption, h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))), this.#body));
    this.append(this.#box, h("div", { class: "lab-pages", role: "group", "aria-label": words.pages }, this.#previous, this.#next));
  }

  /**
   * show turns to the page of a position and marks its row.
   * @param {import("../log/log.js").Log} log
   * @param {number} position
   */
  show(log, position) {
    const page = Math.max(0, Math.floor(position / PAGE_ROWS));
    if (log !== this.#log || page !== this.#page) {
      this.#log = log;
      this.#draw(page);
    }
    for (const row of this.#body.rows) {
      const current = Number(row.dataset.position) === position + 1;
      if (current !== row.hasAttribute("aria-current")) row.toggleAttribute("aria-current", current);
      if (current) row.setAttribute("aria-current", "true");
      if (current) this.#reveal(row);
    }
  }

  /** @param {number} by */
  #turn(by) {
    if (!this.#log) return;
    const position = (this.#page + by) * PAGE_ROWS;
    this.dispatchEvent(new MoveEvent(position, "step"));
  }

  /** @param {number} page */
  #draw(page) {
    const log = this.#log;
    if (!log) return;
    this.#page = page;
    const count = log.events.length;
    const from = page * PAGE_ROWS;
    const to = Math.min(count, from + PAGE_ROWS);
    this.#caption.textContent = text.table.caption(formatNumber(Math.min(from + 1, count)), formatNumber(to), formatNumber(count));
    this.#box.setAttribute("aria-label", this.#caption.textContent);
    const rows = [];
    for (let position = from; position < to; position++) rows.push(this.#row(log, position));
    this.#body.replaceChildren(...rows);
    handOn([this.#previous, this.#next], () => {
      this.#previous.disabled = page === 0;
      this.#next.disabled = to >= count;
    });
  }

  /**
   * @param {import("../log/log.js").Log} log
   * @param {number} position
   */
  #row(log, position) {
    const event = log.events[position];
    const line = log.lines.shown[position];
    const number = formatNumber(position + 1);
    const go = () => this.dispatchEvent(new MoveEvent(position, "step"));
    return h(
      "tr",
      { "data-position": position + 1, "data-kind": event.kind },
      h("th", { scope: "row" }, h("button", { type: "button", class: "lab-row-button", "aria-label": text.table.go(number), onclick: go }, number)),
      h("td", { class: "lab-number" }, formatMs(event.at_us)),
      h("td", { class: "lab-number" }, event.actor ?? text.nothing),
      h("td", {}, kindLabel(event.kind)),
      h("td", {}, describeEvent(log, position)),
      h("td", { class: "lab-mono" }, line ? `${line.file}:${line.line}` : text.nothing),
    );
  }

  /** @param {HTMLElement} row */
  #reveal(row) {
    const box = this.#box;
    const top = row.offsetTop;
    if (top < box.scrollTop + 32 || top + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 3;
  }
}

define("lab-events", LabTable);
