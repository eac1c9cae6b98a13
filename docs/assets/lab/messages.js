/**
 * Every message between the page and its workers, declared once, with a maker and a guard each.
 *
 * Decides the shape of what crosses the worker boundary. Knows nothing of who sends it, of Pyodide, or of any experiment.
 * Two layers: the *envelope* (here: `wire`, `type`, and what the type needs) and the *payload* of a run, which is the JSON
 * text of Python's wire format (`py_runtime/lab/wire.py`) and has its own version. A message of another version, or of a
 * shape not listed here, is refused by its guard and never half understood.
 */

/** Version of the envelope. Page and worker files of different deployments must not talk to each other. */
export const ENVELOPE_VERSION = 1;

/** Version of the JSON that Python reads and writes. */
export const WIRE_VERSION = 1;

/**
 * @typedef {{experiment: string, variant: string, parameters?: Record<string, unknown>, seed?: number,
 *   schedule?: string | null, sources?: Record<string, string>}} RunRequest  What a panel asks for. A schedule
 *   names experiment, variant and parameters itself: with one, the run is a replay, and of the rest only sources count.
 * @typedef {{id: string, text: string, kind: string, holds: boolean, observed: string}} Claim
 * @typedef {{sequence: number, at_us: number, actor: string, kind: string, fields: Record<string, any>,
 *   line?: {file: string, line: number}}} TraceEvent
 * @typedef {{version: number, experiment: string, variant: string, parameters: Record<string, any>, seed: number,
 *   outcome: string, ended: string, digest: string, schedule: string, events: number, until_us: number,
 *   bounds: Record<string, number>, readings: Record<string, any>, claims: Claim[],
 *   lanes: {id: string, label: string, actors: string[]}[], trace: TraceEvent[], scene: Record<string, any>[],
 *   output: string[]}} Report  What a run gives.
 * @typedef {{experiment: string, variant: string, parameters?: Record<string, unknown>, options?: Record<string, unknown>,
 *   sources?: Record<string, string>}} SearchRequest  Where a panel wants a violation searched. Parameters: those that are not
 *   to be the experiment's own choice for a search.
 * @typedef {{schedule: string, violated: string[], steps: number}} Violation
 * @typedef {{runs: number, done: boolean, result?: Record<string, any>, [name: string]: any}} WorkState  How far work of many
 *   runs is; `result` once it is done.
 * @typedef {{runs: number, saved: number, level: number, shrink_runs: number, best: Violation | null, done: boolean,
 *   result?: Record<string, any>}} SearchState  The same of a search.
 * @typedef {{experiment: string, variant: string, parameters?: Record<string, unknown>, sources?: Record<string, string>, case?: string,
 *   faults_max?: number, schedule?: string, steps?: number, until?: "step" | "choice" | "end"}} SteerRequest  A run that is to halt before a step. A schedule
 *   names the parameters itself; without one, they are those of a search. The rest is in `py_runtime/lab/steer.py`.
 * @typedef {{schedule: string, steps: number}} Leads  The state that a move leads to.
 * @typedef {{number: number, kind: string, target: string, amount_ms: number, writes: number, from_ms: number | null}} FaultSeen
 * @typedef {FaultSeen & {armed: boolean, to: Leads | null}} FaultMove  armed: it was set and has not struck; to: null where none may be set.
 * @typedef {{lane: string, kind: string, actor: string, other: string | null, text: string | null,
 *   line: {file: string, line: number} | null, faults: FaultSeen[], to: Leads}} Choice  faults: those that strike first.
 * @typedef {{schedule: string, step: number, at_us: number, over: boolean, choices: Choice[], faults: FaultMove[], missed: number[],
 *   deviations: number, spent: number, faults_max: number, violated: string[], points: [number, number][]}} Turn  Where a game stands.
 *   points: step, and events in the trace before it, wherever an event came before. violated: the claims that have fallen.
 * @typedef {{schedule: string, options?: Record<string, unknown>, sources?: Record<string, string>}} OutlookRequest  Of which failing
 *   run continuations are wanted.
 * @typedef {import("./log/outlook.js").Outlook & {result?: Record<string, any>}} OutlookState
 * @typedef {{experiment: string, sources?: Record<string, string>}} ExamineRequest  Which repair is to be checked.
 * @typedef {{id: string, label: string, status: "waiting" | "running" | "passed" | "failed"}} CheckState
 * @typedef {CheckState & {why: string | null, searched: boolean, outcome: string, runs: number, cut: number, schedule: string | null,
 *   violated: {id: string, text: string, observed: string | null}[]}} CheckResult  Fields as in `py_runtime/lab/examine.py`.
 * @typedef {{experiment: string, title: string, solved: boolean, runs: number, checks: CheckResult[], token: string | null}} Examination
 * @typedef {{runs: number, checks: CheckState[], done: boolean, result?: Examination}} ExaminationState
 * @typedef {{kind: string, message: string, file?: string | null, line?: number | null}} Fault  Why a run gave nothing.
 * @typedef {{version: number, ok: true, report: Report, turn?: Turn} | {version: number, ok: true, work: WorkState}
 *   | {version: number, ok: false, error: Fault}} Answer
 */

