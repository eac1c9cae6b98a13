"""One run, one digest: fifty times in a process, under other hash seeds, in every CPython here, and in replays."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import replay, run_once

from .pin import digests, pinned
from .steps import steps

ROOT = Path(__file__).parents[2]
VARIANTS = [(slug, variant.id) for slug, each in EXPERIMENTS.items() for variant in each.variants]
EDIT = "class Answers:\n    def __init__(self, upstream):\n        print('edited')\n"


def digests_in(python: str, hash_seed: str) -> dict[str, dict[str, str]]:
    return printed_in(python, hash_seed, "from tests.determinism.pin import digests as told")


def printed_in(python: str, hash_seed: str, imported: str):
    """What the function `told` gives in another Python."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    command = [python, "-c", f"import json; {imported}; print(json.dumps(told()))"]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr[-2_000:]
    return json.loads(ran.stdout)


def pythons() -> dict[str, str]:
    """Version → program, for every CPython from 3.11 to 3.14 on the PATH or installed by pyenv, this one left out."""
    candidates = [shutil.which(f"python3.{minor}") for minor in range(11, 15)]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates += [str(path) for path in sorted(pyenv.glob("3.1[1-4].*/bin/python"))]
    found: dict[str, str] = {}
    show = "import platform, sys; print(platform.python_implementation(), *sys.version_info[:2])"
    for candidate in filter(None, candidates):
        asked = subprocess.run([candidate, "-c", show], capture_output=True, text=True)
        implementation, *version = asked.stdout.split() or [""]
        if implementation == "CPython" and version != [str(part) for part in sys.version_info[:2]]:
            found.setdefault(".".join(version), candidate)
    return found


OTHERS = pythons()


def test_every_variant_is_pinned():
    assert [(slug, variant) for slug, each in pinned().items() for variant in each] == VARIANTS


def test_the_digests_are_the_pinned_ones():
    assert digests() == pinned()


@pytest.mark.parametrize(("slug", "variant"), VARIANTS)
def test_fifty_runs_in_one_process_have_one_digest(slug, variant):
    assert {run_once(EXPERIMENTS[slug], variant).digest for _ in range(50)} == {pinned()[slug][variant]}


@pytest.mark.parametrize("hash_seed", ["0", "1", "77"])
def test_fresh_processes_under_other_hash_seeds_have_the_same_digests(hash_seed):
    assert digests_in(sys.executable, hash_seed) == pinned()


@pytest.mark.parametrize("version", sorted(OTHERS) or [pytest.param("none", marks=pytest.mark.skip("one Python here"))])
def test_other_pythons_have_the_same_digests(version):
    assert digests_in(OTHERS[version], "5") == pinned()


@pytest.mark.parametrize("version", sorted(OTHERS) or [pytest.param("none", marks=pytest.mark.skip("one Python here"))])
def test_other_pythons_take_the_same_steps(version):
    """A schedule counts choices: one more step in one Python, and what another has found cannot be replayed there."""
    assert printed_in(OTHERS[version], "5", "from tests.determinism.steps import steps as told") == steps()


@pytest.mark.parametrize(("slug", "variant"), VARIANTS)
def test_the_printed_schedule_replays_the_run_whatever_its_seed(slug, variant):
    for seed in range(0, 21, 5 if slug == "slot-recycling" else 1):
        report = run_once(EXPERIMENTS[slug], variant, seed=seed)
        again = replay(EXPERIMENTS, report.schedule)
        assert (again.digest, again.readings, again.schedule) == (report.digest, report.readings, report.schedule)


def test_seeds_do_change_the_order_of_simultaneous_steps():
    runs = {run_once(EXPERIMENTS["task-ownership"], "global-claim", seed=seed).digest for seed in range(21)}
    assert len(runs) > 5


def test_what_is_left_of_one_run_does_not_change_the_next():
    """Other variants, edits and cut-short runs in between leave no mark."""
    flight = EXPERIMENTS["single-flight-takeover"]
    first = run_once(flight, "repaired").digest
    run_once(flight, "blind-takeover", seed=9)
    run_once(EXPERIMENTS["request-merging"], "merged", sources={"merged.py": EDIT}, seed=3)
    assert run_once(flight, "repaired").digest == first
