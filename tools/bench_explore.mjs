// Runs tools/bench_explore.py under Pyodide: the same engine and the same WebAssembly as in a browser, without one.
//
//   node tools/bench_explore.mjs [SECONDS]

import path from "node:path";
import { loadPyodide } from "pyodide";

const root = path.resolve(import.meta.dirname, "..");
const seconds = Number(process.argv[2] ?? 3);

const pyodide = await loadPyodide({ env: { PYTHONDONTWRITEBYTECODE: "1" } });
for (const folder of ["py_runtime", "experiments", "tools"]) pyodide.mountNodeFS(`/project/${folder}`, path.join(root, folder));
pyodide.pyimport("sys").path.insert(0, "/project");
// A plain synchronous call: the simulation needs that no event loop is running here.
try {
  console.log(pyodide.pyimport("tools.bench_explore").main(seconds));
} catch (error) {
  console.error(error.message); // Node would show the line that threw, and Pyodide's glue is one line of a megabyte
  process.exit(1);
}
