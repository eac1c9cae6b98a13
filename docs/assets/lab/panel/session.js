/**
 * One panel at work: an experiment, from the recorded run to the reader's own.
 * Decides what is shown when: the recorded run until a run was made, and the position, which every part is a function of.
 * How parts look is theirs; how Python runs is the runtime's; the element around it is element.js.
 */

import { h } from "../dom.js";
import { Edits } from "../editing/edits.js";
import { failureIn } from "../editing/failure.js";
import { CommandEvent, MoveEvent, RunEndedEvent, VariantEvent } from "../events.js";
import { formatJson, reason } from "../format.js";
import { SITE } from "../site.js";
import { text } from "../text/index.js";
import { askedMoment } from "./address.js";
import { LabControls } from "./controls.js";
import { openHelp } from "./dialog.js";
import { layout, showAllButton } from "./layout.js";
import { LabLive } from "./live.js";
import { LabParameters } from "./parameters.js";
import { Remarks } from "./remarks.js";
import { LabReplay } from "./replay.js";
import { fetchExperiment, fetchRecorded, Runner } from "./runner.js";
import { readSettings } from "./settings.js";
import { embedCode, LabShare } from "./share.js";
import { Shown } from "./shown.js";
import { LabStatus } from "./status.js";
import { Tools } from "./tools.js";
import { announcement } from "./verdict.js";

const EVENTS = ["lab-move", "lab-variant", "lab-command", "lab-parameters", "lab-help", "lab-live", "lab-edited"];

/** @typedef {import("./panel.js").Panel} Panel */

/** Sources of a run of the published programs. */
const PUBLISHED = Object.freeze({});

