/**
 * What a reader who has solved a challenge is shown: the token, how others check it, why the repair works, what comes next.
 */

import { h, uniqueId } from "../dom.js";
import { copyText } from "../panel/copy.js";
import { catalogue } from "../site-data.js";
import { text } from "../text/index.js";
import { glyph } from "../views/figure.js";
import { linkTo, pageOf } from "./links.js";

/**
 * solvedBox makes it.
 * @param {string} slug
 * @param {import("../shapes.js").ChallengeText} challenge
 * @param {import("./progress.js").Solved} solved
 * @param {boolean} kept whether the browser keeps it
 */
export function solvedBox(slug, challenge, { token, edition }, kept) {
  const words = text.challenge.solved;
  if (edition !== challenge.edition) return h("p", { class: "lab-remark", "data-solved": "earlier" }, words.earlier);
  const field = h("textarea", { class: "lab-token lab-mono", id: uniqueId("token"), readonly: true, rows: 3, spellcheck: "false" });
  field.value = token;
  const copied = h("span", { role: "status" });
  const copy = async () => void (copied.textContent = await copyText(token, field));
  return h(
    "div",
    { class: "lab-solved-box", "data-solved": "now" },
    h("p", {}, glyph("good", "✓"), " ", h("strong", {}, words.heading), ` ${words.sentence}`),
    h("p", {}, challenge.explained),
    h("label", { for: field.id }, words.token),
    field,
    h("p", { class: "lab-copy-row" }, h("button", { type: "button", class: "lab-button lab-token-copy", onclick: copy }, words.copy), copied),
    !kept && h("p", { class: "lab-remark" }, words.notKept),
    h("p", { class: "lab-note" }, `${words.verify} `, linkTo(pageOf(), words.page), `${words.orElse} `, h("code", { class: "lab-mono" }, "python -m experiments verify TOKEN"), words.again),
    nextLink(slug),
  );
}

/**
 * nextLink leads to the challenge after this one; it is there once the index has been fetched.
 * @param {string} slug
 */
function nextLink(slug) {
  const words = text.challenge.solved;
  const line = h("p", { class: "lab-next" });
  const show = async () => {
    const challenges = (await catalogue()).experiments.filter((one) => one.challenge);
    const at = challenges.findIndex((one) => one.slug === slug);
    const next = challenges[at + 1];
    if (at >= 0 && next) line.append(`${words.next} `, linkTo(pageOf(next.slug), next.title));
    else line.append(`${words.last} `, linkTo(pageOf(), words.all));
  };
  show().catch(() => line.append(linkTo(pageOf(), words.all))); // the page of all challenges names the next one too
  return line;
}
