/**
 * The programs of a variant with the current line marked. Decides which file is open and where line numbers lead.
 * Line numbers that ran are buttons: one tab stop for all of them, arrow keys between them.
 */

import { define, h, setAll, uniqueId } from "../dom.js";
import { MoveEvent } from "../events.js";
import { lineKey, nextAtLine } from "../log/lines.js";
import { text } from "../text/index.js";
import { highlight } from "./highlight.js";
import { Tabs } from "./tabs.js";

export class LabSource extends HTMLElement {
  /** @type {import("../shapes.js").Program[]} */
  #programs = [];
  /** @type {import("../log/log.js").Log | null} */
  #log = null;
  #position = -1;
  #open = "";
  /** @type {HTMLElement[]} rows of the open file */
  #rows = [];
  /** @type {Tabs | null} */
  #files = null;
  #say = h("p", { class: "lab-note" });
  #code = h("div", { class: "lab-code", role: "group", tabindex: 0 });

  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add("lab-source");
    this.addEventListener("click", this);
    this.addEventListener("keydown", this);
  }

  /**
   * setPrograms opens the first program of a variant.
   * @param {import("../shapes.js").Program[]} programs
   */
  setPrograms(programs) {
    this.#programs = programs;
    this.#open = programs[0]?.file ?? "";
    if (programs.length === 0) {
      this.replaceChildren(h("p", { class: "lab-note" }, text.source.none));
      return;
    }
    this.#code.id = uniqueId("code");
    this.#files = new Tabs(
      text.source.files,
      programs.map(({ file }) => ({ id: file, label: file, panel: this.#code })),
      (file) => this.#openFile(file),
    );
    this.replaceChildren(...(programs.length > 1 ? [this.#files.element] : [h("p", { class: "lab-file lab-mono" }, this.#open)]), this.#code, this.#say, h("p", { class: "lab-note" }, text.source.hint));
    this.#drawFile();
  }

  /**
   * show marks the line of a position, opening its file.
   * @param {import("../log/log.js").Log} log
   * @param {number} position
   */
  show(log, position) {
    const other = log !== this.#log;
    this.#log = log;
    this.#position = position;
    const line = log.lines.shown[position];
    if (line && line.file !== this.#open && this.#programs.some(({ file }) => file === line.file)) {
      this.#open = line.file;
      this.#files?.select(line.file);
      this.#drawFile();
    } else if (other) {
      this.#drawFile();
    }
    this.#mark();
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (!(event.target instanceof Element)) return;
    // A click anywhere on a line means its number; somebody who selects code to copy it does not want to jump.
    const clicked = event.type === "click" && getSelection()?.isCollapsed !== false ? event.target.closest(".lab-code-line") : event.target;
    const button = clicked?.closest("button[data-line]") ?? clicked?.querySelector("button[data-line]");
    if (!(button instanceof HTMLElement)) return;
    if (event instanceof KeyboardEvent) this.#rove(event, button);
    else this.#jump(Number(button.dataset.line));
  }

  /** @param {string} file */
  #openFile(file) {
    this.#open = file;
    this.#drawFile();
    this.#mark();
  }

  #drawFile() {
    const program = this.#programs.find(({ file }) => file === this.#open);
    if (!program) return;
    this.#code.setAttribute("aria-label", text.source.lines(program.file));
    this.#rows = highlight(program.text).map((pieces, index) => {
      const line = index + 1;
      const times = this.#log?.lines.positions.get(lineKey({ file: program.file, line }))?.length ?? 0;
      const number = times > 0
        ? h("button", { type: "button", class: "lab-line-number", "data-line": line, tabindex: -1, "aria-label": text.source.jump(line, times), title: text.source.jump(line, times) }, line)
        : h("span", { class: "lab-line-number" }, line);
      const code = pieces.map(({ text: part, kind }) => (kind ? h("span", { class: `lab-token-${kind}` }, part) : part));
      return h("div", { class: "lab-code-line" }, number, h("span", { class: "lab-code-text" }, ...code));
    });
    this.#code.replaceChildren(...this.#rows);
    this.#code.querySelector("button")?.setAttribute("tabindex", "0");
  }

  #mark() {
    const line = this.#log?.lines.shown[this.#position] ?? null;
    const here = line?.file === this.#open ? line.line : 0;
    this.#rows.forEach((row, index) => {
      const current = index + 1 === here;
      if (row.hasAttribute("aria-current") !== current) setAll(row, { "aria-current": current ? "true" : null });
    });
    const row = this.#rows[here - 1];
    if (row) this.#reveal(row);
    this.#say.textContent = !line ? text.source.nowhere : text.source.elsewhere(line.file, line.line);
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

  /** @param {number} line */
  #jump(line) {
    if (!this.#log) return;
    const position = nextAtLine(this.#log.lines, { file: this.#open, line }, this.#position);
    if (position !== null) this.dispatchEvent(new MoveEvent(position, "step"));
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

define("lab-source", LabSource);
