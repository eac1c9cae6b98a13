/**
 * A program to read, with its lines numbered and the current one marked. Line numbers that ran are buttons: one tab stop for
 * all of them, arrow keys between them. It is told which lines ran, and knows no log.
 */

import { define, h, setAll, uniqueId } from "../dom.js";
import { text } from "../text/index.js";
import { highlight } from "./highlight.js";

export class LabListing extends HTMLElement {
  /** @type {HTMLElement[]} rows of the open file */
  #rows = [];
  #code = h("div", { class: "lab-code", role: "group", tabindex: 0 });
  /** Called with the line whose number was chosen. @type {(line: number) => void} */
  jump = () => {};

  constructor() {
    super();
    this.#code.id = uniqueId("code");
  }

  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add("lab-listing");
    this.append(this.#code);
    this.addEventListener("click", this);
    this.addEventListener("keydown", this);
  }

  /**
   * open draws a file.
   * @param {string} file
   * @param {string} source
   * @param {(line: number) => number} times how often a line ran in the run shown
   */
  open(file, source, times) {
    this.#code.setAttribute("aria-label", text.source.lines(file));
    this.#rows = highlight(source).map((pieces, index) => {
      const line = index + 1;
      const ran = times(line);
      const number = ran > 0
        ? h("button", { type: "button", class: "lab-line-number", "data-line": line, tabindex: -1, "aria-label": text.source.jump(line, ran), title: text.source.jump(line, ran) }, line)
        : h("span", { class: "lab-line-number" }, line);
      const code = pieces.map(({ text: part, kind }) => (kind ? h("span", { class: `lab-token-${kind}` }, part) : part));
      return h("div", { class: "lab-code-line" }, number, h("span", { class: "lab-code-text" }, ...code));
    });
    this.#code.replaceChildren(...this.#rows);
    this.#code.querySelector("button")?.setAttribute("tabindex", "0");
  }

  /** @param {number} now line to mark, 0 for none */
  setNow(now) {
    this.#rows.forEach((row, index) => {
      const current = index + 1 === now;
      if (row.hasAttribute("aria-current") !== current) setAll(row, { "aria-current": current ? "true" : null });
    });
    const row = this.#rows[now - 1];
    if (row) this.#reveal(row);
  }

  /** @param {import("../editing/codemirror.js").Problem | null} problem */
  setProblem(problem) {
    this.#rows.forEach((row, index) => row.classList.toggle("lab-problem-line", index + 1 === problem?.line));
    const row = problem && this.#rows[problem.line - 1];
    if (row) this.#reveal(row);
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (!(event.target instanceof Element)) return;
    // A click anywhere on a line means its number; somebody who selects code to copy it does not want to jump.
    const clicked = event.type === "click" && getSelection()?.isCollapsed !== false ? event.target.closest(".lab-code-line") : event.target;
    const button = clicked?.closest("button[data-line]") ?? clicked?.querySelector("button[data-line]");
    if (!(button instanceof HTMLElement)) return;
    if (event instanceof KeyboardEvent) this.#rove(event, button);
    else this.jump(Number(button.dataset.line));
  }

  /**
   * reveal scrolls the code box, never the page.
   * @param {HTMLElement} row
   */
  #reveal(row) {
    const box = this.#code;
    const top = row.offsetTop;
    if (top < box.scrollTop + 24 || top > box.scrollTop + box.clientHeight - 48) box.scrollTop = top - box.clientHeight / 3;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLElement} button
   */
  #rove(event, button) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = /** @type {HTMLElement[]} */ ([...this.#code.querySelectorAll("button[data-line]")]);
    const next = buttons[buttons.indexOf(button) + step];
    if (!next) return;
    button.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

define("lab-listing", LabListing);