/**
 * @typedef {{wire: 1, type: "prepare", folder: string}} Prepare  First message: import Pyodide's scripts from there.
 * @typedef {{wire: 1, type: "start", module: WebAssembly.Module, archive: ArrayBuffer, lock: string}} Start
 *   Second message: start Python from these.
 * @typedef {{wire: 1, type: "run", run: number, request: string}} Run  `request` is wire-format JSON.
 * @typedef {{wire: 1, type: "prepared"}} Prepared  Scripts are there.
 * @typedef {{wire: 1, type: "started"}} Started  Python is ready for runs.
 * @typedef {{wire: 1, type: "start.failed", message: string}} StartFailed
 * @typedef {{wire: 1, type: "run.answered", run: number, answer: string, heap_bytes: number}} RunAnswered
 * @typedef {{wire: 1, type: "run.failed", run: number, message: string}} RunFailed  Python itself broke: the worker is lost.
 */

// ---- page to worker ------------------------------------------------------------------------------------------------

/** prepare makes the first message to a worker. @param {string} folder absolute address, ending in a slash @returns {Prepare} */
export const prepare = (folder) => ({ wire: ENVELOPE_VERSION, type: "prepare", folder });

/** isPrepare guards it. @param {unknown} value @returns {value is Prepare} */
export const isPrepare = (value) => isEnvelope(value, "prepare") && isText(value.folder);

/** start makes the second message. @param {{module: WebAssembly.Module, archive: ArrayBuffer, lock: string}} parts @returns {Start} */
export const start = ({ module, archive, lock }) => ({ wire: ENVELOPE_VERSION, type: "start", module, archive, lock });

/** isStart guards it. @param {unknown} value @returns {value is Start} */
export const isStart = (value) =>
  isEnvelope(value, "start") &&
  value.module instanceof WebAssembly.Module &&
  value.archive instanceof ArrayBuffer &&
  isText(value.lock);

/** run asks for one run. @param {number} id @param {string} request wire-format JSON @returns {Run} */
export const run = (id, request) => ({ wire: ENVELOPE_VERSION, type: "run", run: id, request });

/** isRun guards it. @param {unknown} value @returns {value is Run} */
export const isRun = (value) => isEnvelope(value, "run") && isCount(value.run) && isText(value.request);

// ---- worker to page ------------------------------------------------------------------------------------------------

/** prepared says that the scripts are in. @returns {Prepared} */
export const prepared = () => ({ wire: ENVELOPE_VERSION, type: "prepared" });

/** isPrepared guards it. @param {unknown} value @returns {value is Prepared} */
export const isPrepared = (value) => isEnvelope(value, "prepared");

/** started says that Python is ready. @returns {Started} */
export const started = () => ({ wire: ENVELOPE_VERSION, type: "started" });

/** isStarted guards it. @param {unknown} value @returns {value is Started} */
export const isStarted = (value) => isEnvelope(value, "started");

/** startFailed says why Python did not start. @param {string} message @returns {StartFailed} */
export const startFailed = (message) => ({ wire: ENVELOPE_VERSION, type: "start.failed", message });

/** isStartFailed guards it. @param {unknown} value @returns {value is StartFailed} */
export const isStartFailed = (value) => isEnvelope(value, "start.failed") && isText(value.message);

