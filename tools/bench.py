"""`make bench`: measures what the project promises about speed and size, and prints a report beside the aims.

A report and no test: figures depend on the machine and on what else it does. Every pair that is compared is measured
in the same run, in turns. Decides the aims' wording; the measuring is in `bench_page` (browser) and `bench_steps`
(simulation).

    python -m tools.bench [--rounds 5] [--steps 1000000]
"""

import argparse
import json
import statistics
import subprocess
import sys

from tools.bench_page import bytes_before_python, time_pages
from tools.browser import NOT_FOUND, find_chromium, launch_options, start_playwright
from tools.node import node_environment, node_program
from tools.paths import ROOT, RUNTIME, SITE

STEPS_RATIO_MAX = 2.0
COLD_RATIO_MAX = 0.4
LIVE_MS_MAX = 50
STOP_RATIO_MAX = 0.25
BYTES_MAX = 300_000


def main(arguments: list[str] | None = None) -> int:
    """Print the report; 0 unless something could not be measured at all."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description="Measure speed and print a report.")
    parser.add_argument("--rounds", type=int, default=5, help="times each page is opened (default: 5)")
    parser.add_argument("--steps", type=int, default=1_000_000, help="simulated steps (default: 1000000)")
    options = parser.parse_args(arguments)
    report_steps(options.steps)
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
    commands = [
        [sys.executable, "-m", "tools.bench_steps", str(steps)],
        [node_program(), str(ROOT / "tools" / "bench_steps.mjs"), str(steps)],
    ]
    print(f"{steps:,} steps of `await asyncio.sleep(0)`, tracing off, against plain asyncio")
    for command in commands:
        done = subprocess.run(command, cwd=ROOT, env=node_environment(), capture_output=True, text=True, check=True)
        figures = json.loads(done.stdout)
        ratio = figures["simulated_s"] / figures["plain_s"]
        simulated, plain = steps / figures["simulated_s"], steps / figures["plain_s"]
        print(f"  {figures['python']}: {simulated:,.0f} steps/s simulated, {plain:,.0f} plain")
        print(f"    {ratio:.2f} times plain asyncio's time{aim(ratio, STEPS_RATIO_MAX)}")
        print(f"    {figures['blocks_kept']} memory blocks kept")


def report_pages(browser, rounds: int) -> None:
    times = {name: statistics.median(values) for name, values in time_pages(browser, rounds).items()}
    cold, stop = times["cold"] / times["stock"], times["stop"] / times["stock"]
    print(f"From click to result in {browser.browser_type.name} {browser.version}, median of {rounds}")
    print(f"  stock loadPyodide page, cold: {times['stock']:,.0f} ms to 1 + 1")
    print(f"  the same page, to the lab's run from the project's sources: {times['stock_run']:,.0f} ms")
    print(f"  lab, cold: {times['cold']:,.0f} ms, {cold:.2f} of the stock page's 1 + 1{aim(cold, COLD_RATIO_MAX)}")
    print(f"  lab, live worker: {times['live']:.0f} ms{aim(times['live'], LIVE_MS_MAX, ' ms')}")
    print(f"  lab, Stop to next result: {times['stop']:,.0f} ms, {stop:.2f} of the same{aim(stop, STOP_RATIO_MAX)}")


def report_bytes(browser) -> None:
    size, requests = bytes_before_python(browser, SITE)
    manifest = json.loads((RUNTIME / "runtime.json").read_text(encoding="utf-8"))
    python = sum(file["gzip_bytes"] for file in manifest["files"])
    print("Bytes transferred by the home page, compressed")
    print(f"  before Python: {size:,} in {requests} requests{aim(size, BYTES_MAX)}")
    print(f"  Python itself: {python:,} in {len(manifest['files'])} files")


def aim(figure: float, limit: float, unit: str = "") -> str:
    """The words after a figure that has an aim."""
    return f" (aim: at most {limit:,g}{unit}: {'met' if figure <= limit else 'missed'})"


if __name__ == "__main__":
    sys.exit(main())
