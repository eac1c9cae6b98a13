/**
 * What is said of a failing run's outlook, in English.
 */

/** continuations writes how many there are. @param {string} runs */
const continuations = (runs) => (runs === "1" ? "1 continuation" : `${runs} continuations`);

export const outlook = {
  start: "When was it lost?",
  stop: "Stop drawing",
  why: "Goes back to each moment of this run at which something was still open, and lets the rest happen anew, by lot. Where all of it fails, nothing could have saved the run any more.",
  begun: "Drawing …",
  progress: /** @param {string} runs @param {string} drawn @param {string} moments */ (runs, drawn, moments) => `${runs} runs so far, from ${drawn} of ${moments} moments.`,
  ran: "The continuations were run here, in your browser.",
  stopped: "Stopped. What was drawn until then is shown.",
  stoppedEmpty: "Stopped before anything was drawn.",
  noReturn: /** @param {string} event @param {string} at */ (event, at) => `Point of no return: event ${event}, at ${at}.`,
  fromStart: "Lost from the start.",
  none: "No point of no return was seen: what was drawn late in the run did not all fail.",
  all: /** @param {string} runs */ (runs) => `All ${continuations(runs)} drawn from here on failed, at each moment drawn.`,
  allAlways: /** @param {string} runs */ (runs) => `All ${continuations(runs)} drawn failed, from whatever moment. Program and scenario bring it about by themselves.`,
  noChance: "Nothing in this run is left to chance. Program and scenario bring it about by themselves.",
  onlyRun: "From here on nothing is left to chance: only the run itself is possible.",
  eventBefore: /** @param {string} count */ (count) => `From just before it: ${count}.`,
  earlier: /** @param {string} event @param {string} count */ (event, count) => `From event ${event}: ${count}. Nothing was drawn in between, so it may have been lost earlier than here.`,
  go: "Go there",
  went: /** @param {string} place */ (place) => `Shown: ${place}`,
  /** @type {(fails: string, runs: string, cut: string) => string} */
  count: (fails, runs, cut) => {
    const limit = cut === "0" ? "" : `; ${cut} more met a limit and ${cut === "1" ? "is" : "are"} not counted`;
    return runs === "0" ? `no continuation could be judged${limit}` : `${fails} of ${continuations(runs)} fail${limit}`;
  },
  settled: "nothing is left to chance, and the run fails",
  here: /** @param {string} count */ (count) => `From here, ${count}.`,
  between: /** @param {string} before @param {string} after */ (before, after) => (before === after ? `Not drawn from here. Before and after: ${before}.` : `Not drawn from here. Before: ${before}. After: ${after}.`),
  unknown: "Not drawn from here.",
  legend: { share: "share of continuations that fail", noReturn: "point of no return" },
  fails: /** @param {string[]} claims */ (claims) => `A continuation fails where it violates what this run does: ${claims.join(" ")}`,
  /** @type {(runs: string, all: string, drawn: string, moments: string) => string} */
  made: (runs, all, drawn, moments) => `${continuations(runs)} from each moment that was drawn from, ${drawn} of the run's ${moments}; ${all} runs in all.`,
  madeNone: "There was nothing to draw: the run itself is the only way on.",
  order: "From there, steps that could happen at the same time went by lot.",
  strikes: /** @param {string} count @param {string[]} faults */ (count, faults) =>
    `${count === "1" ? "Where this run's fault was" : `For each of this run's ${count} faults that was`} still to come, a toss decided whether there was one at all, and the lot which and when: ${faults.join("; ")}.`,
  share: "These are shares of what was drawn, not probabilities of production; time was not varied.",
  table: "Continuations by moment",
  open: "Show as a table",
  heads: { after: "After", what: "What happened", at: "At", fails: "Continuations that fail", share: "Share" },
  atStart: "the start",
  event: /** @param {string} number */ (number) => `event ${number}`,
  span: /** @param {string} from @param {string} to */ (from, to) => (from === to ? from : `${from} to ${to}`),
  percent: /** @param {number} share */ (share) => `${Math.round(share * 100)} %`,
  notDrawn: "not drawn",
};
