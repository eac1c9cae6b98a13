/**
 * The checks of a repair as a list: while they are made, and what came of each, with a count of runs as honest as a search's.
 * Decides the words and marks; who makes them and what can be done about one is its owner's.
 */

import { h } from "../dom.js";
import { formatNumber } from "../format.js";
import { text } from "../text/index.js";
import { outcomeWord } from "../panel/verdict.js";
import { glyph } from "../views/figure.js";

/** @typedef {import("../messages.js").CheckState} CheckState */
/** @typedef {import("../messages.js").CheckResult} CheckResult */

const MARKS = /** @type {const} */ ({ waiting: ["muted", "○"], running: ["busy", "◐"], passed: ["good", "✓"], failed: ["bad", "✗"] });

/** checkList makes the list's element. */
export const checkList = () => h("ol", { class: "lab-checks", "aria-label": text.challenge.checks });

/**
 * stateItems lists the checks while they are made.
 * @param {CheckState[]} checks
 */
export const stateItems = (checks) => checks.map((check) => item(check));

/**
 * resultItems lists what came of the checks.
 * @param {CheckResult[]} checks
 * @param {(check: CheckResult) => import("../dom.js").Child} [action] what can be done about one that failed
 */
export function resultItems(checks, action = () => null) {
  const words = text.challenge;
  return checks.map((check) => {
    const fallen = check.violated.map(({ text: claim, observed }) => h("li", {}, `${words.fell} ${claim}`, observed === null ? null : h("span", { class: "lab-claim-observed" }, words.seen(observed))));
    const failed = check.status === "failed" && [check.why && h("p", {}, check.why), fallen.length > 0 && h("ul", {}, ...fallen), action(check)];
    return item(check, h("p", { class: "lab-note" }, outcomeSentence(check)), ...(failed || []));
  });
}

/**
 * undecided shows the checks that were under way or waiting when the reader stopped them as not made.
 * @param {CheckState[]} checks
 * @returns {CheckState[]}
 */
export const undecided = (checks) => checks.map((check) => (check.status === "running" ? { ...check, status: "waiting" } : check));

/**
 * made counts the checks that have their result.
 * @param {CheckState[]} checks
 */
export const made = (checks) => checks.filter(({ status }) => status === "passed" || status === "failed").length;

/**
 * @param {CheckState} check
 * @param {...import("../dom.js").Child} below
 */
function item(check, ...below) {
  const [tone, mark] = MARKS[check.status];
  return h(
    "li",
    { "data-check": check.id, "data-status": check.status },
    glyph(tone, mark),
    h("div", {}, h("p", {}, `${check.label}: `, h("strong", { class: `lab-tone-${tone}` }, text.challenge.status[check.status])), ...below),
  );
}

/** @param {CheckResult} check */
function outcomeSentence(check) {
  const words = text.challenge;
  const [runs, word] = [formatNumber(check.runs), outcomeWord(check.outcome)];
  if (check.cut > 0 && check.violated.length === 0) return words.cut(runs, formatNumber(check.cut));
  if (!check.searched) return words.usual(word);
  if (check.outcome === "holds within bounds") return words.all(runs);
  if (check.outcome === "counterexample found") return words.found(runs);
  return check.outcome === "bounds reached, not finished" ? words.unfinished(runs) : words.searchEnded(word, runs);
}
