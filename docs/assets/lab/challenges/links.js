/**
 * Where the pages of challenges are.
 */

import { h } from "../dom.js";
import { SITE } from "../site.js";

/** pageOf returns the address of a challenge's page; without a slug, of the page of all. @param {string} [slug] */
export const pageOf = (slug) => new URL(slug === undefined ? "challenges/" : `challenges/${encodeURIComponent(slug)}/`, SITE).href;

/**
 * linkTo makes a link; out of a frame it leads into a tab of its own.
 * @param {string} address
 * @param {string} words
 */
export function linkTo(address, words) {
  const framed = document.documentElement.classList.contains("lab-embed");
  return h("a", { href: address, ...(framed && { target: "_blank", rel: "noopener" }) }, words);
}
