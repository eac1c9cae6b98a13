/**
 * The timeline: lanes, playhead, transport, and the slider that holds the position.
 * Decides what is in sight and how the reader moves through the run. It does not keep the position: it asks for another by
 * a MoveEvent, and the panel answers with `move`. Redraws the lanes only when range, axis, width or run change.
 */

import { define, h, s, uniqueId } from "../dom.js";
import { MoveEvent } from "../events.js";
import { following, nearest, orderAxis, shifted, timeAxis, zoomed } from "../log/axis.js";
import { clampPosition } from "../log/log.js";
import { text } from "../text/index.js";
import { Companion, drawPartings, partingLegend } from "./companion.js";
import { drawCursor, drawGrid, drawLanes, drawLegend, drawPicture, letKeysScroll, patternDefs, sizePlot } from "./draw.js";
import { actionOf } from "./keys.js";
import { layout, valueAtX, xOf, yOf } from "./layout.js";
import { foretell, outlookLegend } from "./outlook.js";
import { drawPins, pinLegend } from "./pins.js";
import { Playback } from "./playback.js";
import { LabSlider } from "./slider.js";
import { Toolbar } from "./toolbar.js";

const TOP = 22;
const NARROW = 560;
/** Room at both ends of the plot, so that the mark of the first and last event is whole. */
const CLIP_MARGIN = 9;
/** How far from the pointer an event of the pointed lane may be to be chosen instead of the nearest in time. */
const REACH_PX = 10;

