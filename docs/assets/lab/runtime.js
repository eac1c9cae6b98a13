/**
 * The lab's runtime as the page sees it: one Pyodide worker, its life, and the runs it is given.
 *
 * Decides when the worker is started, kept, replaced and given up. Knows nothing of experiments, panels or Python; the
 * messages are in `messages.js`, the download in `runtime-files.js`. Start with `lab()`.
 *
 * States: `idle` (nothing asked for) → `loading` → `ready` ⇄ `busy`; `failed` after a load that did not succeed. The worker
 * belongs to the page, not to an element: it lives in this module, which instant navigation keeps. Stop ends the worker and
 * starts another from the module compiled before, as nothing else can interrupt Python on a site without special headers.
 */

import {
  isAnswer,
  isPrepared,
  isRunAnswered,
  isRunFailed,
  isSearchState,
  isStarted,
  isStartFailed,
  isTurn,
  moreText,
  prepare,
  run as runMessage,
  runRequestText,
  searchRequestText,
  start as startMessage,
  steerRequestText,
} from "./messages.js";
import { downloadParts, fetchManifest, folderOf, LoadError, Tally } from "./runtime-files.js";
import { sentence } from "./runtime-texts.js";

// From the moment the worker has all it needs: ten times what a slow phone takes, so only a dead worker gets here.
const START_MS_MAX = 60_000;

// How long Python works before the page hears how far it is.
const SLICE_MS = 150;

// Python's memory only grows, and a program that allocates without end leaves gigabytes: such a worker is replaced.
const HEAP_MAX = 2 ** 30;

/** @typedef {import("./messages.js").RunRequest} RunRequest */
/** @typedef {import("./messages.js").Report} Report */
/** @typedef {import("./runtime-files.js").Progress} Progress */
/** @typedef {"idle" | "loading" | "ready" | "busy" | "failed"} LabState */
/** @typedef {import("./messages.js").SearchState} SearchState */
/** @typedef {{id: number, text: string, resolve: (answer: any) => void, reject: (error: LabError) => void}} Pending */

/** Why a run gave no report: `kind` is input, program or internal (Python's own words), stopped, busy, or load. */
export class LabError extends Error {
  /** @param {string} kind @param {string} message @param {string | null} [file] @param {number | null} [line] */
  constructor(kind, message, file = null, line = null) {
    super(message);
    this.name = "LabError";
    this.kind = kind;
    this.file = file;
    this.line = line;
  }
}

/** @type {Lab | null} */
let pageLab = null;

/** lab gives the page's only Lab. @returns {Lab} */
export function lab() {
  pageLab ??= new Lab();
  return pageLab;
}

/** One worker with Python in it. Events: `lab-state` when `state` changes, `lab-progress` when `progress` does. */
export class Lab extends EventTarget {
  /** @type {LabState} */
  #state = "idle";
  /** @type {Progress} */
  #progress = { stage: "download", loaded: 0, total: 0 };
  /** @type {string | null} */
  #failure = null;
  /** @type {Promise<{folder: string, tally: Tally, parts: Promise<import("./runtime-files.js").Parts>}> | null} */
  #runtime = null;
  /** @type {Tally | null} */
  #tally = null;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Pending | null} */
  #run = null;
  #working = false;
  #runs = 0;
  #turn = 0;
  #heapBytes = 0;

  get state() {
    return this.#state;
  }

  /** Download in bytes, as transferred. After the download, `stage` tells what is being done. */
  get progress() {
    return this.#progress;
  }

  /** A sentence for the reader when `state` is failed, else null. */
  get failure() {
    return this.#failure;
  }

  /** Size of Python's memory after the last run. It grows to the largest run, and is given back with the worker. */
  get heapBytes() {
    return this.#heapBytes;
  }