/** @implements {Panel} */
export class Session {
  #host;
  #drawn;
  /** @type {import("../shapes.js").Experiment | null} */
  #experiment = null;
  /** @type {import("../shapes.js").Variant | null} */
  #variant = null;
  /** @type {string | null} digest of the recorded run of the variant shown */
  #recordedDigest = null;
  #box = h("div", { class: "lab", role: "group", hidden: true });
  #remarks = new Remarks();
  #announcer = h("p", { class: "lab-hidden", role: "status", "aria-live": "polite" });
  #parameters = new LabParameters();
  #controls = new LabControls(this.#parameters);
  #status = new LabStatus();
  #shown = new Shown();
  #share = new LabShare();
  #replay = new LabReplay();
  runner = new Runner({
    say: (sentence, options) => this.#status.say(sentence, options),
    progress: (progress) => this.#status.progress(progress),
    changed: () => this.#updateControls(),
    problem: (problem) => this.#shown.inspector.showProblem(problem),
    blame: (message) => this.#blame(message),
  });
  #tools = new Tools(this, this.#shown);
  #edits = new Edits();
  #live = new LabLive();
  /** variant that Reset goes back to */
  #first = "";
  #turn = 0; // grows when what a search would show is not wanted any more

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
    this.runner.connect();
    window.addEventListener("hashchange", this);
  }

  /** disconnect lets go of the lab; a run that nobody would see is stopped. */
  disconnect() {
    this.runner.disconnect();
    window.removeEventListener("hashchange", this);
    this.#turn += 1;
    this.stop();
    this.#shown.rest();
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
    return this.#shown.position;
  }

  get report() {
    return this.#shown.report;
  }

  /** run makes a run as if the reader had pressed Run. */
  async run() {
    const asked = this.ask("run");
    const variant = this.#variant;
    if (!asked || !variant) return;
    this.#setState("running");
    const { sources } = asked;
    const { schedule, position } = this.#replay;
    const refused = schedule === null ? undefined : (/** @type {string} */ why) => this.#status.say(text.link.unfit(why), { problem: true });
    const report = await this.runner.run({ ...asked, seed: this.report?.seed, ...(schedule && { schedule }) }, refused);
    if (report === null) {
      this.#setState(this.runner.stopped ? "stopped" : "failed");
      return;
    }
    if (schedule !== null) this.#parameters.setValues(report.parameters);
    this.#controls.showChanged(this.#parameters.changed());
    if (!this.show(report, position, sources)) return;
    this.#replay.position = null;
    this.#setState("ran");
    this.#status.sayRan(sources, report.digest === this.#recordedDigest);
    if (sources) this.#shown.inspector.showProblem(failureIn(report, sources));
    this.#announcer.textContent = announcement(report, variant);
    this.#host.dispatchEvent(new RunEndedEvent(report));
  }

  /**
   * ask gathers what a run or search would be made of, and readies the panel for it; see Panel.
   * @param {"run" | "search" | "check"} purpose
   * @returns {import("./panel.js").Asked | null}
   */
  ask(purpose) {
    const [experiment, variant] = [this.#experiment, this.#variant];
    if (!experiment || !variant || this.runner.running || this.runner.busyElsewhere) return null;
    const parameters = purpose === "check" ? {} : purpose === "run" ? this.#parameters.values() : this.#parameters.changedValues();
    if (parameters === null) return this.#askToFix();
    this.#shown.begin();
    const sources = this.#edits.sources();
    return { experiment: experiment.slug, variant: variant.id, parameters, ...(sources && { sources }) };
  }

  /** keep returns a question: is what was shown when keep was called still what the reader looks at? */
  keep() {
    const turn = this.#turn;
    return () => turn === this.#turn;
  }

  /** replay runs a schedule on the programs as they are now. @param {string} schedule @param {number | null} [position] */
  async replay(schedule, position = null) {
    this.#replay.set(schedule, position);
    await this.run();
    return this.report;
  }

  get experiment() {
    return this.#experiment;
  }

  get inspector() {
    return this.#shown.inspector;
  }

  #askToFix() {
    this.#controls.openForm(true);
    this.#status.say(text.status.fixParameters, { problem: true });
    this.#parameters.focusProblem();
    return null;
  }

  /** stop ends the run that this panel is making, if any. */
  stop() {
    if (this.runner.running) this.runner.stop();
    this.#live.stop();
  }

  /** reset puts variant and parameters back and shows the recorded run. */
  reset() {
    if (!this.#experiment) return;
    this.#parameters.reset();
    this.#live.clear();
    this.#shown.forget();
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
    else if (event.type === "hashchange") this.#openLink();
    else this.#updateControls();
    if (event.type === "lab-parameters") this.#replay.set(null); // a schedule names parameters of its own
  }

  /** start builds the panel and shows the recorded run; it throws where the page cannot show the experiment. */
  async start() {
    const host = this.#host;
    const experiment = await fetchExperiment(host.getAttribute("experiment") ?? "");
    const given = { variant: host.getAttribute("variant"), parameters: host.getAttribute("parameters"), position: host.getAttribute("position"), theme: host.getAttribute("theme") };
    const settings = readSettings(experiment, given);
    this.#experiment = experiment;
    this.#first = settings.variant.id;
    this.#build(experiment, settings);
    for (const remark of settings.remarks) this.#remarks.add(remark);
    await this.#chooseVariant(this.#first, settings.position);
    const { last } = this.#shown;
    if (settings.position !== null && settings.position > last && last >= 0) this.#remarks.add(text.panel.positionOutside(formatJson(given.position, 40), String(last)));
    this.#box.hidden = false;
    this.#updateControls();
    await this.#openLink();
  }

  /** openLink goes to the moment that the page's address names, if it is one of this experiment. */
  async #openLink() {
    if (!this.#experiment) return;
    const link = await askedMoment(this.#host, this.#experiment, (sentence) => this.#remarks.add(sentence));
    if (!link) return;
    const turn = (this.#turn += 1);
    this.stop();
    await this.#chooseVariant(link.variant, link.position, link.sources);
    if (turn !== this.#turn || this.#variant?.id !== link.variant) return;
    if (!link.sources && link.schedule === this.report?.schedule) {
      if ((link.position ?? 0) > this.#shown.last) this.#remarks.add(text.panel.positionOutside(String(link.position), String(this.#shown.last)));
      return;
    }
    this.#replay.set(link.schedule, link.position);
    // Somebody else's program is shown before it runs; a run of the published one is what the link was opened for.
    if (!link.sources) return this.run();
    this.#shown.inspector.openProgram();
    this.#status.say(text.link.code);
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
    this.#shown.compare.run = (request, refused) => this.runner.runOther(request, refused);
    if (experiment.live) this.#controls.extra.append(this.#live.switch);
    this.#share.link = () => this.#tools.link();
    this.#share.code = () => embedCode({ base: SITE, experiment, variant: this.#variant?.id ?? "", parameters: this.#parameters.values() ?? {} });
    this.#box.append(
      ...layout(experiment, {
        remarks: this.#remarks.element,
        above: [...this.#tools.above, this.#controls, this.#replay, this.#status, this.#live, this.#shown.predict],
        scene: this.#shown.scene,
        readings: this.#shown.readings,
        run: [this.#shown.timeline, this.#shown.event, ...this.#tools.beside, this.#shown.compare],
        below: [this.#shown.verdict, ...this.#tools.elements, this.#shown.inspector, showAllButton(this.#host, this.#shown.timeline)],
        foot: [this.#share, this.#announcer],
      }),
    );
    this.#host.append(this.#box);
  }

  /**
   * chooseVariant shows the recorded run of a variant.
   * @param {string} id
   * @param {number | null} [position] null puts it at the end
   * @param {Record<string, string>} [sources] edits that a link brings; the reader's own stay kept beside them
   */
  async #chooseVariant(id, position = null, sources = undefined) {
    const experiment = this.#experiment;
    const variant = experiment?.variants.find((one) => one.id === id);
    if (!experiment || !variant) return;
    this.#variant = variant;
    this.#recordedDigest = null;
    this.#replay.set(null);
    this.#controls.choose(variant);
    this.#tools.clear();
    this.#edits.choose(experiment.slug, variant.id, experiment.programs[variant.id] ?? [], sources);
    this.#shown.inspector.setPrograms(experiment.programs[variant.id] ?? [], this.#edits, experiment.safeguards.filter((one) => one.variant === variant.id));
    this.#shown.timeline.pause();
    this.#live.choose(variant, () => this.#parameters.values());
    this.#status.say(text.status.fetching);
    const { report, problem } = await fetchRecorded(experiment.slug, variant.id);
    if (variant !== this.#variant || this.runner.running) return;
    if (!report) return this.#sayUnrecorded(problem);
    this.#recordedDigest = report.digest;
    if (!this.show(report, position ?? report.trace.length - 1)) return;
    this.#setState("recorded");
    if (this.#edits.count > 0) this.#status.say(text.status.recordedEdited);
    else this.#status.say(this.#parameters.changed() > 0 ? text.status.recordedOther : text.status.recorded(experiment.status));
  }

  /** @param {string} problem */
  #sayUnrecorded(problem) {
    this.#shown.readings.show(this.#experiment?.readings ?? [], {});
    this.#setState("unrecorded");
    this.#status.say(text.status.noRecord(problem), { problem: true });
  }

  /**
   * show draws a report, or says that it could not; the very first time the failure is the element's to handle.
   * @param {import("../shapes.js").Report} report
   * @param {number | null} position
   * @param {Record<string, string>} [sources] edited programs that the run was made from
   */
  show(report, position, sources = PUBLISHED) {
    const [experiment, variant, first] = [this.#experiment, this.#variant, this.#shown.report === null];
    if (!experiment || !variant) return false;
    try {
      this.#box.hidden = false; // lanes can only be laid out where they have a width
      this.#shown.show(report, { experiment, variant, sources }, position);
      this.#tools.show();
      this.#share.show(report.digest);
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
   * moveTo shows another position of the run, kept inside it.
   * @param {number} position
   */
  moveTo(position) {
    this.#shown.moveTo(position);
  }

  /** sayEdited tells of the first edit, and of the end of the last one. */
  #sayEdited() {
    const edited = this.#edits.count > 0;
    if (!this.runner.running) this.#status.say(edited ? text.status.edited : text.status.unedited);
  }

  /** @param {CommandEvent["command"]} command */
  #command(command) {
    if (command === "warm") this.runner.warm();
    else if (command === "stop") this.stop();
    else if (command === "reset") this.reset();
    else if (command === "usual") this.#useUsual();
    else if (command === "search") this.#tools.search.run();
    else {
      if (command === "retry") this.#controls.focusRun(); // the button goes away under it
      if (this.#live.active) this.#live.run();
      else this.run();
    }
  }

  #useUsual() {
    this.#controls.focusRun();
    this.#replay.set(null);
    this.#status.say(text.link.usualNext);
  }

  #updateControls() {
    const live = this.#live.running;
    const [ready, running, busyElsewhere] = [this.#experiment !== null, this.runner.running || live, this.runner.busyElsewhere];
    this.#controls.update({ ready, running, busyElsewhere });
    this.#controls.showChanged(this.#parameters.changed());
    for (const part of [this.#tools, this.#shown.compare]) part.enable(ready && !running && !busyElsewhere);
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
