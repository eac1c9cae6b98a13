/**
 * What a reader can do with an experiment beyond running it, each a part of its own that asks the panel for what it needs.
 * Decides their order, and that all of them are told the same things.
 */

import { LabChallenge } from "./challenge.js";
import { writeLink } from "./link.js";
import { LabOutlook } from "./outlook.js";
import { LabSearch } from "./search.js";
import { LabSteer } from "./steer.js";

export class Tools {
  search;
  steer;
  #challenge;
  #outlook;
  #panel;
  #shown;

  /**
   * @param {import("./panel.js").Panel} panel
   * @param {import("./shown.js").Shown} shown
   */
  constructor(panel, shown) {
    this.#panel = panel;
    this.#shown = shown;
    this.#challenge = new LabChallenge(panel);
    this.search = new LabSearch(panel);
    this.steer = new LabSteer(panel, () => this.search.faults);
    this.#outlook = new LabOutlook(panel, shown);
  }

  /** Those that stand above the run, since they say what is to be done. */
  get above() {
    return [this.#challenge];
  }

  /** Those that stand beside the timeline, since whoever uses them looks at it. */
  get beside() {
    return [this.steer];
  }

  /** Those that stand below the verdict. */
  get elements() {
    return [this.#outlook, this.search];
  }

  /** @param {boolean} possible whether the lab is free for this panel */
  enable(possible) {
    for (const tool of [...this.above, ...this.beside, ...this.elements]) tool.enable(possible);
  }

  /** link writes the address of the moment shown, with a remark where not all that the reader sees is in it. */
  async link() {
    const { report, position, sources } = this.#shown;
    const { schedule, remark } = (await this.steer.linked()) ?? { schedule: report?.schedule ?? "", remark: "" };
    return { address: await writeLink({ page: location.href, schedule, position, sources }), remark };
  }

  /** show tells those that are of one run, or of its variant, that another is shown. */
  show() {
    this.steer.show();
    if (this.#panel.report?.partial) this.#outlook.clear();
    else this.#outlook.show();
  }

  /** clear forgets what they said: it was of another variant. */
  clear() {
    for (const tool of [...this.above, ...this.beside, ...this.elements]) tool.clear();
  }
}
