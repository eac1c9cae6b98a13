"""Where two runs part, in both senses, and which position of one goes with which of the other. Pure."""

import pytest

from tests.page.panel import data

COMPARE = """async (m, here, there) => {
  const { openLog } = await import("/assets/lab/log/log.js");
  const report = (trace) => ({ trace, claims: [], lanes: [], scene: [] });
  const found = m.compareLogs(openLog(report(here)), openLog(report(there)));
  return { same: found.same, first: found.first, story: found.story,
           with: here.map((_, position) => m.counterpart(found, position)) };
}"""

# Each event is (at_ms, actor, kind, fields); `line` may differ between programs.
START = (0, "w1", "actor.started", {})
ASK = (1, "w1", "call.started", {"call": 1, "to": "redis", "text": "GET key"})


def answer(at: float, reply, call: int = 1, actor: str = "w1"):
    return (at, actor, "call.completed", {"call": call, "reply": reply})


def mark(at: float, name: str, actor: str = "w1", **fields):
    return (at, actor, "mark", {"name": name, **fields})


def compare(modules, here: list, there: list) -> dict:
    traces = []
    for line, events in ((7, here), (70, there)):
        story = data.Story()
        for at, actor, kind, fields in events:
            story.event(at, actor, kind, line, **fields)
        traces.append(story.trace)
    return modules("log/divergence.js", COMPARE, *traces)


def parted(parting: dict | None):
    return parting and (parting["at_us"] / 1000, parting["here"], parting["there"])


@pytest.mark.parametrize(
    ("here", "there", "first", "story"),
    [
        pytest.param([START, ASK], [START, ASK], None, None, id="equal-but-for-lines"),
        pytest.param(
            [START, ASK, answer(2, 1)], [START, ASK, answer(2, 0)], (2, 2, 2), (2, 2, 2), id="told-something-else"
        ),
        pytest.param(
            [START, ASK, answer(2, 1)], [START, ASK, answer(3, 0)], (2, 2, 2), None, id="told-at-another-instant"
        ),
        pytest.param(
            [START, mark(5, "refused")], [START, mark(5, "admitted")], (5, 1, 1), (5, 1, 1), id="marks-something-else"
        ),
        pytest.param(
            [mark(5, "beat"), mark(9, "beat")], [mark(5, "beat")], (9, 1, None), (9, 1, None), id="one-goes-on"
        ),
        pytest.param([], [mark(5, "beat")], (5, None, 0), (5, None, 0), id="one-is-empty"),
        pytest.param(
            [mark(5, "answered", request=1, wait_us=0), mark(6, "answered", request=2, wait_us=0)],
            [mark(6, "answered", request=2, wait_us=0), mark(8, "answered", request=1, wait_us=3)],
            (5, 0, 0), (5, 0, 1), id="the-same-later",
        ),
        pytest.param(
            [mark(5, "a"), mark(5, "b", "w2")], [mark(5, "b", "w2"), mark(5, "a")], (5, 0, 0), None,
            id="order-within-an-instant-is-no-story",
        ),
        pytest.param(
            [mark(5, "upload", "w1")], [mark(5, "upload", "w1/thread-1")], (5, 0, 0), None, id="told-by-a-thread",
        ),
        pytest.param(
            [mark(5, "beat"), mark(5, "beat")], [mark(5, "beat")], (5, 1, None), (5, 1, None), id="told-twice",
        ),
        pytest.param(
            [(1, "w1", "call.started", {"call": 1, "to": "redis", "text": "SCRIPT LOAD x"}), answer(2, "ab")],
            [(1, "w1", "call.started", {"call": 1, "to": "redis", "text": "SCRIPT LOAD x"}), answer(2, "cd")],
            (2, 1, 1), None, id="the-digest-of-its-own-script-is-no-story",
        ),
        pytest.param(
            [START, (1, "w1", "call.started", {"call": 1, "to": "redis", "text": "INCR n"}), mark(9, "done")],
            [START, (1, "w1", "call.started", {"call": 1, "to": "redis", "text": "EVAL x"}), mark(8, "done")],
            (1, 1, 1), (8, 2, 2), id="asks-something-else-and-is-done-earlier",
        ),
    ],
)  # fmt: skip
def test_where_two_runs_part(modules, here, there, first, story):
    found = compare(modules, here, there)
    assert (parted(found["first"]), parted(found["story"])) == (first, story)


@pytest.mark.parametrize("call", [1, 9])
def test_the_number_of_a_call_is_no_difference(modules, call):
    other = [(1, "w1", "call.started", {"call": call, "to": "redis", "text": "GET key"}), answer(2, 1, call)]
    assert compare(modules, [ASK, answer(2, 1)], other)["first"] is None


def test_positions_go_together_event_for_event_until_they_part_and_then_by_time(modules):
    here = [START, mark(0, "a"), mark(4, "b"), mark(10, "c"), mark(20, "d")]
    there = [START, mark(0, "a"), mark(5, "x"), mark(9, "y"), mark(10, "z"), mark(10, "z")]
    assert compare(modules, here, there)["with"] == [0, 1, 1, 5, 5]


def test_a_run_without_an_event_of_its_own_stands_where_it_is_by_then(modules):
    found = compare(modules, [START, mark(4, "a"), mark(30, "late")], [START, mark(4, "a"), mark(9, "only there")])
    story = found["story"]
    assert (story["hereAt"], story["thereAt"], story["here"]) == (1, 2, None)


SCHEDULES = "(m, schedule, variant) => m.schedulesFor(schedule, variant).map((one) => [one.made, one.schedule])"


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ("ol1~demo~counter~0_0~limit.3", [["same", "ol1~demo~lease~0_0~limit.3"]]),
        ("ol1~demo~counter~7_3.1", [["same", "ol1~demo~lease~7_3.1"], ["usual", "ol1~demo~lease~7_0"]]),
        (
            "ol1~demo~counter~0_3.1-x2.1~limit.3",
            [
                ["same", "ol1~demo~lease~0_3.1-x2.1~limit.3"],
                ["faults", "ol1~demo~lease~0_x2.1~limit.3"],
                ["usual", "ol1~demo~lease~0_0~limit.3"],
            ],
        ),
        ("ol1~demo~counter~0_x2.1", [["same", "ol1~demo~lease~0_x2.1"], ["usual", "ol1~demo~lease~0_0"]]),
    ],
)
def test_less_of_a_schedule_is_tried_until_the_other_program_takes_it(modules, schedule, expected):
    assert modules("panel/other-run.js", SCHEDULES, schedule, "lease") == expected
