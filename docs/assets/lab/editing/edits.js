/**
 * What the reader has changed in a variant's programs, kept in this browser.
 * Decides under which keys, what is kept, and when an edit is out of date. Knows no page and no editor.
 * A browser that refuses storage (a sandboxed frame, a full disk) costs only the keeping: the edit lives on in memory.
 */

/** Version of what is kept; another version is not understood and left alone. */
const VERSION = 1;

/**
 * @typedef {{text: string, published: string}} Edit the reader's text, and the published one that it began from
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store
 */

export class Edits {
  #store;
  #prefix = "";
  /** @type {Map<string, string>} file → published text, in the order of the variant */
  #published = new Map();
  /** @type {Map<string, Edit>} file → edit, only where it differs from what is published */
  #edits = new Map();
  /** @type {Map<string, Map<string, Edit>>} what the browser would not keep, by prefix */
  #unkept = new Map();

  /** @param {Store | null} [store] null keeps nothing beyond this page */
  constructor(store = browserStore()) {
    this.#store = store;
  }

  /**
   * choose turns to the programs of a variant and reads what was kept for it.
   * @param {string} slug
   * @param {string} variant
   * @param {import("../shapes.js").Program[]} programs
   * @param {Record<string, string>} [brought] edits that a link brings; the reader's own are neither used nor touched
   */
  choose(slug, variant, programs, brought) {
    this.#prefix = `ownership-lab:${brought ? "linked" : "edit"}:${slug}:${variant}:`;
    this.#published = new Map(programs.map(({ file, text }) => [file, text]));
    this.#edits = new Map();
    for (const [file, text] of Object.entries(brought ?? {})) this.set(file, text);
    for (const { file } of brought ? [] : programs) {
      const edit = this.#unkept.get(this.#prefix)?.get(file) ?? this.#read(file);
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
    return this.#keep(file, { text, published: began });
  }

  /**
   * accept lets an outdated edit stand beside the program as it is published now.
   * @param {string} file
   */
  accept(file) {
    const edit = this.#edits.get(file);
    return edit === undefined || this.#keep(file, { text: edit.text, published: this.published(file) });
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
      this.#unkept.get(this.#prefix)?.delete(file);
      return true;
    } catch {
      const unkept = this.#unkept.get(this.#prefix) ?? new Map();
      this.#unkept.set(this.#prefix, unkept.set(file, edit));
      return false;
    }
  }

  /** @param {string} file */
  #drop(file) {
    this.#edits.delete(file);
    this.#unkept.get(this.#prefix)?.delete(file);
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
      return whole ? { text: value.text, published: value.published } : null;
    } catch {
      return null; // not ours, or damaged; left as it is until the reader edits again
    }
  }
}

/** @returns {Store | null} */
function browserStore() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null; // a frame without an origin of its own may not even ask
  }
}
