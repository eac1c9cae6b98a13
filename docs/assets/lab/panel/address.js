/**
 * The moment that the page's address asks for. Decides which of the page's panels tells of a link that cannot be used;
 * what a link may hold is link.js's.
 */

import { readLink } from "./link.js";

/**
 * askedMoment returns the link of the page's address if it is one to this experiment, and tells of one that cannot be used.
 * @param {HTMLElement} host the panel's element
 * @param {import("../shapes.js").Experiment} experiment
 * @param {(sentence: string) => void} tell
 */
export async function askedMoment(host, experiment, tell) {
  const { hash } = location;
  const panels = [...document.querySelectorAll("ownership-lab")];
  const { link, problem } = await readLink(hash, experiment, panels.map((panel) => panel.getAttribute("experiment") ?? ""));
  if (hash !== location.hash) return null; // another was asked for while this one was read
  // A link that cannot be read may name no experiment: then the page's first panel says so.
  if (problem && (problem.mine || host === panels[0])) tell(problem.sentence);
  return link;
}
