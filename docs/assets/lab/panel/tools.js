/**
 * What a reader can do with an experiment beyond running it, each a part of its own that asks the panel for what it needs.
 * Decides their order, and that all of them are told the same things.
 */

import { LabSearch } from "./search.js";

export class Tools {
  search;

  /** @param {import("./panel.js").Panel} panel */
  constructor(panel) {
    this.search = new LabSearch(panel);
  }

  get elements() {
    return [this.search];
  }

  /** @param {boolean} possible whether the lab is free for this panel */
  enable(possible) {
    for (const tool of this.elements) tool.enable(possible);
  }

  /** clear forgets what they said: it was of another variant. */
  clear() {
    for (const tool of this.elements) tool.clear();
  }
}
