/**
 * The frame and the words that all views share.
 */

import { h } from "../dom.js";
import { TONES, toneOf } from "../tones.js";

/**
 * figure makes the frame of a view: caption, drawing, legend, in the order given.
 * @param {{id: string, label: string, view: string}} view
 * @param {...import("../dom.js").Child} children
 */
export function figure(view, ...children) {
  return h("figure", { class: `lab-figure lab-${view.view}`, "data-view": view.id }, h("figcaption", { class: "lab-caption" }, view.label), ...children);
}

/**
 * glyph makes the mark of a tone; it says nothing to screen readers, since a word always stands beside it.
 * @param {string | undefined} tone
 * @param {string} [own] a glyph that the view chose itself
 */
export function glyph(tone, own) {
  const known = toneOf(tone);
  return h("span", { class: `lab-glyph lab-tone-${known}`, "aria-hidden": "true" }, own ?? TONES[known].glyph);
}
