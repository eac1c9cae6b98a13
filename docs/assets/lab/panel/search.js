/**
 * The search for a schedule that breaks the program: its button, its bounds, how far it is, and what it found, in honest words:
 * a search that found nothing says how many runs that were and within which bounds. Who searches is the runtime.
 */

import { define, h, uniqueId } from "../dom.js";
import { CommandEvent, warmNear } from "../events.js";
import { BeginStop } from "../focus.js";
import { formatNumber, withUnit } from "../format.js";
import { text } from "../text/index.js";
import { glyph } from "../views/figure.js";
import { notUsual } from "./parameter-check.js";

/** Most faults that the form offers to spend in one run; each one more multiplies the runs. */
const FAULTS_MAX = 3;
const RUNS_CHOICES = [1_000, 20_000, 200_000];

/** Sources of a search in the published programs. */
const PUBLISHED = Object.freeze({});

export class LabSearch extends HTMLElement {
  #panel;
  #start = h("button", { type: "button", class: "lab-button lab-break", onclick: () => this.dispatchEvent(new CommandEvent("search")) }, text.search.start);
  /** That of the panel is far above, where nobody looks who searches. */
  #stop = h("button", { type: "button", class: "lab-button lab-search-stop", onclick: () => this.dispatchEvent(new CommandEvent("stop")) }, text.search.stop);
  #buttons = new BeginStop(this.#stop, this.#start);
  #faults = select(text.search.faults, "faults_max", [["", text.search.usual], ...Array.from({ length: FAULTS_MAX + 1 }, (_, count) => [String(count), String(count)])]);
  #runs = select(text.search.runs, "runs_max", RUNS_CHOICES.map((count) => [String(count), formatNumber(count)]), String(RUNS_CHOICES[1]));
  #progress = h("p", { class: "lab-note lab-search-progress" });
  #said = h("p", { class: "lab-search-said", role: "status" });
  #more = h("div", { class: "lab-search-more" });
  #began = 0;

