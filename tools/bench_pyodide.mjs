// Runs one of the measuring programs under Pyodide: the same engine and the same WebAssembly as in a browser, without one.
//
//   node tools/bench_pyodide.mjs MODULE [COUNT]      tools.bench_steps, tools.bench_stores, tools.bench_explore

import path from "node:path";
import { loadPyodide } from "pyodide";

const root = path.resolve(import.meta.dirname, "..");
const [module, ...counts] = process.argv.slice(2);

const pyodide = await loadPyodide({ env: { PYTHONDONTWRITEBYTECODE: "1" } });
for (const folder of ["py_runtime", "experiments", "tools"]) pyodide.mountNodeFS(`/project/${folder}`, path.join(root, folder));
pyodide.pyimport("sys").path.insert(0, "/project");
// A plain synchronous call: the simulation, and the plain loop beside it, need that no event loop is running here.
try {
  console.log(pyodide.pyimport(module).main(...counts.map(Number)));
} catch (error) {
  console.error(error.message); // Node would show the line that threw, and Pyodide's glue is one line of a megabyte
  process.exit(1);
}
