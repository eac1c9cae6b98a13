/**
 * What was built with the site: the index of experiments, one file per experiment, and one recorded run per variant.
 * Decides their addresses, and that what cannot be fetched or read is told in a sentence. Knows nothing of Python.
 */

import { isObject } from "./messages.js";
import { sentence } from "./runtime-texts.js";

const DATA = new URL("./data/", import.meta.url);

/** catalogue gives the index of the experiments. @returns {Promise<import("./shapes.js").Catalogue>} */
export async function catalogue() {
  const value = await fetchData("experiments.json");
  if (!isObject(value) || value.version !== 1 || !Array.isArray(value.experiments)) throw missing("experiments.json");
  return /** @type {any} */ (value);
}

/**
 * described gives one experiment's whole description, or a list of the slugs that there are where it is none of them.
 * @param {string} slug
 * @returns {Promise<{description: unknown} | {known: string[]}>}
 */
export async function described(slug) {
  try {
    return { description: await fetchData(`experiments/${encodeURIComponent(slug)}.json`) };
  } catch (error) {
    const known = (await catalogue()).experiments.map((one) => one.slug);
    if (known.includes(slug)) throw error;
    return { known };
  }
}

/**
 * recorded gives the run that was recorded when the site was built; whoever draws it checks its version.
 * @param {string} slug
 * @param {string} variant
 */
export const recorded = (slug, variant) => fetchData(`recorded/${encodeURIComponent(slug)}/${encodeURIComponent(variant)}.json`);

/** @param {string} path @returns {Promise<unknown>} */
async function fetchData(path) {
  try {
    const response = await fetch(new URL(path, DATA));
    if (response.ok) return await response.json();
  } catch {
    // told below, as an answer that is none
  }
  throw missing(path);
}

/** @param {string} path */
const missing = (path) => new Error(sentence("dataMissing", path));
