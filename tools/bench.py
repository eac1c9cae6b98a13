"""`make bench`: measures what the project promises about speed and size, and prints a report beside the aims.

A report and no test: figures depend on the machine and on what else it does. Every pair that is compared is measured
in the same run, in turns. Decides the aims' wording; the measuring is in `bench_page` (browser), `bench_steps`
(simulation), `bench_stores` (stand-ins) and `bench_explore` (explorer).

    python -m tools.bench [--rounds 5] [--steps 1000000] [--commands 500]
"""

import argparse
import json
import statistics
import subprocess
import sys

from tools.bench_page import bytes_before_python, time_pages
from tools.browser import NOT_FOUND, find_chromium, launch_options, start_playwright
from tools.node import node_environment, node_program
from tools.paths import BUILD, ROOT, RUNTIME, SITE
from tools.prepare import make_environment

STEPS_RATIO_MAX = 2.0
FAKEREDIS_RATIO_MIN = 3.0
SCRIPT_RATIO_MAX = 10.0
EXPLORER_RATIO_MIN = 10.0
EXPLORER_RUNS_MIN = 1_000.0  # per second, in Pyodide
FIRST_FOUND_S_MAX = 3.0
COLD_RATIO_MAX = 0.4
LIVE_MS_MAX = 50
STOP_RATIO_MAX = 0.25
BYTES_MAX = 300_000


def main(arguments: list[str] | None = None) -> int:
    """Print the report; 0 unless something could not be measured at all."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description="Measure speed and print a report.")
    parser.add_argument("--rounds", type=int, default=5, help="times each page is opened (default: 5)")
    parser.add_argument("--steps", type=int, default=1_000_000, help="simulated steps (default: 1000000)")
    parser.add_argument("--commands", type=int, default=500, help="rounds of each program on a store (default: 500)")
    options = parser.parse_args(arguments)
    report_steps(options.steps)
    report_stores(options.commands)
    report_explorer()
    with start_playwright() as playwright:
        program = find_chromium(playwright.chromium.executable_path)
        if program is None:
            print(NOT_FOUND, file=sys.stderr)
            return 1
        browser = playwright.chromium.launch(**launch_options(program))
        report_pages(browser, options.rounds)
        report_bytes(browser)
        browser.close()
    return 0


def report_steps(steps: int) -> None:
    commands = [[sys.executable, "-m", "tools.bench_steps", str(steps)], in_pyodide("tools.bench_steps", str(steps))]
    print(f"{steps:,} steps of `await asyncio.sleep(0)`, tracing off, against plain asyncio")
    for command in commands:
        figures = measured(command)
        ratio = figures["simulated_s"] / figures["plain_s"]
        simulated, plain = steps / figures["simulated_s"], steps / figures["plain_s"]
        print(f"  {figures['python']}: {simulated:,.0f} steps/s simulated, {plain:,.0f} plain")
        print(f"    {ratio:.2f} times plain asyncio's time{aim(ratio, STEPS_RATIO_MAX)}")
        print(f"    {figures['blocks_kept']} memory blocks kept")


def report_stores(count: int) -> None:
    count_text = str(count)
    commands = [[bench_python(), "-m", "tools.bench_stores", count_text], in_pyodide("tools.bench_stores", count_text)]
    print("Redis stand-in: awaited calls per second of processor time, `await redis.set(…)` and so on, tracing off")
    for command in commands:
        figures = measured(command)
        stand_in, beside = figures["per_s"]["stand_in"], figures["per_s"].get("fakeredis", {})
        print(f"  {figures['python']}")
        for name in figures["families"]:
            line = f"    {name.replace('_', ' ')}: {stand_in[name]:,.0f}/s"
            if beside:
                ratio = stand_in[name] / beside[name]
                line += f", fakeredis {beside[name]:,.0f}/s: {ratio:.1f} times{aim_least(ratio, FAKEREDIS_RATIO_MIN)}"
            print(line)
        for what, rates in (
            ("awaited calls", stand_in),
            ("commands without client or world", figures["commands_per_s"]),
        ):
            ratio = rates["acquire_by_steps"] / rates["acquire_by_script"]
            print(f"    acquire by Lua, as {what}: {rates['acquire_by_script']:,.0f}/s,", end=" ")
            print(f"{ratio:.1f} times the cost of its steps one by one{aim(ratio, SCRIPT_RATIO_MAX)}")


def report_explorer() -> None:
    """The fastest of the other simulators runs in the environment of `bench_python`, which may lack some of them."""
    others = measured([bench_python(), "-m", "tools.bench_explore_others"])
    print("Explorer: runs of a lost update per second of processor time, tracing off")
    for name, figures in others.items():
        if figures is None:
            print(f"  {name}: not installed for this Python")
        else:
            two, three = figures["2"], figures["3"]
            print(f"  {name} {figures['version']}: {two:,.0f}/s with two clients, {three:,.0f}/s with three")
    ours = [sys.executable, "-m", "tools.bench_explore"], in_pyodide("tools.bench_explore")
    for command in ours:
        figures = measured(command)
        browser = "emscripten" in figures["python"]
        print(f"  {figures['python']}")
        for clients in ("2", "3"):
            every, pruned = figures[f"memory-{clients}-all"], figures[f"memory-{clients}-pruned"]
            line = f"    {clients} clients: {every['runs_per_second']:,.0f}/s, all {every['runs']:.0f} orders; "
            line += f"{pruned['runs_per_second']:,.0f}/s, the {pruned['runs']:.0f} that differ"
            fastest = max((each[clients] for each in others.values() if each), default=None)
            if fastest and not browser:
                ratio = every["runs_per_second"] / fastest
                line += f"; {ratio:.1f} times the fastest of the others{aim_least(ratio, EXPLORER_RATIO_MIN)}"
            print(line)
            through = figures[f"redis-{clients}-pruned"]["runs_per_second"]
            wanted = aim_least(through, EXPLORER_RUNS_MIN) if browser and clients == "3" else ""
            print(f"      through the stand-in for Redis, pruned: {through:,.0f}/s{wanted}")
        slowest = max(figures["first"], key=lambda name: figures["first"][name]["seconds"])
        seconds = figures["first"][slowest]["seconds"]
        print(f"    latest first counterexample: {seconds:.2f} s, {slowest}{aim(seconds, FIRST_FOUND_S_MAX, ' s')}")


def bench_python() -> str:
    """The Python that has fakeredis; the project's own where it cannot be installed."""
    try:
        python = make_environment(BUILD / "bench-env", ROOT / "requirements" / "bench.txt")
    except subprocess.CalledProcessError:
        print("fakeredis could not be installed from requirements/bench.txt: the stand-in is measured alone")
        return sys.executable
    return str(python)


