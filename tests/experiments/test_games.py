"""Any game of any experiment comes to its end, and its schedule replays it: moves are drawn, from what is offered."""

import json
import random

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import replay
from py_runtime.lab.wire import Bridge
from tests.experiments.support import VARIANTS

FAULT_SHARE = 0.1  # of the moves, while there are faults to spend


@pytest.mark.parametrize(("slug", "variant"), VARIANTS)
def test_a_game_of_drawn_moves_is_the_run_of_its_schedule(slug, variant):
    bridge, draw = Bridge(EXPERIMENTS), random.Random(f"{slug} {variant}")
    game = {"version": 1, "type": "steer", "experiment": slug, "variant": variant}

    def ask(**more):
        answer = json.loads(bridge.handle(json.dumps({**game, **more})))
        assert answer["ok"], answer
        return answer["report"], answer["turn"]

    report, turn = ask()
    while not turn["over"]:
        faults = [fault["to"] for fault in turn["faults"] if fault["to"]]
        if faults and draw.random() < FAULT_SHARE:
            report, turn = ask(**draw.choice(faults))
        else:
            report, turn = ask(**draw.choice(turn["choices"])["to"], until="choice")
    again = replay(EXPERIMENTS, report["schedule"])
    assert (again.digest, again.bounds["steps"]) == (report["digest"], turn["step"])
    assert set(turn["violated"]) <= {claim.id for claim in again.claims if claim.holds is False}
