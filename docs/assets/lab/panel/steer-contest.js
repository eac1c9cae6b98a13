/**
 * "Can the lab do it in fewer steps?": has the lab search the case that the reader has broken, and compares the two.
 * Decides what may be said of both: simpler, as simple, less simple, nothing found, or stopped before an answer.
 */

import { h } from "../dom.js";
import { formatNumber } from "../format.js";
import { text } from "../text/index.js";
import { glyph } from "../views/figure.js";
import { simpler, sizeOf } from "./steer-sizes.js";

/** As many runs as a search makes at most unless the reader asks for more. */
const RUNS_MAX = 20_000;

/** @typedef {import("./steer-sizes.js").Size} Size */
/** @typedef {{asked: import("./panel.js").Asked, options: Record<string, unknown>, size: Size, violated: string[]}} Entry the reader's */

export class Contest {
  #panel;
  #show;
  #said = h("p", { role: "status" });
  #progress = h("p", { class: "lab-note" });
  #more = h("div", { class: "lab-steer-answer" });
  element = h("div", { class: "lab-steer-contest" }, this.#said, this.#progress, this.#more);

  /**
   * @param {import("./panel.js").Panel} panel
   * @param {(found: import("../messages.js").Violation) => void} show called when the reader asks to see the lab's run
   */
  constructor(panel, show) {
    this.#panel = panel;
    this.#show = show;
  }

  /** clear forgets the answer: it was of another counterexample. */
  clear() {
    for (const part of [this.#said, this.#progress, this.#more]) part.replaceChildren();
    delete this.element.dataset.answer;
  }

  /**
   * run searches and tells; `asks` are the claims in words.
   * @param {Entry} entry
   * @param {(id: string) => string} claim the words of a claim
   * @param {() => boolean} kept whether the answer is still wanted
   */
  async run({ asked, options, size, violated }, claim, kept) {
    this.clear();
    const words = text.steer;
    this.#said.textContent = words.searching;
    let last = /** @type {import("../messages.js").SearchState | null} */ (null);
    const { runner } = this.#panel;
    const tell = (/** @type {import("../messages.js").SearchState} */ now) => {
      last = now;
      this.#progress.textContent = words.progress(formatNumber(now.runs + now.shrink_runs));
    };
    const state = await runner.search({ ...asked, options: { runs_max: RUNS_MAX, ...options } }, tell);
    if (!kept()) return;
    this.#progress.textContent = "";
    const stopped = state === null && runner.stopped;
    if (state === null && !stopped) return this.clear();
    const found = state?.best ?? last?.best ?? null;
    if (found) this.#compare(found, size, violated, { claim, stopped, minimal: state?.result?.minimal === true });
    else if (stopped) this.#say("warn", "!", words.stopped(formatNumber(last?.runs ?? 0)), "stopped");
    else this.#nothing(state?.result ?? {});
  }

  /** @param {Record<string, any>} result */
  #nothing({ outcome, runs }) {
    const holds = outcome === "holds within bounds";
    this.#say("warn", "!", (holds ? text.steer.nothingFound : text.steer.notFinished)(formatNumber(runs)), "nothing");
  }

  /**
   * @param {import("../messages.js").Violation} found the lab's
   * @param {Size} readers
   * @param {string[]} violated by the reader's
   * @param {{claim: (id: string) => string, stopped: boolean, minimal: boolean}} how
   */
  #compare(found, readers, violated, { claim, stopped, minimal }) {
    const words = text.steer;
    const labs = sizeOf(found);
    const answer = simpler(labs, readers);
    this.#say(answer === "smaller" ? "warn" : "good", answer === "smaller" ? "✗" : "✓", words.compared[answer], answer);
    const others = found.violated.filter((id) => !violated.includes(id));
    this.#more.append(
      h("p", {}, words.yours(sizeWords(readers))),
      h("p", {}, words.labs(sizeWords(labs))),
      h("p", { class: "lab-note" }, `${words.order} ${stopped ? words.stoppedFound : minimal ? words.minimal : words.notMinimal}`),
    );
    if (!found.violated.some((id) => violated.includes(id))) this.#more.append(h("p", {}, words.otherClaims, " ", others.map(claim).join(" ")));
    this.#more.append(h("button", { type: "button", class: "lab-button lab-steer-show", onclick: () => this.#show(found) }, words.showLabs));
  }

  /**
   * @param {import("../shapes.js").Tone} tone
   * @param {string} mark
   * @param {string} sentence
   * @param {string} answer for tests and styles
   */
  #say(tone, mark, sentence, answer) {
    this.#said.replaceChildren(glyph(tone, mark), " ", h("strong", {}, sentence));
    this.element.dataset.answer = answer;
  }
}

/** @param {Size} size */
function sizeWords({ faults, deviations, steps }) {
  return { faults: formatNumber(faults), deviations: formatNumber(deviations), steps: formatNumber(steps) };
}
