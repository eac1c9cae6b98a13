/**
 * The element `<ownership-lab>`: attributes in, events out, methods down. Decides when the static content gives way to the
 * panel: only after the panel's first drawing succeeded. If anything throws before that, the static content stays, with a
 * sentence. What the panel does is in session.js.
 */

import { define, h } from "../dom.js";
import { reason } from "../format.js";
import { text } from "../text/index.js";
import { Session } from "./session.js";

export class OwnershipLab extends HTMLElement {
  static observedAttributes = ["variant", "position"];

  /** @type {Session | null} */
  #session = null;
  /** @type {HTMLElement[]} */
  #fallback = [];

  connectedCallback() {
    if (this.#session) {
      this.#session.connect();
      return;
    }
    this.#fallback = [...this.children].filter((child) => child instanceof HTMLElement);
    this.#start().catch((error) => this.#fail(error));
  }

  disconnectedCallback() {
    this.#session?.disconnect();
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} value
   */
  attributeChangedCallback(name, before, value) {
    if (before !== value && value !== null) this.#session?.attributeChanged(name, value);
  }

  /** The position shown: an index into the trace, -1 while there is none. */
  get position() {
    return this.#session?.position ?? -1;
  }

  set position(position) {
    this.#session?.moveTo(position);
  }

  /** The report shown, recorded or of the reader's own run; null before there is one. */
  get report() {
    return this.#session?.report ?? null;
  }

  /** run makes a run as if the reader had pressed Run. */
  async run() {
    await this.#session?.run();
  }

  /** stop ends the run that this panel is making, if any. */
  stop() {
    this.#session?.stop();
  }

  /** reset puts variant and parameters back and shows the recorded run. */
  reset() {
    this.#session?.reset();
  }

  async #start() {
    this.#session = new Session(this, () => {
      for (const element of this.#fallback) element.classList.add("lab-fallback-done");
    });
    this.#session.connect();
    await this.#session.start();
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#session?.remove();
    this.#session = null;
    this.setAttribute("state", "broken");
    for (const element of this.#fallback) element.classList.remove("lab-fallback-done");
    this.append(h("p", { class: "lab-failure", role: "status" }, text.panel.failed(reason(error))));
  }
}

define("ownership-lab", OwnershipLab);
