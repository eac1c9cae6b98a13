// Runs tools/bench_stores.py under Pyodide: the stand-in's commands per second as in a browser, without one.
//
//   node tools/bench_stores.mjs [COUNT]

import path from "node:path";
import { loadPyodide } from "pyodide";

const root = path.resolve(import.meta.dirname, "..");
const count = Number(process.argv[2] ?? 500);

const pyodide = await loadPyodide({ env: { PYTHONDONTWRITEBYTECODE: "1" } });
for (const folder of ["py_runtime", "tools"]) pyodide.mountNodeFS(`/project/${folder}`, path.join(root, folder));
pyodide.pyimport("sys").path.insert(0, "/project");
try {
  console.log(pyodide.pyimport("tools.bench_stores").main(count)); // a plain synchronous call, as in bench_steps.mjs
} catch (error) {
  console.error(error.message); // Node would show the line that threw, and Pyodide's glue is one line of a megabyte
  process.exit(1);
}
