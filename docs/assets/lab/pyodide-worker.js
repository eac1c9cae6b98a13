/**
 * The lab's Pyodide worker: starts Python once, then answers runs, one at a time.
 *
 * The only bridge between page and Python: it calls `Bridge.handle` of `py_runtime.lab.wire` with JSON text and posts back
 * the JSON text that it returns. Knows no experiment and reads neither text. Python is entered by a plain synchronous call,
 * never as a task of Pyodide's own event loop: the simulation runs a loop of its own. While Python runs, this worker hears
 * nothing; the page stops it by terminating it.
 */

import { isPrepare, isRun, isStart, prepared, runAnswered, runFailed, started, startFailed } from "./messages.js";
import { importScripts, settle, startPython } from "./pyodide-start.js";

// How long after the start a run that a reader waits for has surely come; without one there is time to prepare others.
const IDLE_MS = 300;

/** @type {{folder: string, scripts: ReturnType<typeof importScripts>} | null} */
let preparation = null;
/** @type {{handle: (text: string) => string, collect: () => void, heapBytes: () => number} | null} */
let python = null;

self.addEventListener("message", (event) => {
  const message = event.data;
  if (isPrepare(message)) prepareScripts(message.folder);
  else if (isStart(message)) start(message);
  else if (isRun(message)) answer(message.run, message.request);
});

/** prepareScripts imports Pyodide's scripts while the page still downloads the rest. @param {string} folder */
function prepareScripts(folder) {
  preparation = { folder, scripts: importScripts(folder) };
  preparation.scripts.then(
    () => self.postMessage(prepared()),
    (error) => self.postMessage(startFailed(String(error))),
  );
}

/** start brings up Python and the bridge. @param {import("./messages.js").Start} parts */
async function start(parts) {
  if (preparation === null) return;
  try {
    const pyodide = await startPython(await preparation.scripts, preparation.folder, parts, Object.create(null));
    const wire = pyodide.pyimport("py_runtime.lab.wire");
    const table = pyodide.pyimport("experiments").EXPERIMENTS;
    const bridge = wire.Bridge(table);
    const garbage = settle(pyodide);
    // These few proxies live as long as the worker. A run makes none: text goes in and text comes out.
    python = {
      handle: bridge.handle,
      collect: () => garbage.collect(),
      heapBytes: () => pyodide._module.HEAPU8.length,
    };
    self.postMessage(started());
    setTimeout(() => {
      bridge.prepare();
      garbage.freeze();
    }, IDLE_MS);
  } catch (error) {
    self.postMessage(startFailed(String(error)));
  }
}

/** answer runs one request. @param {number} id @param {string} request */
function answer(id, request) {
  if (python === null) {
    self.postMessage(runFailed(id, "Python has not started"));
    return;
  }
  try {
    const text = python.handle(request);
    self.postMessage(runAnswered(id, text, python.heapBytes()));
    // A finished simulation is a web of references in circles. Freed now, while the reader looks at the result.
    python.collect();
  } catch (error) {
    self.postMessage(runFailed(id, lastLine(error)));
  }
}

/** lastLine gives the sentence at the end of a Python traceback. @param {unknown} error */
function lastLine(error) {
  const lines = String(error instanceof Error ? error.message : error).trim().split("\n");
  return lines[lines.length - 1];
}
