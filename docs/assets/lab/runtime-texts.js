/**
 * What a reader may be told about the runtime, in one place, so that a second language is a second table.
 *
 * Sentences only; when they are said is decided elsewhere. `{}` is filled with one detail.
 */

const ENGLISH = {
  sandboxed:
    "This page is framed without permission to start workers, so Python cannot run here: " +
    "the frame's sandbox attribute needs allow-same-origin beside allow-scripts.",
  workerRefused: "The browser did not start the worker that runs Python ({}).",
  fileMissing: "A part of the Python runtime could not be loaded ({}). Check the connection and try again.",
  stalled: "Loading Python stopped: no data came for {} seconds. Check the connection and try again.",
  manifestBroken: "The list of runtime files could not be read ({}). Reload the page.",
  noWebAssembly: "This browser cannot compile the Python runtime ({}).",
  startFailed: "Python did not start ({}).",
  startSilent: "Python did not start within {} seconds.",
  pythonBroke: "The run broke the Python runtime itself and gave no result ({}). Python has been started afresh.",
  answerUnknown: "Python's answer is not of the kind this page understands. Reload the page to get matching versions.",
  busy: "Another run is going on. Stop it, or wait until it ends.",
  stopped: "The run was stopped.",
  dataMissing: "{} could not be loaded from this site.",
  hidden: "A live measurement needs the page in view: browsers slow down the timers of hidden pages.",
};

/** sentence gives the text for a key. @param {keyof typeof ENGLISH} key @param {string | number} [detail] @returns {string} */
export const sentence = (key, detail = "") => ENGLISH[key].replace("{}", String(detail));
