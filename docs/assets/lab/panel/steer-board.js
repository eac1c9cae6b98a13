/**
 * The board of a game in which the reader is the scheduler: what can happen next as buttons, faults, moves so far, other lines.
 * Decides what stands where and that the focus never falls out when buttons are replaced. Makes no move: it asks for them.
 */

import { h, setAll, uniqueId } from "../dom.js";
import { formatMs, formatNumber } from "../format.js";
import { text } from "../text/index.js";
import { doesWords, faultWords, moveWords } from "./steer-words.js";

/** Choices that have a key of their own. */
const KEYS_MAX = 9;

/**
 * @typedef {object} Asks what the board asks for
 * @property {(choice: import("../messages.js").Choice) => void} lane
 * @property {(fault: import("../messages.js").FaultMove) => void} fault
 * @property {(until: "choice" | "end") => void} on
 * @property {(index: number) => void} goTo a state of the line
 * @property {(index: number) => void} takeUp a line that was left
 * @property {() => void} actHere
 * @property {() => void} present
 * @property {() => void} again
 * @property {() => void} leave
 */

export class Board {
  #asks;
  /** @type {import("./game.js").Game | null} */
  #game = null;
  #facts = h("p", { class: "lab-note lab-steer-facts" });
  #onChoice;
  #onEnd;
  #undo;
  #redo;
  #row;
  #nextName = h("p", { class: "lab-steer-name", id: uniqueId("steer") });
  #choices = h("ol", { class: "lab-steer-choices", "aria-labelledby": this.#nextName.id });
  #faultsName = h("p", { class: "lab-steer-name", id: uniqueId("steer") });
  #faults = h("ul", { class: "lab-steer-faults", "aria-labelledby": this.#faultsName.id });
  #next = h("div", {}, this.#nextName, this.#choices);
  #faultBox = h("div", {}, this.#faultsName, h("p", { class: "lab-note" }, text.steer.faultsWhy), this.#faults);
  #movesName = h("p", { class: "lab-steer-name", id: uniqueId("steer") }, text.steer.moves);
  #moves = h("ol", { class: "lab-steer-moves", "aria-labelledby": this.#movesName.id });
  #linesName = h("p", { class: "lab-steer-name", id: uniqueId("steer") }, text.steer.lines);
  #lines = h("ul", { class: "lab-steer-lines", "aria-labelledby": this.#linesName.id });
  #lineBox = h("div", { hidden: true }, this.#linesName, this.#lines);
  #elsewhere = h("div", { class: "lab-steer-elsewhere", hidden: true });

