"""Lanes: one row per actor, pools packed into the fewest rows, threads below their actor."""

from py_runtime.lab.report import pack_lanes
from py_runtime.sim import TraceEvent, World


def packed(actors, appearances):
    """actors: (name, pool); appearances: actor names in order of the trace."""
    world = World()
    for name, pool in actors:
        world.actor(name, pool)
    trace = [TraceEvent(number, 0, name, "mark", {"name": "x"}) for number, name in enumerate(appearances)]
    return [(lane["id"], lane["label"], lane["actors"]) for lane in pack_lanes(world.actors, trace)]


def test_every_actor_with_events_has_a_row_in_order_of_making():
    rows = packed([("b", None), ("silent", None), ("a", None)], ["a", "b", "a"])
    assert rows == [("b", "b", ["b"]), ("a", "a", ["a"])]


def test_lives_that_do_not_overlap_share_a_row():
    tasks = [(f"task-{number}", "task") for number in range(1, 5)]
    rows = packed(tasks, ["task-1", "task-2", "task-1", "task-3", "task-2", "task-4"])
    assert rows == [("task-1", "task 1", ["task-1", "task-3", "task-4"]), ("task-2", "task 2", ["task-2"])]


def test_no_two_lives_in_a_row_overlap_and_nobody_is_left_out():
    names = [f"task-{number}" for number in range(12)]
    trace = [names[(7 * step) % 12] for step in range(5)] + [names[step % 12] for step in range(12)]
    rows = packed([(name, "task") for name in names], trace)
    assert sorted(sum((actors for _, _, actors in rows), [])) == sorted(names)
    for _, _, actors in rows:
        lives = [(trace.index(name), len(trace) - 1 - trace[::-1].index(name)) for name in actors]
        assert all(before[1] < after[0] for before, after in zip(lives, lives[1:], strict=False))


def test_a_pool_thread_is_drawn_below_its_actor():
    rows = packed([("worker", None), ("redis", None)], ["worker", "redis", "worker/thread-1", "scenario"])
    assert [row[0] for row in rows] == ["scenario", "worker", "worker/thread-1", "redis"]


def test_an_empty_trace_has_no_rows():
    assert packed([("a", None)], []) == []
