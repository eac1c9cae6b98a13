/**
 * What is said of two runs beside each other, in English.
 */

export const compare = {
  label: "Compare with",
  nothing: "nothing",
  published: /** @param {string} variant */ (variant) => `${variant}, as published`,
  why: "Two programs under the same schedule: the same seed, choices, faults and parameters.",
  fetching: "Getting the other run …",
  stop: "Stop the other run",
  ran: "The run to compare with was made here, in your browser.",
  here: /** @param {string} variant */ (variant) => `Shown: ${variant}`,
  edited: /** @param {string} variant */ (variant) => `${variant}, edited`,
  there: /** @param {string} variant */ (variant) => `Compared with: ${variant}`,
  none: "There is no run to compare with.",
  /** @type {Record<import("../panel/other-run.js").Made, (variant: string, refusal: string) => string>} */
  made: {
    recorded: (variant) => `${variant}: the recorded run, which has the same schedule.`,
    same: (variant) => `${variant}: run under the same schedule.`,
    faults: (variant, refusal) =>
      `${variant}: run with the same faults, but in the usual order. The whole schedule does not fit this program: ${refusal}`,
    usual: (variant, refusal) => `${variant}: run in the usual order and without faults, with the same seed and parameters. The schedule does not fit this program: ${refusal}`,
  },
  legend: { first: "first event that differs", story: "first difference in the story" },
  /** @type {Record<"first" | "story", (at: string) => string>} */
  heading: {
    first: (at) => `First event that differs, at ${at}`,
    story: (at) => `First difference in the story, at ${at}`,
  },
  storyWhy: "The story is what was marked and printed, and what an actor was told when it asked the same.",
  /** @type {Record<"first" | "story", string>} */
  equal: {
    first: "The two runs are the same, event for event.",
    story: "The story is the same: the same is told at the same instants.",
  },
  side: /** @param {string} name @param {string} sentence */ (name, sentence) => `${name}: ${sentence}`,
  sideAt: /** @param {string} sentence @param {string} at */ (sentence, at) => `${sentence}, at ${at}`,
  absent: "nothing of the kind",
  go: "Go there",
  went: /** @param {string} at */ (at) => `Both runs are shown at ${at}.`,
  now: /** @param {string} name @param {string} place */ (name, place) => `${name} at this position: ${place}`,
  table: "Readings side by side",
  reading: "Reading",
  outcome: "Outcome",
  difference: "Difference",
  differs: "differs",
  /** @param {boolean | null} holds */
  claim: (holds) => (holds === null ? "does not apply here" : holds ? "holds" : "violated"),
};
