/**
 * "Compare with": the reader chooses another run, and sees where the two part, what each is at by time, and both runs' readings.
 * Decides what is offered and what is said; the lanes are the timeline's, the partings log/divergence.js's, and the other run
 * comes from other-run.js. A comparison goes on when another run of the experiment is shown.
 */

import { describeEvent, describePlace } from "../describe.js";
import { define, h, uniqueId } from "../dom.js";
import { CommandEvent, MoveEvent } from "../events.js";
import { BeginStop } from "../focus.js";
import { formatMs, withUnit } from "../format.js";
import { scrollable } from "../inspect/store.js";
import { compareLogs, counterpart } from "../log/divergence.js";
import { openLog } from "../log/log.js";
import { recorded } from "../site-data.js";
import { text } from "../text/index.js";
import { glyph } from "../views/figure.js";
import { otherRun } from "./other-run.js";
import { sameValue } from "./parameter-check.js";
import { outcomeWord } from "./verdict.js";

/** @typedef {import("../log/divergence.js").Comparison} Comparison */
/** @typedef {{experiment: import("../shapes.js").Experiment, variant: import("../shapes.js").Variant, edited: boolean}} Of what the run shown was made of */

export class LabCompare extends HTMLElement {
  #timeline;
  /** @type {import("../log/log.js").Log | null} */
  #log = null;
  /** @type {Of | null} */
  #of = null;
  /** @type {Comparison | null} */
  #comparison = null;
  #position = -1;
  /** @type {{position: number, other: number} | null} where both were sent by a button, until the reader moves on */
  #sent = null;
  #names = { here: "", there: "" };
  #turn = 0;
  #select = h("select", { class: "lab-input", id: uniqueId("compare"), "data-compare": "", onchange: () => this.#begin() });
  #stop = h("button", { type: "button", class: "lab-button lab-compare-stop lab-late", onclick: () => this.dispatchEvent(new CommandEvent("stop")) }, text.compare.stop);
  #buttons = new BeginStop(this.#stop, this.#select);
  #said = h("p", { class: "lab-note lab-compare-said", role: "status" });
  #partings = h("div", { class: "lab-partings" });
  #now = h("p", { class: "lab-compare-now" });
  #table = h("div", {});
  #more = h("div", { class: "lab-compare-more", hidden: true }, this.#now, this.#partings, this.#table);
  /** Makes a run; the panel sets it. @type {import("./other-run.js").Sources["run"]} */
  run = async () => null;

