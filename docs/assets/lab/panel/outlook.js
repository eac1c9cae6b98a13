/**
 * "When was it lost?": lets continuations of the failing run be drawn, and tells from where on all of them fail. The strip over the
 * slider, the mark and what is said of one position are the timeline's; who draws is the runtime. Decides what is said of the
 * whole, and that what was drawn goes with the run that it is of.
 */

import { describeEvent, describePlace } from "../describe.js";
import { define, h, uniqueId } from "../dom.js";
import { CommandEvent, MoveEvent, warmNear } from "../events.js";
import { BeginStop } from "../focus.js";
import { formatMs, formatNumber } from "../format.js";
import { scrollable } from "../inspect/store.js";
import { gaps, shareOf } from "../log/outlook.js";
import { text } from "../text/index.js";
import { countOf, toneOf } from "../timeline/outlook.js";
import { glyph } from "../views/figure.js";
import { faultList } from "./search.js";

/** @typedef {import("../log/outlook.js").Outlook} Outlook */
/** @typedef {import("../log/outlook.js").Point} Point */
/** @typedef {import("../log/log.js").Log} Log */

const GLYPHS = /** @type {const} */ ({ none: "○", some: "◐", all: "●", unknown: "?" });

export class LabOutlook extends HTMLElement {
  #panel;
  #shown;
  /** @type {Log | null} the run that can be asked about */
  #log = null;
  #turn = 0;
  #start = h("button", { type: "button", class: "lab-button lab-outlook-begin", onclick: () => this.run() }, text.outlook.start);
  #stop = h("button", { type: "button", class: "lab-button lab-outlook-stop", onclick: () => this.dispatchEvent(new CommandEvent("stop")) }, text.outlook.stop);
  #buttons = new BeginStop(this.#stop, this.#start);
  #progress = h("p", { class: "lab-note lab-outlook-progress" });
  #said = h("p", { class: "lab-outlook-said", role: "status" });
  #answer = h("div", { class: "lab-outlook-answer" });
  #rows = h("tbody", {});
  #went = h("p", { class: "lab-hidden", role: "status" });
  #table = h("details", { class: "lab-outlook-table", hidden: true });

  /**
   * @param {import("./panel.js").Panel} panel
   * @param {import("./shown.js").Shown} shown the run, with the timeline that the outlook is drawn on
   */
  constructor(panel, shown) {
    super();
    this.#panel = panel;
    this.#shown = shown;
  }

