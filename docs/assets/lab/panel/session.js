/**
 * One panel at work: an experiment, from the recorded run to the reader's own.
 * Decides what is shown when: the recorded run until a run was made, and the position, which every part is a function of.
 * How parts look is theirs; how Python runs is the runtime's; the element around it is element.js.
 */

import { atNextFrame, h } from "../dom.js";
import { Edits } from "../editing/edits.js";
import { failureIn } from "../editing/failure.js";
import { CommandEvent, MoveEvent, RunEndedEvent, VariantEvent } from "../events.js";
import { formatJson, reason } from "../format.js";
import { LabEvent } from "../inspect/event.js";
import { LabInspector } from "../inspect/inspector.js";
import { clampPosition, firstShown, openLog } from "../log/log.js";
import { catalogue, recorded } from "../runtime.js";
import { SITE } from "../site.js";
import { checkReport, findExperiment } from "../shapes.js";
import { text } from "../text/index.js";
import { LabTimeline } from "../timeline/timeline.js";
import { LabScene } from "../views/scene.js";
import { LabControls } from "./controls.js";
import { openHelp } from "./dialog.js";
import { LabLive } from "./live.js";
import { notShown } from "./not-shown.js";
import { LabParameters } from "./parameters.js";
import { LabReadings } from "./readings.js";
import { Runner } from "./runner.js";
import { readSettings } from "./settings.js";
import { embedCode, LabShare } from "./share.js";
import { LabStatus } from "./status.js";
import { announcement, LabVerdict } from "./verdict.js";

/** More readings than this stand under the picture instead of beside it. */
const READINGS_BESIDE_MAX = 3;

const EVENTS = ["lab-move", "lab-variant", "lab-command", "lab-parameters", "lab-help", "lab-live", "lab-edited"];

/** Sources of a run of the published programs. */
const PUBLISHED = Object.freeze({});

