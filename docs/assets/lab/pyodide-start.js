/**
 * Starts Python inside a worker from what the page already holds: a compiled WebAssembly module and the Python archive.
 *
 * Decides how Pyodide is started (nothing but the lab's own files, no output, no access to the worker's globals). Knows
 * nothing of messages or of what will be run.
 *
 * Pyodide has no option to hand over a compiled module: it fetches `pyodide.asm.wasm` and compiles it itself. Compiling in
 * each worker would cost every Stop the most expensive step again, so its fetches are answered from memory while it starts,
 * and its WebAssembly hook is replaced. The standard library comes from the archive, in a folder that is on Python's path;
 * the zip that Pyodide asks for is answered with nothing, and Python passes over it.
 */

const MODULE_FILE = "pyodide.asm.wasm";
const LIBRARY_ZIP = "python_stdlib.zip";

// The folder in Python's file system that tools/pack_compile.py compiled the archive for.
const LIBRARY_FOLDER = "/lib/lab";

/** @typedef {{loadPyodide: (options: object) => Promise<any>, createModule: (settings: any) => Promise<any>}} Scripts */

/** importScripts loads Pyodide's two scripts from the runtime folder. @param {string} folder @returns {Promise<Scripts>} */
export async function importScripts(folder) {
  const [loader, glue] = await Promise.all([import(`${folder}pyodide.mjs`), import(`${folder}pyodide.asm.mjs`)]);
  return { loadPyodide: loader.loadPyodide, createModule: glue.default };
}

/**
 * startPython gives a ready Pyodide.
 * @param {Scripts} scripts
 * @param {string} folder address of the runtime folder, ending in a slash
 * @param {{module: WebAssembly.Module, archive: ArrayBuffer, lock: string}} parts
 * @param {object} globals what Python code sees as `js`
 * @returns {Promise<any>}
 */
export async function startPython(scripts, folder, { module, archive, lock }, globals) {
  const complaints = /** @type {string[]} */ ([]);
  const giveBack = answerFetchesFromMemory({
    [folder + MODULE_FILE]: () => new Response(),
    [folder + LIBRARY_ZIP]: () => new Response(),
  });
  try {
    const pyodide = await scripts.loadPyodide({
      indexURL: folder,
      stdLibURL: folder + LIBRARY_ZIP,
      env: { PYTHONPATH: LIBRARY_FOLDER },
      fsInit: async (/** @type {any} */ files) => unpack(archive, files),
      packageBaseUrl: folder,
      lockFileContents: lock,
      jsglobals: globals,
      stdin: () => null,
      stdout: () => {},
      stderr: (/** @type {string} */ line) => complaints.push(line),
      createPyodideModule: (/** @type {any} */ settings) =>
        scripts.createModule({ ...settings, instantiateWasm: instantiate(module) }),
    });
    // A program may print without end. What the lab shows, Python collects itself; nothing else leaves the worker.
    pyodide.setStdout({ write: swallow });
    pyodide.setStderr({ write: swallow });
    return pyodide;
  } catch (error) {
    throw new Error([String(error), ...complaints.slice(-3)].join(" "));
  } finally {
    giveBack();
  }
}

/**
 * settle ends the start, once everything is imported. What is here now stays, so no collection need look at it; until now
 * there were none at all (tools/pack_startup.py).
 * @param {any} pyodide
 */
export function settle(pyodide) {
  const garbage = pyodide.pyimport("gc");
  garbage.freeze();
  garbage.enable();
  return garbage;
}

/** unpack writes the files of a tar into Python's file system, without copying them. @param {ArrayBuffer} archive @param {any} files */
function unpack(archive, files) {
  const bytes = new Uint8Array(archive);
  const text = (/** @type {number} */ from, /** @type {number} */ length) =>
    new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*$/s, "");
  const folders = new Set();
  // A header block of 512 bytes (name at 0, size in octal at 124, front part of a long name at 345), then the content,
  // filled up to whole blocks; an empty block ends the archive.
  for (let at = 0; bytes[at]; ) {
    const front = text(at + 345, 155);
    const path = `${LIBRARY_FOLDER}/${front ? `${front}/` : ""}${text(at, 100)}`;
    const size = parseInt(text(at + 124, 12), 8);
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(parent)) files.mkdirTree(parent);
    folders.add(parent);
    files.writeFile(path, bytes.subarray(at + 512, at + 512 + size), { canOwn: true });
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

/** swallow is an output handler that keeps nothing. @param {Uint8Array} bytes @returns {number} */
const swallow = (bytes) => bytes.length;

/**
 * instantiate makes Emscripten's hook for a module that is compiled already. Pyodide's own hook also supplies two imports
 * that mark a failed call into JavaScript; the marker here is the one that it uses where the faster one is missing.
 * @param {WebAssembly.Module} module
 */
function instantiate(module) {
  return (/** @type {any} */ imports, /** @type {(instance: WebAssembly.Instance, module: WebAssembly.Module) => void} */ done) => {
    const marker = Symbol("error marker");
    imports.env.Jsv_GetError_import = () => marker;
    imports.env.JsvError_Check = (/** @type {unknown} */ value) => Number(value === marker);
    WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
    return {};
  };
}

/**
 * answerFetchesFromMemory stands in for `fetch` until the returned function is called.
 * @param {Record<string, () => Response>} responses by address
 */
function answerFetchesFromMemory(responses) {
  const original = globalThis.fetch;
  globalThis.fetch = (input, options) => {
    const found = responses[input instanceof Request ? input.url : String(input)];
    return found ? Promise.resolve(found()) : original(input, options);
  };
  return () => {
    globalThis.fetch = original;
  };
}
