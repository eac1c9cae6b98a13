/**
 * Lays two runs side by side by virtual time and finds where they part. Pure.
 * Decides what counts as a difference, in two senses: the first event that is not the same at all, and the first difference
 * in the story: what a program or the scenario marked or printed, and what an actor was told when it asked the same.
 * Program lines are no difference (two programs number theirs differently), nor is the order within one instant of the story.
 */

import { lastAtOrBefore } from "../search.js";

/**
 * @typedef {object} Parting a moment at which the runs part
 * @property {number} at_us
 * @property {number | null} here position of what differs in the first run; null where that has nothing of the kind
 * @property {number | null} there the same in the second run
 * @property {number} hereAt where to stand in the first run
 * @property {number} thereAt where to stand in the second run
 */

/**
 * @typedef {object} Comparison
 * @property {import("./log.js").Log} log
 * @property {import("./log.js").Log} other
 * @property {number} same how many events are the same from the start
 * @property {Parting | null} first null where all events are the same
 * @property {Parting | null} story null where the same is told at the same instants
 */

/**
 * compareLogs finds where two runs part.
 * @param {import("./log.js").Log} log
 * @param {import("./log.js").Log} other
 * @returns {Comparison}
 */
export function compareLogs(log, other) {
  const same = sameFromStart(log.events, other.events);
  const all = same === log.events.length && same === other.events.length;
  const first = all ? null : parting(log, other, same < log.events.length ? same : null, same < other.events.length ? same : null);
  return { log, other, same, first, story: storyParting(log, other) };
}

/**
 * counterpart returns the position of the second run that goes with one of the first: the same event while all are the same,
 * after that the last one at or before the instant.
 * @param {Comparison} comparison
 * @param {number} position
 */
export function counterpart({ log, other, same }, position) {
  if (position < same) return position;
  const at_us = log.events[position]?.at_us ?? 0;
  return Math.max(lastAtOrBefore(other.events, at_us, (event) => event.at_us), same - 1, Math.min(0, other.events.length - 1));
}

/**
 * @param {import("./log.js").Log} log
 * @param {import("./log.js").Log} other
 * @param {number | null} here
 * @param {number | null} there
 * @returns {Parting}
 */
function parting(log, other, here, there) {
  const instants = [here === null ? null : log.events[here].at_us, there === null ? null : other.events[there].at_us];
  const at_us = Math.min(...instants.filter((at) => at !== null));
  /** @param {import("./log.js").Log} run */
  const standing = (run) => Math.max(lastAtOrBefore(run.events, at_us, (event) => event.at_us), Math.min(0, run.events.length - 1));
  return { at_us, here, there, hereAt: here ?? standing(log), thereAt: there ?? standing(other) };
}

/**
 * @param {import("../shapes.js").TraceEvent[]} events
 * @param {import("../shapes.js").TraceEvent[]} others
 */
function sameFromStart(events, others) {
  const shorter = Math.min(events.length, others.length);
  for (let position = 0; position < shorter; position++) {
    if (identity(events[position]) !== identity(others[position])) return position;
  }
  return shorter;
}

/**
 * identity is all of an event but its line and the number of its call.
 * @param {import("../shapes.js").TraceEvent} event
 */
function identity({ at_us, actor, kind, fields }) {
  return JSON.stringify([at_us, actor, kind, { ...fields, call: null }]);
}

/** Answers that only name the program's own text: two programs that differ at all are told two digests. */
const NAMES_ITSELF = /^SCRIPT LOAD /;

/** Fields that measure: what is told late is still told of the same. */
const MEASURES = /_(us|ms)$/;

/** @typedef {{position: number, at_us: number, who: string, what: string, subject: string, content: string}} Told one sentence of a story */

/**
 * storyOf lists what a run tells: marks, output and answers. A pool thread tells in the name of its actor, so that work that
 * moves to a thread tells the same.
 * @param {import("./log.js").Log} log
 * @returns {{told: Told[], answers: Told[]}}
 */
