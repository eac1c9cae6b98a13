/**
 * Reads the attributes of an element: which variant, which parameters, which position. What it does not know, it says, and
 * the rest still counts. Pure.
 */

import { formatJson } from "../format.js";
import { text } from "../text/index.js";

/** Themes that an element or an address may ask for; what they look like is in the style sheets. */
const THEMES = ["light", "dark", "auto"];

/** Longest piece of an address that a sentence repeats. */
const QUOTED_MAX = 40;

/**
 * @typedef {object} Settings
 * @property {import("../shapes.js").Variant} variant
 * @property {Record<string, any>} parameters those given by name
 * @property {number | null} position
 * @property {string[]} remarks sentences about what was not understood
 */

/**
 * readSettings reads them against the experiment's declaration.
 * @param {import("../shapes.js").Experiment} experiment
 * @param {{variant: string | null, parameters: string | null, position: string | null, theme: string | null}} given
 * @returns {Settings}
 */
export function readSettings(experiment, given) {
  const remarks = [];
  const known = experiment.variants.map(({ id }) => id);
  const variant = experiment.variants.find(({ id }) => id === given.variant);
  if (given.variant && !variant) remarks.push(text.panel.unknownVariant(formatJson(given.variant, QUOTED_MAX), known));
  const { parameters, remark } = readParameters(experiment, given.parameters);
  if (remark) remarks.push(remark);
  const position = given.position !== null && /^\d+$/.test(given.position) ? Number(given.position) : null;
  if (given.position && position === null) remarks.push(text.panel.badPosition(formatJson(given.position, QUOTED_MAX)));
  if (given.theme && !THEMES.includes(given.theme)) remarks.push(text.panel.unknownTheme(formatJson(given.theme, QUOTED_MAX), THEMES));
  return { variant: variant ?? experiment.variants[0], parameters, position, remarks };
}

/**
 * @param {import("../shapes.js").Experiment} experiment
 * @param {string | null} given
 */
function readParameters(experiment, given) {
  if (!given) return { parameters: {}, remark: null };
  const value = parse(given);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { parameters: {}, remark: text.panel.badParameters };
  const names = experiment.parameters.map(({ name }) => name);
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  const parameters = Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
  return { parameters, remark: unknown.length > 0 ? text.panel.unknownParameters(unknown.map((name) => formatJson(name, QUOTED_MAX)), names) : null };
}

/** @param {string} given */
function parse(given) {
  try {
    return JSON.parse(given);
  } catch {
    return null;
  }
}
