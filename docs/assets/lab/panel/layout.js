/**
 * Where the parts of a panel stand. Decides their order, and that few readings stand beside the picture; what the parts do is
 * theirs.
 */

import { h, uniqueId } from "../dom.js";
import { text } from "../text/index.js";

/** More readings than this stand under the picture instead of beside it. */
const READINGS_BESIDE_MAX = 3;

/**
 * @typedef {object} Parts
 * @property {HTMLElement} remarks
 * @property {HTMLElement[]} above
 * @property {HTMLElement} scene
 * @property {HTMLElement} readings
 * @property {HTMLElement[]} run
 * @property {HTMLElement[]} below
 * @property {HTMLElement[]} foot
 */

/**
 * layout returns a panel's children in order.
 * @param {import("../shapes.js").Experiment} experiment
 * @param {Parts} parts
 */
export function layout(experiment, { remarks, above, scene, readings, run, below, foot }) {
  const few = experiment.readings.length <= READINGS_BESIDE_MAX;
  const side = h("div", { class: "lab-side" }, readings);
  const head = [
    h("p", { class: "lab-kicker" }, experiment.kicker),
    h("h2", { class: "lab-title" }, experiment.title),
    h("p", { class: "lab-question" }, experiment.question),
    h("p", { class: "lab-summary" }, experiment.summary),
  ];
  return [
    h("div", { class: "lab-head" }, ...head, remarks),
    ...above,
    // Picture and timeline stay together: whoever scrubs wants to see the picture change.
    h("div", { class: few ? "lab-stage lab-few" : "lab-stage" }, scene, ...(few ? [side] : [])),
    h("div", { class: "lab-run-view" }, ...run),
    ...(few ? [] : [side]),
    ...below,
    ...notShown(experiment.not_shown),
    ...foot,
  ];
}

/**
 * notShown returns the box, or nothing where there is nothing to say.
 * @param {string[]} points
 */
function notShown(points) {
  if (points.length === 0) return [];
  const list = h("ul", { id: uniqueId("not-shown"), hidden: true }, ...points.map((point) => h("li", {}, point)));
  const toggle = () => {
    list.hidden = !list.hidden;
    button.setAttribute("aria-expanded", String(!list.hidden));
  };
  const button = h("button", { type: "button", class: "lab-link", "aria-expanded": "false", "aria-controls": list.id, onclick: toggle }, text.panel.notShown);
  return [h("div", { class: "lab-not-shown" }, button, list)];
}

/**
 * showAllButton ends the compact form; lanes can only be laid out then.
 * @param {HTMLElement} host
 * @param {HTMLElement} timeline
 */
export function showAllButton(host, timeline) {
  const showAll = () => {
    host.removeAttribute("compact");
    timeline.querySelector("button")?.focus({ preventScroll: true });
  };
  return h("button", { type: "button", class: "lab-link lab-show-all", onclick: showAll }, text.panel.showAll);
}
