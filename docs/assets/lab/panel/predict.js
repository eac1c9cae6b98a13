/**
 * "Predict first": hides a run until the reader has answered the experiment's questions about it, then says how far off they were.
 * Decides what is hidden and when it comes back; the answers are the report's, the marks on the lanes the timeline's.
 */

import { define, h, uniqueId } from "../dom.js";
import { formatMs, formatNumber } from "../format.js";
import { judge, stepOf } from "../log/prediction.js";
import { roundValues } from "../log/axis.js";
import { text } from "../text/index.js";

/** Round values under the empty axis, as many as fit a phone. */
const TICKS_WIDTH = 330;

export class LabPredict extends HTMLElement {
  #timeline;
  /** @type {import("../log/log.js").Log | null} */
  #log = null;
  #variant = "";
  /** @type {import("../shapes.js").Question[]} */
  #questions = [];
  /** @type {Asked[]} while the reader is asked */
  #asked = [];
  #begin = h("button", { type: "button", class: "lab-button lab-predict-begin", onclick: () => this.#ask() }, text.predict.begin);
  #offer = h("p", { class: "lab-predict-offer" }, this.#begin, " ", h("span", { class: "lab-note" }, text.predict.why));
  #reveal = h("button", { type: "button", class: "lab-button lab-primary", disabled: true, onclick: () => this.#show() }, text.predict.show);
  #form = h("div", { class: "lab-predict-form", hidden: true });
  #said = h("div", { class: "lab-predict-said", role: "status" });

  /** @param {import("../timeline/timeline.js").LabTimeline} timeline that draws mark and truth */
  constructor(timeline) {
    super();
    this.#timeline = timeline;
  }

  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add("lab-predict");
    this.append(this.#offer, this.#form, this.#said);
  }

  /**
   * show takes the run that is shown now. One that the reader made while being asked is what the prediction was about.
   * @param {import("../log/log.js").Log} log
   * @param {{experiment: import("../shapes.js").Experiment, variant: import("../shapes.js").Variant}} of
   */
  show(log, { experiment, variant }) {
    const same = variant.id === this.#variant;
    this.#log = log;
    this.#variant = variant.id;
    this.#questions = experiment.predictions ?? [];
    this.hidden = this.#questions.length === 0;
    if (!same || this.#asked.length === 0) this.end();
    else if (this.#answered) this.#show();
  }

  /** end forgets the prediction, and hides nothing any more. */
  end() {
    this.#close();
    this.#said.replaceChildren();
  }

  get #answered() {
    return this.#asked.every((asked) => asked.guess !== undefined);
  }

  #ask() {
    const log = this.#log;
    if (!log) return;
    this.#timeline.predict([]);
    this.#timeline.pause();
    this.#asked = this.#questions.map((question) => new Asked(question, log.report.until_us, () => (this.#reveal.disabled = !this.#answered)));
    this.#reveal.disabled = true;
    const leave = h("button", { type: "button", class: "lab-button", onclick: () => this.#leave() }, text.predict.leave);
    this.#form.replaceChildren(...this.#asked.map(({ element }) => element), h("div", { class: "lab-predict-row" }, this.#reveal, leave));
    this.#form.hidden = false;
    this.#offer.hidden = true;
    this.#said.replaceChildren(h("p", { class: "lab-note" }, text.predict.hidden));
    this.closest(".lab")?.classList.add("lab-predicting");
    this.#form.querySelector("input")?.focus({ preventScroll: true });
  }

  #leave() {
    this.end();
    this.#begin.focus({ preventScroll: true });
  }

  #close() {
    this.#asked = [];
    this.#form.hidden = true;
    this.#offer.hidden = false;
    this.closest(".lab")?.classList.remove("lab-predicting");
  }

  /** show tells how far off the reader was, and lets the run be seen. */
  #show() {
    const [log, asked] = [this.#log, this.#asked];
    if (!log) return;
    const hadFocus = this.contains(document.activeElement);
    this.#close();
    const pins = /** @type {import("../timeline/pins.js").Pin[]} */ ([]);
    const told = asked.map(({ question, guess }) => {
      const answer = log.report.predictions?.find(({ id }) => id === question.id);
      if (question.kind === "moment") {
        if (typeof guess === "number") pins.push({ kind: "guess", at_us: guess });
        if (typeof answer?.value === "number") pins.push({ kind: "truth", at_us: answer.value });
      }
      return h("p", { "data-prediction": question.id }, `${question.question} `, h("strong", {}, sentence(question, guess ?? null, answer, log.report.until_us)));
    });
    this.#said.replaceChildren(...told);
    this.#timeline.predict(pins);
    if (hadFocus) this.#begin.focus({ preventScroll: true });
  }
}

