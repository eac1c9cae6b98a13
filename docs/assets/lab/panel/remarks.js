/**
 * What the page asked the panel for and did not get, one sentence each. Decides that nothing is said twice.
 */

import { h } from "../dom.js";

export class Remarks {
  element = h("div", { class: "lab-remarks" });

  /** @param {string} sentence */
  add(sentence) {
    const said = [...this.element.children].map(({ textContent }) => textContent);
    if (!said.includes(sentence)) this.element.append(h("p", { class: "lab-remark" }, sentence));
  }
}
