/**
 * The scene: the pictures that an experiment chose for its run, at a position. Decides which drawing a view gets (VIEWS);
 * each drawing is a figure of its own with a text alternative.
 */

import { define, h } from "../dom.js";
import { text } from "../text/index.js";
import { CardsFigure } from "./cards.js";
import { CellsFigure } from "./cells.js";
import { DotsFigure } from "./dots.js";
import { SeriesFigure } from "./series.js";

/** @typedef {{element: HTMLElement, move: (position: number, at_us: number) => void, resize?: () => void}} Figure */

/** @type {Record<string, (view: any, endUs: number) => Figure>} */
const VIEWS = {
  cells: (view) => new CellsFigure(view),
  series: (view, endUs) => new SeriesFigure(view, endUs),
  dots: (view, endUs) => new DotsFigure(view, endUs),
  cards: (view) => new CardsFigure(view),
};

export class LabScene extends HTMLElement {
  /** @type {Figure[]} */
  #figures = [];
  #resize = new ResizeObserver(() => this.#figures.forEach((figure) => figure.resize?.()));

  connectedCallback() {
    this.classList.add("lab-scene");
    this.#resize.observe(this);
  }

  disconnectedCallback() {
    this.#resize.disconnect();
  }

  /**
   * show draws other views. Call `move` afterwards.
   * @param {import("../shapes.js").View[]} views
   * @param {number} endUs the instant at which drawings along time end
   */
  show(views, endUs) {
    this.#figures = views.map((view) => (VIEWS[view.view] ?? unknownView)(view, endUs));
    this.replaceChildren(...this.#figures.map((figure) => figure.element));
    for (const figure of this.#figures) figure.resize?.();
  }

  /**
   * move shows a position of the run.
   * @param {number} position
   * @param {number} at_us
   */
  move(position, at_us) {
    for (const figure of this.#figures) figure.move(position, at_us);
  }
}

/**
 * unknownView says that the page is older than the report, in the view's place.
 * @param {import("../shapes.js").View} view
 * @returns {Figure}
 */
function unknownView(view) {
  return { element: h("p", { class: "lab-note" }, text.views.newer(String(view.view))), move: () => {} };
}

define("lab-scene", LabScene);
