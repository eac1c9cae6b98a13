/**
 * Puts moves into words: what a lane would do, what a fault would do, what a move has done and how the game stands then. Pure.
 */

import { formatJson, formatMs, formatNumber } from "../format.js";
import { text } from "../text/index.js";
import { outcomeWord } from "./verdict.js";

/** Longest text of a request that a button repeats. */
const TEXT_MAX = 60;

/**
 * doesWords says what a lane would do, the faults included that strike it first.
 * @param {import("../messages.js").Choice} choice
 */
export function doesWords(choice) {
  const line = choice.line ? text.steer.line(choice.line.file, formatNumber(choice.line.line)) : "";
  const words = { actor: choice.actor, other: choice.other ?? "", text: formatJson(choice.text ?? "", TEXT_MAX), line };
  const does = (text.steer.does[choice.kind] ?? text.steer.does.step)(words);
  const fault = choice.faults.find(({ kind }) => kind in text.steer.strikes);
  return fault ? text.steer.strikes[fault.kind](partsOf(fault), does) : does;
}

/**
 * faultWords says what a fault is going to do.
 * @param {import("../messages.js").FaultSeen} fault
 */
export function faultWords(fault) {
  const words = text.steer;
  const said = words.fault[fault.kind]?.(partsOf(fault)) ?? words.faultOther(fault.kind, fault.target);
  return fault.from_ms === null ? said : words.faultFrom(said, formatMs(fault.from_ms * 1000));
}

/**
 * moveWords names a move in the list of those that were made.
 * @param {import("./game.js").Made} made
 */
export function moveWords(made) {
  const words = text.steer;
  if (made.kind === "lane") return doesWords(made.choice);
  if (made.kind === "fault") return words.set(faultWords(made.fault));
  if (made.kind === "start") return words.start;
  if (made.kind === "told") return made.words;
  return (made.kind === "on" ? words.on : words.labsMove)(formatNumber(made.steps));
}

/**
 * madeSentence tells a move that has just been made.
 * @param {import("./game.js").Made} made
 */
export function madeSentence(made) {
  const words = text.steer;
  if (made.kind === "lane") return words.saidLane(doesWords(made.choice));
  if (made.kind === "fault") return words.saidFault(faultWords(made.fault));
  if (made.kind === "start") return words.saidStart;
  if (made.kind === "told") return words.saidLane(made.words);
  return made.kind === "on" ? words.saidOn(formatNumber(made.steps)) : words.saidLabs;
}

/**
 * toldSentence tells how the game stands after what was made or said.
 * @param {import("./game.js").State} state
 * @param {import("../shapes.js").Report} report its run
 * @param {string} made
 */
export function toldSentence({ turn, fallen }, report, made) {
  const words = text.steer;
  const next = turn.over ? (turn.violated.length > 0 ? words.over : heldSentence(report)) : words.ways(formatNumber(turn.choices.length));
  const fell = fallen.length > 0 ? ` ${words.fell(fallen.length)} ${fallen.join(" ")}` : "";
  const missed = turn.missed.length > 0 ? ` ${words.missed}` : "";
  return `${words.said(made, next)}${fell}${missed}`;
}

/**
 * heldSentence says how a run ended in which nothing fell; what need only be seen in some run may be missing in this one.
 * @param {import("../shapes.js").Report} report
 */
function heldSentence({ outcome, claims }) {
  const words = text.steer;
  if (outcome === "holds within bounds") return words.held;
  if (outcome !== "never reached") return words.heldBut(outcomeWord(outcome));
  return words.unseen(claims.filter(({ kind, holds }) => kind === "sometimes" && holds === false).map((claim) => claim.text));
}

/** @param {import("../messages.js").FaultSeen} fault */
function partsOf({ target, amount_ms, writes }) {
  return { target, ms: formatMs(Math.abs(amount_ms) * 1000), back: amount_ms < 0, writes: formatNumber(writes) };
}
