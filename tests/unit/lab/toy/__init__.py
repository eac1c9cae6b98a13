"""A made-up experiment, so that the lab is tested without those of the site: one actor counts, a mark per step."""

import asyncio
from dataclasses import replace

from py_runtime.lab import (
    ALWAYS,
    EVENTUALLY,
    SOMETIMES,
    Challenge,
    Check,
    Choice,
    Claim,
    Experiment,
    Finding,
    InputError,
    Integer,
    Integers,
    Reading,
    Variant,
)


def scenario(stage):
    world, setting = stage.world, stage.setting
    [main] = stage.program("main.py", "main")
    world.spawn(world.actor("counter"), main(world.mark, setting["count"]))
    if setting["mood"] == "noisy":
        world.spawn(world.actor("clock"), asyncio.sleep(2 * until_us(setting) / 1_000_000))


def until_us(setting):
    return 10_000


def check(setting):
    if setting["count"] == 99:
        raise InputError("count must not be 99 here")


def numbers(log):
    return [mark.fields["number"] for mark in log.marks("step")]


def read(log, setting):
    found = numbers(log)
    return {"steps": len(found), "last": found[-1] if found else None}


def in_order(log, setting, readings):
    found = numbers(log)
    return Finding(found == sorted(found), f"{found}")


def stepped(log, setting, readings):
    return Finding(readings["steps"] > 0, f"{readings['steps']} steps")


def all_stepped(log, setting, readings):
    return Finding(readings["steps"] >= setting["count"], f"{readings['steps']} of {setting['count']}")


def scene(log, setting):
    points = [[mark.at_us, mark.fields["number"]] for mark in log.marks("step")]
    return [{"view": "series", "id": "steps", "label": "Steps", "unit": "", "minimum": 0, "maximum": 100,
             "lines": [{"id": "number", "label": "number", "tone": "good", "points": points}]}]  # fmt: skip


TOY = Experiment(
    slug="toy",
    package=__name__,
    variants=(Variant("plain", ("main.py",), "holds"), Variant("other", ("main.py",), "breaks", "in-order")),
    parameters=(
        Integer("count", 3, 0, 1_000, "steps"),
        Choice("mood", "quiet", ("quiet", "noisy")),
        Integers("sizes", (1, 2), 0, 9, "things", 3, lambda values: [values["count"] % 10]),
    ),
    readings=(Reading("steps", "steps"), Reading("last")),
    claims=(
        Claim("in-order", ALWAYS, in_order),
        Claim("stepped", SOMETIMES, stepped),
        Claim("all-stepped", EVENTUALLY, all_stepped, variants=("plain",)),
    ),
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    check=check,
)
TABLE = {TOY.slug: TOY}

# The same as a challenge: twenty steps of a millisecond do not fit into the ten of a run.
TASK = replace(
    TOY,
    slug="task",
    challenge=Challenge(
        file="main.py",
        checks=(
            Check("orders", searched=True, parameters={"mood": "noisy"}),
            Check("twenty", ("all-stepped",), parameters={"count": 20}),
            Check("some", ("stepped",)),
        ),
        wrong={"backwards": "orders", "idle": "some"},
    ),
)
CHALLENGES = {**TABLE, TASK.slug: TASK}
