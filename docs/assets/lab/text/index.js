/**
 * Chooses the language of the panel from the page's `lang`. A second language is one more file of the same shape and
 * one more row here.
 */

import { en } from "./en.js";

/** @type {Record<string, typeof en>} */
const LANGUAGES = { en };

const lang = globalThis.document?.documentElement.lang.toLowerCase() ?? "";

export const text = LANGUAGES[lang] ?? LANGUAGES[lang.split("-")[0]] ?? en;
