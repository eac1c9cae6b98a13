/**
 * Starts Python inside a worker from what the page already holds: a compiled WebAssembly module and the Python archive.
 *
 * Decides how Pyodide is started (nothing but the lab's own files, no output, no access to the worker's globals). Knows
 * nothing of messages or of what will be run.
 *
 * Pyodide has no option to hand over a compiled module: it fetches `pyodide.asm.wasm` and compiles it itself. Compiling in
 * each worker would cost every Stop the most expensive step again, so its two fetches are answered from memory while it
 * starts, and its WebAssembly hook is replaced.
 */

const MODULE_FILE = "pyodide.asm.wasm";
const ARCHIVE_FILE = "python.zip";

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
    [folder + ARCHIVE_FILE]: () => new Response(archive),
  });
  try {
    const pyodide = await scripts.loadPyodide({
      indexURL: folder,
      stdLibURL: folder + ARCHIVE_FILE,
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
