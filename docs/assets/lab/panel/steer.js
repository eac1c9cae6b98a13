/**
 * "Be the scheduler": the reader plays the order of steps and the faults, move by move, against the claims.
 * Decides how a game goes on: which state is asked for and shown, and when a claim's fall is told. Its history is game.js's, its
 * look steer-board.js's, the comparison with a search steer-contest.js's; what moves there are Python says.
 */

import { define, h } from "../dom.js";
import { CommandEvent } from "../events.js";
import { BeginStop } from "../focus.js";
import { formatNumber } from "../format.js";
import { text } from "../text/index.js";
import { glyph } from "../views/figure.js";
import { Game, keyOf, placeAt, whereIs } from "./game.js";
import { Board } from "./steer-board.js";
import { Contest } from "./steer-contest.js";
import { keepGame, keptGame } from "./steer-kept.js";
import { madeSentence, toldSentence } from "./steer-words.js";

/** Reports of states that are kept so that going back needs no run; of the others a run is made again. */
const KEPT_MAX = 24;

/** What happens around a game that it must say something of. */
const AROUND = ["lab-move", "ownership-lab:run-ended", "lab-edited", "lab-parameters"];

/** @typedef {import("./game.js").State} State */
/** @typedef {import("./game.js").Made} Made */
/** @typedef {import("../shapes.js").Report} Report */
/** @typedef {import("./game.js").Where} Where */

export class LabSteer extends HTMLElement {
  #panel;
  #bounds;
  /** @type {import("./steer-kept.js").Rules | null} */
  #rules = null;
  /** @type {Game | null} */
  #game = null;
  /** @type {Map<string, Report>} by key of the state, the last one shown last */
  #reports = new Map();
  /** @type {Report | null} that of the present state */
  #report = null;
  /** @type {State | null} that which the lab was last asked to better */
  #contested = null;
  /** @type {HTMLElement | null} the panel around, which is told of moves in the timeline */
  #around = null;
  #begin = h("button", { type: "button", class: "lab-button lab-steer-begin", onclick: () => this.begin() }, text.steer.begin);
  #stopBegin = h("button", { type: "button", class: "lab-button lab-steer-stop-begin lab-late", onclick: () => this.dispatchEvent(new CommandEvent("stop")) }, text.steer.stop);
  #resume = h("button", { type: "button", class: "lab-button lab-steer-resume", hidden: true, onclick: () => this.resume() }, text.steer.resume);
  #buttons = new BeginStop(this.#stopBegin, this.#begin, this.#resume);
  #offer = h("p", { class: "lab-steer-offer" }, this.#begin, " ", this.#resume, " ", this.#stopBegin, " ", h("span", { class: "lab-note" }, text.steer.why));
  #said = h("p", { class: "lab-steer-said", role: "status" });
  /** That of the panel is far above, where nobody looks who plays. */
  #stop = h("button", { type: "button", class: "lab-button lab-steer-stop lab-late", hidden: true, onclick: () => this.dispatchEvent(new CommandEvent("stop")) }, text.steer.stop);
  #aged = h("p", { class: "lab-remark", role: "status", hidden: true }, text.steer.aged);
  #claims = h("div", {});
  #fewer = h("button", { type: "button", class: "lab-button lab-steer-fewer", onclick: () => this.#challenge() }, text.steer.fewer);
  #fallen = h("div", { class: "lab-steer-fallen", hidden: true }, this.#claims, this.#fewer);
  #contest;
  #board;
  #box;

