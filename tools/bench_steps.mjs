// Runs tools/bench_steps.py under Pyodide: the same engine and the same WebAssembly as in a browser, without one.
//
//   node tools/bench_steps.mjs [STEPS]

import path from "node:path";
import { loadPyodide } from "pyodide";

const root = path.resolve(import.meta.dirname, "..");
const steps = Number(process.argv[2] ?? 1_000_000);

const pyodide = await loadPyodide({ env: { PYTHONDONTWRITEBYTECODE: "1" } });
for (const folder of ["py_runtime", "tools"]) pyodide.mountNodeFS(`/project/${folder}`, path.join(root, folder));
pyodide.pyimport("sys").path.insert(0, "/project");
// A plain synchronous call: the simulation and the plain loop both need that no event loop is running here.
try {
  console.log(pyodide.pyimport("tools.bench_steps").main(steps));
} catch (error) {
  console.error(error.message); // Node would show the line that threw, and Pyodide's glue is one line of a megabyte
  process.exit(1);
}
