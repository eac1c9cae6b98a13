/**
 * The live mode as the page sees it: one measurement in real time, in workers of its own that end with it.
 *
 * Decides which workers a measurement needs and when it may not go on: a hidden page's timers are slowed down by the
 * browser, so nothing is measured there. The lab's own worker is left alone; only its compiled module is used again. Knows
 * no experiment: `mode` says whether the work stays on the loop that beats.
 */

import {
  isLiveBeat,
  isLiveFailed,
  isLiveMeasured,
  isLiveResult,
  isStarted,
  isStartFailed,
  liveConnect,
  liveMeasure,
  prepare,
  start,
} from "./messages.js";
import { lab, LabError } from "./runtime.js";
import { sentence } from "./runtime-texts.js";

/** The mode in which the work goes to a second worker; in any other it is done on the loop that beats. */
const OFFLOADED = "offloaded";

/** @typedef {import("./messages.js").LiveParameters} LiveParameters */
/** @typedef {import("./messages.js").LiveResult} LiveResult */

/**
 * runLive measures once. Rejects with a LabError of kind hidden, stopped, load or internal.
 * @param {{mode: string, parameters: Record<string, any>}} request the parameters are LiveParameters
 * @param {() => void} [onBeat] called at each heartbeat
 * @param {{signal?: AbortSignal}} [options] aborting it stops the measurement
 * @returns {Promise<LiveResult>}
 */
export async function runLive({ mode, parameters }, onBeat = () => {}, { signal } = {}) {
  const offloaded = mode === OFFLOADED;
  const workers = new Set();
  const watch = new AbortController();
  try {
    return await Promise.race([interruption(watch.signal, signal), measurement()]);
  } finally {
    watch.abort();
    for (const worker of workers) worker.terminate();
  }

  async function measurement() {
    const parts = await lab()
      .parts()
      .catch((error) => {
        throw new LabError("load", error instanceof Error ? error.message : String(error));
      });
    if (watch.signal.aborted) return new Promise(() => {});
    const beating = hire(parts);
    if (offloaded) {
      const helper = hire(parts);
      const { port1, port2 } = new MessageChannel();
      beating.worker.postMessage(liveConnect(port1), [port1]);
      helper.worker.postMessage(liveConnect(port2), [port2]);
      await helper.ready;
    }
    await beating.ready;
    return measured(beating.worker, liveMeasure(/** @type {LiveParameters} */ (parameters), offloaded), onBeat);
  }

  /** @param {import("./runtime-files.js").Parts & {folder: string}} parts */
  function hire(parts) {
    const worker = new Worker(new URL("./live-worker.js", import.meta.url), { type: "module", name: "lab live" });
    workers.add(worker);
    const ready = new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }) => {
        if (isStarted(data)) resolve(undefined);
        else if (isStartFailed(data)) reject(new LabError("load", sentence("startFailed", data.message)));
      });
      worker.addEventListener("error", (event) => {
        reject(new LabError("load", sentence("workerRefused", event.message || event.type)));
      });
    });
    ready.catch(() => {});
    worker.postMessage(prepare(parts.folder));
    worker.postMessage(start(parts));
    return { worker, ready };
  }
}

/**
 * measured sends the request and waits for its numbers.
 * @param {Worker} worker @param {import("./messages.js").LiveMeasure} request @param {() => void} onBeat @returns {Promise<LiveResult>}
 */
function measured(worker, request, onBeat) {
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }) => {
      if (isLiveBeat(data)) onBeat();
      else if (isLiveFailed(data)) reject(new LabError("internal", data.message));
      else if (isLiveMeasured(data)) {
        const result = JSON.parse(data.result);
        if (isLiveResult(result)) resolve(result);
        else reject(new LabError("internal", sentence("answerUnknown")));
      }
    });
    worker.postMessage(request);
  });
}

/**
 * interruption rejects when the page is or gets hidden, or when it is told to.
 * @param {AbortSignal} over ends the watch @param {AbortSignal} [stop] @returns {Promise<never>}
 */
function interruption(over, stop) {
  return new Promise((_, reject) => {
    const look = () => {
      if (document.hidden) reject(new LabError("hidden", sentence("hidden")));
    };
    const stopped = () => reject(new LabError("stopped", sentence("stopped")));
    document.addEventListener("visibilitychange", look, { signal: over });
    stop?.addEventListener("abort", stopped, { signal: over });
    if (stop?.aborted) stopped();
    look();
  });
}
