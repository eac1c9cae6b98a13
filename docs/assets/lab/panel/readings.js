/**
 * The readings as a definition list: label, value with unit, caption. A reading that does not apply is a dash.
 */

import { define, h } from "../dom.js";
import { formatValue } from "../format.js";
import { text } from "../text/index.js";

/** Values longer than this, as text, are set small. */
const LONG = 9;

export class LabReadings extends HTMLElement {
  connectedCallback() {
    this.classList.add("lab-readings");
  }

  /**
   * show lists the readings in the experiment's order; without values all are dashes.
   * @param {import("../shapes.js").Reading[]} readings
   * @param {Record<string, any>} values
   */
  show(readings, values) {
    const rows = readings.map(({ name, label, unit, caption }) => {
      const value = values[name] ?? null;
      const shown = formatValue(value);
      return h(
        "div",
        { class: shown.length > LONG ? "lab-reading lab-long" : "lab-reading", "data-reading": name, "data-value": JSON.stringify(value) },
        h("dt", {}, label),
        h("dd", { class: "lab-reading-value" }, h("span", { class: "lab-reading-number" }, shown), unit && !isEmpty(shown) && h("span", { class: "lab-unit" }, ` ${unit}`)),
        caption && h("dd", { class: "lab-reading-caption" }, caption),
      );
    });
    this.replaceChildren(h("dl", { "aria-label": text.readings.heading }, ...rows));
  }
}

/**
 * isEmpty tells a value that has nothing to give a unit to: "—" or "none".
 * @param {string} shown
 */
function isEmpty(shown) {
  return shown === text.nothing || shown === text.none;
}

define("lab-readings", LabReadings);
