/**
 * The foot of the panel: the trace's digest, the link to the moment shown, and the code to embed the experiment. Decides how addresses of embed pages
 * are written; embed.js reads them.
 */

import { define, h } from "../dom.js";
import { formatNumber } from "../format.js";
import { icon } from "../icons.js";
import { text } from "../text/index.js";
import { copyText } from "./copy.js";
import { openEmbed } from "./dialog.js";
import { LINK_LONG } from "./link.js";
import { notUsual } from "./parameter-check.js";

/** Enough of a digest to compare by eye. */
const DIGEST_SHOWN = 12;

/** Pixels that a frame takes before its page has said how much it needs. */
const FRAME_HEIGHT = 900;

export class LabShare extends HTMLElement {
  #digest = h("span", { class: "lab-mono lab-digest" });
  #copied = h("span", { class: "lab-note", role: "status" });
  /** The link, where it could not be copied. */
  #shown = h("p", { class: "lab-mono lab-shown-link", hidden: true });
  #whole = "";
  /** @type {() => string} */
  code = () => "";
  /** @type {() => Promise<{address: string, remark: string}>} remark: what the link lacks */
  link = async () => ({ address: "", remark: "" });

  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add("lab-share");
    const words = text.share;
    const copy = async () => (this.#copied.textContent = await copyText(this.#whole, this.#digest));
    this.append(
      h("span", { class: "lab-share-label" }, words.digest),
      this.#digest,
      h("button", { type: "button", class: "lab-icon-button lab-copy-digest", "aria-label": words.copyDigest, title: words.copyDigest, onclick: copy }, icon("copy")),
      this.#copied,
      h("span", { class: "lab-spring" }),
      h("button", { type: "button", class: "lab-link lab-copy-link", onclick: () => this.#copyLink() }, words.link),
      h("button", { type: "button", class: "lab-link lab-copy-embed", onclick: () => openEmbed(this, this.code()) }, words.embed),
      this.#shown,
    );
  }

  async #copyLink() {
    const { address, remark } = await this.link();
    const said = await copyText(address, this.#shown);
    const long = address.length > LINK_LONG ? text.share.longLink(formatNumber(address.length)) : "";
    this.#shown.hidden = said === text.share.copied;
    this.#copied.textContent = [said, long, remark].filter(Boolean).join(" ");
  }

  /** @param {string} digest */
  show(digest) {
    this.#whole = digest;
    this.dataset.digest = digest;
    this.#digest.textContent = digest.slice(0, DIGEST_SHOWN);
    this.#copied.textContent = "";
    this.#shown.hidden = true;
  }
}

/**
 * embedCode writes what another page needs: the frame, and the script that gives it its height.
 * @param {{base: URL, experiment: import("../shapes.js").Experiment, variant: string, parameters: Record<string, any>}} what
 *   base: the site's folder that holds `embed/` and `assets/`
 */
export function embedCode({ base, experiment, variant, parameters }) {
  const address = new URL(`embed/${experiment.slug}/`, base);
  address.searchParams.set("variant", variant);
  const changed = notUsual(experiment.parameters, parameters);
  if (changed.length > 0) address.searchParams.set("parameters", JSON.stringify(Object.fromEntries(changed.map(({ name }) => [name, parameters[name]]))));
  const script = new URL("assets/lab/embed-host.js", base);
  return (
    `<iframe title="${attribute(experiment.title)}" src="${attribute(address.href)}"\n` +
    `  sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox" allow="clipboard-write"\n` +
    `  loading="lazy" width="100%" height="${FRAME_HEIGHT}" style="border:0"></iframe>\n` +
    `<script async src="${attribute(script.href)}"></script>`
  );
}

/** @param {string} value */
function attribute(value) {
  return value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

define("lab-share", LabShare);
