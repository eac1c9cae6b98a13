"""Times the lab in a browser beside a stock Pyodide page: cold and live click to result, Stop to next result, bytes.

Decides what a click is (a call of `lab().run` from an idle page, in a fresh profile) and what the stock page does:
`loadPyodide` as its documentation shows, in a module worker, then `1 + 1` (its first result), then the project's
sources unpacked and the same run as the lab's. All is served by the same server, with gzip, on this machine; so no
figure holds a network.
"""

import io
import shutil
import statistics
import tempfile
import zipfile
from pathlib import Path

from tools.paths import DATA, DOCS, NODE_MODULES, ROOT, RUNTIME
from tools.serve import SiteServer

RUN = {"experiment": "slot-recycling", "variant": "counter"}
ENDLESS = {**RUN, "sources": {"counter.py": "while True: pass\n"}}

LAB_PAGE = '<!doctype html><html lang="en"><title>Lab</title><script type="module" src="lab-page.js"></script></html>'
LAB_SCRIPT = 'import { lab } from "./assets/lab/runtime.js"; Object.assign(window, { lab, ready: true });'
STOCK_PAGE = (
    '<!doctype html><html lang="en"><title>Stock</title><script type="module" src="stock-page.js"></script></html>'
)
STOCK_SCRIPT = """
window.click = (request) => new Promise((resolve, reject) => {
  const began = performance.now();
  const times = [];
  const worker = new Worker(new URL("stock-worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    times.push(performance.now() - began);
    if (data === 2) return;
    if (!JSON.parse(data).ok) reject(new Error(data));
    resolve(times);
  };
  worker.onerror = reject;
  worker.postMessage(request);
});
window.ready = true;
"""
STOCK_WORKER = """
import { loadPyodide } from "./pyodide/pyodide.mjs";
self.onmessage = async ({ data }) => {
  const sources = fetch(new URL("sources.zip", import.meta.url)).then((response) => response.arrayBuffer());
  const pyodide = await loadPyodide();
  self.postMessage(pyodide.runPython("1 + 1"));
  pyodide.unpackArchive(await sources, "zip");
  const bridge = pyodide.pyimport("py_runtime.lab.wire").Bridge(pyodide.pyimport("experiments").EXPERIMENTS);
  self.postMessage(bridge.handle(JSON.stringify({ version: 1, type: "run", ...data })));
};
"""

TIMED_RUN = """async (request) => {
  const began = performance.now();
  await lab().run(request);
  return performance.now() - began;
}"""
TIMED_STOP = """async ([endless, request]) => {
  const stopped = lab().run(endless).catch((error) => error.kind);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const began = performance.now();
  lab().stop();
  if ((await stopped) !== "stopped") throw new Error("the endless run was not stopped");
  await lab().run(request);
  return performance.now() - began;
}"""


def write_pages(folder: Path) -> None:
    """Lay out both pages under `folder`, from what the build left."""
    shutil.copytree(DOCS / "assets" / "lab", folder / "assets" / "lab")
    shutil.copytree(DATA, folder / "assets" / "lab" / "data")
    shutil.copy(RUNTIME / "runtime.json", folder / "assets" / "lab" / "data")
    shutil.copytree(RUNTIME, folder / "assets" / "runtime")
    shutil.copytree(NODE_MODULES / "pyodide", folder / "pyodide")
    for name, text in (
        ("lab.html", LAB_PAGE),
        ("lab-page.js", LAB_SCRIPT),
        ("stock.html", STOCK_PAGE),
        ("stock-page.js", STOCK_SCRIPT),
        ("stock-worker.js", STOCK_WORKER),
    ):
        (folder / name).write_text(text)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as sources:
        for package in ("py_runtime", "experiments"):
            for path in sorted((ROOT / package).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    sources.write(path, path.relative_to(ROOT).as_posix())
    (folder / "sources.zip").write_bytes(archive.getvalue())


def time_pages(browser, rounds: int) -> dict[str, list[float]]:
    """Milliseconds per measure, one figure a round; lab and stock take turns, so that both meet the same machine."""
    times: dict[str, list[float]] = {"stock": [], "stock_run": [], "cold": [], "live": [], "stop": []}
    with tempfile.TemporaryDirectory() as scratch:
        write_pages(Path(scratch) / "site")
        with SiteServer(Path(scratch) / "site") as server:
            _load_once(browser, server)
            for _ in range(rounds):
                with browser.new_context() as context:
                    first, run = _opened(context, f"{server.url}stock.html").evaluate("click", RUN)
                    times["stock"].append(first)
                    times["stock_run"].append(run)
                with browser.new_context() as context:
                    page = _opened(context, f"{server.url}lab.html")
                    times["cold"].append(page.evaluate(TIMED_RUN, RUN))
                    page.evaluate(TIMED_RUN, RUN)
                    times["live"].append(statistics.median(page.evaluate(TIMED_RUN, RUN) for _ in range(5)))
                    times["stop"].append(page.evaluate(TIMED_STOP, [ENDLESS, RUN]))
    return times


def _load_once(browser, server) -> None:
    """Have the server compress every file before anything is timed; a host does that once, too."""
    with browser.new_context() as context:
        _opened(context, f"{server.url}stock.html").evaluate("click", RUN)
        _opened(context, f"{server.url}lab.html").evaluate(TIMED_RUN, RUN)


def _opened(context, address: str):
    page = context.new_page()
    page.goto(address)
    page.wait_for_function("window.ready")
    return page


def bytes_before_python(browser, site: Path) -> tuple[int, int]:
    """Bytes transferred and requests made by the home page, the Python runtime's own files left out."""
    with SiteServer(site) as server, browser.new_context() as context:
        page = context.new_page()
        requests = []
        page.on("requestfinished", lambda request: requests.append(request))
        page.goto(server.url, wait_until="load")
        page.wait_for_timeout(1500)
        counted = [request for request in requests if not _is_python(request.url)]
        sizes = [request.sizes() for request in counted]
        return sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes), len(counted)


def _is_python(url: str) -> bool:
    """Whether a request belongs to starting Python, which an idle page does by itself after a while."""
    return any(part in url for part in ("/assets/runtime/", "/runtime.json", "/pyodide-worker.js", "/pyodide-start.js"))
