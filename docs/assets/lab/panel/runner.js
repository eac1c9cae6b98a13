/**
 * One panel's dealings with the page's lab: asks for runs, follows loading, and puts failures into words.
 * Decides which sentence belongs to which failure. Knows neither timeline nor views.
 */

import { reason } from "../format.js";
import { examineRequestText, isExaminationState, isOutlookState, outlookRequestText } from "../messages.js";
import { lab } from "../runtime.js";
import { described, recorded } from "../site-data.js";
import { checkExperiment, checkReport } from "../shapes.js";
import { text } from "../text/index.js";

/** A move of a game that takes longer than this says that it runs. */
const SLOW_MS = 400;

/**
 * @typedef {object} RunnerView what the runner tells its panel
 * @property {(sentence: string, options?: {problem?: boolean, retry?: boolean}) => void} say
 * @property {(progress: {stage: string, loaded: number, total: number}) => void} progress
 * @property {() => void} changed something that decides which buttons work
 * @property {(problem: import("../inspect/source.js").ProgramProblem) => void} problem shows at which line a program failed
 * @property {(message: string) => string} blame shows a sentence at the parameter that it names, if it names one, and
 *   returns it in the panel's words
 */

export class Runner {
  #view;
  #lab = lab();
  #quiet = false;
  /** @type {Promise<unknown> | null} what the lab does for this panel, or has done last */
  #work = null;
  running = false;
  /** True when the last run was ended by Stop. */
  stopped = false;

  /** @param {RunnerView} view */
  constructor(view) {
    this.#view = view;
  }

  /** True while the lab works for somebody else on this page. */
  get busyElsewhere() {
    return !this.running && this.#lab.state === "busy";
  }

  connect() {
    for (const type of ["lab-state", "lab-progress"]) this.#lab.addEventListener(type, this);
  }

  disconnect() {
    for (const type of ["lab-state", "lab-progress"]) this.#lab.removeEventListener(type, this);
  }

  handleEvent() {
    if (this.running) this.#follow();
    this.#view.changed();
  }

  /** warm starts loading Python, because the reader is about to press Run. */
  warm() {
    this.#lab.warm();
  }

  /** stop ends what runs; when its promise is kept, the reader has been told. */
  async stop() {
    this.#lab.stop();
    await this.#work;
  }

  /** say tells where what is shown comes from, in place of what was told of the last run. @param {string} sentence */
  say(sentence) {
    this.#view.say(sentence);
  }

  /**
   * run returns the report, or null when there is none; then the reader has been told why.
   * @param {import("../messages.js").RunRequest} request
   * @param {(message: string) => void} [refused] called instead when Python refuses what was asked for
   * @returns {Promise<import("../shapes.js").Report | null>}
   */
  run(request, refused) {
    return this.#await(async () => checkReport(await this.#lab.run(request)), refused);
  }

  /**
   * runOther makes a run to compare with; the run shown stays.
   * @param {import("../messages.js").RunRequest} request
   * @param {(message: string) => void} refused
   */
  async runOther(request, refused) {
    const report = await this.run(request, refused);
    if (report) this.#view.say(text.compare.ran);
    return report;
  }

