/**
 * What is kept of a game when its page is left, in this tab: where each of its states is, so that they can be made again.
 * Decides under which key, what is kept, and what an entry must be to be offered; of whether its schedules can be played Python is
 * the judge. Draws nothing. A browser that refuses storage, or a game too long for it, costs only the keeping.
 */

import { isObject } from "../messages.js";
import { Game } from "./game.js";
import { isSchedule } from "./link.js";
import { moveWords } from "./steer-words.js";

/** Version of what is kept; another version is not understood and left alone. */
const VERSION = 1;
const PREFIX = "ownership-lab:game:";

/** Longest entry, in characters: browsers give a site about five million. */
const ENTRY_MAX = 1_000_000;

/** @typedef {import("./game.js").State} State */
/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store */

/**
 * @typedef {object} Rules what a game is played with, as it was when it began
 * @property {import("./panel.js").Asked} asked
 * @property {Record<string, unknown>} options the case in which a search would look, where it has one of its own, and how many faults a run may have
 */

/**
 * keepGame keeps a game in place of the last one of its variant; without the lines that were left where they make it too long.
 * @param {Rules} rules
 * @param {Game} game
 * @param {Store | null} [store]
 */
export function keepGame({ asked, options }, { line, at, left }, store = tabStore()) {
  const { experiment, variant, parameters, sources } = asked;
  const key = keyOf(experiment, variant);
  for (const lines of [[line, ...left], [line]]) {
    const kept = { version: VERSION, parameters, sources, options, at, lines: lines.map((states) => states.map(entryOf)) };
    const entry = JSON.stringify(kept);
    if (entry.length > ENTRY_MAX) continue;
    try {
      return store?.setItem(key, entry);
    } catch {
      // the tab is full, or keeps nothing: the game goes on without
    }
  }
  store?.removeItem(key); // what is there is not this game as it stands now
}

/**
 * keptGame returns the last game of a variant, or null. Its states are bare.
 * @param {string} experiment
 * @param {string} variant
 * @param {string[]} files programs of the variant
 * @param {Store | null} [store]
 * @returns {{rules: Rules, game: Game} | null}
 */
export function keptGame(experiment, variant, files, store = tabStore()) {
  try {
    const entry = store?.getItem(keyOf(experiment, variant)) ?? "";
    const kept = entry.length > ENTRY_MAX ? null : JSON.parse(entry || "null");
    if (!isKept(kept, files)) return null;
    const lines = kept.lines.map((states) => states.map((state) => stateOf(state, `ol1~${experiment}~${variant}~`)));
    const game = new Game(lines[0][0]);
    [game.line, ...game.left] = lines;
    if (kept.at >= game.line.length) return null;
    game.at = kept.at;
    const { parameters, sources, options } = kept;
    return { rules: { asked: { experiment, variant, parameters, ...(sources && { sources }) }, options }, game };
  } catch {
    return null; // not ours, or damaged; left as it is until a game is played
  }
}

/** @param {string} experiment @param {string} variant */
const keyOf = (experiment, variant) => `${PREFIX}${experiment}:${variant}`;

/** @param {State} state */
function entryOf({ turn: { schedule, step, over }, made, fallen }) {
  const told = made.kind === "lane" || made.kind === "fault" ? { kind: "told", words: moveWords(made) } : made;
  return { schedule, step, over, made: told, fallen };
}

/**
 * stateOf makes the bare state of an entry; it throws where that is none.
 * @param {unknown} entry
 * @param {string} beginning of the schedules of its game
 * @returns {State}
 */
function stateOf(entry, beginning) {
  if (!isEntry(entry) || !entry.schedule.startsWith(beginning)) throw new TypeError("no state of this game");
  const { schedule, step, over, made, fallen } = entry;
  const nothing = { at_us: 0, choices: [], faults: [], missed: [], deviations: 0, spent: 0, faults_max: 0, violated: [], points: [] };
  return { turn: { schedule, step, over, ...nothing }, made, fallen, bare: true };
}

/**
 * @param {unknown} value
 * @param {string[]} files
 * @returns {value is Omit<Rules, "asked"> & {parameters: Record<string, unknown>, sources?: Record<string, string>, at: number, lines: unknown[][]}}
 */
function isKept(value, files) {
  if (!isObject(value) || value.version !== VERSION) return false;
  const { parameters, sources, options, at, lines } = value;
  const edits = sources === undefined || (isObject(sources) && Object.entries(sources).every(([file, source]) => files.includes(file) && typeof source === "string"));
  const search = isObject(options) && Object.entries(options).every(([name, option]) => (name === "case" ? typeof option === "string" : name === "faults_max" && isCount(option)));
  const whole = Array.isArray(lines) && lines.length > 0 && lines.every((line) => Array.isArray(line) && line.length > 0);
  return edits && search && whole && isObject(parameters) && isCount(at);
}

/**
 * @param {unknown} value
 * @returns {value is {schedule: string, step: number, over: boolean, made: import("./game.js").Made, fallen: string[]}}
 */
function isEntry(value) {
  if (!isObject(value) || typeof value.schedule !== "string" || !isSchedule(value.schedule)) return false;
  const fallen = Array.isArray(value.fallen) && value.fallen.every((claim) => typeof claim === "string");
  return fallen && isCount(value.step) && typeof value.over === "boolean" && isMade(value.made);
}

/** @param {unknown} made */
function isMade(made) {
  if (!isObject(made)) return false;
  if (made.kind === "told") return typeof made.words === "string";
  return made.kind === "start" || ((made.kind === "on" || made.kind === "labs") && isCount(made.steps));
}

/** @param {unknown} value @returns {value is number} */
const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** tabStore gives what this tab keeps for the site, or null where it keeps nothing. @returns {Store | null} */
function tabStore() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null; // a frame without an origin of its own may not even ask
  }
}
