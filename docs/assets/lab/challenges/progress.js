/**
 * Which challenges a reader has solved, kept in this browser with their tokens.
 * Decides under which keys, and what a kept entry must be to count. Knows no page. A browser that refuses storage costs only the
 * keeping: what was solved lives on in memory.
 */

import { browserStore } from "../editing/edits.js";

/** Version of what is kept; another version is not understood and left alone. */
const VERSION = 1;
const PREFIX = "ownership-lab:solved:";
/** The longest token that Python reads. */
export const TOKEN_MAX = 300_000;

/**
 * @typedef {object} Solved
 * @property {string} token
 * @property {string} edition of the published programs that the token fits
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store
 */

/**
 * What the browser would not keep. It lives as long as this module, which instant navigation keeps.
 * @type {Map<string, Solved>}
 */
const UNKEPT = new Map();

export class Progress {
  #store;

  /** @param {Store | null} [store] null keeps nothing beyond this page */
  constructor(store = browserStore()) {
    this.#store = store;
  }

  /**
   * solved returns what is kept of a challenge, or null.
   * @param {string} slug
   * @returns {Solved | null}
   */
  solved(slug) {
    return UNKEPT.get(slug) ?? this.#read(slug);
  }

  /** keeps says whether what is kept of a challenge outlives this page. @param {string} slug */
  keeps(slug) {
    return !UNKEPT.has(slug);
  }

  /**
   * keep remembers that a challenge was solved. Returns false where the browser refused to keep it beyond this page.
   * @param {string} slug
   * @param {Solved} solved
   */
  keep(slug, { token, edition }) {
    try {
      if (!this.#store) throw new Error("this browser keeps nothing");
      this.#store.setItem(PREFIX + slug, JSON.stringify({ version: VERSION, token, edition }));
      UNKEPT.delete(slug);
      return true;
    } catch {
      UNKEPT.set(slug, { token, edition });
      return false;
    }
  }

  /**
   * forget drops these challenges. Returns false where the browser refused.
   * @param {string[]} slugs
   */
  forget(slugs) {
    try {
      for (const slug of slugs) {
        UNKEPT.delete(slug);
        this.#store?.removeItem(PREFIX + slug);
      }
      return true;
    } catch {
      return false;
    }
  }

  /**
   * @param {string} slug
   * @returns {Solved | null}
   */
  #read(slug) {
    try {
      const value = JSON.parse(this.#store?.getItem(PREFIX + slug) ?? "null");
      const whole = value?.version === VERSION && typeof value.edition === "string" && isToken(value.token, slug);
      return whole ? { token: value.token, edition: value.edition } : null;
    } catch {
      return null; // not ours, or damaged; left as it is until the reader solves the challenge again
    }
  }
}

/**
 * isToken tells a text that reads like a token of that challenge; whether it is one, only its checks tell.
 * @param {unknown} token
 * @param {string} slug
 */
function isToken(token, slug) {
  return typeof token === "string" && token.length <= TOKEN_MAX && token.startsWith(`olc1~${slug}~`);
}
