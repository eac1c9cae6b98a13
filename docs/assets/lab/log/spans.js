/**
 * Finds the stretches of a lane in which something lasted: alive, busy, paused, off-loaded, crashed.
 * Pure. A span that never closed runs to the end of the trace (`to` is null).
 */

/** @typedef {"alive" | "busy" | "paused" | "offload" | "crashed"} SpanKind */
/** @typedef {{lane: number, actor: string, kind: SpanKind, from: number, to: number | null}} Span */

/** @type {Record<string, {opens?: SpanKind, closes?: SpanKind}>} */
const EDGES = {
  "actor.started": { opens: "alive", closes: "crashed" },
  "actor.ended": { closes: "alive" },
  "actor.crashed": { opens: "crashed", closes: "alive" },
  "actor.paused": { opens: "paused" },
  "actor.resumed": { closes: "paused" },
  "busy.started": { opens: "busy" },
  "busy.completed": { closes: "busy" },
  "offload.started": { opens: "offload" },
  "offload.completed": { closes: "offload" },
  "offload.failed": { closes: "offload" },
};

/**
 * spansOf lists the spans of a trace in the order in which they opened. In a lane that several actors share, a crash
 * lasts until the next actor of that lane starts.
 * @param {import("../shapes.js").TraceEvent[]} events
 * @param {Map<string, number>} laneOf
 */
export function spansOf(events, laneOf) {
  const spans = /** @type {Span[]} */ ([]);
  const open = /** @type {Map<string, Span[]>} */ (new Map());
  events.forEach((event, position) => {
    const edge = EDGES[event.kind];
    if (!edge || event.actor === null) return;
    const lane = laneOf.get(event.actor) ?? 0;
    if (edge.closes) close(open, keyOf(edge.closes, lane, event.actor), position);
    if (edge.closes === "alive") closeAll(open, lane, event.actor, position);
    if (edge.opens) {
      const span = { lane, actor: event.actor, kind: edge.opens, from: position, to: null };
      spans.push(span);
      const key = keyOf(edge.opens, lane, event.actor);
      open.set(key, [...(open.get(key) ?? []), span]);
    }
  });
  return spans;
}

/**
 * keyOf says which spans an edge can close: a crash belongs to the lane, all else to the actor.
 * @param {SpanKind} kind
 * @param {number} lane
 * @param {string} actor
 */
function keyOf(kind, lane, actor) {
  return kind === "crashed" ? `crashed ${lane}` : `${kind} ${actor}`;
}

/**
 * close ends the span that has been open longest under that key.
 * @param {Map<string, Span[]>} open
 * @param {string} key
 * @param {number} position
 */
function close(open, key, position) {
  const span = open.get(key)?.shift();
  if (span) span.to = position;
}

/**
 * closeAll ends whatever a dead or ended actor was still doing; its off-loaded work goes on.
 * @param {Map<string, Span[]>} open
 * @param {number} lane
 * @param {string} actor
 * @param {number} position
 */
function closeAll(open, lane, actor, position) {
  for (const kind of /** @type {SpanKind[]} */ (["busy", "paused"])) {
    while (open.get(keyOf(kind, lane, actor))?.length) close(open, keyOf(kind, lane, actor), position);
  }
}
