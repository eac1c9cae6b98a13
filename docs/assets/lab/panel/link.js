/**
 * Links to a moment of a run: `#run=SCHEDULE&at=POSITION&code=EDITS`. The schedule is the one that a report prints, which names
 * experiment, variant, parameters, seed, choices and faults; the code is there only where the run's programs were edited.
 * Decides the form, the limits, and what a link that cannot be used is told. Knows no panel.
 */

import { isObject } from "../messages.js";
import { text } from "../text/index.js";

/** Some programs cut links that are longer. */
export const LINK_LONG = 2048;

/** Longest fragment that is looked at, and most characters that its code may unpack to. */
const FRAGMENT_MAX = 100_000;
const CODE_MAX = 400_000;

const VERSION = "ol1";
const SCHEDULE = /^ol1~[a-z0-9-]+~[a-z0-9-]+~[0-9a-z_.-]+(~[a-z0-9_]+\.[A-Za-z0-9_.-]+)*$/;

/** isSchedule tells a text that reads like a schedule; whether it can be run, only Python tells. @param {string} text */
export const isSchedule = (text) => SCHEDULE.test(text);

/**
 * @typedef {object} Link
 * @property {string} schedule
 * @property {string} variant
 * @property {number | null} position null: where the reader would look first
 * @property {Record<string, string> | undefined} sources edited programs by file
 */

/** @typedef {{sentence: string, mine: boolean}} Problem `mine`: the link is certainly of the experiment that read it */

/**
 * writeLink writes the address of a moment.
 * @param {{page: string, schedule: string, position: number, sources?: Record<string, string>}} what page: its address
 */
export async function writeLink({ page, schedule, position, sources }) {
  const address = new URL(page);
  const code = sources && Object.keys(sources).length > 0 ? `&code=${await pack(JSON.stringify(sources))}` : "";
  address.hash = `run=${schedule}&at=${Math.max(position, 0)}${code}`; // of a game that begins there is no event yet
  return address.href;
}

/**
 * readLink reads a fragment. Both parts are null when it names no run, or one of another experiment of the page.
 * @param {string} fragment with its number sign
 * @param {import("../shapes.js").Experiment} experiment
 * @param {string[]} present slugs of the experiments on the page
 * @returns {Promise<{link: Link | null, problem: Problem | null}>}
 */
export async function readLink(fragment, experiment, present) {
  const nothing = { link: null, problem: null };
  if (!fragment.startsWith("#run=")) return nothing;
  const asked = new URLSearchParams(fragment.slice(1, FRAGMENT_MAX));
  const schedule = asked.get("run") ?? "";
  const [version, slug, variant] = schedule.split("~");
  const mine = slug === experiment.slug;
  /** @param {string} sentence */
  const refuse = (sentence) => ({ link: null, problem: { sentence, mine } });

  if (fragment.length > FRAGMENT_MAX) return refuse(text.link.tooLong(FRAGMENT_MAX));
  if (/^ol\d{1,9}$/.test(version) && version !== VERSION) return refuse(text.link.otherVersion(version, VERSION));
  if (!isSchedule(schedule)) return refuse(text.link.badSchedule);
  if (!mine) return present.includes(slug) ? nothing : refuse(text.link.notHere(slug));
  const known = experiment.variants.map(({ id }) => id);
  if (!known.includes(variant)) return refuse(text.link.unknownVariant(variant, known));
  const at = asked.get("at");
  if (at !== null && !/^\d{1,9}$/.test(at)) return refuse(text.link.badPosition);
  const code = asked.get("code");
  const sources = code === null ? undefined : await unpackSources(code, experiment.programs[variant] ?? []);
  if (sources === null) return refuse(text.link.badCode);
  return { link: { schedule, variant, position: at === null ? null : Number(at), sources }, problem: null };
}

/**
 * @param {string} code
 * @param {import("../shapes.js").Program[]} programs
 * @returns {Promise<Record<string, string> | null>}
 */
async function unpackSources(code, programs) {
  const files = programs.map(({ file }) => file);
  try {
    const sources = JSON.parse(await unpack(code));
    if (!isObject(sources) || Object.keys(sources).length === 0) return null;
    const whole = Object.entries(sources).every(([file, source]) => files.includes(file) && typeof source === "string");
    return whole ? sources : null;
  } catch {
    return null;
  }
}

/**
 * pack compresses text into characters that stand in an address as they are.
 * @param {string} source
 */
async function pack(source) {
  const stream = new Blob([source]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * unpack undoes pack, and stops where the text grows beyond all use: a short link may unpack to gigabytes.
 * @param {string} packed
 */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
  let source = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return source;
    source += value;
    if (source.length > CODE_MAX) {
      await reader.cancel();
      throw new RangeError("too long");
    }
  }
}
