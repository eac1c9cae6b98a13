// Boots the stock Pyodide under Node and lets tools/pack_compile.py compile inside it.
//
//   node pack_runtime.mjs PYODIDE_FOLDER COMPILE_SCRIPT WORK_FOLDER
//
// WORK_FOLDER holds request.json and receives out/. It is mounted as /pack; every folder that the request names is
// mounted read-through under /packages. Prints one line of JSON. Decides nothing: what to compile is the script's business.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodideFolder, compileScript, workFolder] = process.argv.slice(2).map((argument) => path.resolve(argument));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodideFolder, "pyodide.mjs")).href);

// A fixed hash seed: the order of sets inside code objects would otherwise differ from run to run.
const pyodide = await loadPyodide({ indexURL: pyodideFolder, env: { PYTHONHASHSEED: "0" } });
const request = JSON.parse(readFileSync(path.join(workFolder, "request.json"), "utf8"));
const mounted = { stdlib_zip: `/lib/python${pythonTag(pyodide)}.zip`, packages: [] };
for (const entry of request.packages) {
  const place = `/packages/${entry.name}`;
  pyodide.mountNodeFS(place, entry.folder);
  mounted.packages.push({ ...entry, folder: place });
}
writeFileSync(path.join(workFolder, "request.json"), JSON.stringify(mounted));
pyodide.mountNodeFS("/pack", workFolder);
pyodide.runPython(readFileSync(compileScript, "utf8"), { filename: compileScript });
console.log(pyodide.runPython("main()"));

/** pythonTag: the digits in the name of the standard library's archive, "314" for Python 3.14. */
function pythonTag(instance) {
  return instance.runPython("import sys; f'{sys.version_info.major}{sys.version_info.minor}'");
}