  /** @param {Asks} asks */
  constructor(asks) {
    this.#asks = asks;
    const words = text.steer;
    this.#onChoice = button("lab-primary lab-steer-on", words.onChoice, () => asks.on("choice"));
    this.#onEnd = button("lab-steer-end", words.onEnd, () => asks.on("end"));
    this.#undo = button("lab-steer-undo", words.undo, () => this.#game?.canUndo && asks.goTo(this.#game.at - 1));
    this.#redo = button("lab-steer-redo", words.redo, () => this.#game?.canRedo && asks.goTo(this.#game.at + 1));
    this.#row = h("div", { class: "lab-steer-row" }, this.#onChoice, this.#onEnd, this.#undo, this.#redo);
    this.element = h(
      "div",
      { class: "lab-steer-parts" },
      this.#facts,
      this.#row,
      this.#elsewhere,
      this.#next,
      this.#faultBox,
      h("div", {}, this.#movesName, this.#moves),
      this.#lineBox,
      h("div", { class: "lab-steer-row" }, button("lab-steer-again", words.again, asks.again), button("lab-steer-leave", words.leave, asks.leave)),
      h("p", { class: "lab-note" }, words.keys),
    );
  }

  /** draw shows where the game stands. @param {import("./game.js").Game} game */
  draw(game) {
    const held = this.#focused();
    this.#game = game;
    const { turn } = game.state;
    const words = text.steer;
    this.#facts.textContent = words.facts(formatNumber(turn.step), formatMs(turn.at_us), formatNumber(turn.spent), formatNumber(turn.faults_max), formatNumber(turn.deviations));
    for (const on of [this.#onChoice, this.#onEnd]) on.hidden = turn.over;
    setAll(this.#undo, { "aria-disabled": game.canUndo ? null : "true" });
    setAll(this.#redo, { "aria-disabled": game.canRedo ? null : "true" });
    this.#nextName.textContent = turn.choices.length === 1 ? words.nextOnly : words.next;
    this.#choices.replaceChildren(...turn.choices.map((choice, index) => this.#choice(choice, index, turn.choices.length > 1)));
    this.#drawFaults(turn);
    this.#drawMoves(game);
    this.#lineBox.hidden = game.left.length === 0;
    this.#lines.replaceChildren(...game.left.map((line, index) => this.#line(line, index)));
    this.#hold(held);
  }

  /**
   * lookAt says that the reader looks at something else than where the game stands; null: does not.
   * @param {{past: {number: string, count: string}} | "away" | null} what
   */
  lookAt(what) {
    const words = text.steer;
    const held = this.#elsewhere.contains(document.activeElement);
    const turn = this.#game?.state.turn;
    this.#elsewhere.hidden = what === null;
    this.#row.hidden = what !== null;
    this.#next.hidden = what !== null || turn?.over === true;
    this.#faultBox.hidden = this.#next.hidden || turn?.faults_max === 0;
    if (what === "away") this.#elsewhere.replaceChildren(h("p", {}, words.away), button("lab-steer-back", words.back, this.#asks.present));
    else if (what) {
      const row = h("div", { class: "lab-steer-row" }, button("lab-primary lab-steer-here", words.actHere, this.#asks.actHere), button("lab-steer-back", words.present, this.#asks.present));
      this.#elsewhere.replaceChildren(h("p", {}, words.past(what.past.number, what.past.count)), row);
    }
    if (held && what === null) this.#focusFirst();
  }

  /** key makes the move that a key stands for; false where it stands for none. @param {string} key */
  key(key) {
    const pressed = (/** @type {HTMLButtonElement} */ target) => {
      if (target.checkVisibility()) target.click();
      return true;
    };
    if (key === "u" || key === "U") return pressed(this.#undo);
    if (key === "r" || key === "R") return pressed(this.#redo);
    if (!/^[1-9]$/.test(key)) return false;
    const chosen = this.#choices.querySelectorAll("button")[Number(key) - 1];
    return chosen ? pressed(chosen) : false;
  }

  /** focus goes to what a reader would press first. */
  focus() {
    this.#focusFirst();
  }

  /**
   * @param {import("../messages.js").Choice} choice
   * @param {number} index
   * @param {boolean} several
   */
  #choice(choice, index, several) {
    const number = index < KEYS_MAX ? h("kbd", { "aria-hidden": "true" }, String(index + 1)) : h("span", { class: "lab-steer-gap" });
    const usual = several && index === 0 && h("span", { class: "lab-chip" }, text.steer.usual);
    const shortcut = index < KEYS_MAX ? String(index + 1) : null;
    const made = h("button", { type: "button", class: "lab-button lab-steer-choice", "data-choice": index, "data-lane": choice.lane, "aria-keyshortcuts": shortcut, onclick: () => this.#asks.lane(choice) }, number, h("span", {}, doesWords(choice)), usual);
    return h("li", {}, made);
  }

  /** @param {import("../messages.js").Turn} turn */
  #drawFaults(turn) {
    const words = text.steer;
    const left = turn.faults_max - turn.spent;
    this.#faultsName.textContent = turn.faults.length === 0 ? words.faultsNone : left > 0 ? words.faults(formatNumber(left)) : words.faultsSpent;
    this.#faults.replaceChildren(
      ...turn.faults.map((fault) => {
        const chip = fault.armed && h("span", { class: "lab-chip lab-chip-changed" }, words.armed);
        const attributes = { type: "button", class: "lab-button lab-steer-fault", "data-fault": fault.kind, "data-target": fault.target, "aria-disabled": fault.to ? null : "true" };
        return h("li", {}, h("button", { ...attributes, onclick: () => fault.to && this.#asks.fault(fault) }, h("span", {}, faultWords(fault)), chip));
      }),
    );
  }

  /** @param {import("./game.js").Game} game */
  #drawMoves({ line, at }) {
    const items = line.map(({ made }, index) => {
      const attributes = { type: "button", class: "lab-link", "data-move": index, "aria-current": index === at ? "step" : null };
      return h("li", { value: index }, h("button", { ...attributes, onclick: () => this.#asks.goTo(index) }, moveWords(made)));
    });
    this.#moves.start = 0;
    this.#moves.replaceChildren(...items);
    const current = items[at];
    this.#moves.scrollTop = current.offsetTop - this.#moves.clientHeight / 2; // the list is what its items are placed in
  }

  /**
   * @param {import("./game.js").State[]} line
   * @param {number} index
   */
  #line(line, index) {
    const last = line[line.length - 1];
    const name = text.steer.otherLine(formatNumber(line.length - 1), last.fallen, last.turn.over);
    return h("li", {}, h("button", { type: "button", class: "lab-link", "data-line-left": index, onclick: () => this.#asks.takeUp(index) }, name));
  }

  /** What has the focus and is about to be replaced, if anything of the board has it. @returns {"choices" | "moves" | "other" | null} */
  #focused() {
    const active = document.activeElement;
    if (this.#choices.contains(active)) return "choices";
    if (this.#moves.contains(active)) return "moves";
    return this.element.contains(active) ? "other" : null;
  }

  /** @param {"choices" | "moves" | "other" | null} held */
  #hold(held) {
    if (held === null || (this.element.contains(document.activeElement) && document.activeElement?.checkVisibility())) return;
    const current = held === "moves" && this.#moves.querySelector("[aria-current] , button");
    if (current instanceof HTMLElement) current.focus({ preventScroll: true });
    else this.#focusFirst();
  }

  #focusFirst() {
    const candidates = [this.#choices.querySelector("button"), this.#elsewhere.querySelector("button"), this.#undo];
    candidates.find((one) => one?.checkVisibility())?.focus({ preventScroll: true });
  }
}

/**
 * @param {string} name
 * @param {string} words
 * @param {() => void} pressed
 */
function button(name, words, pressed) {
  return h("button", { type: "button", class: `lab-button ${name}`, onclick: () => pressed() }, words);
}
