/**
 * What is said before and after a prediction, in English. The questions come with the catalogue.
 */

export const predict = {
  begin: "Predict first",
  why: "Say what will happen before you see it.",
  show: "Show the run",
  leave: "Leave it",
  instant: "Your mark",
  unmarked: "not marked yet",
  never: "It never comes in this run",
  keys: "Arrow keys move the mark.",
  hidden: "The run is hidden until you have marked your answer.",
  legend: { guess: "your mark", truth: "what the run did" },
  absent: "This run was cut short and gives no answer.",
  /** @type {Record<import("../log/prediction.js").How, (guess: string, truth: string, off: string, share: string) => string>} */
  judged: {
    exact: (guess) => `You marked ${guess}, and there it is.`,
    later: (guess, truth, off, share) => `You marked ${guess}. In this run it is at ${truth}: ${off} later, which is ${share} of the run.`,
    earlier: (guess, truth, off, share) => `You marked ${guess}. In this run it is at ${truth}: ${off} earlier, which is ${share} of the run.`,
    never: (guess) => `You marked ${guess}. In this run it never comes.`,
    came: (_guess, truth) => `You said never. In this run it is at ${truth}.`,
    agreed: () => "You said never, and in this run it never comes.",
    right: (guess) => `You said: ${guess}. So it is.`,
    wrong: (guess, truth) => `You said: ${guess}. In this run it is: ${truth}.`,
  },
};
