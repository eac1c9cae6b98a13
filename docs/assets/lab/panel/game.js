/**
 * The history of a game in which the reader is the scheduler: a line of states, a place in it, and the lines left behind.
 * Decides what undo, redo and acting in the past do to it. Pure; where a state comes from and how it looks is not its business.
 */

/** @typedef {import("../messages.js").Turn} Turn */
/** @typedef {import("../messages.js").Choice} Choice */
/** @typedef {import("../messages.js").FaultMove} FaultMove */

/**
 * @typedef {{kind: "start"} | {kind: "lane", choice: Choice} | {kind: "fault", fault: FaultMove} | {kind: "on" | "labs", steps: number} | {kind: "told", words: string}} Made
 *   the move that led to a state; on: as usual, for so many steps; labs: as in the counterexample that the lab has found; told: one of
 *   which only the words are kept
 */

/**
 * @typedef {object} State
 * @property {Turn} turn
 * @property {Made} made
 * @property {string[]} fallen the claims that have fallen, in words
 * @property {boolean} bare whether it is known only where the state is, and not what can happen there
 */

/** @typedef {{schedule: string, steps: number, until?: "step" | "choice" | "end"}} Where a state to ask for */

/** keyOf tells a state from all others of a game. @param {Turn} turn */
export const keyOf = ({ schedule, step, over }) => `${schedule}@${over ? "end" : step}`;

/**
 * whereIs says how to ask for a state again.
 * @param {State} state
 * @returns {Where}
 */
export function whereIs({ turn: { schedule, step, over } }) {
  return over ? { schedule, steps: 0, until: "end" } : { schedule, steps: step };
}

/** @param {State} one @param {State} other */
const same = (one, other) => keyOf(one.turn) === keyOf(other.turn);

export class Game {
  /** @type {State[]} the present line, from the start */
  line;
  /** index of the present state in it; what comes after can be redone */
  at = 0;
  /** @type {State[][]} whole lines that were left, the last one left first */
  left = [];

  /** @param {State} start */
  constructor(start) {
    this.line = [start];
  }

  get state() {
    return this.line[this.at];
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at < this.line.length - 1;
  }

  /**
   * play goes to the state that a move leads to. What had come after the present one stays as a line of its own, unless the
   * move is the one that was made there.
   * @param {State} state
   */
  play(state) {
    const next = this.line[this.at + 1];
    if (next && same(next, state)) {
      this.at += 1;
      if (next.bare) Object.assign(next, state);
      return;
    }
    if (next) this.left.unshift(this.line);
    this.line = [...this.line.slice(0, this.at + 1), state];
    this.at += 1;
    this.left = this.left.filter((line) => !isBeginning(line, this.line));
  }

  /** goTo makes another state of the line the present one. @param {number} index */
  goTo(index) {
    this.at = Math.max(0, Math.min(index, this.line.length - 1));
  }

  /**
   * passBy puts a state into the line at which the run came by on its way to state `index`, and goes there.
   * @param {number} index
   * @param {State} state
   */
  passBy(index, state) {
    const [before, after] = [this.line[index - 1].turn, this.line[index]];
    const kind = after.made.kind === "labs" ? /** @type {const} */ ("labs") : /** @type {const} */ ("on");
    const there = { ...state, made: { kind, steps: state.turn.step - before.step } };
    const rest = { ...after, made: { kind, steps: after.turn.step - state.turn.step } };
    this.line = [...this.line.slice(0, index), there, rest, ...this.line.slice(index + 1)];
    this.at = index;
  }

  /** takeUp returns to a line that was left, at its end; the present one is left instead. @param {number} index in `left` */
  takeUp(index) {
    const [line] = this.left.splice(index, 1);
    if (!isBeginning(this.line, line)) this.left.unshift(this.line);
    this.line = line;
    this.at = line.length - 1;
  }
}

/**
 * isBeginning says whether a line is contained in another one.
 * @param {State[]} line
 * @param {State[]} whole
 */
function isBeginning(line, whole) {
  return line.length <= whole.length && line.every((state, index) => same(state, whole[index]));
}

/**
 * placeAt says where in a line a position of its run is: the state there, or the step at which the run passes on its way to the
 * state `index`. It is the first step after the event.
 * @param {State[]} line up to the present state, whose run is shown
 * @param {number} position index into the trace
 * @returns {{index: number, step: number, exact: boolean}}
 */
export function placeAt(line, position) {
  const { points } = line[line.length - 1].turn;
  let step = points[0]?.[0] ?? 0;
  for (const [first, events] of points) if (events <= position + 1) step = first;
  const found = line.findIndex(({ turn }) => turn.step >= step);
  const index = found < 0 ? line.length - 1 : found;
  return { index, step, exact: line[index].turn.step === step };
}
