/**
 * What a reader can do with an experiment beyond running it, each a part of its own that asks the panel for what it needs.
 * Decides their order, and that all of them are told the same things.
 */

import { LabOutlook } from "./outlook.js";
import { LabSearch } from "./search.js";

export class Tools {
  search;
  #outlook;

  /**
   * @param {import("./panel.js").Panel} panel
   * @param {import("./shown.js").Shown} shown
   */
  constructor(panel, shown) {
    this.search = new LabSearch(panel);
    this.#outlook = new LabOutlook(panel, shown);
  }

  get elements() {
    return [this.#outlook, this.search];
  }

  /** @param {boolean} possible whether the lab is free for this panel */
  enable(possible) {
    for (const tool of this.elements) tool.enable(possible);
  }

  /** show tells those that are of one run that another is shown. */
  show() {
    this.#outlook.show();
  }

  /** clear forgets what they said: it was of another variant. */
  clear() {
    for (const tool of this.elements) tool.clear();
  }
}
