"""Runs every experiment once, at build time, and keeps what the page shows before Python is loaded.

Writes an index of the experiments (`experiments.json`), the whole description of each (`experiments/<slug>.json`), so
that a page fetches no other's, and one report per variant (`recorded/<slug>/<variant>.json`). All are in the wire
format and asked of the same code that answers the command line and the page's worker, so that a recorded run cannot
differ from a live one. Knows no experiment by name.
"""

import json
import shutil
import subprocess
import sys

from experiments import EXPERIMENTS
from py_runtime.lab.wire import Bridge
from tools.paths import CATALOGUE, DATA, ROOT, experiment_file, report_file

# What the index says of an experiment, and of a challenge beside that.
_INDEX = ("slug", "title", "kicker", "question")
_INDEX_CHALLENGE = ("goal", "edition")


def record() -> int:
    """Write the index, all descriptions and all recorded runs anew; returns how many runs were recorded.

    Raises RuntimeError with the bridge's sentence when a variant does not run to a report.
    """
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(parents=True)
    listing = [sys.executable, "-m", "experiments", "list", "--json"]
    catalogue = json.loads(subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout)
    CATALOGUE.write_text(_compact(index(catalogue)), encoding="utf-8")
    bridge = Bridge(EXPERIMENTS)
    runs = 0
    for experiment in catalogue["experiments"]:
        described = experiment_file(experiment["slug"])
        described.parent.mkdir(exist_ok=True)
        described.write_text(_compact({"version": catalogue["version"], "experiment": experiment}), encoding="utf-8")
        for variant in experiment["variants"]:
            file = report_file(experiment["slug"], variant["id"])
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_compact(_report(bridge, experiment["slug"], variant["id"])), encoding="utf-8")
            runs += 1
    return runs


def index(catalogue: dict) -> dict:
    """What a page needs of all experiments: which there are, and which of them are challenges."""
    entries = []
    for experiment in catalogue["experiments"]:
        challenge = experiment["challenge"]
        told = None if challenge is None else {name: challenge[name] for name in _INDEX_CHALLENGE}
        entries.append({**{name: experiment[name] for name in _INDEX}, "challenge": told})
    return {**catalogue, "experiments": entries}


def _report(bridge: Bridge, slug: str, variant: str) -> dict:
    request = {"version": 1, "type": "run", "experiment": slug, "variant": variant, "parameters": {}, "sources": {}}
    answer = json.loads(bridge.handle(json.dumps(request)))
    if not answer["ok"]:
        raise RuntimeError(f"{slug}, variant {variant}: {answer['error']['message']}")
    return answer["report"]


def _compact(value: dict) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    print(f"{record()} runs recorded in {DATA.relative_to(ROOT)}/")