/** One question on the page: a mark on an empty axis, or a choice. */
class Asked {
  /** @type {import("../log/prediction.js").Answer | undefined} undefined while nothing was marked */
  guess = undefined;

  /**
   * @param {import("../shapes.js").Question} question
   * @param {number} untilUs end of the axis
   * @param {() => void} changed
   */
  constructor(question, untilUs, changed) {
    this.question = question;
    /** @param {import("../log/prediction.js").Answer} guess */
    const set = (guess) => {
      this.guess = guess;
      changed();
    };
    const control = question.kind === "moment" ? momentOf(untilUs, set) : choiceOf(question, set);
    this.element = h("fieldset", { class: "lab-predict-question", "data-question": question.id }, h("legend", {}, question.question), ...control);
  }
}

/**
 * momentOf makes the empty axis with its mark, and the way to say never.
 * @param {number} untilUs
 * @param {(guess: number | null) => void} set
 */
function momentOf(untilUs, set) {
  const words = text.predict;
  const shown = h("output", { class: "lab-predict-at" }, words.unmarked);
  const help = h("span", { class: "lab-note", id: uniqueId("predict") }, words.keys);
  const range = h("input", {
    type: "range", class: "lab-predict-range", min: 0, max: untilUs, step: stepOf(untilUs),
    "aria-label": words.instant, "aria-valuetext": words.unmarked, "aria-describedby": help.id,
  });
  const never = h("input", { type: "checkbox", class: "lab-checkbox" });
  const mark = () => {
    never.checked = false;
    tell(Number(range.value));
  };
  /** @param {number | null} guess */
  const tell = (guess) => {
    const told = guess === null ? words.never : formatMs(guess);
    shown.textContent = told;
    range.setAttribute("aria-valuetext", told);
    set(guess);
  };
  range.value = String(untilUs / 2);
  // A click on the mark where it stands leaves it there on purpose.
  for (const type of ["input", "click"]) range.addEventListener(type, mark);
  never.addEventListener("change", () => (never.checked ? tell(null) : mark()));
  const ticks = roundValues(0, Math.max(untilUs, 1), TICKS_WIDTH).map((value) => {
    const tick = h("span", {}, formatMs(value));
    tick.style.setProperty("--lab-share", String(value / Math.max(untilUs, 1)));
    return tick;
  });
  return [
    h("div", { class: "lab-predict-axis" }, range, h("div", { class: "lab-predict-ticks", "aria-hidden": "true" }, ...ticks)),
    h("p", { class: "lab-predict-row" }, h("span", {}, `${words.instant}: `, shown), help),
    h("label", { class: "lab-predict-option" }, never, words.never),
  ];
}

/**
 * choiceOf makes one radio button for each choice.
 * @param {import("../shapes.js").Question} question
 * @param {(guess: string) => void} set
 */
function choiceOf({ choices }, set) {
  const name = uniqueId("prediction");
  return choices.map(({ id, label }) => h("label", { class: "lab-predict-option" }, h("input", { type: "radio", class: "lab-checkbox", name, value: id, onchange: () => set(id) }), label));
}

/**
 * sentence says how far off a prediction was.
 * @param {import("../shapes.js").Question} question
 * @param {import("../log/prediction.js").Answer} guess
 * @param {import("../shapes.js").PredictionAnswer | undefined} answer
 * @param {number} untilUs
 */
function sentence({ kind, choices }, guess, answer, untilUs) {
  if (!answer) return text.predict.absent;
  const { how, offUs } = judge(kind, guess, answer.value);
  const said = kind === "choice" ? choices.find(({ id }) => id === guess)?.label ?? "" : formatMs(Number(guess));
  const share = `${formatNumber(Math.round((1000 * offUs) / Math.max(untilUs, 1)) / 10)}%`;
  return text.predict.judged[how](said, kind === "choice" ? answer.text : formatMs(Number(answer.value)), formatMs(offUs), share);
}

define("lab-predict", LabPredict);