def in_pyodide(module: str, *arguments: str) -> list[str]:
    """The command that runs a measuring program as a browser would."""
    return [node_program(), str(ROOT / "tools" / "bench_pyodide.mjs"), module, *arguments]


def measured(command: list[str]) -> dict:
    """The figures that a measuring program prints."""
    done = subprocess.run(command, cwd=ROOT, env=node_environment(), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def report_pages(browser, rounds: int) -> None:
    times = {name: statistics.median(values) for name, values in time_pages(browser, rounds).items()}
    cold, stop = times["cold"] / times["stock"], times["stop"] / times["stock"]
    print(f"From click to result in {browser.browser_type.name} {browser.version}, median of {rounds}")
    print(
        f"  stock loadPyodide page, cold: {times['stock']:,.0f} ms to 1 + 1 (processor: {times['stock_cpu']:,.0f} ms)"
    )
    print(f"  the same page, to the lab's run from the project's sources: {times['stock_run']:,.0f} ms")
    print(f"  lab, cold: {times['cold']:,.0f} ms, {cold:.2f} of the stock page's 1 + 1{aim(cold, COLD_RATIO_MAX)}")
    print(
        f"    processor: {times['cold_cpu']:,.0f} ms, {times['cold_cpu'] / times['stock_cpu']:.2f} of the stock page's"
    )
    print(f"  lab, live worker: {times['live']:.0f} ms{aim(times['live'], LIVE_MS_MAX, ' ms')}")
    print(f"    processor: {times['live_cpu']:.0f} ms")
    print(f"  lab, Stop to next result: {times['stop']:,.0f} ms, {stop:.2f} of the same{aim(stop, STOP_RATIO_MAX)}")


def report_bytes(browser) -> None:
    size, requests = bytes_before_python(browser, SITE)
    manifest = json.loads((RUNTIME / "runtime.json").read_text(encoding="utf-8"))
    python = sum(file["gzip_bytes"] for file in manifest["files"])
    print("Bytes transferred by the home page, compressed")
    print(f"  before Python: {size:,} in {requests} requests{aim(size, BYTES_MAX)}")
    print(f"  Python itself: {python:,} in {len(manifest['files'])} files")


def aim_least(figure: float, limit: float) -> str:
    """The same for an aim from below."""
    return f" (aim: at least {limit:,g}: {'met' if figure >= limit else 'missed'})"


def aim(figure: float, limit: float, unit: str = "") -> str:
    """The words after a figure that has an aim."""
    return f" (aim: at most {limit:,g}{unit}: {'met' if figure <= limit else 'missed'})"


if __name__ == "__main__":
    sys.exit(main())
