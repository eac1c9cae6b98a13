"""A crashed task runs no `finally`: the program that would release in one does so after an error and a cancel only."""

import pytest

from .golden import SLOTS
from .support import edit, log_of, program, run

FINALLY = "        await quota.release(task_id)  # after an error, after a cancel; never after the process was killed\n"


def released_by(report):
    """Tasks that sent a DECR, and how often."""
    calls = [call.actor for call in log_of(report).calls("redis") if call.text.startswith("DECR")]
    return {actor: calls.count(actor) for actor in calls}


def actors(report, kind, name=None):
    return {event.actor for event in report.trace if event.kind == kind and event.fields.get("name") == name}


def test_the_counter_releases_in_a_finally():
    assert f"    finally:\n{FINALLY}" in program(SLOTS, "counter.py")


def test_a_crashed_task_runs_no_finally_and_a_finished_one_releases_once():
    report = run(SLOTS, "counter")
    released = released_by(report)
    crashed = actors(report, "actor.crashed")
    finished = actors(report, "mark", "finished")
    assert len(crashed) == 10
    assert not crashed & set(released)
    assert all(released[actor] == 1 for actor in finished)


def test_nothing_of_a_crashed_task_is_in_the_trace_after_its_crash():
    report = run(SLOTS, "lease-repaired")
    crashed_at = {event.actor: event.sequence for event in report.trace if event.kind == "actor.crashed"}
    assert len(crashed_at) == 26
    assert [e for e in report.trace if e.actor in crashed_at and e.sequence > crashed_at[e.actor]] == []


def test_not_even_a_print_or_an_except_of_a_crashed_task_runs():
    caught = "    except BaseException:\n        print('caught', task_id)\n        raise\n"
    sources = edit(
        SLOTS,
        "counter.py",
        ("        await work()\n", f"        await work()\n{caught}"),
        (FINALLY, f"        print('finally', task_id)\n{FINALLY}"),
    )
    report = run(SLOTS, "counter", sources=sources)
    crashed, finished = actors(report, "actor.crashed"), actors(report, "mark", "finished")
    assert {line.split()[1] for line in report.output} == finished
    assert not crashed & finished


@pytest.mark.parametrize(
    "stop",
    ["raise ValueError('broken')", "import asyncio; asyncio.current_task().cancel(); await asyncio.sleep(0)"],
    ids=["error", "cancel"],
)
def test_after_an_error_or_a_cancel_the_finally_does_release(stop):
    sources = edit(SLOTS, "counter.py", ("        await work()\n", f"        await work()\n        {stop}\n"))
    report = run(SLOTS, "counter", sources=sources, crash_every=0)
    finished = actors(report, "mark", "finished")
    assert finished
    released = released_by(report)
    assert {actor: released.get(actor) for actor in finished} == dict.fromkeys(finished, 1)
    assert report.readings["capacity_every_5s"][-1] > 0
