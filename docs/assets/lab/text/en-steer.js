/**
 * What is said to a reader who is the scheduler, in English.
 */

import { counted } from "./en-words.js";

/**
 * @typedef {{actor: string, other: string, text: string, line: string}} DoesWords line: empty, or " at file, line 3"
 * @typedef {{target: string, ms: string, back: boolean, writes: string}} FaultWords ms: never negative; back: a clock that goes back
 * @typedef {{faults: string, deviations: string, steps: string}} SizeWords
 */

/** @param {SizeWords} size */
const size = ({ faults, deviations, steps }) => `${counted(faults, "fault")}, ${counted(deviations, "deviation")} from the usual order, ${counted(steps, "step")}`;

export const steer = {
  begin: "Be the scheduler",
  resume: "Go on with the game that you left",
  why: "You choose, step by step, who goes next and which fault strikes, in the small case in which a search looks. Can you make a claim fall?",
  name: "You are the scheduler",
  /** @param {string} step @param {string} at @param {string} spent @param {string} most @param {string} deviations */
  facts: (step, at, spent, most, deviations) => `Steps taken: ${step}. Time: ${at}. Faults spent: ${spent} of ${most}. ${counted(deviations, "deviation")} from the usual order.`,
  made: "You are the scheduler: this run stands still until you choose.",
  madeOver: "You were the scheduler of this run. It has come to its end.",

  next: "What happens next",
  nextOnly: "What happens next: only this is possible",
  usual: "usual",
  key: /** @param {number} number */ (number) => `key ${number}`,
  onChoice: "Go on to the next choice",
  onEnd: "Let it run to its end",
  undo: "Undo",
  redo: "Redo",
  again: "Start again",
  leave: "Leave",
  stop: "Stop the lab",
  leftShown: "Shown is the game that you have left, as far as it was played.",
  left: "You have left the game. Run makes a run as usual, Reset shows the recorded one.",
  keys: "Keys, while the focus is here: 1 to 9 choose, U undoes, R does it again.",

  /** @type {Record<string, (words: DoesWords) => string>} */
  does: {
    request: ({ actor, other, text }) => `${actor} gets the request of ${other}: ${text}`,
    reply: ({ actor, other, text }) => `the answer of ${other} arrives at ${actor}: ${text}`,
    push: ({ actor, other, text }) => `a message of ${other} arrives at ${actor}: ${text}`,
    told: ({ actor, other }) => (other ? `${actor} hears that a connection of ${other} has changed` : `${actor} takes up what has waited there`),
    handles: ({ actor, other, text }) => `${actor} takes up the request of ${other} that has waited: ${text}`,
    reads: ({ actor, other, text }) => `${actor} reads the answer of ${other}: ${text}`,
    takes: ({ actor, other, text }) => `${actor} reads the message of ${other}: ${text}`,
    answers: ({ actor, other, text }) => `${actor} answers ${other}: ${text}`,
    begins: ({ actor, line }) => `${actor} begins a task${line}`,
    resumes: ({ actor, line }) => `${actor} goes on${line}`,
    wakes: ({ actor, line }) => `a timer of ${actor} is due${line}`,
    thread: ({ actor, text, line }) => `${actor} carries out ${text}${line}`,
    nothing: ({ actor }) => `${actor} takes a step that was cancelled, which does nothing`,
    step: ({ actor }) => `${actor} takes a step of asyncio’s own`,
  },
  line: /** @param {string} file @param {string} line */ (file, line) => ` at ${file}, line ${line}`,

  faults: /** @param {string} left */ (left) => `Faults: ${left} left`,
  faultsSpent: "Faults: all spent",
  faultsNone: "No fault can strike any more.",
  faultsWhy: "A fault that you set strikes at the next moment of its kind. Undo takes it back.",
  armed: "set",
  linkLacks: "A fault that you have set is not in this link: the lab could not say when it strikes.",
  linkMissed: "A fault that you have set is not in this link: if all goes on as usual from here, nothing comes that it could meet.",
  /** @type {Record<string, (words: FaultWords) => string>} what is going to happen */
  fault: {
    crash: ({ target }) => `${target} is killed before its next step`,
    pause: ({ target, ms }) => `${target} stands still for ${ms} before its next step`,
    "clock-step": ({ target, ms, back }) => `the clock of ${target} jumps ${ms} ${back ? "back" : "ahead"} before its next step`,
    "lost-request": ({ target }) => `the next request to ${target} is lost`,
    "lost-reply": ({ target }) => `the next answer of ${target} is lost`,
    "duplicate-request": ({ target }) => `the next request to ${target} arrives twice`,
    outage: ({ target, ms }) => `${target} refuses all calls for ${ms}, from the next request on`,
    restart: ({ target, ms }) => `${target} restarts before the next request to it, without what it kept in memory, and is away for ${ms}`,
    failover: ({ target, writes }) =>
      `a replica ${writes === "0" ? "that has all writes" : `that lacks the last ${counted(writes, "write")}`} takes the place of ${target} before the next request to it`,
  },
  faultOther: /** @param {string} kind @param {string} target */ (kind, target) => `${kind} of ${target}, at the next opportunity`,
  faultFrom: /** @param {string} fault @param {string} from */ (fault, from) => `${fault}, from ${from} on`,
  /** @type {Record<string, (words: FaultWords, does: string) => string>} what happens at this very step */
  strikes: {
    crash: ({ target }) => `${target} is killed`,
    pause: ({ target, ms }) => `${target} stands still for ${ms}`,
    "clock-step": ({ target, ms, back }, does) => `the clock of ${target} jumps ${ms} ${back ? "back" : "ahead"}; then ${does}`,
  },

  moves: "Moves so far",
  start: "the start",
  on: /** @param {string} steps */ (steps) => `as usual, for ${counted(steps, "step")}`,
  labsMove: /** @param {string} steps */ (steps) => `the lab’s run, for ${counted(steps, "step")}`,
  set: /** @param {string} fault */ (fault) => `set: ${fault}`,
  moveName: /** @param {string} number @param {string} move */ (number, move) => `${number}. ${move}`,
  lines: "Other lines",
  otherLine: /** @param {string} moves @param {string[]} fallen @param {boolean} over */ (moves, fallen, over) =>
    `Other line: ${counted(moves, "move")}, ${fallen.length > 0 ? `fallen: ${fallen.join(" ")}` : over ? "to the end, nothing fell" : "not over, nothing fell yet"}`,

  aged: "The program or a parameter has changed since this game began. This game goes on with those that it began with; leave it and begin again to play with the present ones.",
  past: /** @param {string} number @param {string} count */ (number, count) => `You look at event ${number} of ${count}, in the past of this game.`,
  actHere: "Choose from this moment",
  present: "Back to where the game stands",
  away: "Another run is shown now. The game stands where it stood.",
  back: "Back to the game",

  /** what is announced after a move @param {string} made @param {string} next */
  said: (made, next) => `${made} ${next}`,
  saidLane: /** @param {string} does */ (does) => `Done: ${does}.`,
  saidFault: /** @param {string} fault */ (fault) => `Set: ${fault}.`,
  saidOn: /** @param {string} steps */ (steps) => `Went on as usual, for ${counted(steps, "step")}.`,
  saidLabs: "This is the lab’s run. Yours is among the other lines.",
  saidStart: "The game begins.",
  saidResumed: "The game goes on where you left it, with the program and the parameters that it began with.",
  saidBack: /** @param {string} number */ (number) => `Back at move ${number}.`,
  ways: /** @param {string} number */ (number) => (number === "1" ? "One step is possible." : `${number} steps are possible.`),
  over: "The run is over.",
  missed: "A fault never struck: nothing came that it could meet. It does not count.",
  heldBut: /** @param {string} outcome */ (outcome) => `The run is over: ${outcome}. No claim that a search judges has fallen. Undo, choose from an earlier moment, or start again.`,
  held: "The run is over, and no claim that a search judges has fallen. Undo, choose from an earlier moment, or start again.",
  unseen: /** @param {string[]} claims */ (claims) => `The run is over, and no claim that a search judges has fallen. Not seen in this run: ${claims.join(" ")} Undo, choose from an earlier moment, or start again.`,

  fell: /** @param {number} count */ (count) => (count === 1 ? "A claim has fallen:" : "Claims have fallen:"),
  fellEarly: "The run is not over, but nothing that follows can mend this.",
  yours: /** @param {SizeWords} words */ (words) => `Your counterexample: ${size(words)}.`,
  fewer: "Can the lab do it in fewer steps?",
  searching: "The lab searches …",
  progress: /** @param {string} runs */ (runs) => `${counted(runs, "run")} so far`,
  labs: /** @param {SizeWords} words */ (words) => `The lab’s: ${size(words)}.`,
  /** @type {Record<"smaller" | "equal" | "larger", string>} */
  compared: {
    smaller: "Yes: the lab’s counterexample is simpler than yours.",
    equal: "No: yours is as simple as the lab’s.",
    larger: "No: yours is simpler than the one that the lab found.",
  },
  order: "Fewer faults count first, then fewer deviations, then fewer steps.",
  minimal: "There is none simpler within the bounds of the search.",
  notMinimal: "The search for a simpler one did not come to its end.",
  otherClaims: "It makes another claim fall:",
  nothingFound: /** @param {string} runs */ (runs) => `The lab found nothing in all ${counted(runs, "run")} within its bounds, and you did: your run must lie outside them.`,
  notFinished: /** @param {string} runs */ (runs) => `The lab found nothing in ${counted(runs, "run")} and reached its bounds. You did better.`,
  stopped: /** @param {string} runs */ (runs) => `Stopped after ${counted(runs, "run")}: the lab had found nothing by then. That says nothing of the runs it did not make.`,
  stoppedFound: "Stopped. This is the simplest that the lab had found by then; a simpler one may exist.",
  showLabs: "Show the lab’s run",
};
