/**
 * Tabs: a row of buttons of which one is chosen, and the panel that it opens. Keyboard as ARIA describes: arrows move and
 * choose, Home and End go to the ends.
 */

import { h, setAll, uniqueId } from "../dom.js";

/** @typedef {{id: string, label: string, panel: HTMLElement}} Tab */

export class Tabs {
  #tabs;
  #buttons;
  #chosen;

  /**
   * @param {string} name
   * @param {Tab[]} tabs several may share one panel; the first is chosen
   * @param {(id: string) => void} chosen called when the reader chooses
   */
  constructor(name, tabs, chosen) {
    this.#tabs = tabs;
    this.#chosen = chosen;
    this.#buttons = tabs.map(({ id, label, panel }) => {
      panel.id ||= uniqueId("tab-panel");
      return h("button", { type: "button", role: "tab", class: "lab-tab", id: uniqueId("tab"), "data-tab": id, "aria-controls": panel.id, onclick: () => this.#choose(id) }, label);
    });
    this.element = h("div", { class: "lab-tabs", role: "tablist", "aria-label": name, onkeydown: (/** @type {KeyboardEvent} */ event) => this.#pressed(event) }, ...this.#buttons);
    if (tabs.length > 0) this.select(tabs[0].id);
  }

  /**
   * select marks a tab as chosen and shows its panel, without telling anybody.
   * @param {string} id
   */
  select(id) {
    this.#tabs.forEach((tab, index) => {
      const chosen = tab.id === id;
      setAll(this.#buttons[index], { "aria-selected": String(chosen), tabindex: chosen ? 0 : -1 });
      if (!this.#tabs.some((other) => other.id === id && other.panel === tab.panel)) tab.panel.hidden = true;
      if (chosen) {
        tab.panel.hidden = false;
        if (tab.panel.getAttribute("role") === "tabpanel") tab.panel.setAttribute("aria-labelledby", this.#buttons[index].id);
      }
    });
  }

  /** @param {string} id */
  #choose(id) {
    this.select(id);
    this.#chosen(id);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const at = this.#buttons.findIndex((button) => button.getAttribute("aria-selected") === "true");
    const last = this.#buttons.length - 1;
    const next = { ArrowLeft: at === 0 ? last : at - 1, ArrowRight: at === last ? 0 : at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#buttons[next].focus();
    this.#choose(this.#tabs[next].id);
  }
}