/** runAnswered carries Python's answer. @param {number} id @param {string} answer wire-format JSON @param {number} heapBytes size of Python's memory after the run @returns {RunAnswered} */
export const runAnswered = (id, answer, heapBytes) => ({
  wire: ENVELOPE_VERSION,
  type: "run.answered",
  run: id,
  answer,
  heap_bytes: heapBytes,
});

/** isRunAnswered guards it. @param {unknown} value @returns {value is RunAnswered} */
export const isRunAnswered = (value) =>
  isEnvelope(value, "run.answered") && isCount(value.run) && isText(value.answer) && isCount(value.heap_bytes);

/** runFailed says that the run broke Python itself. @param {number} id @param {string} message @returns {RunFailed} */
export const runFailed = (id, message) => ({ wire: ENVELOPE_VERSION, type: "run.failed", run: id, message });

/** isRunFailed guards it. @param {unknown} value @returns {value is RunFailed} */
export const isRunFailed = (value) => isEnvelope(value, "run.failed") && isCount(value.run) && isText(value.message);

// ---- the live mode: page, measuring worker, and the worker that takes the work off its hands ---------------------------

/**
 * @typedef {{interval_ms: number, window_ms: number, block_at_ms: number, block_ms: number, timer: string}} LiveParameters
 * @typedef {{beats_actual: number, beats_theoretical: number, delay_ms_max: number, beats_ms: number[],
 *   work_started_ms: number, work_ended_ms: number}} LiveResult  Milliseconds from the start of the measurement.
 * @typedef {{wire: 1, type: "live.connect", port: MessagePort}} LiveConnect  The way between the two workers.
 * @typedef {{wire: 1, type: "live.measure", parameters: LiveParameters, offloaded: boolean}} LiveMeasure
 * @typedef {{wire: 1, type: "live.work", duration_ms: number}} LiveWork  Through the port.
 * @typedef {{wire: 1, type: "live.worked"}} LiveWorked  Back through the port.
 * @typedef {{wire: 1, type: "live.beat"}} LiveBeat  A heartbeat ran just now.
 * @typedef {{wire: 1, type: "live.measured", result: string}} LiveMeasured  `result` is JSON of a LiveResult.
 * @typedef {{wire: 1, type: "live.failed", message: string}} LiveFailed
 */

/** liveConnect hands a worker its end of the channel. @param {MessagePort} port @returns {LiveConnect} */
export const liveConnect = (port) => ({ wire: ENVELOPE_VERSION, type: "live.connect", port });

/** isLiveConnect guards it. @param {unknown} value @returns {value is LiveConnect} */
export const isLiveConnect = (value) => isEnvelope(value, "live.connect") && value.port instanceof MessagePort;

/** liveMeasure asks for one measurement. @param {LiveParameters} parameters @param {boolean} offloaded @returns {LiveMeasure} */
export const liveMeasure = (parameters, offloaded) => ({ wire: ENVELOPE_VERSION, type: "live.measure", parameters, offloaded });

/** isLiveMeasure guards it. @param {unknown} value @returns {value is LiveMeasure} */
export const isLiveMeasure = (value) =>
  isEnvelope(value, "live.measure") && isLiveParameters(value.parameters) && typeof value.offloaded === "boolean";

/** isLiveParameters guards what a measurement needs. @param {unknown} value @returns {value is LiveParameters} */
export const isLiveParameters = (value) =>
  isObject(value) &&
  ["interval_ms", "window_ms", "block_at_ms", "block_ms"].every((name) => isCount(value[name])) &&
  isText(value.timer);

/** liveWork asks the other worker to be busy. @param {number} durationMs @returns {LiveWork} */
export const liveWork = (durationMs) => ({ wire: ENVELOPE_VERSION, type: "live.work", duration_ms: durationMs });

/** isLiveWork guards it. @param {unknown} value @returns {value is LiveWork} */
export const isLiveWork = (value) => isEnvelope(value, "live.work") && isCount(value.duration_ms);

/** liveWorked says that it was. @returns {LiveWorked} */
export const liveWorked = () => ({ wire: ENVELOPE_VERSION, type: "live.worked" });