  connectedCallback() {
    if (this.firstChild) return;
    const { heads, table, open, why } = text.outlook;
    this.classList.add("lab-outlook");
    this.hidden = true;
    const note = h("p", { class: "lab-note", id: uniqueId("outlook-why") }, why);
    this.#start.setAttribute("aria-describedby", note.id);
    warmNear(this.#start, () => this.dispatchEvent(new CommandEvent("warm")));
    const columns = h("tr", {}, ...Object.values(heads).map((head) => h("th", { scope: "col" }, head)));
    this.#table.append(h("summary", {}, open), scrollable(h("table", { class: "lab-table" }, h("caption", {}, table), h("thead", {}, columns), this.#rows)));
    this.append(h("div", { class: "lab-outlook-offer" }, this.#start, this.#stop, note), this.#progress, this.#said, this.#answer, this.#table, this.#went);
  }

  /** enable hears whether the lab is free. @param {boolean} possible */
  enable(possible) {
    this.#buttons.enable(possible);
  }

  /** show takes the run that is shown now: only one that violates a claim has something to lose. */
  show() {
    this.clear();
    const log = this.#shown.log;
    this.#log = log;
    this.hidden = !log?.report.claims.some(({ kind, holds }) => holds === false && kind !== "sometimes");
  }

  /** clear forgets what was drawn: it was of another run. */
  clear() {
    this.#turn += 1;
    this.#log = null;
    this.hidden = true;
    this.#forget();
  }

  /** run lets continuations be drawn, and shows them as they come. */
  async run() {
    const [log, shown, { runner }] = [this.#log, this.#shown, this.#panel];
    if (!log || runner.running || runner.busyElsewhere) return;
    this.#turn += 1;
    const turn = this.#turn;
    this.#forget();
    shown.timeline.pause();
    this.#said.textContent = text.outlook.begun;
    let last = /** @type {Outlook | null} */ (null);
    const sources = Object.keys(shown.sources).length > 0 ? shown.sources : undefined;
    const told = (/** @type {Outlook} */ now) => {
      if (turn === this.#turn) this.#draw(log, (last = now));
    };
    const state = await this.#buttons.during(() => runner.outlook({ schedule: log.report.schedule, sources }, told));
    if (turn !== this.#turn) return;
    this.#progress.textContent = "";
    if (state) {
      this.#draw(log, state);
      this.#tell(log, state, state.result ?? null);
    } else if (last && last.points.length > 0 && runner.stopped) {
      this.#tell(log, last, null);
    } else this.#said.textContent = runner.stopped ? text.outlook.stoppedEmpty : "";
  }

  #forget() {
    for (const part of [this.#progress, this.#said, this.#went]) part.textContent = "";
    this.#answer.replaceChildren();
    this.#rows.replaceChildren();
    this.#table.hidden = true;
    this.#shown.timeline.foresee(null);
  }

  /**
   * draw shows what has been drawn so far; the numbers are not announced.
   * @param {Log} log
   * @param {Outlook} outlook
   */
  #draw(log, outlook) {
    this.#shown.timeline.foresee(outlook);
    this.#progress.textContent = outlook.done ? "" : text.outlook.progress(formatNumber(outlook.runs), formatNumber(outlook.points.length), formatNumber(outlook.moments));
    this.#rows.replaceChildren(...rowsOf(log, outlook, (position) => this.#go(log, position)));
    this.#table.hidden = outlook.points.length === 0;
  }

  /**
   * tell says from where on the run was lost.
   * @param {Log} log
   * @param {Outlook} outlook
   * @param {Record<string, any> | null} result null where it was stopped
   */
  #tell(log, outlook, result) {
    const words = text.outlook;
    const { violated, points, no_return } = outlook;
    const [heading, ...sentences] = verdictOf(log, outlook);
    const id = uniqueId("outlook");
    const mark = glyph(no_return ? "bad" : "warn", no_return ? "▼" : "!");
    this.#said.replaceChildren(...(result ? [] : [`${words.stopped} `]), mark, " ", h("strong", {}, heading), ` ${sentences.join(" ")}`);
    this.#said.id = id;
    const claims = log.report.claims.filter((claim) => violated.includes(claim.id)).map((claim) => claim.text);
    const chances = points.some(({ open }) => open);
    const made = words.made(formatNumber(result?.bounds.runs ?? Math.max(...points.map(({ runs, cut }) => runs + cut))), formatNumber(outlook.runs), formatNumber(points.length), formatNumber(outlook.moments));
    const strikes = result?.strikes ? ` ${words.strikes(formatNumber(result.strikes), faultList(result.faults))}` : "";
    const go = no_return && no_return.position >= 0 && no_return.before !== null && h("button", { type: "button", class: "lab-button", "aria-describedby": id, onclick: () => this.#go(log, no_return.position) }, words.go);
    this.#answer.replaceChildren(
      ...(go ? [h("p", {}, go)] : []),
      h("p", { class: "lab-note" }, words.fails(claims)),
      h("p", { class: "lab-note" }, chances ? `${made} ${words.order}${strikes} ${words.share}` : words.madeNone),
    );
    this.dataset.noReturn = no_return ? String(no_return.position + 1) : "";
  }

  /**
   * @param {Log} log
   * @param {number} position
   */
  #go(log, position) {
    this.dispatchEvent(new MoveEvent(position, "step"));
    this.#went.textContent = text.outlook.went(describePlace(log, position));
  }
}

/**
 * verdictOf puts into words from where on the run was lost, as far as that was drawn: a heading, then sentences.
 * @param {Log} log
 * @param {Outlook} outlook
 */
function verdictOf(log, { points, no_return }) {
  const words = text.outlook;
  if (!no_return) return [words.none];
  const { position, open, before } = no_return;
  const runs = formatNumber(Math.max(...points.map((point) => point.runs)));
  if (before === null) return [words.fromStart, open ? words.allAlways(runs) : words.noChance];
  const heading = words.noReturn(formatNumber(position + 1), formatMs(log.events[position]?.at_us ?? 0));
  const event = describeEvent(log, position);
  const earlier = points.find(({ until }) => until === before);
  const count = earlier ? countOf(earlier) : "";
  return [
    heading,
    `${event}.`,
    open ? words.all(runs) : words.onlyRun,
    before === position - 1 ? words.eventBefore(count) : words.earlier(formatNumber(before + 1), count),
  ];
}

/**
 * rowsOf lists every moment drawn and every stretch between them that was not.
 * @param {Log} log
 * @param {Outlook} outlook
 * @param {(position: number) => void} go
 */
function rowsOf(log, { points, no_return }, go) {
  const words = text.outlook;
  /** @param {number} position */
  const number = (position) => formatNumber(position + 1);
  const drawn = points.map((point) => {
    const { position, until, at_us } = point;
    const named = position < 0 ? words.atStart : words.event(number(position));
    const link = h("button", { type: "button", class: "lab-link", onclick: () => go(Math.max(position, 0)) }, named);
    const share = shareOf(point);
    const mark = no_return?.position === position && no_return.before !== null && h("span", { class: "lab-chip lab-chip-changed" }, `▼ ${words.legend.noReturn}`);
    return {
      position,
      row: h(
        "tr",
        { "data-from": position + 1, "data-until": until + 1, "data-fails": point.fails, "data-runs": point.runs, "data-cut": point.cut },
        h("th", { scope: "row" }, link),
        h("td", {}, position < 0 ? "" : describeEvent(log, position), mark ? " " : "", mark),
        h("td", {}, formatMs(at_us)),
        h("td", {}, countOf(point)),
        h("td", {}, `${GLYPHS[toneOf(point)]} ${share === null ? text.nothing : words.percent(share)}`),
      ),
    };
  });
  const skipped = gaps(points).map(({ from, to }) => ({
    position: from,
    row: h("tr", { class: "lab-outlook-skipped" }, h("th", { scope: "row" }, words.event(words.span(number(from), number(to)))), h("td", { colspan: 4 }, words.notDrawn)),
  }));
  return [...drawn, ...skipped].sort((one, other) => one.position - other.position).map(({ row }) => row);
}

define("lab-outlook", LabOutlook);
