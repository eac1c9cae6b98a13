/**
 * The programs of a variant, to read and to edit, with the current line marked. Decides which file is open, where line
 * numbers lead, and what becomes of an edit. Reading (listing.js) and editing (editing/editor.js) are told the same things.
 */

import { define, h } from "../dom.js";
import { Editor } from "../editing/editor.js";
import { Edits } from "../editing/edits.js";
import { CommandEvent, EditedEvent, MoveEvent } from "../events.js";
import { lineKey, nextAtLine } from "../log/lines.js";
import { text } from "../text/index.js";
import { LabListing } from "./listing.js";
import { LabSafeguards } from "./safeguards.js";
import { Tabs } from "./tabs.js";

/** @typedef {{file: string, line: number, message: string}} ProgramProblem */

export class LabSource extends HTMLElement {
  /** @type {import("../shapes.js").Program[]} */
  #programs = [];
  #edits = new Edits(null);
  /** @type {import("../log/log.js").Log | null} */
  #log = null;
  /** @type {Record<string, string>} edited programs that the run shown was made from */
  #sources = {};
  #position = -1;
  #open = "";
  #editing = false;
  /** @type {ProgramProblem | null} */
  #problem = null;
  /** @type {Map<string, string>} file → the reader's text that a reset took away */
  #taken = new Map();
  /** @type {Tabs | null} */
  #files = null;
  #listing = new LabListing();
  #editor = new Editor({
    changed: (file, now) => this.#changed(file, now),
    run: () => this.dispatchEvent(new CommandEvent("run")),
    jump: (line) => this.#jump(line),
    title: (line) => text.source.jump(line, this.#times(line)),
  });
  #safeguards = new LabSafeguards();
  #body = h("div");
  #say = h("p", { class: "lab-note" });
  #hint = h("p", { class: "lab-note" });
  #notice = h("p", { class: "lab-notice", role: "status" });
  #chip = h("span", { class: "lab-chip lab-chip-changed", hidden: true }, text.editor.edited);
  #edit = h("button", { type: "button", class: "lab-button lab-edit", onclick: () => this.#switch(!this.#editing) }, text.editor.edit);
  /** What else can be done with an edit, for those who know. */
  beside = h("span", { class: "lab-edit-beside" });
  #reset = h("button", { type: "button", class: "lab-button lab-edit-reset", hidden: true, onclick: () => this.#resetOpen() }, text.editor.reset);
  #back = h("button", { type: "button", class: "lab-button lab-edit-back", hidden: true, onclick: () => this.#bringBack() }, text.editor.bringBack);
  #accept = h("button", { type: "button", class: "lab-button lab-edit-accept", hidden: true, onclick: () => this.#acceptOpen() }, text.editor.accept);

  connectedCallback() {
    this.classList.add("lab-source");
    this.#listing.jump = (line) => this.#jump(line);
    this.#safeguards.put = (file, source) => this.#putInto(file, source);
  }

  /**
   * setPrograms opens the first program of a variant.
   * @param {import("../shapes.js").Program[]} programs
   * @param {Edits} edits already turned to these programs
   * @param {import("../shapes.js").Safeguard[]} safeguards of the variant
   */
  setPrograms(programs, edits, safeguards) {
    this.#programs = programs;
    this.#edits = edits;
    this.#open = programs[0]?.file ?? "";
    this.#problem = null;
    this.#sources = {};
    this.#taken.clear();
    this.#editor.close();
    if (programs.length === 0) {
      this.replaceChildren(h("p", { class: "lab-note" }, text.source.none));
      return;
    }
    this.#files = new Tabs(
      text.source.files,
      programs.map(({ file }) => ({ id: file, label: file, panel: this.#body })),
      (file) => this.#openFile(file),
    );
    const heading = programs.length > 1 ? this.#files.element : h("p", { class: "lab-file lab-mono" }, this.#open);
    const bar = h("div", { class: "lab-edit-bar" }, this.#edit, this.beside, this.#reset, this.#back, this.#accept, this.#chip);
    this.#safeguards.setSafeguards(safeguards, (file) => edits.text(file));
    this.replaceChildren(heading, this.#safeguards, bar, this.#notice, this.#body, this.#say, this.#hint);
    this.#openFile(this.#open);
  }

  /**
   * show marks the line of a position, opening its file.
   * @param {import("../log/log.js").Log} log
   * @param {number} position
   * @param {Record<string, string>} sources edited programs that the run was made from
   */
  show(log, position, sources) {
    const other = log !== this.#log || sources !== this.#sources;
    this.#log = log;
    this.#sources = sources;
    this.#position = position;
    const line = log.lines.shown[position];
    // An editor stays with the file that the reader is in.
    if (line && !this.#editing && line.file !== this.#open && this.#programs.some(({ file }) => file === line.file)) {
      this.#turnTo(line.file);
    } else if (other) {
      this.#draw();
    }
    this.#mark();
  }

  /**
   * showProblem marks the line at which a program failed, opening its file; null takes the mark away.
   * @param {ProgramProblem | null} problem
   */
  showProblem(problem) {
    this.#problem = problem;
    if (problem && problem.file !== this.#open && this.#programs.some(({ file }) => file === problem.file)) {
      this.#turnTo(problem.file);
    }
    this.#markProblem();
  }

  /**
   * ran tells what is expected of the safeguards that a run or a search went without.
   * @param {Record<string, string>} sources edited programs
   */
  ran(sources) {
    this.#safeguards.ran(sources);
  }

  /** What a search is told about the safeguards that are out. */
  get searchOptions() {
    return this.#safeguards.searchOptions;
  }

  /**
   * edit opens a file in the editor, with the cursor in it.
   * @param {string} file
   */
  async edit(file) {
    if (file !== this.#open) await this.#turnTo(file);
    if (this.#editing) this.#editor.focus();
    else await this.#switch(true);
    this.scrollIntoView({ block: "start", behavior: "instant" }); // the cursor alone would not bring it into sight
  }

  /**
   * turnTo opens another file of the variant, with its tab.
   * @param {string} file
   */
  #turnTo(file) {
    this.#files?.select(file);
    return this.#openFile(file);
  }

  /**
   * openFile shows a file; where it is edited, it returns what waits for the editor.
   * @param {string} file
   */
  #openFile(file) {
    this.#open = file;
    this.#notice.textContent = "";
    const opening = this.#editing ? this.#openEditor(false) : null;
    if (!opening) this.#draw();
    this.#mark();
    this.#updateBar();
    return opening;
  }

  /** @param {boolean} editing */
  #switch(editing) {
    this.#editing = editing;
    const opening = editing ? this.#openEditor(true) : null;
    if (!opening) {
      this.#draw();
      this.#mark();
    }
    this.#updateBar();
    return opening;
  }

  /** @param {boolean} focus */
  async #openEditor(focus) {
    const file = this.#open;
    this.#notice.textContent = text.editor.loading;
    try {
      await this.#editor.show(file, this.#edits.text(file));
    } catch {
      this.#editing = false;
      this.#updateBar();
      this.#notice.textContent = text.editor.failed;
      return;
    }
    if (file !== this.#open || !this.#editing) return;
    this.#notice.textContent = "";
    this.#draw();
    this.#mark();
    this.#updateBar();
    if (focus) this.#editor.focus();
  }

  /** draw fills the body for the way the file is open, and says which lines ran. */
  #draw() {
    if (!this.#open) return;
    const known = this.#knowsLines();
    if (this.#editing) {
      this.#body.replaceChildren(this.#editor.element);
      this.#editor.setRun(known ? this.#linesThatRan() : null);
    } else {
      this.#body.replaceChildren(this.#listing);
      this.#listing.open(this.#open, this.#edits.text(this.#open), (line) => (known ? this.#times(line) : 0));
    }
    this.#markProblem();
  }

  #mark() {
    const line = this.#log?.lines.shown[this.#position] ?? null;
    const here = line?.file === this.#open ? line.line : 0;
    if (this.#editing) this.#editor.setNow(here);
    else this.#listing.setNow(this.#knowsLines() ? here : 0);
    this.#say.textContent = !line ? text.source.nowhere : text.source.elsewhere(line.file, line.line);
    this.#hint.textContent = this.#editing ? text.editor.keys : this.#knowsLines() ? text.source.hint : text.editor.notRun;
  }

  #markProblem() {
    const problem = this.#problem?.file === this.#open ? this.#problem : null;
    if (this.#editing) this.#editor.setProblem(problem);
    else this.#listing.setProblem(problem);
  }

  /** knowsLines says whether the run shown was made from the text that is open. */
  #knowsLines() {
    return this.#edits.text(this.#open) === (this.#sources[this.#open] ?? this.#edits.published(this.#open));
  }

  /** @param {number} line */
  #times(line) {
    return this.#log?.lines.positions.get(lineKey({ file: this.#open, line }))?.length ?? 0;
  }

  #linesThatRan() {
    const prefix = `${this.#open}:`;
    const keys = [...(this.#log?.lines.positions.keys() ?? [])];
    return new Set(keys.filter((key) => key.startsWith(prefix)).map((key) => Number(key.slice(prefix.length))));
  }

  /** @param {number} line */
  #jump(line) {
    if (!this.#log) return;
    const position = nextAtLine(this.#log.lines, { file: this.#open, line }, this.#position);
    if (position !== null) this.dispatchEvent(new MoveEvent(position, "step"));
  }

  /**
   * @param {string} file
   * @param {string} now
   */
  #changed(file, now) {
    const kept = this.#edits.set(file, now);
    if (this.#edits.edited(file)) this.#taken.delete(file);
    this.#notice.textContent = kept ? "" : text.editor.notKept;
    this.#updateBar();
    this.#safeguards.update();
    this.dispatchEvent(new EditedEvent());
  }

  #resetOpen() {
    this.#taken.set(this.#open, this.#edits.text(this.#open));
    this.#put(this.#edits.published(this.#open));
    this.#back.focus();
  }

  #bringBack() {
    const taken = this.#taken.get(this.#open);
    if (taken !== undefined) this.#put(taken);
    this.#reset.focus();
  }

  /**
   * put changes the open file as if the reader had typed it.
   * @param {string} source
   */
  #put(source) {
    if (this.#editing) {
      this.#editor.replace(source);
      return;
    }
    this.#editor.close(); // its history is of another text now
    this.#changed(this.#open, source);
    this.#draw();
    this.#mark();
  }

  /**
   * putInto opens a file and changes it.
   * @param {string} file
   * @param {string} source
   */
  async #putInto(file, source) {
    if (file !== this.#open) await this.#turnTo(file);
    this.#put(source);
  }

  #acceptOpen() {
    this.#edits.accept(this.#open);
    this.#notice.textContent = "";
    this.#updateBar();
    this.#edit.focus();
  }

  #updateBar() {
    const [file, edits] = [this.#open, this.#edits];
    const outdated = edits.outdated(file);
    this.#edit.textContent = this.#editing ? text.editor.close : text.editor.edit;
    this.#chip.hidden = !edits.edited(file);
    this.#reset.hidden = !edits.edited(file);
    this.#back.hidden = edits.edited(file) || !this.#taken.has(file);
    this.#accept.hidden = !outdated;
    const notice = text.editor.outdated(file);
    if (outdated && this.#notice.textContent !== notice) this.#notice.textContent = notice;
  }
}

define("lab-source", LabSource);
