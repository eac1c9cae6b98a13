/**
 * The element `<lab-challenges>` around the list of all challenges: marks what the reader has solved, forgets it when asked, and
 * checks tokens. Decides nothing about the list, which is in the page and stays readable without scripts.
 */

import { define, h } from "../dom.js";
import { formatNumber } from "../format.js";
import { text } from "../text/index.js";
import { Progress } from "./progress.js";
import { LabVerify } from "./verify.js";

export class LabChallenges extends HTMLElement {
  #progress = new Progress();
  #count = h("strong", { class: "lab-challenge-count" });
  #forget = h("button", { type: "button", class: "lab-button lab-forget", onclick: () => this.#ask(true) }, text.challenge.overview.forget);
  #yes = h("button", { type: "button", class: "lab-button lab-forget-yes", onclick: () => this.#forgetAll() }, text.challenge.overview.forgetYes);
  #no = h("button", { type: "button", class: "lab-button lab-forget-no", onclick: () => this.#ask(false) }, text.challenge.overview.forgetNo);
  #sure = h("div", { class: "lab-forget-sure", role: "group", hidden: true }, h("p", {}, text.challenge.overview.forgetAsk), h("p", { class: "lab-challenge-row" }, this.#yes, this.#no));
  #said = h("p", { class: "lab-note", role: "status" });

  connectedCallback() {
    window.addEventListener("storage", this);
    if (!this.querySelector(".lab")) {
      const words = text.challenge.overview;
      this.#sure.setAttribute("aria-label", words.forget);
      this.prepend(h("div", { class: "lab lab-progress-box" }, h("p", {}, this.#count, ` ${words.kept}`), h("p", {}, this.#forget), this.#sure, this.#said));
      this.append(h("div", { class: "lab" }, new LabVerify()));
    }
    this.#mark();
  }

  disconnectedCallback() {
    window.removeEventListener("storage", this);
  }

  /** handleEvent hears that another tab has kept or forgotten something. */
  handleEvent() {
    this.#mark();
  }

  /** @returns {HTMLElement[]} */
  get #items() {
    return [...this.querySelectorAll("li")].filter((item) => item.dataset.challenge !== undefined);
  }

  #mark() {
    const words = text.challenge.overview;
    let count = 0;
    for (const item of this.#items) {
      const solved = this.#progress.solved(item.dataset.challenge ?? "");
      const now = solved?.edition === item.dataset.edition;
      if (now) count += 1;
      item.querySelector(".lab-solved")?.remove();
      if (solved) item.querySelector("a")?.after(h("span", { class: "lab-solved" }, ` ${now ? words.solved : words.earlier}`));
      item.dataset.solved = solved ? (now ? "now" : "earlier") : "no";
    }
    this.#count.textContent = words.count(formatNumber(count), formatNumber(this.#items.length));
    this.#forget.disabled = !this.#items.some((item) => item.dataset.solved !== "no");
  }

  /** @param {boolean} open */
  #ask(open) {
    this.#sure.hidden = !open;
    this.#said.textContent = "";
    (open ? this.#no : this.#forget).focus();
  }

  #forgetAll() {
    const done = this.#progress.forget(this.#items.map((item) => item.dataset.challenge ?? ""));
    this.#sure.hidden = true;
    this.#said.textContent = done ? text.challenge.overview.forgotten : text.challenge.overview.notForgotten;
    this.#mark();
    if (!this.#forget.disabled) this.#forget.focus();
    else this.querySelector("textarea")?.focus({ preventScroll: true });
  }
}

define("lab-challenges", LabChallenges);
