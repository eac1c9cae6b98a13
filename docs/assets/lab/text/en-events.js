/**
 * Sentences for trace events, in English. One function per kind; a kind without one is told by its name and fields.
 */

/**
 * @typedef {object} EventWords
 * @property {string} actor
 * @property {string} to the service of a call
 * @property {string} what the text of a call, or the name of a mark
 * @property {string} by the caller of a call
 * @property {string} reply
 * @property {string} error
 * @property {boolean} pushed nobody asked for it: what the service sent is a message of its own
 * @property {string} unmatched which conditions of a statement failed on which row
 * @property {string} detail remaining fields, "name: value" joined by commas
 */

/** @type {Record<string, (words: EventWords) => string>} */
const sentences = {
  "actor.started": ({ actor }) => `${actor} starts`,
  "actor.ended": ({ actor }) => `${actor} ends`,
  "actor.crashed": ({ actor }) => `${actor} crashes; nothing of it runs any more`,
  "actor.paused": ({ actor, detail }) => `${actor} is paused${inBrackets(detail)}`,
  "actor.resumed": ({ actor }) => `${actor} goes on, with what it believed before`,
  "busy.started": ({ actor, detail }) => `${actor} is busy; its other tasks wait${inBrackets(detail)}`,
  "busy.completed": ({ actor }) => `${actor} is free again`,
  "offload.started": ({ actor, detail }) => `${actor} hands work to a thread${inBrackets(detail)}`,
  "offload.completed": ({ actor }) => `the thread of ${actor} is done`,
  "offload.failed": ({ actor, error }) => `the thread of ${actor} fails: ${error}`,
  "call.started": ({ actor, what, to }) => `${actor} sends ${what} to ${to}`,
  "call.applied": ({ actor, what, by, reply, unmatched, pushed }) =>
    pushed ? `${actor} receives ${what} from ${by}` : `${actor} carries out ${what} for ${by}${answers(reply)}${inBrackets(unmatched)}`,
  "call.completed": ({ actor, what, reply, to }) => `${actor} gets ${reply || "an answer"} from ${to} for ${what}`,
  "call.failed": ({ actor, what, error }) => `${actor} gets an error for ${what}: ${error}`,
  "call.lost": ({ what, by, to, detail }) => `a message between ${by} and ${to} is lost: ${what}${inBrackets(detail)}`,
  "replica.synced": ({ actor, detail }) => `${actor} has the data of its primary${inBrackets(detail)}`,
  "replica.applied": ({ actor, what, detail }) => `${actor} carries out ${what} as its primary did${inBrackets(detail)}`,
  "replica.cut": ({ actor, detail }) => `${actor} loses the link to its primary${inBrackets(detail)}`,
  "replica.promoted": ({ actor, detail }) => `${actor} becomes a primary${inBrackets(detail)}`,
  "task.failed": ({ actor, error }) => `a task of ${actor} ends with an error: ${error}`,
  output: ({ actor, what }) => `${actor} prints: ${what}`,
  mark: ({ actor, what, detail }) => `${actor}: ${what}${inBrackets(detail)}`,
};

/** @param {string} detail */
function inBrackets(detail) {
  return detail ? ` (${detail})` : "";
}

/** @param {string} reply */
function answers(reply) {
  return reply ? ` and answers ${reply}` : "";
}

export const events = {
  sentences,
  other: /** @param {string} kind @param {EventWords} words */ (kind, { actor, detail }) => `${actor}: ${kind}${inBrackets(detail)}`,
  moreRows: /** @param {string} count */ (count) => `and ${count} more rows`,
  world: "the world",
  unknown: "an unknown call",
  /** @type {Record<string, string>} */
  kinds: {
    "actor.started": "started",
    "actor.ended": "ended",
    "actor.crashed": "crashed",
    "actor.paused": "paused",
    "actor.resumed": "resumed",
    "busy.started": "busy",
    "busy.completed": "free again",
    "offload.started": "off-loaded",
    "offload.completed": "off-load done",
    "offload.failed": "off-load failed",
    "call.started": "request",
    "call.applied": "applied",
    "call.completed": "answer",
    "call.failed": "error",
    "call.lost": "lost",
    "replica.synced": "copy complete",
    "replica.applied": "copied write",
    "replica.cut": "link lost",
    "replica.promoted": "promoted",
    "task.failed": "task failed",
    output: "output",
    mark: "mark",
  },
};