  /** @param {import("../timeline/timeline.js").LabTimeline} timeline that draws the other run too */
  constructor(timeline) {
    super();
    this.#timeline = timeline;
  }

  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add("lab-compare");
    const why = h("span", { class: "lab-note", id: uniqueId("compare-why") }, text.compare.why);
    this.#select.setAttribute("aria-describedby", why.id);
    this.append(h("p", { class: "lab-compare-choice" }, h("label", { for: this.#select.id }, text.compare.label), " ", this.#select, " ", why, " ", this.#stop), this.#said, this.#more);
  }

  /** @param {boolean} possible */
  enable(possible) {
    this.#buttons.enable(possible);
  }

  /** end shows one run alone again. */
  end() {
    this.#turn += 1;
    this.#select.value = "";
    this.#said.textContent = "";
    this.#clear();
  }

  /**
   * show takes another run as the one to compare from. What was chosen stays chosen where it can; when the reader goes to the
   * very variant that was compared with, the two change places.
   * @param {import("../log/log.js").Log} log
   * @param {number} position
   * @param {Of} of
   */
  show(log, position, of) {
    const [before, chosen] = [this.#of?.variant.id ?? "", this.#select.value];
    this.#log = log;
    this.#of = of;
    this.#position = position;
    this.#clear();
    const offered = of.experiment.variants.filter(({ id }) => id !== of.variant.id || of.edited);
    this.hidden = offered.length === 0;
    this.#select.replaceChildren(
      h("option", { value: "" }, text.compare.nothing),
      ...offered.map(({ id, label }) => h("option", { value: id }, id === of.variant.id ? text.compare.published(label) : label)),
    );
    const wanted = chosen !== "" && chosen === of.variant.id && !of.edited ? before : chosen;
    this.#select.value = offered.some(({ id }) => id === wanted) ? wanted : "";
    this.#begin();
  }

  /**
   * move follows the run shown.
   * @param {number} position
   */
  move(position) {
    this.#position = position;
    if (this.#sent?.position !== position) this.#sent = null;
    this.#drawPosition();
  }

  async #begin() {
    const [log, of, id] = [this.#log, this.#of, this.#select.value];
    this.#turn += 1;
    if (!log || !of || id === "") return this.end();
    const turn = this.#turn;
    this.#clear();
    this.#said.textContent = text.compare.fetching;
    /** @type {import("./other-run.js").Sources["run"]} */
    const run = async (request, refused) => {
      if (turn !== this.#turn) return null; // another has been chosen while the recorded run was fetched
      return this.#buttons.during(() => this.run(request, refused));
    };
    const other = await otherRun(log.report, id, { recorded, run });
    if (turn !== this.#turn) return;
    if (!other) {
      this.end();
      this.#said.textContent = text.compare.none;
      return;
    }
    const name = this.#select.selectedOptions[0].text;
    this.#names = { here: of.edited ? text.compare.edited(of.variant.label) : of.variant.label, there: name };
    this.#said.textContent = text.compare.made[other.made](name, other.refusal ?? "");
    this.#draw(compareLogs(log, openLog(other.report)), of);
  }

  #clear() {
    this.#sent = null;
    this.#more.hidden = true;
    if (this.#comparison) this.#timeline.compare(null);
    this.#comparison = null;
  }

  /**
   * @param {Comparison} comparison
   * @param {Of} of
   */
  #draw(comparison, { experiment }) {
    this.#comparison = comparison;
    const { here, there } = this.#names;
    this.#timeline.compare(comparison, { here: text.compare.here(here), there: text.compare.there(there) });
    this.#partings.replaceChildren(this.#parting("first", comparison), this.#parting("story", comparison));
    this.#table.replaceChildren(scrollable(sideBySide(comparison, experiment, this.#names)));
    this.#more.hidden = false;
    this.#drawPosition();
  }

  #drawPosition() {
    const comparison = this.#comparison;
    if (!comparison) return;
    const other = this.#sent?.other ?? counterpart(comparison, this.#position);
    this.#timeline.companion.move(other);
    this.#now.textContent = text.compare.now(this.#names.there, describePlace(comparison.other, other));
    this.#now.dataset.position = String(other + 1);
  }

  /**
   * @param {"first" | "story"} kind
   * @param {Comparison} comparison
   */
  #parting(kind, comparison) {
    const words = text.compare;
    const parting = comparison[kind];
    const why = kind === "story" && h("p", { class: "lab-note" }, words.storyWhy);
    const box = h("div", { class: "lab-parting-box", "data-parting": kind });
    if (!parting) {
      box.append(h("p", {}, glyph("good", "="), " ", h("strong", {}, words.equal[kind])));
      if (why) box.append(why);
      return box;
    }
    const at = formatMs(parting.at_us);
    const sides = h(
      "ul",
      { id: uniqueId("parting") },
      h("li", {}, words.side(this.#names.here, sentence(comparison.log, parting.here, parting.at_us))),
      h("li", {}, words.side(this.#names.there, sentence(comparison.other, parting.there, parting.at_us))),
    );
    const heading = h("strong", { id: uniqueId("parting") }, words.heading[kind](at));
    const go = () => {
      this.#sent = { position: parting.hereAt, other: parting.thereAt };
      this.#said.textContent = words.went(at);
      this.dispatchEvent(new MoveEvent(parting.hereAt, "step"));
    };
    const button = h("button", { type: "button", class: "lab-button", "aria-describedby": `${heading.id} ${sides.id}`, onclick: go }, words.go);
    box.append(h("p", {}, glyph(undefined, kind === "first" ? "◇" : "▼"), " ", heading), sides);
    if (why) box.append(why);
    box.append(button);
    return box;
  }
}

/**
 * sentence tells an event of one run, with its instant where that is not the one of the heading.
 * @param {import("../log/log.js").Log} log
 * @param {number | null} position
 * @param {number} at_us
 */
function sentence(log, position, at_us) {
  if (position === null) return text.compare.absent;
  const [told, at] = [describeEvent(log, position), log.events[position].at_us];
  return at === at_us ? told : text.compare.sideAt(told, formatMs(at));
}

/**
 * sideBySide is the table of outcome and readings, and of the claims on which the runs disagree.
 * @param {Comparison} comparison
 * @param {import("../shapes.js").Experiment} experiment
 * @param {{here: string, there: string}} names
 */
function sideBySide({ log: { report }, other: { report: other } }, experiment, names) {
  const words = text.compare;
  const readings = experiment.readings.map(({ name, label, unit }) => {
    const [here, there] = [report.readings[name] ?? null, other.readings[name] ?? null];
    return row(name, label, withUnit(here, unit), withUnit(there, unit), !sameValue(here, there));
  });
  const claims = report.claims.flatMap(({ id, text: claim, holds }) => {
    const there = other.claims.find((one) => one.id === id);
    return there && there.holds !== holds ? [row(id, claim, words.claim(holds), words.claim(there.holds), true)] : [];
  });
  const outcome = row("outcome", words.outcome, outcomeWord(report.outcome), outcomeWord(other.outcome), report.outcome !== other.outcome);
  const heads = [words.reading, names.here, names.there, words.difference];
  return h(
    "table",
    { class: "lab-table lab-compare-table" },
    h("caption", {}, words.table),
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, outcome, ...readings, ...claims),
  );
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string} here
 * @param {string} there
 * @param {boolean} differs
 */
function row(name, label, here, there, differs) {
  const mark = differs && h("span", { class: "lab-chip lab-chip-changed" }, `≠ ${text.compare.differs}`);
  return h("tr", { "data-compared": name, "data-differs": String(differs) }, h("th", { scope: "row" }, label), h("td", {}, here), h("td", {}, there), h("td", {}, mark));
}

define("lab-compare", LabCompare);
