/**
 * Brings the Python runtime from the site to the page: its list of files, the compiled module, the archive.
 *
 * Decides what is downloaded and how progress is counted. Knows nothing of workers or runs. The WebAssembly is compiled
 * while it streams in, once per page; the module is then posted to every worker.
 *
 * Progress is in bytes to download. A response's Content-Length is the compressed size on a host that compresses, and the
 * stream gives decoded bytes, so neither alone makes a fraction: `runtime.json` tells both sizes, decoded bytes are counted
 * as they come, and each file's share is scaled to its compressed size.
 */

import { isCount, isObject, isText } from "./messages.js";
import { sentence } from "./runtime-texts.js";

const MANIFEST = new URL("./data/runtime.json", import.meta.url);
const RUNTIMES = new URL("../runtime/", import.meta.url);
const MODULE_FILE = "pyodide.asm.wasm";
const ARCHIVE_FILE = "python.tar.gz";

// A stalled connection is told apart from a slow one by silence; mobile networks recover from shorter gaps by themselves.
const SILENCE_MS_MAX = 30_000;

/** @typedef {{name: string, bytes: number, gzip_bytes: number}} RuntimeFile */
/** @typedef {{version: 1, folder: string, lock: object, files: RuntimeFile[]}} Manifest */
/** @typedef {{stage: "download" | "compile" | "start", loaded: number, total: number}} Progress */
/** @typedef {{module: WebAssembly.Module, archive: ArrayBuffer, lock: string}} Parts */

/** LoadError carries a sentence for the reader. */
export class LoadError extends Error {}

/** fetchManifest asks the site for its present runtime, past the cache: a newer deployment has another folder. @returns {Promise<Manifest>} */
export async function fetchManifest() {
  const response = await request(MANIFEST, { cache: "no-cache" });
  const value = await response.json().catch(() => null);
  if (!isManifest(value)) throw new LoadError(sentence("manifestBroken", MANIFEST.pathname));
  return value;
}

/** folderOf gives the absolute address of a runtime's folder. @param {Manifest} manifest */
export const folderOf = (manifest) => new URL(`${manifest.folder}/`, RUNTIMES).href;

/** Counts bytes of all files of a runtime into one progress. */
export class Tally {
  #files;
  #fractions = new Map();
  #stage = /** @type {Progress["stage"]} */ ("download");

  /** @param {Manifest} manifest @param {(progress: Progress) => void} report */
  constructor(manifest, report) {
    this.#files = manifest.files;
    this.report = report;
  }

  /** set notes how much of a file has come. @param {string} name @param {number} bytes decoded bytes */
  set(name, bytes) {
    const file = this.#files.find((candidate) => candidate.name === name);
    if (file) this.#fractions.set(name, file.bytes ? Math.min(1, bytes / file.bytes) : 1);
    const complete = [MODULE_FILE, ARCHIVE_FILE].every((each) => this.#fractions.get(each) === 1);
    this.tell(complete ? "compile" : this.#stage);
  }

  /** finish notes files that came by another way than through this page. @param {string[]} names */
  finish(names) {
    for (const name of names) this.#fractions.set(name, 1);
    this.tell(this.#stage);
  }

  /** tell reports the present sum. @param {Progress["stage"]} stage */
  tell(stage) {
    this.#stage = stage;
    const total = this.#files.reduce((sum, file) => sum + file.gzip_bytes, 0);
    const loaded = this.#files.reduce((sum, file) => sum + file.gzip_bytes * (this.#fractions.get(file.name) ?? 0), 0);
    this.report({ stage, loaded: Math.round(loaded), total });
  }
}

/** downloadParts fetches what workers are started from, and compiles. @param {Manifest} manifest @param {Tally} tally @returns {Promise<Parts>} */
export async function downloadParts(manifest, tally) {
  const folder = folderOf(manifest);
  const [module, archive] = await Promise.all([
    counted(folder, MODULE_FILE, tally).then(compile),
    counted(folder, ARCHIVE_FILE, tally).then(decompress),
  ]);
  return { module, archive, lock: JSON.stringify(manifest.lock) };
}

/** compile compiles while streaming. @param {Response} response @returns {Promise<WebAssembly.Module>} */
async function compile(response) {
  try {
    return await WebAssembly.compileStreaming(response);
  } catch (error) {
    if (error instanceof LoadError) throw error;
    throw new LoadError(sentence("noWebAssembly", String(error)));
  }
}

/** decompress gives the tar. Some hosts mark .gz as a content encoding; then the browser has decoded it. @param {Response} response */
async function decompress(response) {
  const data = await response.arrayBuffer();
  const [first, second] = new Uint8Array(data.slice(0, 2));
  const compressed = first === 0x1f && second === 0x8b;
  const tar = compressed ? await gunzip(data) : data;
  if (!isTar(tar)) throw new LoadError(sentence("fileMissing", ARCHIVE_FILE));
  return tar;
}

/** gunzip refuses what was cut off on the way. @param {ArrayBuffer} data */
function gunzip(data) {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer().catch(() => {
    throw new LoadError(sentence("fileMissing", ARCHIVE_FILE));
  });
}

/** isTar tells a tar by its mark, from any page that a host may send in its place. @param {ArrayBuffer} data */
const isTar = (data) => new TextDecoder().decode(data.slice(257, 262)) === "ustar";

/**
 * counted fetches a runtime file; its body reports to the tally as it is read, and fails after too long a silence.
 * @param {string} folder @param {string} name @param {Tally} tally @returns {Promise<Response>}
 */
async function counted(folder, name, tally) {
  const abort = new AbortController();
  const response = await request(new URL(name, folder), { signal: abort.signal });
  if (!response.body) throw new LoadError(sentence("fileMissing", name));
  const reader = response.body.getReader();
  let bytes = 0;
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await withinSilence(reader.read());
        if (done) return controller.close();
        bytes += value.byteLength;
        tally.set(name, bytes);
        controller.enqueue(value);
      } catch (error) {
        abort.abort();
        controller.error(error instanceof LoadError ? error : new LoadError(sentence("fileMissing", name)));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  // Hosts that do not know .wasm send another type, with which streaming compilation would refuse.
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(body, { headers: { "content-type": type } });
}

/** withinSilence fails when nothing comes for too long. @template T @param {Promise<T>} promise @returns {Promise<T>} */
function withinSilence(promise) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new LoadError(sentence("stalled", SILENCE_MS_MAX / 1000))), SILENCE_MS_MAX);
  });
  return Promise.race([promise, /** @type {Promise<never>} */ (silence)]).finally(() => clearTimeout(timer));
}

/** request is fetch with one kind of error. @param {URL} address @param {RequestInit} [options] */
async function request(address, options) {
  const name = address.pathname.split("/").pop() ?? "";
  const response = await withinSilence(fetch(address, options)).catch((error) => {
    throw error instanceof LoadError ? error : new LoadError(sentence("fileMissing", name));
  });
  if (!response.ok) throw new LoadError(sentence("fileMissing", `${name}: ${response.status}`));
  return response;
}

/** isManifest guards runtime.json. @param {unknown} value @returns {value is Manifest} */
function isManifest(value) {
  return (
    isObject(value) &&
    value.version === 1 &&
    isText(value.folder) &&
    /^[0-9a-f]+$/.test(value.folder) &&
    isObject(value.lock) &&
    Array.isArray(value.files) &&
    value.files.every((file) => isObject(file) && isText(file.name) && isCount(file.bytes) && isCount(file.gzip_bytes))
  );
}