  /** warm starts Python unless that has been done or has failed. Safe to call often. */
  warm() {
    if (this.#state === "idle") this.#load();
  }

  /** retry starts Python again after a failure. */
  retry() {
    if (this.#state === "failed") this.#load();
  }

  /**
   * run gives the report of one run, starting Python first when needed. One at a time: while a run goes on or waits for
   * Python, another is refused with kind `busy`.
   * @param {RunRequest} request @returns {Promise<Report>}
   */
  async run(request) {
    if (this.#run !== null || this.#working) throw new LabError("busy", sentence("busy"));
    return (await this.#ask(runRequestText(request))).report;
  }

  /**
   * steer gives one state of a game: the run up to there, and what could happen next. One at a time, as runs.
   * @param {import("./messages.js").SteerRequest} request
   * @returns {Promise<{report: Report, turn: import("./messages.js").Turn}>}
   */
  async steer(request) {
    if (this.#run !== null || this.#working) throw new LabError("busy", sentence("busy"));
    const { report, turn } = await this.#ask(steerRequestText(request));
    if (!isTurn(turn)) throw new LabError("internal", sentence("answerUnknown"));
    return { report, turn };
  }

  /**
   * search looks for a schedule that violates a claim; what `told` heard last stays true when the search is stopped.
   * @param {import("./messages.js").SearchRequest} request
   * @param {(state: SearchState) => void} told called after every slice but the last
   * @returns {Promise<SearchState>} the last state, with the result
   */
  search(request, told) {
    return this.work(searchRequestText(request), isSearchState, told);
  }

  /**
   * work does what takes many runs, slice by slice: Python hears nothing while it works, so that only between slices the page
   * learns how far it is.
   * @template {import("./messages.js").WorkState} State
   * @param {string} text the request that begins it
   * @param {(state: unknown) => state is State} guard
   * @param {(state: State) => void} told called after every slice but the last
   * @returns {Promise<State>} the last state, with the result
   */
  async work(text, guard, told) {
    if (this.#run !== null || this.#working) throw new LabError("busy", sentence("busy"));
    this.#working = true;
    try {
      let runs = 1;
      for (let next = text; ; next = moreText(runs)) {
        const began = performance.now();
        const state = (await this.#ask(next)).work;
        if (!guard(state)) throw new LabError("internal", sentence("answerUnknown"));
        if (state.done) return state;
        told(state);
        // As many as keep a slice short, growing slowly: runs get longer as they spend faults.
        if (next !== text) runs = Math.max(1, Math.min(runs * 2, Math.round((runs * SLICE_MS) / (performance.now() - began + 1))));
      }
    } finally {
      this.#working = false;
      if (this.#state === "busy") this.#rest();
    }
  }

  /** #ask gives Python one request and returns its answer. @param {string} text @returns {Promise<any>} */
  #ask(text) {
    const result = new Promise((resolve, reject) => {
      this.#runs += 1;
      this.#run = { id: this.#runs, text, resolve, reject };
    });
    if (this.#state === "ready" || this.#state === "busy") this.#send();
    else if (this.#state !== "loading") this.#load();
    return result;
  }

  /** stop ends the run or work, if any; its promise is rejected with kind `stopped`. Python is ready again a moment later. */
  stop() {
    if (this.#run === null) return;
    const busy = this.#state === "busy";
    this.#settle((run) => run.reject(new LabError("stopped", sentence("stopped"))));
    if (busy) this.#load();
  }

  /** parts gives what a worker is started from, downloading it if need be: the live mode starts workers of its own. */
  async parts() {
    this.#runtime ??= this.#download();
    const runtime = this.#runtime;
    try {
      const { folder, parts } = await runtime;
      return { folder, ...(await parts) };
    } catch (error) {
      // What failed is fetched anew next time, here as after a failed load.
      if (this.#runtime === runtime && this.#state === "idle") this.#runtime = null;
      throw error;
    }
  }

  // ---- starting --------------------------------------------------------------------------------------------------

  /** Whatever an abandoned load or a replaced worker says is not heard: each has its turn, and only the last one counts. */
  async #load() {
    this.#dismissWorker();
    this.#failure = null;
    this.#turn += 1;
    const turn = this.#turn;
    this.#setState("loading");
    try {
      this.#runtime ??= this.#download();
      const worker = this.#hire(); // its own modules come while the page learns what to download
      const { folder, tally, parts } = await this.#runtime;
      if (this.#turn !== turn) return;
      this.#tally = tally;
      worker.postMessage(prepare(folder));
      const ready = await parts;
      if (this.#turn !== turn) return;
      tally.tell("start");
      worker.postMessage(startMessage(ready));
      setTimeout(() => this.#overdue(worker), START_MS_MAX);
    } catch (error) {
      if (this.#turn !== turn) return;
      this.#fail(error instanceof LoadError ? error.message : sentence("startFailed", String(error)));
    }
  }

  /** #download begins to fetch the runtime, or throws at once where no worker could run it. */
  #download() {
    if (globalThis.origin === "null") throw new LoadError(sentence("sandboxed"));
    return this.#fetchRuntime();
  }

  /** #fetchRuntime does; the worker's scripts need only the folder, so `parts` is a promise inside. */
  async #fetchRuntime() {
    const manifest = await fetchManifest();
    const tally = new Tally(manifest, (progress) => this.#setProgress(progress));
    tally.tell("download");
    const parts = downloadParts(manifest, tally);
    parts.catch(() => {});
    return { folder: folderOf(manifest), tally, parts };
  }

  /** #hire starts a worker and listens to it. @returns {Worker} */
  #hire() {
    let worker;
    try {
      worker = new Worker(new URL("./pyodide-worker.js", import.meta.url), { type: "module", name: "lab" });
    } catch (error) {
      throw new LoadError(sentence("workerRefused", error instanceof Error ? error.message : String(error)));
    }
    this.#worker = worker;
    worker.addEventListener("message", (event) => {
      if (this.#worker === worker) this.#hear(event.data);
    });
    for (const type of ["error", "messageerror"]) {
      worker.addEventListener(type, (event) => {
        event.preventDefault();
        if (this.#worker === worker) this.#lost(event instanceof ErrorEvent && event.message ? event.message : type);
      });
    }
    return worker;
  }

  // ---- what the worker says --------------------------------------------------------------------------------------

  /** @param {unknown} message */
  #hear(message) {
    if (isPrepared(message)) this.#tally?.finish(["pyodide.mjs", "pyodide.asm.mjs"]);
    else if (isStarted(message)) {
      this.#setState("ready");
      this.#send();
    } else if (isStartFailed(message)) this.#fail(sentence("startFailed", message.message));
    else if (isRunAnswered(message) && message.run === this.#run?.id) {
      this.#heapBytes = message.heap_bytes;
      this.#settle((run) => deliver(message.answer, run));
      if (!this.#working) this.#rest();
    } else if (isRunFailed(message) && message.run === this.#run?.id) this.#broken(message.message);
  }

  /** #send hands the waiting run, if any, to the worker. */
  #send() {
    if (this.#run === null || this.#worker === null) return;
    this.#worker.postMessage(runMessage(this.#run.id, this.#run.text));
    this.#setState("busy");
  }

  /** #rest waits for the next request, with another worker if the last one has grown too large. */
  #rest() {
    if (this.#heapBytes > HEAP_MAX) this.#load();
    else this.#setState("ready");
  }

  /** #settle ends the present run. @param {(run: Pending) => void} how */
  #settle(how) {
    const run = this.#run;
    this.#run = null;
    if (run !== null) how(run);
  }

  /** #broken replaces a worker whose Python is no longer sound. @param {string} detail */
  #broken(detail) {
    this.#settle((run) => run.reject(new LabError("internal", sentence("pythonBroke", detail))));
    this.#load();
  }

  /** #lost handles a worker that died: during a run that is the run's fault, before it the load has failed. @param {string} detail */
  #lost(detail) {
    if (this.#state === "busy") this.#broken(detail);
    else this.#fail(sentence("workerRefused", detail));
  }

  /** @param {Worker} worker */
  #overdue(worker) {
    if (this.#worker === worker && this.#state === "loading") this.#fail(sentence("startSilent", START_MS_MAX / 1000));
  }

  /** #fail gives up; everything is fetched anew on the next try. @param {string} failure */
  #fail(failure) {
    this.#dismissWorker();
    this.#turn += 1;
    this.#runtime = null;
    this.#failure = failure;
    this.#setState("failed");
    this.#settle((run) => run.reject(new LabError("load", failure)));
  }

  #dismissWorker() {
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** @param {LabState} state */
  #setState(state) {
    if (this.#state === state) return;
    this.#state = state;
    this.dispatchEvent(new Event("lab-state"));
  }

  /** @param {Progress} progress */
  #setProgress(progress) {
    this.#progress = progress;
    this.dispatchEvent(new Event("lab-progress"));
  }
}

/** deliver turns Python's text into the answer or error. @param {string} text @param {Pending} run */
function deliver(text, run) {
  const answer = parse(text);
  if (!isAnswer(answer)) run.reject(new LabError("internal", sentence("answerUnknown")));
  else if (answer.ok) run.resolve(answer);
  else run.reject(new LabError(answer.error.kind, answer.error.message, answer.error.file, answer.error.line));
}

/** parse gives null for what is not JSON. @param {string} text @returns {unknown} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