  /**
   * @param {import("./panel.js").Panel} panel
   * @param {() => {faults_max?: number}} bounds what the reader lets a run have, in a search as in a game
   */
  constructor(panel, bounds) {
    super();
    this.#panel = panel;
    this.#bounds = bounds;
    this.#contest = new Contest(panel, (found) => this.#showLabs(found));
    this.#board = new Board({
      lane: (choice) => this.#move(choice.to, { kind: "lane", choice }),
      fault: (fault) => fault.to && this.#move(fault.to, { kind: "fault", fault }),
      on: (until) => this.#goOn(until),
      goTo: (index) => this.#goTo((game) => game.goTo(index)),
      takeUp: (index) => this.#goTo((game) => game.takeUp(index)),
      actHere: () => this.#actHere(),
      present: () => this.#present(),
      again: () => this.#goTo((game) => game.goTo(0)),
      leave: () => this.#leave(),
    });
    const title = h("div", { class: "lab-steer-title" }, h("p", {}, text.steer.name), this.#stop);
    this.#box = h("div", { class: "lab-steer-box", role: "group", "aria-label": text.steer.name, hidden: true }, title, this.#aged, this.#fallen, this.#contest.element, this.#board.element);
  }

  connectedCallback() {
    this.#around = this.closest("ownership-lab");
    for (const type of AROUND) this.#around?.addEventListener(type, this);
    if (this.firstChild) return;
    this.classList.add("lab-steer");
    this.addEventListener("keydown", this);
    this.append(this.#offer, this.#said, this.#box);
  }

  disconnectedCallback() {
    for (const type of AROUND) this.#around?.removeEventListener(type, this);
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event instanceof KeyboardEvent) this.#pressed(event);
    else if (event.type === "lab-edited" || event.type === "lab-parameters") this.#aged.hidden = !this.#game;
    else if (this.#game) this.#lookAround();
  }

  /** @param {boolean} possible */
  enable(possible) {
    this.#buttons.enable(possible);
    const held = document.activeElement === this.#stop;
    this.#stop.hidden = !this.#game || !this.#panel.runner.running;
    if (held && this.#stop.hidden) this.#board.focus();
  }

  /**
   * showLabs makes the lab's run a line of the game, so that it can be gone into as any other.
   * @param {import("../messages.js").Violation} found
   */
  async #showLabs({ schedule }) {
    const game = this.#game;
    const made = { kind: /** @type {const} */ ("labs"), steps: 0 };
    const state = game && (await this.#fetch({ schedule, steps: 0, until: "end" }, made));
    if (!game || !state) return;
    made.steps = state.turn.step - game.line[0].turn.step;
    game.goTo(0);
    game.play(state);
    this.#show();
  }

  /** clear ends the game: it was of something else. */
  clear() {
    this.#end();
    this.#resume.hidden = true;
  }

  #end() {
    this.#game = this.#rules = this.#report = this.#contested = null;
    this.#reports.clear();
    this.#contest.clear();
    this.#box.hidden = this.#aged.hidden = true;
    this.#offer.hidden = false;
    this.#said.textContent = "";
  }

  /** show hears that a run is shown: of its variant a game may have been left. */
  show() {
    if (!this.#game) this.#resume.hidden = this.#left === null;
  }

  /** The game of this variant that was left last. */
  get #left() {
    const { experiment, report } = this.#panel;
    const files = experiment?.programs[report?.variant ?? ""]?.map(({ file }) => file);
    return experiment && report && files ? keptGame(experiment.slug, report.variant, files) : null;
  }

  /** begin starts a game in the case that a search would look at. */
  async begin() {
    const asked = this.#panel.ask("search");
    if (asked) await this.#start({ asked, options: { ...this.#panel.inspector.searchOptions, ...this.#bounds() } });
  }

  /** resume goes on with the game that was left, which has parameters and programs of its own. */
  async resume() {
    const [left, now] = [this.#left, this.#panel.ask("check")];
    if (!left || !now) return;
    await this.#start(left.rules, left.game);
    this.#aged.hidden = !this.#game || JSON.stringify(now.sources) === JSON.stringify(left.rules.asked.sources);
  }

  /**
   * @param {import("./steer-kept.js").Rules} rules
   * @param {Game} [left] a game that was left
   */
  async #start(rules, left) {
    this.#end();
    this.#rules = rules;
    const state = await this.#buttons.during(() => (left ? this.#fetch(whereIs(left.state), left.state.made) : this.#fetch(rules.asked, { kind: "start" })));
    if (!state || this.#rules !== rules) return;
    this.#game = left ?? new Game(state);
    Object.assign(this.#game.state, state);
    this.#offer.hidden = true;
    this.#box.hidden = false;
    this.#show(left && text.steer.saidResumed);
    this.#board.focus();
  }

  /**
   * fetch asks for a state, and keeps its report; null where there is none, or nobody looks any more.
   * @param {Where | import("./panel.js").Asked} where
   * @param {Made} made
   * @returns {Promise<State | null>}
   */
  async #fetch(where, made) {
    const rules = this.#rules;
    if (!rules || this.#panel.runner.running) return null;
    const kept = this.#panel.keep();
    const answer = await this.#request(rules, where);
    if (!answer || !kept() || this.#rules !== rules) return null;
    const { report, turn } = answer;
    this.#keep(turn, report);
    const fallen = report.claims.filter(({ id }) => turn.violated.includes(id)).map((claim) => claim.text);
    return { turn, made, fallen, bare: false };
  }

  /** @param {import("./steer-kept.js").Rules} rules @param {Where | import("./panel.js").Asked} where */
  #request({ asked: { experiment, variant, sources }, options }, where) {
    return this.#panel.runner.steer({ experiment, variant, ...(sources && { sources }), ...options, ...where });
  }

  /**
   * linked is what a link replays to the game's run while a fault is set that has not struck yet: the run that it leads to if all goes
   * on as usual, since no other has the fault. null: what is shown has a schedule of its own that will do.
   * @returns {Promise<{schedule: string, remark: string} | null>} remark: where the fault is not in it
   */
  async linked() {
    const [rules, report, words] = [this.#rules, this.#report, text.steer];
    const turn = this.#game?.state.turn;
    if (!rules || !turn || !report || this.#panel.report !== report || turn.schedule === report.schedule) return null;
    const answer = this.#panel.runner.running ? null : await this.#request(rules, { schedule: turn.schedule, steps: 0, until: "end" });
    if (!answer) return { schedule: report.schedule, remark: words.linkLacks };
    this.#panel.runner.say(words.made);
    return { schedule: answer.turn.schedule, remark: answer.turn.missed.length > 0 ? words.linkMissed : "" };
  }

  /** @param {import("../messages.js").Turn} turn @param {Report} report */
  #keep(turn, report) {
    const key = keyOf(turn);
    this.#reports.delete(key);
    this.#reports.set(key, report);
    for (const old of this.#reports.keys()) {
      if (this.#reports.size <= KEPT_MAX) break;
      this.#reports.delete(old);
    }
  }

  /**
   * move makes a move; where it fails, the game stands where it stood.
   * @param {Where} to
   * @param {Made} made
   */
  async #move(to, made) {
    const game = this.#game;
    const state = game && (await this.#fetch(to, made));
    if (!game || !state) return null;
    game.play(state);
    this.#show();
    return state;
  }

  /** @param {"choice" | "end"} until */
  async #goOn(until) {
    const turn = this.#game?.state.turn;
    if (!turn || turn.over) return null;
    const made = { kind: /** @type {const} */ ("on"), steps: 0 };
    const to = { schedule: turn.schedule, steps: turn.step + 1, until };
    const game = this.#game;
    const state = await this.#fetch(to, made);
    if (!game || !state) return null;
    made.steps = state.turn.step - turn.step;
    if (made.steps === 1) state.made = { kind: "lane", choice: turn.choices[0] };
    game.play(state);
    this.#show();
    return state;
  }

  /**
   * goTo moves in the history.
   * @param {(game: Game) => void} change
   */
  async #goTo(change) {
    const game = this.#game;
    if (!game || this.#panel.runner.running) return;
    const before = { line: game.line, at: game.at, left: [...game.left] };
    change(game);
    const { state } = game;
    if (state.bare || !this.#reports.has(keyOf(state.turn))) {
      const again = await this.#fetch(whereIs(state), state.made);
      if (!again) {
        Object.assign(game, before);
        return;
      }
      Object.assign(state, again);
    }
    this.#show(text.steer.saidBack(formatNumber(game.at)));
  }

  /** present shows again where the game stands. */
  #present() {
    this.#goTo(() => {});
  }

  /** actHere goes to the moment in the past that the reader looks at, so that the next move forks the history. */
  async #actHere() {
    const game = this.#game;
    if (!game) return;
    const { index, step, exact } = placeAt(game.line.slice(0, game.at + 1), this.#panel.position);
    if (exact) return this.#goTo(() => game.goTo(index));
    const state = await this.#fetch({ schedule: game.line[index].turn.schedule, steps: step }, { kind: "on", steps: 0 });
    if (!state) return;
    game.passBy(index, state);
    this.#show(text.steer.saidBack(formatNumber(game.at)));
  }

  async #leave() {
    const { runner } = this.#panel;
    if (runner.running) await runner.stop(); // nobody would see what comes of it, and nothing could be begun meanwhile
    if (this.#panel.report === this.#report) runner.say(text.steer.leftShown);
    this.#end();
    this.show();
    this.#said.textContent = text.steer.left;
    this.#begin.focus(); // and into sight, as it stands above all that has gone
  }

  /**
   * show draws the present state, and keeps the board where it is on the screen, whatever grows above it.
   * @param {string} [said] what has happened, where no move was made
   */
  #show(said) {
    const game = this.#game;
    const report = game && (this.#reports.get(keyOf(game.state.turn)) ?? null);
    if (!game || !report) return;
    this.#report = report;
    const top = this.#box.getBoundingClientRect().top;
    const held = this.#box.contains(document.activeElement);
    const words = text.steer;
    if (this.#panel.show(report, report.trace.length - 1, this.#rules?.asked.sources)) this.#panel.runner.say(game.state.turn.over ? words.madeOver : words.made);
    this.#contest.element.hidden = game.state !== this.#contested;
    this.#drawFallen(game.state);
    this.#board.draw(game);
    this.#lookAround();
    if (this.#rules && (game.line.length > 1 || game.left.length > 0)) keepGame(this.#rules, game);
    this.#said.textContent = toldSentence(game.state, report, said ?? madeSentence(game.state.made));
    if (held && !document.activeElement?.checkVisibility()) this.#board.focus();
    scrollBy({ top: this.#box.getBoundingClientRect().top - top, behavior: "instant" });
  }

  /** @param {State} state */
  #drawFallen({ turn, made, fallen }) {
    const words = text.steer;
    this.#fallen.hidden = fallen.length === 0;
    this.#fewer.hidden = made.kind === "labs"; // it would be asked to better itself
    this.#claims.replaceChildren(
      h("p", {}, glyph("bad", "✗"), " ", h("strong", {}, words.fell(fallen.length))),
      h("ul", {}, ...fallen.map((claim) => h("li", {}, claim))),
      ...(turn.over ? [] : [h("p", { class: "lab-note" }, words.fellEarly)]),
    );
  }

  /** challenge has the lab try the same, once the reader's run has come to its end: only whole runs can be compared. */
  async #challenge() {
    const [game, rules] = [this.#game, this.#rules];
    if (!game || !rules || this.#panel.runner.running) return;
    const state = game.state.turn.over ? game.state : await this.#goOn("end");
    if (!state) return;
    const { spent, deviations, step, violated } = state.turn;
    const { asked, options } = rules;
    const size = { faults: spent, deviations, steps: step };
    const claims = this.#report?.claims ?? [];
    this.#contested = state;
    this.#contest.element.hidden = false;
    const kept = this.#panel.keep();
    const wanted = () => kept() && this.#rules === rules && game.state === state;
    await this.#contest.run({ asked, options, size, violated }, (id) => claims.find((claim) => claim.id === id)?.text ?? id, wanted);
  }

  /** lookAround sees whether the reader looks at where the game stands, at its past, or at another run. */
  #lookAround() {
    const [report, { position }] = [this.#report, this.#panel];
    const count = report?.trace.length ?? 0;
    if (!report || this.#panel.report !== report) this.#board.lookAt("away");
    else if (position < count - 1) this.#board.lookAt({ past: { number: formatNumber(position + 1), count: formatNumber(count) } });
    else this.#board.lookAt(null);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (!this.#game || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#board.key(event.key)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }
}

define("lab-steer", LabSteer);