/** isLiveWorked guards it. @param {unknown} value @returns {value is LiveWorked} */
export const isLiveWorked = (value) => isEnvelope(value, "live.worked");

/** liveBeat tells of one heartbeat. @returns {LiveBeat} */
export const liveBeat = () => ({ wire: ENVELOPE_VERSION, type: "live.beat" });

/** isLiveBeat guards it. @param {unknown} value @returns {value is LiveBeat} */
export const isLiveBeat = (value) => isEnvelope(value, "live.beat");

/** liveMeasured carries the numbers. @param {string} result @returns {LiveMeasured} */
export const liveMeasured = (result) => ({ wire: ENVELOPE_VERSION, type: "live.measured", result });

/** isLiveMeasured guards it. @param {unknown} value @returns {value is LiveMeasured} */
export const isLiveMeasured = (value) => isEnvelope(value, "live.measured") && isText(value.result);

/** liveFailed says why there are none. @param {string} message @returns {LiveFailed} */
export const liveFailed = (message) => ({ wire: ENVELOPE_VERSION, type: "live.failed", message });

/** isLiveFailed guards it. @param {unknown} value @returns {value is LiveFailed} */
export const isLiveFailed = (value) => isEnvelope(value, "live.failed") && isText(value.message);

/** isLiveResult guards the numbers themselves. @param {unknown} value @returns {value is LiveResult} */
export const isLiveResult = (value) =>
  isObject(value) &&
  ["beats_actual", "beats_theoretical", "delay_ms_max", "work_started_ms", "work_ended_ms"].every((name) => Number.isFinite(value[name])) &&
  Array.isArray(value.beats_ms) &&
  value.beats_ms.every(Number.isFinite);

// ---- Python's payload ----------------------------------------------------------------------------------------------

/** runRequestText writes the wire-format request. What is not given, Python takes from its own defaults. @param {RunRequest} request @returns {string} */
export function runRequestText(request) {
  const { experiment, variant, parameters, seed, schedule, sources } = request;
  if (schedule) return JSON.stringify({ version: WIRE_VERSION, type: "replay", schedule, sources });
  return JSON.stringify({ version: WIRE_VERSION, type: "run", experiment, variant, parameters, seed, sources });
}

/** searchRequestText writes the request that begins a search. @param {SearchRequest} request @returns {string} */
export function searchRequestText({ experiment, variant, parameters, options, sources }) {
  return JSON.stringify({ version: WIRE_VERSION, type: "explore", experiment, variant, parameters, options, sources, runs: 1 });
}

/** steerRequestText writes the request for one state of a game. @param {SteerRequest} request @returns {string} */
export const steerRequestText = (request) => JSON.stringify({ version: WIRE_VERSION, type: "steer", ...request });

/** outlookRequestText writes the request that begins an outlook. @param {OutlookRequest} request @returns {string} */
export const outlookRequestText = (request) => JSON.stringify({ version: WIRE_VERSION, type: "outlook", ...request, runs: 1 });

/** examineRequestText writes the request that begins the checks of a repair. @param {ExamineRequest} request @returns {string} */
export const examineRequestText = ({ experiment, sources }) => JSON.stringify({ version: WIRE_VERSION, type: "examine", experiment, sources, runs: 1 });

/** verifyRequestText writes the request that begins the checks of a token's repair. @param {string} token @returns {string} */
export const verifyRequestText = (token) => JSON.stringify({ version: WIRE_VERSION, type: "verify", token, runs: 1 });

/** moreText writes the request for the next runs of the work that goes on. @param {number} runs @returns {string} */
export const moreText = (runs) => JSON.stringify({ version: WIRE_VERSION, type: "more", runs });

/** isAnswer guards what Python said: a report, how far work of many runs is, or a fault with a sentence. @param {unknown} value @returns {value is Answer} */
export function isAnswer(value) {
  if (!isObject(value) || value.version !== WIRE_VERSION) return false;
  if (value.ok !== true) return value.ok === false && isFault(value.error);
  return "work" in value ? isWork(value.work) : isReport(value.report);
}

