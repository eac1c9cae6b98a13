/**
 * What the reader has changed in a variant's programs, kept in this browser.
 * Decides under which keys, what is kept, and when an edit is out of date. Knows no page and no editor.
 * A browser that refuses storage (a sandboxed frame, a full disk) costs only the keeping: the edit lives on in memory.
 */

/** Version of what is kept; another version is not understood and left alone. */
const VERSION = 1;

/**
 * @typedef {object} Edit
 * @property {string} text the reader's
 * @property {string} published the published text that it began from
 * @property {string} [brought] the text that it began from where a link brought it
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store
 */

/**
 * What the browser would not keep, by prefix and file. It lives as long as this module, which instant navigation keeps.
 * @type {Map<string, Map<string, Edit>>}
 */
const UNKEPT = new Map();

export class Edits {
  #store;
  #prefix = "";
  /** @type {Map<string, string>} file → published text, in the order of the variant */
  #published = new Map();
  /** @type {Map<string, Edit>} file → edit, only where it differs from what is published */
  #edits = new Map();
  /** @type {Map<string, string> | null} file → text that the reader of a link began from */
  #brought = null;

  /** @param {Store | null} [store] null keeps nothing beyond this page */
  constructor(store = browserStore()) {
    this.#store = store;
  }

  /**
   * choose turns to the programs of a variant and reads what was kept for it.
   * @param {string} slug
   * @param {string} variant
   * @param {import("../shapes.js").Program[]} programs
   * @param {Record<string, string>} [brought] edits that a link brings; the reader's own are neither used nor touched, and
   *   what the reader made of these very texts is there again
   */
  choose(slug, variant, programs, brought) {
    this.#prefix = `ownership-lab:${brought ? "linked" : "edit"}:${slug}:${variant}:`;
    this.#published = new Map(programs.map(({ file, text }) => [file, text]));
    this.#edits = new Map();
    this.#brought = brought ? new Map([...this.#published, ...Object.entries(brought)]) : null;
    for (const { file } of programs) {
      const kept = UNKEPT.get(this.#prefix)?.get(file) ?? this.#read(file);
      const from = this.#brought?.get(file);
      const edit = from === undefined || kept?.brought === from ? kept : { text: from, published: this.published(file) };
      if (edit && edit.text !== this.#published.get(file)) this.#edits.set(file, edit);
    }
  }

  /**
   * text returns a program as the reader has it.
   * @param {string} file
   */
  text(file) {
    return this.#edits.get(file)?.text ?? this.published(file);
  }

  /** @param {string} file */
  published(file) {
    return this.#published.get(file) ?? "";
  }

  /** @param {string} file */
  edited(file) {
    return this.#edits.has(file);
  }

  /** count says how many programs of the variant differ from what is published. */
  get count() {
    return this.#edits.size;
  }

  /**
   * outdated says whether the published program has changed since the edit began.
   * @param {string} file
   */
  outdated(file) {
    const edit = this.#edits.get(file);
    return edit !== undefined && edit.published !== this.published(file);
  }

  /** sources returns what a run needs to be given: the edited programs, or undefined where there are none. */
  sources() {
    if (this.#edits.size === 0) return undefined;
    return Object.fromEntries([...this.#edits].map(([file, { text }]) => [file, text]));
  }

  /**
   * set keeps the reader's text; the published text itself is no edit. Returns false where the browser refused to keep it
   * beyond this page.
   * @param {string} file
   * @param {string} text
   */
  set(file, text) {
    if (text === this.published(file)) return this.#drop(file);
    const began = this.#edits.get(file)?.published ?? this.published(file);
    return this.#keep(file, { text, published: began, brought: this.#brought?.get(file) });
  }

  /**
   * accept lets an outdated edit stand beside the program as it is published now.
   * @param {string} file
   */
  accept(file) {
    const edit = this.#edits.get(file);
    return edit === undefined || this.#keep(file, { ...edit, published: this.published(file) });
  }

  /**
   * @param {string} file
   * @param {Edit} edit
   */
  #keep(file, edit) {
    this.#edits.set(file, edit);
    try {
      if (!this.#store) throw new Error("this browser keeps nothing");
      this.#store.setItem(this.#prefix + file, JSON.stringify({ version: VERSION, ...edit }));
      UNKEPT.get(this.#prefix)?.delete(file);
      return true;
    } catch {
      const unkept = UNKEPT.get(this.#prefix) ?? new Map();
      UNKEPT.set(this.#prefix, unkept.set(file, edit));
      return false;
    }
  }

  /** @param {string} file */
  #drop(file) {
    this.#edits.delete(file);
    UNKEPT.get(this.#prefix)?.delete(file);
    try {
      this.#store?.removeItem(this.#prefix + file);
    } catch {
      return false;
    }
    return true;
  }

  /**
   * @param {string} file
   * @returns {Edit | null}
   */
  #read(file) {
    try {
      const value = JSON.parse(this.#store?.getItem(this.#prefix + file) ?? "null");
      const whole = value?.version === VERSION && typeof value.text === "string" && typeof value.published === "string";
      return whole ? { text: value.text, published: value.published, brought: value.brought } : null;
    } catch {
      return null; // not ours, or damaged; left as it is until the reader edits again
    }
  }
}

/** browserStore gives what this browser keeps for the site, or null where it keeps nothing. @returns {Store | null} */
export function browserStore() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null; // a frame without an origin of its own may not even ask
  }
}
