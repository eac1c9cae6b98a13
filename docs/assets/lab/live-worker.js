/**
 * A worker of the live mode: measures heartbeats on its own event loop, or is busy for another worker that does.
 *
 * The same script in two roles, the same Python (`py_runtime.lab.live`) in both. Unlike the lab's worker this one runs a
 * task of Pyodide's own event loop: real timers are what is measured. Knows no experiment.
 */

import {
  isLiveConnect,
  isLiveMeasure,
  isLiveWork,
  isLiveWorked,
  isPrepare,
  isStart,
  liveBeat,
  liveFailed,
  liveMeasured,
  liveWork,
  liveWorked,
  prepared,
  started,
  startFailed,
} from "./messages.js";
import { importScripts, settle, startPython } from "./pyodide-start.js";

/** @type {{folder: string, scripts: ReturnType<typeof importScripts>} | null} */
let preparation = null;
/** `py_runtime.lab.live`, once Python has started. @type {any} */
let live = null;
/** The way to the other worker. @type {MessagePort | null} */
let other = null;

const clock = () => performance.now();

self.addEventListener("message", (event) => {
  const message = event.data;
  if (isPrepare(message)) preparation = { folder: message.folder, scripts: importScripts(message.folder) };
  else if (isStart(message)) start(message);
  else if (isLiveConnect(message)) connect(message.port);
  else if (isLiveMeasure(message)) measure(message);
});

/** start brings up Python. @param {import("./messages.js").Start} parts */
async function start(parts) {
  if (preparation === null) return;
  try {
    const scripts = await preparation.scripts;
    self.postMessage(prepared());
    const pyodide = await startPython(scripts, preparation.folder, parts, Object.create(null));
    live = pyodide.pyimport("py_runtime.lab.live");
    settle(pyodide).destroy();
    self.postMessage(started());
  } catch (error) {
    self.postMessage(startFailed(String(error)));
  }
}

/** connect keeps the way to the other worker, and does what comes along it. @param {MessagePort} port */
function connect(port) {
  other = port;
  port.addEventListener("message", (event) => {
    if (!isLiveWork(event.data)) return;
    live.busy(clock, event.data.duration_ms);
    port.postMessage(liveWorked());
  });
  port.start();
}

/** measure runs one measurement as a task of this worker's loop. @param {import("./messages.js").LiveMeasure} message */
async function measure({ parameters, offloaded }) {
  const beat = () => self.postMessage(liveBeat());
  const task = live.measure_text(clock, offloaded ? offload : undefined, beat, JSON.stringify(parameters));
  try {
    self.postMessage(liveMeasured(await task));
  } catch (error) {
    self.postMessage(liveFailed(String(error).trim().split("\n").pop() ?? ""));
  } finally {
    task.destroy();
  }
}

/** offload asks the other worker and waits without keeping this loop. @param {number} durationMs @returns {Promise<void>} */
function offload(durationMs) {
  return new Promise((resolve) => {
    const port = /** @type {MessagePort} */ (other);
    port.addEventListener("message", function done(event) {
      if (!isLiveWorked(event.data)) return;
      port.removeEventListener("message", done);
      resolve();
    });
    port.postMessage(liveWork(durationMs));
  });
}
