"""The digests of every experiment × variant with default parameters, and the file that pins them.

`python -m tests.determinism.pin` writes `digests.json` anew. Do so after a change that is meant to change what happens
in a run (a program, a scenario, the order of steps), and say in the commit which change that was. A digest that moved
without such a change is a fault: find it, do not pin it.
"""

import json
from pathlib import Path

from experiments import EXPERIMENTS
from py_runtime.lab import run_once

FILE = Path(__file__).with_name("digests.json")


def digests() -> dict[str, dict[str, str]]:
    """slug → variant → digest, in this Python."""
    return {
        slug: {variant.id: run_once(experiment, variant.id).digest for variant in experiment.variants}
        for slug, experiment in EXPERIMENTS.items()
    }


def pinned() -> dict[str, dict[str, str]]:
    """What the file says."""
    return json.loads(FILE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    FILE.write_text(json.dumps(digests(), indent=2) + "\n", encoding="utf-8")
    print(f"{FILE}: {sum(map(len, pinned().values()))} digests")
