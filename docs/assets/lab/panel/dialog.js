/**
 * The two sheets that open over the page: keyboard help, and the code to embed an experiment. Modal dialogs of the
 * browser: Esc closes them and the focus goes back to where it was.
 */

import { h, uniqueId } from "../dom.js";
import { text } from "../text/index.js";
import { copyText } from "./copy.js";

/**
 * openHelp shows the keyboard map.
 * @param {HTMLElement} host the panel, whose colours the sheet takes
 */
export function openHelp(host) {
  const words = text.help;
  open(host, words.title, [h("p", {}, words.intro), keyList(words.keys), h("p", {}, words.steerIntro), keyList(words.steerKeys)], []);
}

/** @param {[string[], string][]} listed keys and what they do */
function keyList(listed) {
  const rows = listed.map(([keys, meaning]) => h("div", {}, h("dt", {}, ...keys.map((key) => h("kbd", {}, key))), h("dd", {}, meaning)));
  return h("dl", { class: "lab-keys" }, ...rows);
}

/**
 * openEmbed shows the code for another page.
 * @param {HTMLElement} host
 * @param {string} code
 */
export function openEmbed(host, code) {
  const words = text.share;
  const said = h("span", { role: "status", class: "lab-note" });
  const helpId = uniqueId("embed-help");
  const area = h("textarea", { class: "lab-embed-code lab-mono", readonly: true, rows: 10, spellcheck: "false", "aria-label": words.embedTitle, "aria-describedby": helpId });
  area.value = code;
  const copy = h("button", { type: "button", class: "lab-button lab-primary", autofocus: true, onclick: async () => (said.textContent = await copyText(code, area)) }, words.copy);
  open(host, words.embedTitle, [h("p", { id: helpId }, words.embedHelp), area], [copy, said]);
}

/**
 * open shows a sheet and removes it when it is closed.
 * @param {HTMLElement} host
 * @param {string} title
 * @param {Node[]} content
 * @param {Node[]} buttons that stand before Close
 */
function open(host, title, content, buttons) {
  const titleId = uniqueId("dialog-title");
  const close = h("button", { type: "button", class: "lab-button", onclick: () => dialog.close() }, text.share.close);
  const dialog = h("dialog", { class: "lab-dialog", "aria-labelledby": titleId }, h("p", { class: "lab-dialog-title", id: titleId }, title), ...content, h("div", { class: "lab-dialog-row" }, ...buttons, close));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  host.append(dialog);
  dialog.showModal();
}
