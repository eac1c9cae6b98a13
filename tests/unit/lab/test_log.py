"""The log answers questions about a trace; every part is a function of the events alone."""

from py_runtime.lab import Log, value_at
from py_runtime.sim import TraceEvent


def events(*entries):
    return [TraceEvent(number, *entry) for number, entry in enumerate(entries)]


def change(key, value, store="redis"):
    return {"changes": [{"store": store, "key": key, "type": "string", "value": value}]}


LOG = Log(
    events(
        (0, "a", "mark", {"name": "begin"}),
        (5, "a", "call.started", {"call": 1, "to": "redis", "text": "SET k 1"}),
        (5, "redis", "call.applied", {"call": 1, "reply": "OK", **change("k", "1")}),
        (6, "a", "call.completed", {"call": 1, "reply": "OK"}),
        (7, "b", "call.started", {"call": 2, "to": "upstream", "text": "fetch"}),
        (9, "redis", "call.applied", {"call": 9, "reply": 1, **change("k", None)}),
        (9, "b", "call.failed", {"call": 2, "error": "gone"}),
        (9, "b", "mark", {"name": "end"}),
        (9, "b", "mark", {"name": "begin"}),
        (12, "a", "call.started", {"call": 3, "to": "redis", "text": "GET k"}),
    )
)


def without_strays(log):
    return Log([event for event in log.events if event.fields.get("call") != 9])


def test_an_empty_log_has_nothing():
    empty = Log([])
    assert (len(empty), empty.position_at(5), empty.first_mark("begin"), empty.calls()) == (0, 0, None, [])
    assert list(empty.marks("begin")) == list(empty.of_kind("mark")) == empty.values_of("redis", "k") == []


def test_a_position_is_that_of_the_last_event_of_an_instant():
    assert [LOG.position_at(at_us) for at_us in (0, 4, 5, 8, 9, 100)] == [0, 0, 2, 4, 8, 9]
    assert Log(LOG.events[1:]).position_at(0) == 0


def test_marks_and_kinds_come_in_order():
    assert [mark.sequence for mark in LOG.marks("begin", "end")] == [0, 7, 8]
    assert LOG.first_mark("begin").sequence == 0
    assert [event.sequence for event in LOG.of_kind("call.failed", "call.completed")] == [3, 6]


def test_calls_are_put_together_from_their_parts():
    done, failed, open_call = without_strays(LOG).calls()
    assert (done.started_us, done.applied_us, done.ended_us, done.reply, done.error) == (5, 5, 6, "OK", None)
    assert (failed.applied_us, failed.ended_us, failed.error) == (None, 9, "gone")
    assert (open_call.text, open_call.applied_us, open_call.ended_us) == ("GET k", None, None)
    assert [call.number for call in without_strays(LOG).calls("redis")] == [1, 3]


def test_a_keys_history_tells_removal():
    history = LOG.values_of("redis", "k")
    assert history == [(2, 5, "1"), (5, 9, None)]
    assert LOG.values_of("sql", "k") == []
    assert [value_at(history, at_us) for at_us in (4, 5, 8, 9)] == [None, "1", "1", None]