  /**
   * steer returns one state of a game, or null where there is none; then the reader has been told why.
   * @param {import("../messages.js").SteerRequest} request
   */
  async steer(request) {
    const lab = this.#lab;
    this.#quiet = true; // a move takes an instant; what is said of it is said by the game
    const slow = setTimeout(() => this.running && lab.state === "busy" && this.#view.say(text.status.running), SLOW_MS);
    const answer = await this.#await(async () => {
      const { report, turn } = await lab.steer(request);
      return { report: { ...checkReport(report), partial: !turn.over }, turn };
    });
    clearTimeout(slow);
    this.#quiet = false;
    return answer;
  }

  /**
   * search returns the last state of a search, or null when it was stopped or failed; the reader has been told which.
   * @param {import("../messages.js").SearchRequest} request
   * @param {(state: import("../messages.js").SearchState) => void} told after every slice
   * @returns {Promise<import("../messages.js").SearchState | null>}
   */
  async search(request, told) {
    const state = await this.#await(() => this.#lab.search(request, told));
    if (state) this.#view.say(text.search.ran);
    return state;
  }

  /**
   * outlook returns the last state of an outlook, or null as search does.
   * @param {import("../messages.js").OutlookRequest} request
   * @param {(state: import("../messages.js").OutlookState) => void} told after every slice
   */
  async outlook(request, told) {
    const state = await this.#await(() => this.#lab.work(outlookRequestText(request), isOutlookState, told));
    if (state) this.#view.say(text.outlook.ran);
    return state;
  }

  /**
   * examine returns the last state of a repair's checks, or null as search does.
   * @param {import("../messages.js").ExamineRequest} request
   * @param {(state: import("../messages.js").ExaminationState) => void} told after every slice
   */
  async examine(request, told) {
    const state = await this.#await(() => this.#lab.work(examineRequestText(request), isExaminationState, told));
    if (state) this.#view.say(text.challenge.ran);
    return state;
  }

  /**
   * await has the lab work for this panel until it has answered; null where it has not.
   * @template Answer
   * @param {() => Promise<Answer>} ask
   * @param {(message: string) => void} [refused] see run
   * @returns {Promise<Answer | null>}
   */
  #await(ask, refused) {
    const work = this.#answer(ask, refused);
    this.#work = work;
    return work;
  }

  /**
   * @template Answer
   * @param {() => Promise<Answer>} ask
   * @param {(message: string) => void} [refused]
   * @returns {Promise<Answer | null>}
   */
  async #answer(ask, refused) {
    this.running = true;
    this.stopped = false;
    try {
      const answer = ask();
      this.#follow();
      this.#view.changed();
      return await answer;
    } catch (/** @type {any} */ error) {
      if (refused && error?.kind === "input") refused(String(error.message));
      else this.#tell(error);
      return null;
    } finally {
      this.running = false;
      this.#view.changed();
    }
  }

  #follow() {
    if (this.#lab.state === "loading") this.#view.progress(this.#lab.progress);
    else if (this.#lab.state === "busy" && !this.#quiet) this.#view.say(text.status.running);
  }

  /** @param {any} error */
  #tell(error) {
    const words = text.status;
    const message = String(error?.message ?? error);
    // Python names the place itself where it was the compiler that refused.
    const told = message.startsWith(`${error?.file}, line ${error?.line}`);
    const place = error?.file && !told ? words.place(error.file, error.line ?? null) : "";
    switch (error?.kind) {
      case "stopped":
        this.stopped = true;
        return this.#view.say(words.stopped);
      case "busy":
        return this.#view.say(words.busyElsewhere, { problem: true });
      case "load":
        return this.#view.say(words.loadFailed(message), { problem: true, retry: true });
      case "input":
        return this.#view.say(words.inputError(this.#view.blame(message)), { problem: true });
      case "program":
        if (error.file && error.line) this.#view.problem({ file: error.file, line: error.line, message });
        return this.#view.say(words.programError(message, place), { problem: true });
      default:
        return this.#view.say(words.internalError(message), { problem: true });
    }
  }
}

/**
 * fetchExperiment gives an experiment's description; it throws a RangeError that lists the slugs where there is none of that one.
 * @param {string} slug
 */
export async function fetchExperiment(slug) {
  const found = await described(slug);
  if ("known" in found) throw new RangeError(text.panel.unknownExperiment(slug, found.known));
  return checkExperiment(found.description);
}

/**
 * fetchRecorded gives the run that was recorded when the site was built, or the problem in words.
 * @param {string} slug
 * @param {string} variant
 * @returns {Promise<{report: import("../shapes.js").Report | null, problem: string}>}
 */
export async function fetchRecorded(slug, variant) {
  try {
    return { report: checkReport(await recorded(slug, variant)), problem: "" };
  } catch (error) {
    return { report: null, problem: reason(error) };
  }
}
