/**
 * The programs of a variant as texts to edit: one editor per file, made when the file is first opened, so that each keeps
 * its own history of changes. Decides when CodeMirror is loaded; what an edit means is the program tab's.
 */

import { h } from "../dom.js";
import { text } from "../text/index.js";

/**
 * @typedef {object} EditorView what the editor tells
 * @property {(file: string, text: string) => void} changed
 * @property {() => void} run
 * @property {(line: number) => void} jump
 * @property {(line: number) => string} title
 */

/** @typedef {{host: HTMLElement, editor: ReturnType<typeof import("./codemirror.js").openEditor>}} Open */

export class Editor {
  #view;
  /** @type {Map<string, Open>} */
  #open = new Map();
  #file = "";
  /** grows when something else was asked for */
  #turn = 0;
  element = h("div", { class: "lab-editor" });

  /** @param {EditorView} view */
  constructor(view) {
    this.#view = view;
  }

  /**
   * show opens a file, loading CodeMirror the first time; it rejects where that cannot be loaded.
   * @param {string} file
   * @param {string} source used when the file is opened for the first time
   */
  async show(file, source) {
    this.#file = file;
    const turn = (this.#turn += 1);
    const { openEditor } = await import("./codemirror.js");
    if (turn !== this.#turn) return; // another was asked for while this one loaded
    if (!this.#open.has(file)) {
      const host = h("div");
      this.element.append(host);
      const changed = (/** @type {string} */ now) => this.#view.changed(file, now);
      const { run, jump, title } = this.#view;
      this.#open.set(file, { host, editor: openEditor(host, { text: source, label: text.editor.name(file), changed, run, jump, title }) });
    }
    for (const [name, { host }] of this.#open) host.hidden = name !== file;
  }

  /** focus puts the cursor into the open file. */
  focus() {
    this.#current?.focus();
  }

  /** @param {string} source */
  replace(source) {
    this.#current?.replace(source);
  }

  /** @param {Set<number> | null} lines that ran, null where the run was made from another text */
  setRun(lines) {
    this.#current?.setRun(lines);
  }

  /** @param {number} line of the run at the position shown, 0 for none */
  setNow(line) {
    this.#current?.setNow(line);
  }

  /** @param {import("./codemirror.js").Problem | null} problem */
  setProblem(problem) {
    this.#current?.setProblem(problem);
  }

  /** close drops every file's editor with its history. */
  close() {
    for (const { host, editor } of this.#open.values()) {
      editor.close();
      host.remove();
    }
    this.#open.clear();
    this.#file = "";
    this.#turn += 1;
  }

  get #current() {
    return this.#open.get(this.#file)?.editor;
  }
}