function storyOf(log) {
  const [told, answers] = [/** @type {Told[]} */ ([]), /** @type {Told[]} */ ([])];
  log.events.forEach(({ kind, at_us, actor, fields }, position) => {
    const who = (actor ?? "").split("/")[0];
    if (kind === "mark" || kind === "output") {
      const subject = JSON.stringify(Object.entries(fields).filter(([name]) => !MEASURES.test(name)));
      told.push({ position, at_us, who, what: `${kind} ${fields.name ?? ""}`, subject, content: JSON.stringify(fields) });
    } else if (kind === "call.completed" || kind === "call.failed") {
      const call = log.calls.get(fields.call);
      if (NAMES_ITSELF.test(call?.text ?? "")) return;
      const what = `${call?.service} ${call?.text}`;
      answers.push({ position, at_us, who, what, subject: what, content: JSON.stringify([kind, fields.reply ?? fields.error]) });
    }
  });
  return { told, answers };
}

/**
 * storyParting finds the first difference in what two runs tell.
 * @param {import("./log.js").Log} log
 * @param {import("./log.js").Log} other
 */
function storyParting(log, other) {
  const [here, there] = [storyOf(log), storyOf(other)];
  const found = [untold(here.told, there.told), answeredOtherwise(here.answers, there.answers)]
    .filter((pair) => pair !== null)
    .map((pair) => parting(log, other, pair.here?.position ?? null, pair.there?.position ?? null));
  return found.sort((one, another) => one.at_us - another.at_us)[0] ?? null;
}

/**
 * untold finds the first sentence that only one run tells at its instant, with what stands for it in the other: of the
 * same actor, the same told otherwise or later, else something else at that instant, else the like at another.
 * @param {Told[]} here
 * @param {Told[]} there
 */
function untold(here, there) {
  const [onlyHere, onlyThere] = [without(here, there), without(there, here)];
  const [first, firstThere] = [onlyHere[0], onlyThere[0]];
  if (!first && !firstThere) return null;
  const isHere = !firstThere || (first && first.at_us <= firstThere.at_us);
  const sentence = isHere ? first : firstThere;
  const mine = (isHere ? onlyThere : onlyHere).filter(({ who }) => who === sentence.who);
  const now = mine.filter(({ at_us }) => at_us === sentence.at_us);
  const alike = mine.filter(({ what }) => what === sentence.what);
  /** @param {Told} one */
  const ofTheSame = (one) => one.subject === sentence.subject;
  const instead = now.find(ofTheSame) ?? alike.find(ofTheSame) ?? now[0] ?? alike[0] ?? null;
  return isHere ? { here: sentence, there: instead } : { here: instead, there: sentence };
}

/**
 * without returns the sentences of one story that the other does not hold, each of the other standing for one.
 * @param {Told[]} told
 * @param {Told[]} others
 */
function without(told, others) {
  /** @param {Told} sentence */
  const key = ({ at_us, who, what, content }) => JSON.stringify([at_us, who, what, content]);
  const left = /** @type {Map<string, number>} */ (new Map());
  for (const sentence of others) left.set(key(sentence), (left.get(key(sentence)) ?? 0) + 1);
  return told.filter((sentence) => {
    const count = left.get(key(sentence)) ?? 0;
    left.set(key(sentence), count - 1);
    return count <= 0;
  });
}

/**
 * answeredOtherwise finds the first answer that differs although the same actor asked the same and was told at the same instant.
 * @param {Told[]} here
 * @param {Told[]} there
 */
function answeredOtherwise(here, there) {
  /** @param {Told} answer */
  const key = ({ at_us, who, what }) => JSON.stringify([at_us, who, what]);
  const others = /** @type {Map<string, Told[]>} */ (new Map());
  for (const answer of there) others.set(key(answer), [...(others.get(key(answer)) ?? []), answer]);
  for (const answer of here) {
    const same = others.get(key(answer))?.shift();
    if (same && same.content !== answer.content) return { here: answer, there: same };
  }
  return null;
}
