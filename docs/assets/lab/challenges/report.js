/**
 * What is said of checks while they are made, and once they are: of a reader's repair and of a token's alike. Decides what is
 * announced of what moves: only a check that is over. Who asked for the checks, and what a failure to make them means, is theirs.
 */

import { h } from "../dom.js";
import { formatNumber } from "../format.js";
import { text } from "../text/index.js";
import { glyph } from "../views/figure.js";
import { checkList, made, resultItems, stateItems, undecided } from "./checks.js";

/** @typedef {import("../messages.js").ExaminationState} ExaminationState */

export class CheckReport {
  moving = h("p", { class: "lab-note lab-check-progress" });
  said = h("p", { class: "lab-check-said", role: "status" });
  of;
  list = checkList();

  /** @param {string} note classes of the line that says what was checked */
  constructor(note) {
    this.of = h("p", { class: note });
  }

  get elements() {
    return [this.moving, this.said, this.of, this.list];
  }

  clear() {
    for (const part of [this.moving, this.said, this.of]) part.textContent = "";
    this.list.replaceChildren();
  }

  /**
   * tell shows how far the checks are.
   * @param {ExaminationState} state
   */
  tell({ runs, checks }) {
    const [done, words] = [made(checks), text.challenge];
    const underWay = checks.find(({ status }) => status === "running");
    this.moving.textContent = underWay ? words.progress(formatNumber(runs), underWay.label) : "";
    const said = done > 0 ? words.done(formatNumber(done), formatNumber(checks.length)) : words.begun;
    if (this.said.textContent !== said) this.said.textContent = said;
    this.list.replaceChildren(...stateItems(checks));
  }

  /**
   * stopped keeps what the checks had come to.
   * @param {ExaminationState | null} last the last state that was told
   */
  stopped(last) {
    const checks = undecided(last?.checks ?? []);
    this.list.replaceChildren(...stateItems(checks));
    this.said.textContent = last ? text.challenge.stopped(formatNumber(last.runs), formatNumber(made(checks)), formatNumber(checks.length)) : text.challenge.stoppedEmpty;
  }

  /**
   * show tells the result.
   * @param {import("../messages.js").Examination} result
   * @param {Parameters<typeof resultItems>[1]} [more] what else stands at a check
   */
  show({ solved, runs, checks }, more) {
    const [words, all] = [text.challenge, formatNumber(checks.length)];
    const failed = checks.filter(({ status }) => status === "failed").length;
    const sentence = solved ? words.passedAll(all, formatNumber(runs)) : words.failedSome(formatNumber(failed), all);
    this.said.replaceChildren(glyph(solved ? "good" : "bad", solved ? "✓" : "✗"), " ", h("strong", {}, sentence));
    this.list.replaceChildren(...resultItems(checks, more));
  }
}
