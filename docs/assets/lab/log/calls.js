/**
 * Joins the events of one message exchange: sent, applied by the service, answered or failed, lost.
 * Pure. A duplicated request is applied more than once; a lost one never, or its answer never arrives.
 */

/**
 * @typedef {object} Call
 * @property {number} id
 * @property {string | null} caller
 * @property {string | null} service
 * @property {string} text
 * @property {number | null} started position
 * @property {number[]} applied positions
 * @property {number | null} ended position of completed or failed
 * @property {boolean} failed
 * @property {number[]} lost positions
 * @property {number} first position of its first event
 * @property {number} last position of its last event
 */

/**
 * callsOf indexes the calls of a trace by their id.
 * @param {import("../shapes.js").TraceEvent[]} events
 */
export function callsOf(events) {
  const calls = /** @type {Map<number, Call>} */ (new Map());
  events.forEach((event, position) => {
    const id = event.fields?.call;
    if (typeof id !== "number" || !event.kind.startsWith("call.")) return;
    let call = calls.get(id);
    if (!call) {
      call = { id, caller: null, service: null, text: "", started: null, applied: [], ended: null, failed: false, lost: [], first: position, last: position };
      calls.set(id, call);
    }
    call.last = position;
    note(call, event, position);
  });
  return calls;
}

/**
 * note adds one event to its call.
 * @param {Call} call
 * @param {import("../shapes.js").TraceEvent} event
 * @param {number} position
 */
function note(call, event, position) {
  if (event.kind === "call.started") {
    call.started = position;
    call.caller = event.actor;
    call.service ??= event.fields.to ?? null;
    call.text = event.fields.text ?? "";
  } else if (event.kind === "call.applied") {
    call.applied.push(position);
    call.service = event.actor;
  } else if (event.kind === "call.completed" || event.kind === "call.failed") {
    call.ended = position;
    call.failed = event.kind === "call.failed";
    call.caller ??= event.actor;
  } else if (event.kind === "call.lost") {
    call.lost.push(position);
  }
}
