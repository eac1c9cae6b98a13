/**
 * The tabs under the timeline: store, program, table, output. Only the open tab is redrawn when the position changes.
 */

import { define, h } from "../dom.js";
import { text } from "../text/index.js";
import { LabSource } from "./source.js";
import { LabStore } from "./store.js";
import { LabTable } from "./table.js";
import { Tabs } from "./tabs.js";

/** @typedef {"store" | "source" | "table" | "output"} PanelId */

export class LabInspector extends HTMLElement {
  /** @type {import("../log/log.js").Log | null} */
  #log = null;
  #position = -1;
  /** @type {Record<string, string>} edited programs that the run shown was made from */
  #sources = {};
  #open = "store";
  #store = new LabStore();
  #source = new LabSource();
  #table = new LabTable();
  #output = h("div", { class: "lab-output", tabindex: 0, role: "group", "aria-label": text.tabs.output });
  #panels = { store: panel(this.#store), source: panel(this.#source), table: panel(this.#table), output: panel(this.#output) };
  #hasOutput = false;
  /** @type {Tabs | null} */
  #tabs = null;

  connectedCallback() {
    this.classList.add("lab-inspector");
    if (!this.firstChild) this.#build();
  }

  /**
   * setPrograms hands over the programs of the variant.
   * @param {import("../shapes.js").Program[]} programs
   * @param {import("../editing/edits.js").Edits} edits already turned to these programs
   * @param {import("../shapes.js").Safeguard[]} safeguards of the variant
   */
  setPrograms(programs, edits, safeguards) {
    this.#source.setPrograms(programs, edits, safeguards);
  }

  /**
   * ran hears of a run or a search of edited programs.
   * @param {Record<string, string>} sources
   */
  ran(sources) {
    this.#source.ran(sources);
  }

  /** A place beside the editor's buttons. */
  get beside() {
    return this.#source.beside;
  }

  /** What a search is told about the programs. */
  get searchOptions() {
    return this.#source.searchOptions;
  }

  /**
   * show draws another run at a position.
   * @param {import("../log/log.js").Log} log
   * @param {number} position
   * @param {Record<string, string>} sources edited programs that the run was made from
   */
  show(log, position, sources) {
    this.#log = log;
    this.#sources = sources;
    this.ran(sources);
    const output = log.report.output ?? [];
    this.#output.textContent = output.join("\n");
    if (output.length > 0 !== this.#hasOutput) {
      this.#hasOutput = output.length > 0;
      if (!this.#hasOutput && this.#open === "output") this.#open = "store";
      this.#build();
    }
    this.move(position);
  }

  /**
   * move shows another position.
   * @param {number} position
   */
  move(position) {
    this.#position = position;
    if (!this.#log) return;
    if (this.#open === "store") this.#store.show(this.#log, position);
    else if (this.#open === "source") this.#source.show(this.#log, position, this.#sources);
    else if (this.#open === "table") this.#table.show(this.#log, position);
  }

  /**
   * showProblem opens the program at the line that failed; null takes the mark away.
   * @param {import("./source.js").ProgramProblem | null} problem
   */
  showProblem(problem) {
    if (problem) this.openProgram();
    this.#source.showProblem(problem);
  }

  /** openProgram turns to the program tab. */
  openProgram() {
    if (this.#open === "source") return;
    this.#open = "source";
    this.#tabs?.select("source");
    this.move(this.#position);
  }

  /**
   * edit opens a program in the editor.
   * @param {string} file
   */
  edit(file) {
    this.openProgram();
    this.#source.edit(file);
  }

  #build() {
    const ids = /** @type {PanelId[]} */ (["store", "source", "table", ...(this.#hasOutput ? ["output"] : [])]);
    const tabs = (this.#tabs = new Tabs(text.tabs.name, ids.map((id) => ({ id, label: text.tabs[id], panel: this.#panels[id] })), (id) => {
      this.#open = id;
      this.move(this.#position);
    }));
    tabs.select(this.#open);
    this.replaceChildren(tabs.element, ...ids.map((id) => this.#panels[id]));
  }
}

/** @param {HTMLElement} content */
function panel(content) {
  return h("div", { role: "tabpanel", class: "lab-tab-panel" }, content);
}

define("lab-inspector", LabInspector);