export class LabTimeline extends HTMLElement {
  /** @type {import("../log/log.js").Log | null} */
  #log = null;
  /** @type {import("../log/axis.js").Axis | null} */
  #axis = null;
  /** @type {"time" | "order"} */
  #axisKind = "time";
  /** @type {import("./layout.js").Frame | null} */
  #frame = null;
  #range = { low: 0, high: 1 };
  #position = -1;
  #bottom = 0;
  /** @type {import("../log/divergence.js").Comparison | null} */
  #comparison = null;
  /** @type {import("./pins.js").Pin[]} */
  #pins = [];
  #stem = uniqueId("pattern");
  #toolbar = new Toolbar((action) => this.#act(action), (kind) => this.#chooseAxis(kind));
  #grid = s("g", {});
  #lanes = s("g", {});
  #picture = s("g", {});
  #cursor = s("g", {});
  #clip = s("rect", { x: -CLIP_MARGIN, y: 0 });
  #plot = s("g", {}, this.#grid, this.#lanes, s("g", { "clip-path": `url(#${this.#stem}-clip)` }, this.#picture));
  #drawing = s("svg", { class: "lab-plot", role: "img" }, patternDefs(this.#stem), s("clipPath", { id: `${this.#stem}-clip` }, this.#clip), this.#plot);
  // The playhead has a layer of its own, so that moving it repaints it alone and not thousands of marks.
  #overPlot = s("g", {}, s("g", { "clip-path": `url(#${this.#stem}-clip)` }, this.#cursor));
  #overlay = s("svg", { class: "lab-overlay", "aria-hidden": "true" }, this.#overPlot);
  #lanesBox = h("div", { class: "lab-lanes" }, this.#drawing, this.#overlay);
  /** The lanes of the run that is compared with, if any. */
  companion = new Companion(this.#stem);
  #name = h("p", { class: "lab-compared-name", hidden: true });
  #slider = new LabSlider();
  /** @type {import("../log/outlook.js").Outlook | null} */
  #outlook = null;
  #foretold = h("p", { class: "lab-outlook-now" });
  #legend = h("div", { class: "lab-legend-box" });
  #playback = new Playback((value) => this.#played(value), () => this.#playEnded());
  #resize = new ResizeObserver(() => this.#draw());

  connectedCallback() {
    if (!this.firstChild) {
      this.classList.add("lab-timeline");
      this.setAttribute("role", "group");
      this.setAttribute("aria-label", text.timeline.name);
      this.append(this.#toolbar.element, this.#name, this.#lanesBox, this.companion.element, this.#slider, this.#foretold, this.#legend);
      this.addEventListener("keydown", this);
      for (const box of [this.#lanesBox, this.companion.lanes]) {
        for (const type of ["pointerdown", "pointermove", "wheel"]) box.addEventListener(type, this, { passive: false });
      }
    }
    this.#resize.observe(this);
  }

  disconnectedCallback() {
    this.#playback.stop();
    this.#resize.disconnect();
  }

  /**
   * show draws another run at a position.
   * @param {import("../log/log.js").Log} log
   * @param {number} position
   */
  show(log, position) {
    this.#playback.stop();
    this.#log = log;
    this.#position = position;
    this.#drawing.setAttribute("aria-label", text.timeline.picture(log.lanes.length));
    this.#pins = [];
    this.#outlook = null;
    this.#slider.foresee(null);
    this.compare(null);
  }

  /**
   * predict marks what a reader predicted and what the run did.
   * @param {import("./pins.js").Pin[]} pins
   */
  predict(pins) {
    this.#pins = pins;
    this.#drawLegend();
    this.#draw();
  }

  /**
   * foresee draws what becomes of the run from each position; null takes it away.
   * @param {import("../log/outlook.js").Outlook | null} outlook
   */
  foresee(outlook) {
    this.#outlook = outlook;
    this.#slider.foresee(outlook);
    this.#drawLegend();
    this.#drawPosition();
  }

  /**
   * compare draws another run below this one, on one axis of time; null takes it away.
   * @param {import("../log/divergence.js").Comparison | null} comparison of the run shown
   * @param {{here: string, there: string}} [names]
   */
  compare(comparison, names = { here: "", there: "" }) {
    if (!this.#log) return;
    this.#playback.stop();
    this.#comparison = comparison;
    this.companion.show(comparison, names.there);
    this.#name.hidden = comparison === null;
    this.#name.textContent = names.here;
    this.#drawLegend();
    this.#setAxis();
    this.#draw();
  }

  #drawLegend() {
    if (!this.#log) return;
    const legend = drawLegend(this.#log, this.#stem);
    legend.append(...(this.#comparison ? partingLegend() : []), ...pinLegend(this.#pins), ...(this.#outlook ? outlookLegend(this.#outlook) : []));
    this.#legend.replaceChildren(legend);
  }

  /**
   * move shows another position of the same run.
   * @param {number} position
   */
  move(position) {
    if (!this.#log || !this.#axis) return;
    this.#position = position;
    const range = following(this.#axis, this.#range, this.#axis.value(position));
    if (range !== this.#range) {
      this.#range = range;
      this.#draw();
    } else {
      this.#drawPosition();
    }
  }

  /** pause ends playing, for instance because another run is about to be shown. */
  pause() {
    this.#playback.stop();
    this.#drawPosition();
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event instanceof KeyboardEvent) this.#pressed(event);
    else if (event instanceof WheelEvent) this.#wheeled(event);
    else if (event instanceof PointerEvent) this.#pointed(event);
  }

  #setAxis() {
    if (!this.#log) return;
    // Two runs have only time in common: the order of one says nothing of the other's.
    const comparison = this.#comparison;
    if (comparison) this.#axis = timeAxis(this.#log, comparison.other.endUs);
    else this.#axis = this.#axisKind === "time" ? timeAxis(this.#log) : orderAxis(this.#log);
    this.#range = { low: this.#axis.low, high: this.#axis.high };
    this.#slider.show(this.#log, this.#axis);
  }

  /** @param {"time" | "order"} kind */
  #chooseAxis(kind) {
    this.#playback.stop();
    this.#axisKind = kind;
    this.#setAxis();
    this.#draw();
  }

  #draw() {
    const [log, axis] = [this.#log, this.#axis];
    if (!log || !axis) return;
    const whole = this.#lanesBox.clientWidth;
    if (whole > 0) this.#drawPlot(log, axis, whole);
    else this.style.setProperty("--lab-gutter", `${CLIP_MARGIN}px`);
    this.#slider.draw();
    this.#slider.showRange(this.#range);
    this.#drawPosition();
  }

  /**
   * @param {import("../log/log.js").Log} log
   * @param {import("../log/axis.js").Axis} axis
   * @param {number} whole width of the drawing with labels
   */
  #drawPlot(log, axis, whole) {
    const gutter = whole < NARROW ? 0 : Math.min(170, 16 + 7.2 * Math.max(...log.lanes.map((lane) => lane.label.length), this.companion.labelLength, 4));
    const laneHeight = gutter > 0 ? 30 : 40;
    const width = whole - gutter - 2 * CLIP_MARGIN;
    const frame = { width, laneHeight, top: TOP, axis, range: this.#range };
    this.#frame = frame;
    this.#bottom = TOP + laneHeight * log.lanes.length;
    for (const drawing of [this.#drawing, this.#overlay]) sizePlot(drawing, whole, this.#bottom + 6);
    this.#clip.setAttribute("width", String(width + 2 * CLIP_MARGIN));
    this.#clip.setAttribute("height", String(this.#bottom + 6));
    for (const plot of [this.#plot, this.#overPlot]) plot.setAttribute("transform", `translate(${gutter + CLIP_MARGIN} 0)`);
    this.style.setProperty("--lab-gutter", `${gutter + CLIP_MARGIN}px`);
    const picture = layout(log, frame);
    this.#grid.replaceChildren(...drawGrid(frame, picture, this.#bottom));
    this.#lanes.replaceChildren(...drawLanes(log, frame, gutter));
    const partings = this.#comparison ? drawPartings(this.#comparison, "here", frame, this.#bottom) : [];
    this.#picture.replaceChildren(...drawPicture(frame, picture, this.#stem), ...partings, ...drawPins(this.#pins, log, frame, this.#bottom));
    this.companion.draw(frame, { whole, gutter, margin: CLIP_MARGIN });
    for (const box of [this.#lanesBox, this.companion.lanes]) letKeysScroll(box);
  }

  #drawPosition() {
    const [log, axis] = [this.#log, this.#axis];
    if (!log || !axis) return;
    if (this.#frame) this.#cursor.replaceChildren(...drawCursor(log, this.#frame, this.#position, this.#bottom));
    this.#slider.move(this.#position, this.#playback.playing);
    this.#foretold.textContent = this.#outlook ? foretell(this.#outlook, this.#position) : "";
    this.#toolbar.update({
      position: this.#position,
      count: log.events.length,
      playing: this.#playback.playing,
      axis: axis.kind,
      compared: this.#comparison !== null,
      zoomed: this.#range.high - this.#range.low < axis.high - axis.low,
      violations: log.violations.length,
    });
  }

  /**
   * @param {number} position
   * @param {"step" | "scrub" | "play"} by
   */
  #ask(position, by) {
    if (!this.#log) return;
    if (by !== "play") this.#playback.stop();
    // Known here at once, so that a second key before the next frame goes on from it.
    this.#position = clampPosition(this.#log, position);
    this.dispatchEvent(new MoveEvent(this.#position, by));
  }

  /** @param {import("./keys.js").Action} action */
  #act(action) {
    const [log, axis] = [this.#log, this.#axis];
    if (!log || !axis) return;
    if ("step" in action) this.#ask(this.#position + action.step, "step");
    else if ("zoom" in action) this.#setRange(zoomed(axis, this.#range, action.zoom, axis.value(this.#position)));
    else if ("to" in action) {
      const places = { first: 0, last: log.events.length - 1, violation: log.violations[0] ?? this.#position };
      this.#ask(places[action.to], "step");
    } else if (action.act === "all") this.#setRange({ low: axis.low, high: axis.high });
    else if (action.act === "help") this.dispatchEvent(new Event("lab-help", { bubbles: true }));
    else this.#togglePlay();
  }

  /** @param {import("../log/axis.js").Range} range */
  #setRange(range) {
    this.#range = range;
    this.#draw();
  }

  #togglePlay() {
    const [log, axis] = [this.#log, this.#axis];
    if (!log || !axis || log.events.length === 0) return;
    if (this.#playback.playing) {
      this.pause();
      return;
    }
    const atEnd = this.#position >= log.events.length - 1;
    this.#playback.start(axis, atEnd ? axis.low : axis.value(this.#position), () => this.#toolbar.speed);
    if (atEnd) this.#ask(0, "play");
    this.#drawPosition();
  }

  /** @param {number} value */
  #played(value) {
    const position = this.#axis?.reached(value) ?? 0;
    if (position !== this.#position) this.#ask(position, "play");
  }

  #playEnded() {
    this.#ask((this.#log?.events.length ?? 0) - 1, "play");
    this.#drawPosition();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const action = actionOf(event, this.#log?.events.length ?? 0);
    if (!action) return;
    const help = "act" in action && action.act === "help";
    if (event.target !== this.#slider && !(help && !(event.target instanceof HTMLSelectElement))) return;
    event.preventDefault();
    event.stopPropagation();
    this.#act(action);
  }

  /**
   * With Ctrl (or a pinch) the wheel zooms; sideways it moves the part in sight; otherwise it is the page's.
   * @param {WheelEvent} event
   */
  #wheeled(event) {
    const [axis, frame] = [this.#axis, this.#frame];
    if (!axis || !frame) return;
    if (event.ctrlKey) {
      event.preventDefault();
      const x = event.clientX - this.#plotLeft();
      this.#setRange(zoomed(axis, this.#range, event.deltaY > 0 ? 1.2 : 1 / 1.2, valueAtX(frame, x)));
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && this.#range.high - this.#range.low < axis.high - axis.low) {
      event.preventDefault();
      const by = (event.deltaX / frame.width) * (this.#range.high - this.#range.low);
      this.#setRange(shifted(axis, { low: this.#range.low + by, high: this.#range.high + by }));
    }
  }

  /** @param {PointerEvent} event */
  #pointed(event) {
    const [log, axis, frame] = [this.#log, this.#axis, this.#frame];
    if (!log || !axis || !frame || log.events.length === 0) return;
    const box = /** @type {HTMLElement} */ (event.currentTarget);
    if (event.type === "pointerdown") {
      if (event.button !== 0) return;
      box.setPointerCapture(event.pointerId);
      this.#slider.focus({ preventScroll: true });
      if (event.pointerType === "mouse") event.preventDefault();
    } else if (!box.hasPointerCapture(event.pointerId)) {
      return;
    }
    const x = Math.min(frame.width, Math.max(0, event.clientX - this.#plotLeft()));
    const y = event.clientY - this.#drawing.getBoundingClientRect().top;
    const inLane = box === this.#lanesBox ? this.#inLane(x, y) : null;
    this.#ask(inLane ?? nearest(axis, valueAtX(frame, x), log.events.length), "scrub");
  }

  /**
   * The event of the pointed lane that is closest to the pointer, if one is within reach.
   * @param {number} x
   * @param {number} y
   */
  #inLane(x, y) {
    const [log, axis, frame] = [this.#log, this.#axis, this.#frame];
    if (!log || !axis || !frame) return null;
    const lane = log.lanes.findIndex((_, index) => Math.abs(yOf(frame, index) - y) <= frame.laneHeight / 2);
    const [first, last] = axis.between(valueAtX(frame, x - REACH_PX), valueAtX(frame, x + REACH_PX));
    let best = null;
    for (let position = first; position <= last; position++) {
      if (log.laneOf.get(log.events[position].actor ?? "") !== lane) continue;
      if (best === null || Math.abs(xOf(frame, position) - x) <= Math.abs(xOf(frame, best) - x)) best = position;
    }
    return best;
  }

  #plotLeft() {
    return this.#lanesBox.getBoundingClientRect().left + parseFloat(this.style.getPropertyValue("--lab-gutter"));
  }
}

define("lab-timeline", LabTimeline);
