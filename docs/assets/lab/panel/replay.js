/**
 * What Run replays instead of making the usual run: says so, and lets the reader go back. Decides nothing about when.
 */

import { define, h } from "../dom.js";
import { CommandEvent } from "../events.js";
import { text } from "../text/index.js";

export class LabReplay extends HTMLElement {
  #shown = h("span", { class: "lab-mono lab-schedule" });
  /** @type {string | null} */
  schedule = null;
  /** @type {number | null} where the next run is to be shown */
  position = null;

  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add("lab-replay");
    this.hidden = true;
    const usual = h("button", { type: "button", class: "lab-link lab-usual", onclick: () => this.dispatchEvent(new CommandEvent("usual")) }, text.link.usual);
    this.append(h("p", {}, text.link.replays, " ", this.#shown, " ", usual));
  }

  /**
   * set lets Run replay a schedule; null lets it make the usual run.
   * @param {string | null} schedule
   * @param {number | null} [position]
   */
  set(schedule, position = null) {
    this.schedule = schedule;
    this.position = position;
    this.hidden = schedule === null;
    this.#shown.textContent = schedule ?? "";
    this.#shown.title = schedule ?? "";
  }
}

define("lab-replay", LabReplay);
