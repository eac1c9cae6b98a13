// Boots Pyodide under Node twice, for tools/pack_runtime.py: to compile, and to start what was compiled.
//
//   node pack_runtime.mjs PYODIDE_FOLDER COMPILE_SCRIPT WORK_FOLDER
//
// WORK_FOLDER holds request.json and receives out/. The first Pyodide is the stock one and runs the script, with WORK_FOLDER
// mounted as /pack and every folder that the request names under /packages. The second has nothing but out/ for a standard
// library, as the browser will: it imports what the lab's worker imports, so a module that was left out is noticed here, and
// then has the methods of all dataclasses compiled ahead. Decides nothing: what is compiled is the script's business.

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const LIBRARY_FOLDER = "/lib/lab";

const [pyodideFolder, compileScript, workFolder] = process.argv.slice(2).map((argument) => path.resolve(argument));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodideFolder, "pyodide.mjs")).href);
const request = JSON.parse(readFileSync(path.join(workFolder, "request.json"), "utf8"));

try {
  console.log(await compile());
  console.log(await startCompiled());
} catch (error) {
  // Node would show the line that threw, and Pyodide's glue is one line of a megabyte.
  console.error(error.message ?? error);
  process.exit(1);
}

/** compile runs the script in a stock Pyodide and returns its report. */
async function compile() {
  // A fixed hash seed: the order of sets inside code objects would otherwise differ from run to run.
  const pyodide = await loadPyodide({ indexURL: pyodideFolder, env: { PYTHONHASHSEED: "0" } });
  const tag = pyodide.runPython("import sys; f'{sys.version_info.major}{sys.version_info.minor}'");
  const mounted = { stdlib_zip: `/lib/python${tag}.zip`, startup: "/packages/startup/pack_startup.py", packages: [] };
  pyodide.mountNodeFS("/packages/startup", path.dirname(compileScript));
  for (const entry of request.packages) {
    const place = `/packages/${entry.name}`;
    pyodide.mountNodeFS(place, entry.folder);
    mounted.packages.push({ ...entry, folder: place });
  }
  writeFileSync(path.join(workFolder, "request.json"), JSON.stringify(mounted));
  pyodide.mountNodeFS("/pack", workFolder);
  pyodide.runPython(readFileSync(compileScript, "utf8"), { filename: compileScript });
  return pyodide.runPython("main()");
}

/** startCompiled starts Python from out/ and writes what it compiled for dataclasses; returns their number. */
async function startCompiled() {
  const empty = path.join(mkdtempSync(path.join(workFolder, "empty-")), "python_stdlib.zip");
  writeFileSync(empty, "");
  const out = path.join(workFolder, "out");
  const pyodide = await loadPyodide({
    indexURL: pyodideFolder,
    stdLibURL: empty,
    env: { PYTHONPATH: LIBRARY_FOLDER, PYTHONHASHSEED: "0" },
    fsInit: async (files) => {
      files.mkdirTree(LIBRARY_FOLDER);
      files.mount(files.filesystems.NODEFS, { root: out }, LIBRARY_FOLDER);
    },
  });
  for (const name of request.imports) pyodide.pyimport(name);
  const startup = pyodide.pyimport("sitecustomize");
  return `dataclasses compiled ahead: ${startup.write_ahead(`${LIBRARY_FOLDER}/dataclasses.ahead`)}`;
}
