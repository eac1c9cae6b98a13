/**
 * The safeguards of a variant, each with a switch that takes it out of the program or puts it back. What falls without one is told
 * when the reader asks, or has run or searched the program without it: first comes the guess.
 * Decides what is said of each; the text is changed by source.js, as if the reader had typed.
 */

import { define, h, uniqueId } from "../dom.js";
import { restored, stateOf, without } from "../editing/safeguards.js";
import { text } from "../text/index.js";

/**
 * @typedef {object} Row
 * @property {import("../shapes.js").Safeguard} safeguard
 * @property {HTMLInputElement} box
 * @property {HTMLElement} note why the switch cannot be used
 * @property {HTMLDetailsElement} answer
 */

export class LabSafeguards extends HTMLElement {
  /** @type {Row[]} */
  #rows = [];
  /** @type {(file: string) => string} */
  #text = () => "";
  /** Called with a program's text after a switch. @type {(file: string, source: string) => void} */
  put = () => {};

  connectedCallback() {
    this.classList.add("lab-safeguards");
  }

  /**
   * setSafeguards lists those of a variant.
   * @param {import("../shapes.js").Safeguard[]} safeguards
   * @param {(file: string) => string} read a program as the reader has it
   */
  setSafeguards(safeguards, read) {
    this.#text = read;
    this.#rows = safeguards.map((safeguard) => this.#row(safeguard));
    this.hidden = safeguards.length === 0;
    const words = text.safeguards;
    const items = this.#rows.map(({ safeguard, box, note, answer }) => {
      const protects = h("span", { class: "lab-note", id: uniqueId("protects") }, safeguard.protects);
      box.setAttribute("aria-describedby", `${protects.id} ${note.id}`);
      return h("li", { "data-safeguard": safeguard.id }, h("label", {}, box, " ", safeguard.label), protects, note, answer);
    });
    const fieldset = h("fieldset", {}, h("legend", { class: "lab-hidden" }, words.name), h("p", { class: "lab-note" }, words.why), h("ul", {}, ...items));
    this.replaceChildren(h("details", { class: "lab-safeguards-all" }, h("summary", {}, words.summary(safeguards.length)), fieldset));
    this.update();
    if (this.#rows.some(({ box }) => !box.checked)) this.querySelector("details")?.setAttribute("open", "");
  }

  /** update reads from the programs which safeguards are in. */
  update() {
    for (const { safeguard, box, note, answer } of this.#rows) {
      const state = stateOf(safeguard, this.#text(safeguard.file));
      box.checked = state === "in";
      box.disabled = box.indeterminate = state === "rewritten";
      note.textContent = state === "rewritten" ? text.safeguards.rewritten(safeguard.file) : "";
      answer.hidden = state !== "out";
      if (state !== "out") answer.open = false;
    }
  }

  /**
   * ran tells what is to be expected of a program that was run or searched.
   * @param {Record<string, string>} sources edited programs
   */
  ran(sources) {
    for (const { safeguard, answer } of this.#rows) {
      const source = sources[safeguard.file];
      if (!answer.hidden && source !== undefined && stateOf(safeguard, source) === "out") answer.open = true;
    }
  }

  /** What a search is told: the case made for the one safeguard that is out, where there is one. @returns {{case?: string}} */
  get searchOptions() {
    const out = this.#rows.filter(({ safeguard }) => stateOf(safeguard, this.#text(safeguard.file)) === "out");
    return out.length === 1 && out[0].safeguard.own_case ? { case: out[0].safeguard.id } : {};
  }

  /**
   * @param {import("../shapes.js").Safeguard} safeguard
   * @returns {Row}
   */
  #row(safeguard) {
    const words = text.safeguards;
    const box = h("input", { type: "checkbox", onchange: () => this.#switch(safeguard, box.checked) });
    const falls = safeguard.falls.map((claim) => h("li", { "data-falls": claim.id }, `${words.falls} ${claim.text}`));
    const answer = h(
      "details",
      { class: "lab-safeguard-answer", hidden: true },
      h("summary", {}, words.what, " ", h("span", { class: "lab-hidden" }, safeguard.label)),
      falls.length > 0 ? h("ul", {}, ...falls) : h("p", { class: "lab-safeguard-safe" }, words.safe),
      h("p", {}, safeguard.without),
      safeguard.own_case && h("p", { class: "lab-note" }, words.ownCase),
    );
    return { safeguard, box, note: h("span", { class: "lab-note lab-safeguard-note", id: uniqueId("safeguard") }), answer };
  }

  /**
   * @param {import("../shapes.js").Safeguard} safeguard
   * @param {boolean} wanted
   */
  #switch(safeguard, wanted) {
    const source = this.#text(safeguard.file);
    this.put(safeguard.file, wanted ? restored(safeguard, source) : without(safeguard, source));
  }
}

define("lab-safeguards", LabSafeguards);
