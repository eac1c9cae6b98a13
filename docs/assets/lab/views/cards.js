/**
 * Cards with a title, a role and what is in them now; arrows show where work goes. Decides rows and order.
 */

import { h } from "../dom.js";
import { latestBy, ranksOf } from "../log/scenes.js";
import { text } from "../text/index.js";
import { toneOf } from "../tones.js";
import { figure, glyph } from "./figure.js";

export class CardsFigure {
  #latest;
  /** @type {Map<string, {card: HTMLElement, mark: HTMLElement, said: HTMLElement, shown: string}>} */
  #cards = new Map();

  /** @param {import("../shapes.js").CardsView} view */
  constructor(view) {
    this.#latest = latestBy(view.changes, (change) => change.card);
    const rows = ranksOf(view.cards, view.arrows ?? []).map(({ linked, ranks }) => {
      const columns = ranks.map((ids) => h("div", { class: "lab-rank", role: "presentation" }, ...ids.map((id) => this.#make(view, id))));
      const children = linked ? columns.flatMap((column, index) => (index === 0 ? [column] : [arrow(), column])) : columns;
      return h("div", { class: linked ? "lab-card-row lab-linked" : "lab-card-row", role: "list" }, ...children);
    });
    this.element = figure(view, ...rows);
  }

  /** @param {number} position */
  move(position) {
    for (const [id, parts] of this.#cards) {
      const change = this.#latest(id, position);
      const now = change?.position === position;
      const shown = `${change?.tone}\n${change?.text}\n${now}`;
      if (shown === parts.shown) continue;
      parts.shown = shown;
      parts.card.className = `lab-card lab-tone-${toneOf(change?.tone ?? "muted")}${now ? " lab-now" : ""}`;
      parts.mark.replaceChildren(glyph(change?.tone ?? "muted"));
      parts.said.textContent = change?.text ?? text.nothing;
    }
  }

  /**
   * @param {import("../shapes.js").CardsView} view
   * @param {string} id
   */
  #make(view, id) {
    const card = view.cards.find((one) => one.id === id);
    const [mark, said] = [h("span", {}), h("span", {})];
    const element = h(
      "div",
      { class: "lab-card", role: "listitem", "data-card": id },
      h("span", { class: "lab-card-title" }, card?.title ?? id, card?.role && h("span", { class: "lab-card-role" }, card.role)),
      h("span", { class: "lab-card-text" }, mark, said),
    );
    this.#cards.set(id, { card: element, mark, said, shown: "" });
    return element;
  }
}

function arrow() {
  return h("span", { class: "lab-card-arrow", "aria-hidden": "true" });
}
