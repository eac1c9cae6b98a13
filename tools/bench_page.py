"""Times the lab in a browser beside a stock Pyodide page: cold and live click to result, Stop to next result, bytes.

Decides what a click is (a call of `lab().run` from an idle page, in a fresh profile) and what the stock page does:
`loadPyodide` as its documentation shows, in a module worker, then `1 + 1` (its first result), then the project's
sources unpacked and the same run as the lab's. All is served by the same server, with gzip, on this machine; so no
figure holds a network. Beside each time stands the processor's: what all threads of the page's process, workers and
compilers included, worked meanwhile. On a machine that does other things too, it is the steadier of the two.
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
  const worker = new Worker(new URL("stock-worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    const first = performance.now() - began;
    if (data !== 2) reject(new Error(data));
    window.goOn = () => new Promise((resolve, reject) => {
      const went = performance.now();
      worker.onmessage = ({ data }) =>
        JSON.parse(data).ok ? resolve(first + performance.now() - went) : reject(new Error(data));
      worker.postMessage(request);
    });
    resolve(first);
  };
  worker.onerror = reject;
});
window.ready = true;
"""
STOCK_WORKER = """
import { loadPyodide } from "./pyodide/pyodide.mjs";
const sources = fetch(new URL("sources.zip", import.meta.url)).then((response) => response.arrayBuffer());
const starting = loadPyodide().then((pyodide) => {
  self.postMessage(pyodide.runPython("1 + 1"));
  return pyodide;
});
self.onmessage = async ({ data }) => {
  const pyodide = await starting;
  pyodide.unpackArchive(await sources, "zip");
  const bridge = pyodide.pyimport("py_runtime.lab.wire").Bridge(pyodide.pyimport("experiments").EXPERIMENTS);
  self.postMessage(bridge.handle(JSON.stringify({ version: 1, type: "run", ...data })));
};
"""

LIVE_RUNS = 5  # in a row, for one figure

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
    """Milliseconds per measure, one figure a round; lab and stock take turns, so that both meet the same machine.

    `…_cpu` is the processor's time for the same.
    """
    times: dict[str, list[float]] = {}

    def note(name: str, ms: float) -> None:
        times.setdefault(name, []).append(ms)

    with tempfile.TemporaryDirectory() as scratch:
        write_pages(Path(scratch) / "site")
        with SiteServer(Path(scratch) / "site") as server:
            _load_once(browser, server)
            for _ in range(rounds):
                with browser.new_context() as context:
                    page, worked = _opened(context, f"{server.url}stock.html")
                    note("stock", page.evaluate("click", RUN))
                    note("stock_cpu", worked())
                    note("stock_run", page.evaluate("goOn()"))
                with browser.new_context() as context:
                    page, worked = _opened(context, f"{server.url}lab.html")
                    note("cold", page.evaluate(TIMED_RUN, RUN))
                    note("cold_cpu", worked())
                    page.evaluate(TIMED_RUN, RUN)
                    worked()
                    note("live", statistics.median(page.evaluate(TIMED_RUN, RUN) for _ in range(LIVE_RUNS)))
                    note("live_cpu", worked() / LIVE_RUNS)
                    note("stop", page.evaluate(TIMED_STOP, [ENDLESS, RUN]))
    return times


def _load_once(browser, server) -> None:
    """Have the server compress every file before anything is timed; a host does that once, too."""
    with browser.new_context() as context:
        _opened(context, f"{server.url}stock.html")[0].evaluate("click", RUN)
        _opened(context, f"{server.url}lab.html")[0].evaluate(TIMED_RUN, RUN)


def _opened(context, address: str):
    """A page at `address`, and a function that gives the processor's ms in its process since it was last called."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_function("window.ready")
    session = context.new_cdp_session(page)
    session.send("Performance.enable")
    before_s = 0.0

    def worked() -> float:
        nonlocal before_s
        metrics = session.send("Performance.getMetrics")["metrics"]
        now_s = next(each["value"] for each in metrics if each["name"] == "ProcessTime")
        before_s, spent_s = now_s, now_s - before_s
        return spent_s * 1000

    worked()
    return page, worked


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
