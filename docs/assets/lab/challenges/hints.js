/**
 * A challenge's hints, one after another, and after the last one the reference repair, to read. Decides only what is shown when.
 */

import { h, uniqueId } from "../dom.js";
import { formatNumber } from "../format.js";
import { LabListing } from "../inspect/listing.js";
import { text } from "../text/index.js";

/**
 * hintsBox makes it.
 * @param {import("../shapes.js").ChallengeText} challenge
 */
export function hintsBox({ file, hints, reference, explained }) {
  const words = text.challenge;
  const list = h("ol", { class: "lab-hints", "aria-label": words.hints, "aria-live": "polite" });
  const next = h("button", { type: "button", class: "lab-button lab-hint-next" });
  const listing = new LabListing();
  const box = h("div", { class: "lab-reference", id: uniqueId("reference"), hidden: true }, h("p", { class: "lab-note" }, words.referenceNote), listing, h("p", {}, explained));
  const toggle = h("button", { type: "button", class: "lab-button lab-reference-toggle", "aria-expanded": "false", "aria-controls": box.id, hidden: true }, words.reference);

  const offer = () => {
    const shown = list.children.length;
    next.textContent = words.hint(formatNumber(shown + 1), formatNumber(hints.length));
    if (shown < hints.length) return;
    const focused = document.activeElement === next;
    next.hidden = true;
    toggle.hidden = false;
    if (focused) toggle.focus();
  };
  next.addEventListener("click", () => {
    list.append(h("li", {}, hints[list.children.length]));
    offer();
  });
  toggle.addEventListener("click", () => {
    box.hidden = !box.hidden;
    toggle.setAttribute("aria-expanded", String(!box.hidden));
    toggle.textContent = box.hidden ? words.reference : words.hideReference;
    if (!box.hidden) listing.open(words.referenceFile(file), reference, () => 0);
  });
  offer();
  return h("div", { class: "lab-hints-box" }, list, next, toggle, box);
}
