/**
 * The run that a panel shows, and the position in it: every part that is a function of (log, position), moved together.
 * Decides that many moves within a frame are drawn once. Where the run came from is the session's.
 */

import { atNextFrame } from "../dom.js";
import { LabEvent } from "../inspect/event.js";
import { LabInspector } from "../inspect/inspector.js";
import { clampPosition, firstShown, openLog } from "../log/log.js";
import { LabTimeline } from "../timeline/timeline.js";
import { LabScene } from "../views/scene.js";
import { LabCompare } from "./compare.js";
import { LabPredict } from "./predict.js";
import { LabReadings } from "./readings.js";
import { LabVerdict } from "./verdict.js";

export class Shown {
  scene = new LabScene();
  readings = new LabReadings();
  verdict = new LabVerdict();
  timeline = new LabTimeline();
  event = new LabEvent();
  inspector = new LabInspector();
  compare = new LabCompare(this.timeline);
  predict = new LabPredict(this.timeline);
  /** @type {Record<string, string>} edited programs that the run was made from */
  sources = {};
  /** @type {import("../log/log.js").Log | null} */
  #log = null;
  #position = -1;
  /** @type {(() => void) | null} cancels the drawing that waits for a frame */
  #waiting = null;

  get log() {
    return this.#log;
  }

  get report() {
    return this.#log?.report ?? null;
  }

  get position() {
    return this.#position;
  }

  /** The last position there is; -1 while there is no run. */
  get last() {
    return (this.#log?.events.length ?? 0) - 1;
  }

  /**
   * show draws a report everywhere; without a position it chooses where the reader looks first.
   * @param {import("../shapes.js").Report} report
   * @param {{experiment: import("../shapes.js").Experiment, variant: import("../shapes.js").Variant, sources: Record<string, string>}} of
   *   what the run was made of; sources: edited programs
   * @param {number | null} position
   */
  show(report, { experiment, variant, sources }, position) {
    const log = openLog(report);
    this.#position = clampPosition(log, position ?? firstShown(log));
    this.readings.show(experiment.readings, report.readings);
    this.verdict.show(report, variant);
    this.scene.show(report.scene, log.endUs);
    this.timeline.show(log, this.#position);
    this.inspector.show(log, this.#position, sources);
    this.#log = log;
    this.sources = sources;
    this.#draw();
    if (report.partial) {
      // There is nothing to predict or to compare yet: how it goes on is still to be chosen.
      this.forget();
      this.predict.hidden = this.compare.hidden = true;
      return;
    }
    this.predict.show(log, { experiment, variant });
    this.compare.show(log, this.#position, { experiment, variant, edited: Object.keys(sources).length > 0 });
  }

  /**
   * moveTo shows another position of the run, kept inside it.
   * @param {number} position
   */
  moveTo(position) {
    if (!this.#log) return;
    this.#position = clampPosition(this.#log, position);
    // Many moves may come in one frame, from a fast pointer or a held key; drawn is only the last.
    this.#waiting ??= atNextFrame(() => {
      this.#waiting = null;
      this.timeline.move(this.#position);
      this.inspector.move(this.#position);
      this.compare.move(this.#position);
      this.#draw();
    });
  }

  /** begin readies the parts for a run that was asked for. */
  begin() {
    this.timeline.pause();
    this.inspector.showProblem(null);
  }

  /** forget ends what the reader had begun with the run: comparing and predicting. */
  forget() {
    this.compare.end();
    this.predict.end();
  }

  /** rest gives up the drawing that waits. */
  rest() {
    this.#waiting?.();
    this.#waiting = null;
  }

  #draw() {
    if (!this.#log) return;
    this.scene.move(this.#position, this.#log.events[this.#position]?.at_us ?? 0);
    this.event.show(this.#log, this.#position);
  }
}
