/**
 * What an experiment does not show, behind a button.
 */

import { h, uniqueId } from "../dom.js";
import { text } from "../text/index.js";

/**
 * notShown returns the box, or nothing where there is nothing to say.
 * @param {string[]} points
 */
export function notShown(points) {
  if (points.length === 0) return [];
  const list = h("ul", { id: uniqueId("not-shown"), hidden: true }, ...points.map((point) => h("li", {}, point)));
  const toggle = () => {
    list.hidden = !list.hidden;
    button.setAttribute("aria-expanded", String(!list.hidden));
  };
  const button = h("button", { type: "button", class: "lab-link", "aria-expanded": "false", "aria-controls": list.id, onclick: toggle }, text.panel.notShown);
  return [h("div", { class: "lab-not-shown" }, button, list)];
}
