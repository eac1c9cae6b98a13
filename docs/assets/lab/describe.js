/**
 * Says in one sentence what an event is. Pure; the words are in the text table, the facts in the log.
 */

import { formatJson, formatMs, formatNumber } from "./format.js";
import { text } from "./text/index.js";

/** Fields that a sentence mentions in its own way, or that have a view of their own. */
const TOLD = new Set(["call", "to", "text", "reply", "error", "changes", "name"]);

/**
 * describeEvent returns the sentence for the event at a position.
 * @param {import("./log/log.js").Log} log
 * @param {number} position
 */
export function describeEvent(log, position) {
  const event = log.events[position];
  if (!event) return text.timeline.empty;
  const words = wordsOf(log, event);
  const sentence = text.events.sentences[event.kind];
  return sentence ? sentence(words) : text.events.other(event.kind, words);
}

/**
 * describePlace returns the slider's value as text: number, instant, sentence.
 * @param {import("./log/log.js").Log} log
 * @param {number} position
 */
export function describePlace(log, position) {
  const event = log.events[position];
  if (!event) return text.timeline.empty;
  return text.timeline.place(
    formatNumber(position + 1),
    formatNumber(log.events.length),
    formatMs(event.at_us),
    describeEvent(log, position),
  );
}

/**
 * kindLabel names a kind for readers; an unknown kind keeps its own name.
 * @param {string} kind
 */
export function kindLabel(kind) {
  return text.events.kinds[kind] ?? kind;
}

/**
 * wordsOf collects what a sentence may mention.
 * @param {import("./log/log.js").Log} log
 * @param {import("./shapes.js").TraceEvent} event
 * @returns {import("./text/en-events.js").EventWords}
 */
function wordsOf(log, event) {
  const { fields } = event;
  const call = log.calls.get(fields.call);
  const named = event.kind === "mark" ? String(fields.name ?? "").replaceAll("_", " ").replaceAll("-", " ") : fields.text;
  const what = named ?? call?.text;
  return {
    actor: event.actor ?? text.events.world,
    to: fields.to ?? call?.service ?? text.events.unknown,
    what: what ? formatJson(what) : text.events.unknown,
    by: call?.caller ?? text.events.unknown,
    reply: "reply" in fields ? formatJson(fields.reply, 60) : "",
    error: "error" in fields ? formatJson(fields.error) : "",
    unmatched: unmatchedOf(fields),
    pushed: event.kind === "call.applied" && !("reply" in fields),
    detail: detailOf(fields, event.kind === "mark" ? ["text"] : []),
  };
}

/**
 * unmatchedOf says which conditions of a statement failed on which row.
 * @param {Record<string, any>} fields
 */
function unmatchedOf(fields) {
  /** @type {{row: string, failed: {text: string}[]}[]} */
  const rows = fields.unmatched ?? [];
  const told = rows.map(({ row, failed }) => `${row}: ${failed.map((failure) => failure.text).join("; ")}`);
  if (fields.unmatched_left_out) told.push(text.events.moreRows(formatNumber(fields.unmatched_left_out)));
  return told.join("; ");
}

/**
 * detailOf lists the remaining fields; names ending in a unit lose it and their values gain it. What does not apply (null) is
 * left out.
 * @param {Record<string, any>} fields
 * @param {string[]} also names that are told here though sentences mostly tell them
 */
function detailOf(fields, also) {
  const parts = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || (TOLD.has(name) && !also.includes(name))) continue;
    if (name === "text") parts.push(formatJson(value));
    else if (name.endsWith("_us") && typeof value === "number") parts.push(`${plain(name.slice(0, -3))}: ${formatMs(value)}`);
    else if (name.endsWith("_ms") && typeof value === "number") parts.push(`${plain(name.slice(0, -3))}: ${formatMs(value * 1000)}`);
    else parts.push(`${plain(name)}: ${formatJson(value, 60)}`);
  }
  return parts.join(", ");
}

/** @param {string} name */
function plain(name) {
  return name.replaceAll("_", " ");
}