/** isWork guards how far work of many runs is; what else its state holds is for those who asked. @param {unknown} value @returns {value is WorkState} */
export const isWork = (value) => isObject(value) && isCount(value.runs) && typeof value.done === "boolean" && (!value.done || isObject(value.result));

/** isSearchState guards how far a search is. @param {unknown} value @returns {value is SearchState} */
export const isSearchState = (value) =>
  isWork(value) && isCount(value.saved) && (value.best === null || (isObject(value.best) && isText(value.best.schedule) && Array.isArray(value.best.violated)));

/** isTurn guards where a game stands. @param {unknown} value @returns {value is Turn} */
export const isTurn = (value) =>
  isObject(value) &&
  isText(value.schedule) &&
  ["step", "at_us", "deviations", "spent", "faults_max"].every((name) => isCount(value[name])) &&
  typeof value.over === "boolean" &&
  ["choices", "faults", "missed", "violated", "points"].every((name) => Array.isArray(value[name]));

/** isOutlookState guards what has been drawn of an outlook. @param {unknown} value @returns {value is OutlookState} */
export const isOutlookState = (value) =>
  isWork(value) &&
  isCount(value.moments) &&
  Array.isArray(value.violated) &&
  (value.no_return === null || (isObject(value.no_return) && Number.isSafeInteger(value.no_return.position))) &&
  Array.isArray(value.points) &&
  value.points.every((point) => isObject(point) && ["fails", "runs", "cut", "at_us"].every((name) => isCount(point[name])) && ["position", "until"].every((name) => Number.isSafeInteger(point[name])));

/** isExaminationState guards how far the checks of a repair are. @param {unknown} value @returns {value is ExaminationState} */
export const isExaminationState = (value) => isWork(value) && isChecks(value.checks, isCheckState) && (!value.done || isExamination(value.result));

/** isExamination guards what came of them. @param {unknown} value @returns {value is Examination} */
const isExamination = (value) =>
  isObject(value) && isText(value.experiment) && isText(value.title) && typeof value.solved === "boolean" && isCount(value.runs) && isChecks(value.checks, isCheckResult) && isTextOrNull(value.token);

/** @param {unknown} value @param {(check: unknown) => boolean} guard */
const isChecks = (value, guard) => Array.isArray(value) && value.every(guard);

/** @param {unknown} value */
const isCheckState = (value) => isObject(value) && isText(value.id) && isText(value.label) && ["waiting", "running", "passed", "failed"].includes(value.status);

/** @param {unknown} value */
const isCheckResult = (value) =>
  isCheckState(value) &&
  isObject(value) &&
  isText(value.outcome) &&
  [value.why, value.schedule].every(isTextOrNull) &&
  [value.runs, value.cut].every(isCount) &&
  typeof value.searched === "boolean" &&
  isChecks(value.violated, (claim) => isObject(claim) && isText(claim.id) && isText(claim.text) && isTextOrNull(claim.observed));

/** @param {unknown} value */
const isTextOrNull = (value) => value === null || isText(value);

/** isReport guards a report, recorded or fresh. @param {unknown} value @returns {value is Report} */
export function isReport(value) {
  return (
    isObject(value) &&
    value.version === WIRE_VERSION &&
    ["experiment", "variant", "outcome", "ended", "digest", "schedule"].every((name) => isText(value[name])) &&
    ["claims", "lanes", "trace", "scene", "output"].every((name) => Array.isArray(value[name])) &&
    isObject(value.readings) &&
    isObject(value.parameters) &&
    isCount(value.until_us)
  );
}

/** isFault guards the error half of an answer. @param {unknown} value @returns {value is Fault} */
export const isFault = (value) => isObject(value) && isText(value.kind) && isText(value.message);

// ---- shapes --------------------------------------------------------------------------------------------------------

/** isEnvelope tells a message of this version and type. @param {unknown} value @param {string} type @returns {value is Record<string, any>} */
export const isEnvelope = (value, type) => isObject(value) && value.wire === ENVELOPE_VERSION && value.type === type;

/** isObject tells a plain record. @param {unknown} value @returns {value is Record<string, any>} */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** isText tells a string. @param {unknown} value @returns {value is string} */
export const isText = (value) => typeof value === "string";

/** isCount tells a whole number from 0 up. @param {unknown} value @returns {value is number} */
export const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