export class Session {
  #host;
  #drawn;
  /** @type {import("../shapes.js").Experiment | null} */
  #experiment = null;
  /** @type {import("../shapes.js").Variant | null} */
  #variant = null;
  /** @type {import("../log/log.js").Log | null} */
  #log = null;
  #position = -1;
  /** @type {string | null} digest of the recorded run of the variant shown */
  #recordedDigest = null;
  #box = h("div", { class: "lab", role: "group", hidden: true });
  #remarks = h("div", { class: "lab-remarks" });
  #announcer = h("p", { class: "lab-hidden", role: "status", "aria-live": "polite" });
  #parameters = new LabParameters();
  #controls = new LabControls(this.#parameters);
  #status = new LabStatus();
  #scene = new LabScene();
  #readings = new LabReadings();
  #verdict = new LabVerdict();
  #timeline = new LabTimeline();
  #event = new LabEvent();
  #inspector = new LabInspector();
  #share = new LabShare();
  #edits = new Edits();
  /** @type {Record<string, string>} edited programs that the run shown was made from */
  #sources = PUBLISHED;
  #live = new LabLive();
  #runner = new Runner({
    say: (sentence, options) => this.#status.say(sentence, options),
    progress: (progress) => this.#status.progress(progress),
    changed: () => this.#updateControls(),
    problem: (problem) => this.#inspector.showProblem(problem),
    blame: (message) => this.#blame(message),
  });
  /** @type {(() => void) | null} cancels the drawing that waits for a frame */
  #waiting = null;
  /** variant that Reset goes back to */
  #first = "";

  /**
   * @param {HTMLElement} host the element that the panel fills
   * @param {() => void} drawn called when the first run has been drawn
   */
  constructor(host, drawn) {
    this.#host = host;
    this.#drawn = drawn;
    for (const type of EVENTS) this.#box.addEventListener(type, this);
  }

  /** connect follows the lab, while the element is in a page. */
  connect() {
    this.#runner.connect();
  }

  /** disconnect lets go of the lab; a run that nobody would see is stopped. */
  disconnect() {
    this.#runner.disconnect();
    this.stop();
    this.#waiting?.();
    this.#waiting = null;
  }

  /** remove takes the panel out of the page for good. */
  remove() {
    this.disconnect();
    this.#box.remove();
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  attributeChanged(name, value) {
    if (!this.#experiment) return;
    if (name === "position" && /^\d+$/.test(value)) this.moveTo(Number(value));
    if (name === "variant" && value !== this.#variant?.id) this.#chooseVariant(value);
  }

  get position() {
    return this.#position;
  }

  get report() {
    return this.#log?.report ?? null;
  }

  /** run makes a run as if the reader had pressed Run. */
  async run() {
    const [experiment, variant] = [this.#experiment, this.#variant];
    if (!experiment || !variant || this.#runner.running || this.#runner.busyElsewhere) return;
    const parameters = this.#parameters.values();
    if (parameters === null) {
      this.#controls.openForm(true);
      this.#status.say(text.status.fixParameters, { problem: true });
      this.#parameters.focusProblem();
      return;
    }
    this.#timeline.pause();
    this.#inspector.showProblem(null);
    this.#setState("running");
    const sources = this.#edits.sources();
    const report = await this.#runner.run({ experiment: experiment.slug, variant: variant.id, parameters, seed: this.report?.seed, ...(sources && { sources }) });
    if (report === null) {
      this.#setState(this.#runner.stopped ? "stopped" : "failed");
      return;
    }
    if (!this.#draw(report, null, sources)) return;
    this.#setState("ran");
    this.#status.say(this.#ranSentence(report, sources));
    if (sources) this.#inspector.showProblem(failureIn(report, sources));
    this.#announcer.textContent = announcement(report, variant);
    this.#host.dispatchEvent(new RunEndedEvent(report));
  }

  /** stop ends the run that this panel is making, if any. */
  stop() {
    if (this.#runner.running) this.#runner.stop();
    this.#live.stop();
  }

  /** reset puts variant and parameters back and shows the recorded run. */
  reset() {
    if (!this.#experiment) return;
    this.#parameters.reset();
    this.#live.clear();
    this.#chooseVariant(this.#first);
    this.#updateControls();
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event instanceof MoveEvent) this.moveTo(event.position);
    else if (event instanceof VariantEvent) this.#chooseVariant(event.variant);
    else if (event instanceof CommandEvent) this.#command(event.command);
    else if (event.type === "lab-help") openHelp(this.#box);
    else if (event.type === "lab-edited") this.#sayEdited();
    else this.#updateControls();
  }

  /** start builds the panel and shows the recorded run; it throws where the page cannot show the experiment. */
  async start() {
    const host = this.#host;
    const experiment = findExperiment(await catalogue(), host.getAttribute("experiment") ?? "", text.panel.unknownExperiment);
    const given = { variant: host.getAttribute("variant"), parameters: host.getAttribute("parameters"), position: host.getAttribute("position"), theme: host.getAttribute("theme") };
    const settings = readSettings(experiment, given);
    this.#experiment = experiment;
    this.#first = settings.variant.id;
    this.#build(experiment, settings);
    for (const remark of settings.remarks) this.#remark(remark);
    await this.#chooseVariant(this.#first, settings.position);
    const last = (this.#log?.events.length ?? 0) - 1;
    if (settings.position !== null && settings.position > last && last >= 0) this.#remark(text.panel.positionOutside(formatJson(given.position, 40), String(last)));
    this.#box.hidden = false;
    this.#updateControls();
  }

  /**
   * @param {import("../shapes.js").Experiment} experiment
   * @param {import("./settings.js").Settings} settings
   */
  #build(experiment, settings) {
    this.#box.setAttribute("aria-label", text.panel.name(experiment.title));
    this.#controls.setVariants(experiment.variants, experiment.parameters.length > 0);
    this.#parameters.setParameters(experiment.parameters, settings.parameters);
    if (Object.keys(settings.parameters).length > 0) this.#controls.openForm(true);
    this.#live.setReadings(experiment.readings);
    if (experiment.live) this.#controls.extra.append(this.#live.switch);
    this.#share.code = () => embedCode({ base: SITE, experiment, variant: this.#variant?.id ?? "", parameters: this.#parameters.values() ?? {} });
    const few = experiment.readings.length <= READINGS_BESIDE_MAX;
    const side = h("div", { class: "lab-side" }, this.#readings);
    const more = h("button", { type: "button", class: "lab-link lab-show-all", onclick: () => this.#showAll() }, text.panel.showAll);
    this.#box.append(
      h(
        "div",
        { class: "lab-head" },
        h("p", { class: "lab-kicker" }, experiment.kicker),
        h("h2", { class: "lab-title" }, experiment.title),
        h("p", { class: "lab-question" }, experiment.question),
        h("p", { class: "lab-summary" }, experiment.summary),
        this.#remarks,
      ),
      this.#controls,
      this.#status,
      this.#live,
      // Picture and timeline stay together: whoever scrubs wants to see the picture change.
      h("div", { class: few ? "lab-stage lab-few" : "lab-stage" }, this.#scene, ...(few ? [side] : [])),
      h("div", { class: "lab-run-view" }, this.#timeline, this.#event),
      ...(few ? [] : [side]),
      this.#verdict,
      this.#inspector,
      more,
      ...notShown(experiment.not_shown),
      this.#share,
      this.#announcer,
    );
    this.#host.append(this.#box);
  }

  /** @param {string} sentence about what the page asked for and did not get */
  #remark(sentence) {
    this.#remarks.append(h("p", { class: "lab-remark" }, sentence));
  }

  /** showAll ends the compact form; the lanes can only be laid out now. */
  #showAll() {
    this.#host.removeAttribute("compact");
    this.#timeline.querySelector("button")?.focus({ preventScroll: true });
  }

  /**
   * chooseVariant shows the recorded run of a variant.
   * @param {string} id
   * @param {number | null} [position] null puts it at the end
   */
  async #chooseVariant(id, position = null) {
    const experiment = this.#experiment;
    const variant = experiment?.variants.find((one) => one.id === id);
    if (!experiment || !variant) return;
    this.#variant = variant;
    this.#recordedDigest = null;
    this.#controls.choose(variant);
    this.#edits.choose(experiment.slug, variant.id, experiment.programs[variant.id] ?? []);
    this.#inspector.setPrograms(experiment.programs[variant.id] ?? [], this.#edits);
    this.#timeline.pause();
    this.#live.choose(variant, () => this.#parameters.values());
    this.#status.say(text.status.fetching);
    const report = await this.#fetchRecorded(experiment.slug, variant);
    if (variant !== this.#variant || this.#runner.running || report === null) return;
    this.#recordedDigest = report.digest;
    if (!this.#draw(report, position ?? report.trace.length - 1)) return;
    this.#setState("recorded");
    if (this.#edits.count > 0) this.#status.say(text.status.recordedEdited);
    else this.#status.say(this.#parameters.changed() > 0 ? text.status.recordedOther : text.status.recorded(experiment.status));
  }

  /**
   * @param {string} slug
   * @param {import("../shapes.js").Variant} variant
   */
  async #fetchRecorded(slug, variant) {
    try {
      return checkReport(await recorded(slug, variant.id));
    } catch (error) {
      if (variant !== this.#variant) return null;
      this.#readings.show(this.#experiment?.readings ?? [], {});
      this.#setState("unrecorded");
      this.#status.say(text.status.noRecord(reason(error)), { problem: true });
      return null;
    }
  }

  /**
   * draw shows a report, or says that it could not; the very first time the failure is the element's to handle.
   * @param {import("../shapes.js").Report} report
   * @param {number | null} position
   * @param {Record<string, string>} [sources] edited programs that the run was made from
   */
  #draw(report, position, sources = PUBLISHED) {
    const first = this.#log === null;
    this.#sources = sources;
    try {
      this.#show(report, position);
      if (first) this.#drawn();
      return true;
    } catch (error) {
      if (first) throw error;
      this.#setState("failed");
      this.#status.say(text.status.internalError(`${reason(error)}.`), { problem: true });
      return false;
    }
  }

  /**
   * show draws a report everywhere; without a position it chooses where the reader looks first.
   * @param {import("../shapes.js").Report} report
   * @param {number | null} position
   */
  #show(report, position) {
    if (!this.#experiment || !this.#variant) return;
    const log = openLog(report);
    this.#position = clampPosition(log, position ?? firstShown(log));
    this.#box.hidden = false;
    this.#readings.show(this.#experiment.readings, report.readings);
    this.#verdict.show(report, this.#variant);
    this.#scene.show(report.scene, log.endUs);
    this.#timeline.show(log, this.#position);
    this.#inspector.show(log, this.#position, this.#sources);
    this.#share.show(report.digest);
    this.#log = log;
    this.#drawPosition();
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
      if (!this.#log) return;
      this.#timeline.move(this.#position);
      this.#inspector.move(this.#position);
      this.#drawPosition();
    });
  }

  #drawPosition() {
    if (!this.#log) return;
    this.#scene.move(this.#position, this.#log.events[this.#position]?.at_us ?? 0);
    this.#event.show(this.#log, this.#position);
  }

  /** sayEdited tells of the first edit, and of the end of the last one. */
  #sayEdited() {
    const edited = this.#edits.count > 0;
    if (!this.#runner.running) this.#status.say(edited ? text.status.edited : text.status.unedited);
  }

  /**
   * @param {import("../shapes.js").Report} report
   * @param {Record<string, string> | undefined} sources
   */
  #ranSentence(report, sources) {
    if (sources) return text.status.ranEdited(Object.keys(sources));
    return report.digest === this.#recordedDigest ? text.status.ranSame : text.status.ran;
  }

  /** @param {CommandEvent["command"]} command */
  #command(command) {
    if (command === "warm") this.#runner.warm();
    else if (command === "stop") this.stop();
    else if (command === "reset") this.reset();
    else if (this.#live.active) this.#live.run();
    else this.run();
  }

  #updateControls() {
    const live = this.#live.running;
    this.#controls.update({ ready: this.#experiment !== null, running: this.#runner.running || live, busyElsewhere: this.#runner.busyElsewhere });
    this.#controls.showChanged(this.#parameters.changed());
  }

  /** @param {string} message */
  #blame(message) {
    const words = this.#parameters.tell(message);
    if (words !== null) this.#controls.openForm(true);
    return words ?? message;
  }

  /** @param {"recorded" | "unrecorded" | "running" | "ran" | "stopped" | "failed"} state */
  #setState(state) {
    this.#host.setAttribute("state", state);
  }
}