  /** @param {import("./panel.js").Panel} panel */
  constructor(panel) {
    super();
    this.#panel = panel;
  }

  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add("lab-search");
    warmNear(this.#start, () => this.dispatchEvent(new CommandEvent("warm")));
    this.append(
      h("p", { class: "lab-note" }, text.search.why),
      h("div", { class: "lab-search-row" }, this.#start, this.#stop, this.#faults.label, this.#runs.label),
      this.#progress,
      this.#said,
      this.#more,
    );
  }

  /** run looks for a schedule that breaks the program, and shows the simplest one found. */
  async run() {
    const asked = this.#panel.ask("search");
    if (asked) await this.#buttons.during(() => this.#search(asked));
  }

  /** @param {import("./panel.js").Asked} asked */
  async #search(asked) {
    this.#begin();
    let last = /** @type {import("../messages.js").SearchState | null} */ (null);
    const kept = this.#panel.keep();
    const { runner, inspector } = this.#panel;
    const state = await runner.search({ ...asked, options: { ...this.#options, ...inspector.searchOptions } }, (now) => this.#tell((last = now)));
    if (!kept() || (state === null && !runner.stopped)) return this.clear();
    inspector.ran(asked.sources ?? PUBLISHED);
    const best = state?.best ?? last?.best;
    const report = best ? await this.#panel.replay(best.schedule) : null;
    if (state) this.#show(state.result ?? {}, report?.claims ?? []);
    else this.#stopped(last);
  }

  /** Most faults that the reader lets a run have; none is named where it is as many as usual. @returns {{faults_max?: number}} */
  get faults() {
    const { value } = this.#faults.field;
    return value === "" ? {} : { faults_max: Number(value) };
  }

  /** What the reader lets the search do. @returns {Record<string, number>} */
  get #options() {
    return { runs_max: Number(this.#runs.field.value), ...this.faults };
  }

  /** @param {boolean} possible */
  enable(possible) {
    this.#buttons.enable(possible);
  }

  /** begin clears what the last search said. */
  #begin() {
    this.clear();
    this.#began = performance.now();
    this.#said.textContent = text.search.begun;
  }

  /** clear forgets the last search: it was of something else. */
  clear() {
    this.#said.textContent = "";
    this.#progress.textContent = "";
    this.#more.replaceChildren();
  }

  /**
   * tell shows how far the search is; only the numbers move, and they are not announced.
   * @param {import("../messages.js").SearchState} state
   */
  #tell(state) {
    const seconds = (performance.now() - this.#began) / 1000;
    const all = state.runs + state.shrink_runs;
    this.#progress.textContent = text.search.progress(formatNumber(all), formatNumber(Math.round(all / Math.max(seconds, 0.001))), formatNumber(state.saved), formatNumber(state.level));
    if (state.best && this.#said.textContent !== text.search.simpler) this.#said.textContent = text.search.simpler;
  }

  /**
   * stopped says what the search had found when it ended early.
   * @param {import("../messages.js").SearchState | null} state the last that was told
   */
  #stopped(state) {
    this.#progress.textContent = "";
    this.#said.textContent = state?.best ? text.search.stoppedFound : text.search.stopped(formatNumber(state?.runs ?? 0));
  }

  /**
   * show tells the result.
   * @param {Record<string, any>} result of the wire format
   * @param {import("../shapes.js").Claim[]} claims of the counterexample's run, once that is shown
   */
  #show(result, claims) {
    this.#progress.textContent = "";
    const words = text.search;
    const { faults_max, deviations_max, runs_max } = result.bounds;
    const bounds = words.bounds(formatNumber(faults_max), deviations_max === null ? null : formatNumber(deviations_max), formatNumber(runs_max));
    const runs = formatNumber(result.runs);
    const found = result.counterexample;
    if (found) {
      const fallen = claims.filter(({ id }) => found.violated.includes(id)).map((claim) => claim.text);
      this.#say("bad", "✗", words.found(runs));
      this.#more.replaceChildren(
        h("ul", {}, ...fallen.map((claim) => h("li", {}, `${words.falls} ${claim}`))),
        h("p", { class: "lab-note" }, words.shrunk(formatNumber(found.steps), formatNumber(result.shrink_runs), result.minimal)),
        tried(result.faults),
        this.#within(result),
      );
    } else {
      const holds = result.outcome === "holds within bounds";
      this.#say(holds ? "good" : "warn", holds ? "✓" : "!", holds ? words.holds(runs, formatNumber(result.saved)) : words.unfinished(runs));
      this.#more.replaceChildren(h("p", { class: "lab-note" }, bounds), tried(result.faults), this.#within(result));
    }
    this.dataset.outcome = result.outcome;
  }

  /**
   * @param {import("../shapes.js").Tone} tone
   * @param {string} mark
   * @param {string} sentence
   */
  #say(tone, mark, sentence) {
    this.#said.replaceChildren(glyph(tone, mark), " ", h("strong", {}, sentence));
  }

  /**
   * within says on which values the search was made, where they are not the experiment's own.
   * @param {Record<string, any>} result
   */
  #within(result) {
    const listed = notUsual(this.#panel.experiment?.parameters ?? [], result.parameters).map(({ name, label, unit }) => `${label} ${withUnit(result.parameters[name], unit)}`);
    return h("p", { class: "lab-note" }, listed.length === 0 ? text.search.usualCase : text.search.smallCase(listed));
  }
}

/**
 * faultList puts the faults that runs were offered into words.
 * @param {{kind: string, targets: string[], amount_ms: number, writes: number}[]} faults
 */
export function faultList(faults) {
  const words = text.search;
  return faults.map(({ kind, targets, amount_ms, writes }) => words.faultKinds[kind]?.(words.anyOf(targets), formatNumber(amount_ms), formatNumber(writes)) ?? kind);
}

/**
 * tried says which faults a run could have had.
 * @param {{kind: string, targets: string[], amount_ms: number, writes: number}[]} faults
 */
function tried(faults = []) {
  const words = text.search;
  const listed = faultList(faults);
  return h("p", { class: "lab-note" }, listed.length === 0 ? words.noFaults : words.tried(listed));
}

/**
 * @param {string} name
 * @param {string} option
 * @param {string[][]} choices value and words
 * @param {string} [chosen]
 */
function select(name, option, choices, chosen) {
  const field = h("select", { class: "lab-input", id: uniqueId("search"), "data-search": option }, ...choices.map(([value, words]) => h("option", { value }, words)));
  if (chosen !== undefined) field.value = chosen;
  return { field, label: h("label", { class: "lab-search-option", for: field.id }, name, " ", field) };
}

define("lab-search", LabSearch);
