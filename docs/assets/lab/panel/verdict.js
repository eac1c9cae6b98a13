/**
 * The verdict on a run: outcome word, how it ended, and every claim with what was observed. Honest words only: a run that
 * broke nothing holds within its bounds and shows no more.
 */

import { define, h } from "../dom.js";
import { MoveEvent } from "../events.js";
import { formatNumber } from "../format.js";
import { text } from "../text/index.js";
import { glyph } from "../views/figure.js";

/** @type {Record<string, import("../shapes.js").Tone>} */
const OUTCOME_TONES = { "counterexample found": "bad", "holds within bounds": "good" };

export class LabVerdict extends HTMLElement {
  connectedCallback() {
    this.classList.add("lab-verdict");
  }

  /**
   * show tells the outcome of a report.
   * @param {import("../shapes.js").Report} report
   * @param {import("../shapes.js").Variant} variant
   */
  show(report, variant) {
    const words = text.verdict;
    const tone = OUTCOME_TONES[report.outcome] ?? "warn";
    this.dataset.outcome = report.outcome;
    this.replaceChildren(
      h(
        "p",
        { class: "lab-outcome" },
        glyph(tone, tone === "bad" ? "✗" : tone === "good" ? "✓" : "!"),
        h("strong", {}, outcomeWord(report.outcome)),
        h("span", { class: "lab-outcome-note" }, ` ${words.oneRun(formatNumber(report.trace.length))} ${words.expected(variant.expected === "breaks")}`),
      ),
      report.ended && h("p", { class: "lab-ended" }, report.ended),
      h("ul", { class: "lab-claims", "aria-label": words.claims }, ...report.claims.map((claim) => claimItem(claim, this))),
    );
  }
}

/** @param {string} outcome */
export function outcomeWord(outcome) {
  return text.verdict.outcomes[outcome] ?? outcome;
}

/**
 * announcement is the sentence for the live region after a run.
 * @param {import("../shapes.js").Report} report
 * @param {import("../shapes.js").Variant} variant
 */
export function announcement(report, variant) {
  const spoken = report.claims.filter((claim) => claim.holds !== null);
  return text.verdict.announce(variant.label, outcomeWord(report.outcome), spoken.filter((claim) => claim.holds).length, spoken.length);
}

/**
 * @param {import("../shapes.js").Claim} claim
 * @param {EventTarget} target
 */
function claimItem(claim, target) {
  const words = text.verdict;
  const [tone, mark, word] =
    claim.holds === null ? /** @type {const} */ (["muted", "–", words.silent]) : claim.holds ? /** @type {const} */ (["good", "✓", words.holds]) : /** @type {const} */ (["bad", "✗", words.violated]);
  const position = claim.position ?? null;
  const go = claim.holds === false && position !== null && h("button", { type: "button", class: "lab-link", onclick: () => target.dispatchEvent(new MoveEvent(position, "step")) }, words.goTo);
  return h(
    "li",
    { class: "lab-claim", "data-claim": claim.id, "data-holds": String(claim.holds) },
    glyph(tone, mark),
    h("span", { class: "lab-claim-body" }, h("span", { class: "lab-claim-text" }, claim.text), " ", h("strong", { class: `lab-claim-word lab-tone-${tone}` }, word), h("span", { class: "lab-claim-observed" }, `${words.observed}: ${claim.observed}`, go)),
  );
}

define("lab-verdict", LabVerdict);
