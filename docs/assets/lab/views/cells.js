/**
 * A grid of squares, each in one of a few states. Decides how a state is shown: colour, glyph, and words.
 */

import { h } from "../dom.js";
import { formatNumber } from "../format.js";
import { latestBy } from "../log/scenes.js";
import { text } from "../text/index.js";
import { toneOf } from "../tones.js";
import { figure, glyph } from "./figure.js";

/** @typedef {{id: string, label: string, square: HTMLElement, mark: HTMLElement, by: HTMLElement, said: HTMLElement, shown: string}} Cell */

export class CellsFigure {
  #view;
  #latest;
  #states;
  /** @type {Cell[]} */
  #cells;
  /** @type {Map<string, HTMLElement>} */
  #counts = new Map();

  /** @param {import("../shapes.js").CellsView} view */
  constructor(view) {
    this.#view = view;
    this.#latest = latestBy(view.changes, (change) => change.cell);
    this.#states = new Map(view.states.map((state) => [state.id, state]));
    this.#cells = view.cells.map(({ id, label }) => {
      const [mark, by, said] = [h("span", { class: "lab-cell-glyph" }), h("span", { class: "lab-cell-by" }), h("span", { class: "lab-hidden" })];
      const visible = h("span", { class: "lab-cell-face", "aria-hidden": "true" }, h("span", { class: "lab-cell-name" }, label), mark, by);
      return { id, label, square: h("li", { class: "lab-cell" }, visible, said), mark, by, said, shown: "" };
    });
    this.element = figure(view, h("ul", { class: "lab-cells-grid" }, ...this.#cells.map((cell) => cell.square)), this.#legend());
  }

  /** @param {number} position */
  move(position) {
    const counts = new Map();
    for (const cell of this.#cells) {
      const change = this.#latest(cell.id, position);
      const state = change?.state ?? this.#view.initial;
      counts.set(state, (counts.get(state) ?? 0) + 1);
      this.#show(cell, state, change?.text ?? "", change?.position === position);
    }
    for (const [state, element] of this.#counts) element.textContent = formatNumber(counts.get(state) ?? 0);
  }

  /**
   * @param {Cell} cell
   * @param {string} state
   * @param {string} by
   * @param {boolean} now the current event made it so
   */
  #show(cell, state, by, now) {
    const shown = `${state}\n${by}\n${now}`;
    if (shown === cell.shown) return;
    cell.shown = shown;
    const known = this.#states.get(state);
    cell.square.className = `lab-cell lab-tone-${toneOf(known?.tone)}${now ? " lab-now" : ""}`;
    cell.square.dataset.state = state;
    cell.mark.textContent = known?.glyph ?? "?";
    cell.by.textContent = by;
    cell.said.textContent = text.views.cell(cell.label, known?.label ?? state, by);
  }

  #legend() {
    const entries = this.#view.states.map((state) => {
      const count = h("b", {});
      this.#counts.set(state.id, count);
      return h("li", {}, glyph(state.tone, state.glyph), h("span", {}, state.label), count);
    });
    return h("ul", { class: "lab-legend", "aria-label": text.views.legend }, ...entries);
  }
}
