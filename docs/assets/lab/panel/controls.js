/**
 * Variant buttons, Run, Stop, Reset, and the switch for the parameters' form. Decides which of them can be pressed in which
 * state; what they do is the panel's.
 */

import { define, h, setAll, uniqueId } from "../dom.js";
import { CommandEvent, VariantEvent, warmNear } from "../events.js";
import { handOn } from "../focus.js";
import { icon } from "../icons.js";
import { text } from "../text/index.js";

export class LabControls extends HTMLElement {
  /** @type {Map<string, HTMLButtonElement>} */
  #variants = new Map();
  #group = h("div", { class: "lab-variants", role: "group", "aria-label": text.panel.variants });
  #summary = h("p", { class: "lab-variant-summary" });
  #run = h("button", { type: "button", class: "lab-button lab-run", disabled: true, onclick: () => this.#send("run") }, icon("play"), text.controls.run);
  #stop = h("button", { type: "button", class: "lab-button lab-stop", disabled: true, onclick: () => this.#send("stop") }, icon("stop"), text.controls.stop);
  #reset = h("button", { type: "button", class: "lab-button lab-reset", disabled: true, onclick: () => this.#send("reset") }, icon("reset"), text.controls.reset);
  #changed = h("span", { class: "lab-chip lab-chip-changed", hidden: true });
  #toggle;
  #form;
  /** Where the panel puts further switches. */
  extra = h("span", { class: "lab-extra" });

  /** @param {HTMLElement} [form] what the parameter switch opens */
  constructor(form = h("div")) {
    super();
    this.#form = form;
    form.id ||= uniqueId("parameters");
    form.hidden = true;
    this.#toggle = h(
      "button",
      { type: "button", class: "lab-button lab-parameters-toggle", "aria-expanded": "false", "aria-controls": form.id, onclick: () => this.openForm(Boolean(form.hidden)) },
      text.controls.parameters,
      this.#changed,
    );
    warmNear(this.#run, () => this.#send("warm"));
  }

  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add("lab-controls");
    this.append(
      h("div", { class: "lab-control-row" }, this.#group, h("div", { class: "lab-run-row", role: "group", "aria-label": text.controls.group }, this.#run, this.#stop, this.#reset, this.#toggle, this.extra)),
      this.#summary,
      this.#form,
    );
  }

  /**
   * setVariants makes the buttons; without parameters the form's switch goes away.
   * @param {import("../shapes.js").Variant[]} variants
   * @param {boolean} hasParameters
   */
  setVariants(variants, hasParameters) {
    this.#variants = new Map(
      variants.map(({ id, label }) => [id, h("button", { type: "button", class: "lab-segment", "data-variant": id, onclick: () => this.dispatchEvent(new VariantEvent(id)) }, label)]),
    );
    this.#group.replaceChildren(...this.#variants.values());
    this.#toggle.hidden = !hasParameters;
  }

  /**
   * choose marks a variant.
   * @param {import("../shapes.js").Variant} variant
   */
  choose(variant) {
    for (const [id, button] of this.#variants) button.setAttribute("aria-pressed", String(id === variant.id));
    this.#summary.textContent = variant.summary;
  }

  /**
   * update enables what works now. A button that would be disabled under the reader's focus hands it to its neighbour.
   * @param {{ready: boolean, running: boolean, busyElsewhere: boolean}} state
   */
  update({ ready, running, busyElsewhere }) {
    handOn([this.#run, this.#stop], () => {
      this.#run.disabled = !ready || running || busyElsewhere;
      this.#stop.disabled = !running;
      this.#reset.disabled = !ready || running;
      for (const button of this.#variants.values()) button.disabled = !ready || running;
    });
  }

  /** focusRun puts the focus on Run, for a control that goes away under it. */
  focusRun() {
    this.#run.focus({ preventScroll: true });
  }

  /** @param {number} count parameters that differ from their defaults */
  showChanged(count) {
    this.#changed.hidden = count === 0;
    this.#changed.textContent = count === 0 ? "" : text.controls.changed(count);
  }

  /** @param {boolean} open */
  openForm(open) {
    this.#form.hidden = !open;
    setAll(this.#toggle, { "aria-expanded": String(open) });
  }

  /** @param {import("../events.js").CommandEvent["command"]} command */
  #send(command) {
    this.dispatchEvent(new CommandEvent(command));
  }
}

define("lab-controls", LabControls);
