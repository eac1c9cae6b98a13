"""The panel's pure modules: folding a log, places on an axis, words for events and values, checking parameters."""

import pytest

from tests.page.panel import data


def test_a_call_is_joined_from_its_events_and_a_lost_one_has_no_answer(modules):
    trace = data.report()["trace"]
    calls = modules("log/calls.js", "(m, trace) => [...m.callsOf(trace).values()]", trace)
    first, lost = calls[0], calls[5]
    assert (first["caller"], first["service"], first["text"]) == ("w1", "redis", "INCR inflight")
    assert (first["started"], first["applied"], first["ended"]) == (2, [3], 4)
    assert (lost["text"], lost["applied"], lost["ended"], len(lost["lost"])) == ("DECR inflight", [], None, 1)


def test_an_answer_for_a_duplicated_request_is_kept_with_both_deliveries(modules):
    story = data.Story()
    story.event(0, "a", "call.started", call=1, to="redis", text="PING")
    story.event(1, "redis", "call.applied", call=1, reply="PONG")
    story.event(2, "redis", "call.applied", call=1, reply="PONG")
    story.event(3, "a", "call.completed", call=1, reply="PONG")
    [call] = modules("log/calls.js", "(m, trace) => [...m.callsOf(trace).values()]", story.trace)
    assert (call["applied"], call["ended"]) == ([1, 2], 3)


def spans(modules, events: list[tuple[float, str, str]], lanes: dict[str, int]):
    story = data.Story()
    for at, actor, kind in events:
        story.event(at, actor, kind)
    found = modules("log/spans.js", "(m, t, lanes) => m.spansOf(t, new Map(Object.entries(lanes)))", story.trace, lanes)
    return [(span["kind"], span["lane"], span["from"], span["to"]) for span in found]


def test_a_crash_ends_the_life_and_lasts_until_the_next_actor_of_the_lane_starts(modules):
    events = [(0, "task-1", "actor.started"), (5, "task-1", "actor.crashed"), (9, "task-2", "actor.started")]
    assert spans(modules, events, {"task-1": 3, "task-2": 3}) == [
        ("alive", 3, 0, 1),
        ("crashed", 3, 1, 2),
        ("alive", 3, 2, None),
    ]


def test_a_crash_ends_busy_time_but_not_what_a_thread_was_given(modules):
    kinds = ["actor.started", "busy.started", "offload.started", "actor.crashed", "offload.completed"]
    found = spans(modules, [(at, "w", kind) for at, kind in enumerate(kinds)], {"w": 0})
    assert found == [("alive", 0, 0, 3), ("busy", 0, 1, 3), ("offload", 0, 2, 4), ("crashed", 0, 3, None)]


STORES = """(m, trace, position, at_us) => m.storesAt(m.storesOf(trace), position, at_us)
  .map((k) => [k.key, k.value, k.touched, k.before ?? null, k.expired])"""


def stores_at(modules, position: int, at_us: int, trace=None):
    return modules("log/stores.js", STORES, trace or data.report()["trace"], position, at_us)


def test_a_store_is_empty_before_the_first_change_and_holds_each_value_from_its_event_on(modules):
    assert stores_at(modules, 2, 10_000) == []
    assert stores_at(modules, 3, 12_000) == [["inflight", "1", "added", None, False]]
    assert stores_at(modules, 4, 14_000) == [["inflight", "1", None, None, False]]
    assert stores_at(modules, 6, 22_000) == [["inflight", "2", "changed", "1", False]]


def test_a_removed_key_is_shown_at_its_removal_and_not_after(modules):
    trace = data.report()["trace"]
    removal = next(e["sequence"] for e in trace if e["fields"].get("text") == "DEL job:1" and "changes" in e["fields"])
    before = {"state": "running", "owner": "w1"}
    assert ["job:1", None, "removed", before, False] in stores_at(modules, removal, 99_000)
    assert "job:1" not in [key for key, *_ in stores_at(modules, removal + 1, 99_000)]


def test_the_groups_of_a_stream_are_those_of_its_last_change(modules):
    story, groups = data.Story(), [{"name": "g", "last_id": "0-0", "consumers": [], "pending": []}]
    entries = [["1-0", {"job": "7"}]]
    story.call(1, "w", "redis", "XADD s 1-0 job 7", "1-0", [data.change("s", entries, "stream")])
    story.call(2, "w", "redis", "XGROUP CREATE s g 0", "OK", [data.change("s", entries, "stream", groups=groups)])
    groups_at = "(m, trace, position) => m.storesAt(m.storesOf(trace), position, 0).map((key) => key.groups)"
    assert [modules("log/stores.js", groups_at, story.trace, position) for position in (1, 4)] == [[[]], [groups]]


@pytest.mark.parametrize(("at_us", "expired"), [(60_000, False), (60_001, True)])
def test_a_key_still_exists_at_the_very_instant_of_its_expiry(modules, at_us, expired):
    last = len(data.report()["trace"]) - 1
    [lease] = [key for key in stores_at(modules, last, at_us) if key[0] == "leases"]
    assert lease[4] is expired


AXIS = """async (m, report, kind, call, ...arguments_) => {
  const { openLog } = await import("/assets/lab/log/log.js");
  const log = openLog(report);
  const axis = kind === "time" ? m.timeAxis(log) : m.orderAxis(log);
  return call === "nearest" ? m.nearest(axis, arguments_[0], log.events.length) : axis[call](...arguments_);
}"""


@pytest.mark.parametrize(
    ("kind", "call", "arguments", "expected"),
    [
        ("time", "value", [3], 12_000),
        ("time", "reached", [11_999], 2),
        ("time", "reached", [12_000], 3),
        ("time", "between", [10_000, 14_000], [2, 4]),
        ("time", "nearest", [12_900], 3),
        ("time", "nearest", [13_100], 4),
        ("time", "nearest", [0], 1),  # two events at 0: the last of them
        ("order", "value", [3], 3),
        ("order", "reached", [3.9], 3),
        ("order", "between", [2.5, 6.5], [3, 6]),
        ("order", "nearest", [3.6], 4),
    ],
)
def test_places_on_an_axis(modules, kind, call, arguments, expected):
    assert modules("log/axis.js", AXIS, data.report(), kind, call, *arguments) == expected


def test_zooming_keeps_the_point_under_the_cursor_and_stays_inside(modules):
    zoom = "(m, range, factor, around) => m.zoomed({ kind: 'time', low: 0, high: 1000 }, range, factor, around)"
    assert modules("log/axis.js", zoom, {"low": 0, "high": 1000}, 0.5, 500) == {"low": 250, "high": 750}
    assert modules("log/axis.js", zoom, {"low": 0, "high": 1000}, 0.5, 0) == {"low": 0, "high": 500}
    assert modules("log/axis.js", zoom, {"low": 600, "high": 900}, 4, 900) == {"low": 0, "high": 1000}


def test_a_range_follows_a_value_that_leaves_it(modules):
    follow = "(m, range, value) => m.following({ low: 0, high: 1000 }, range, value)"
    assert modules("log/axis.js", follow, {"low": 100, "high": 200}, 150) == {"low": 100, "high": 200}
    assert modules("log/axis.js", follow, {"low": 100, "high": 200}, 500) == {"low": 480, "high": 580}
    assert modules("log/axis.js", follow, {"low": 100, "high": 200}, 1000) == {"low": 900, "high": 1000}


def test_lines_lead_to_events_and_back(modules):
    lines = """async (m, report, position) => {
      const { openLog } = await import("/assets/lab/log/log.js");
      const log = openLog(report);
      return [log.lines.shown[position], m.nextAtLine(log.lines, { file: "lease.py", line: 7 }, position)];
    }"""
    # 3 is carried out by the service: it shows the line that sent the call; the next event of that line is 5.
    assert modules("log/lines.js", lines, data.report(), 3) == [{"file": "lease.py", "line": 7}, 5]
    assert modules("log/lines.js", lines, data.report(), 5)[1] == 2, "after the last one it goes round to the first"


def test_cards_are_ranked_along_their_arrows(modules):
    rank = "(m, cards, arrows) => m.ranksOf(cards.map((id) => ({ id })), arrows)"
    rows = modules("log/scenes.js", rank, ["a", "b", "c", "x", "y"], [["a", "b"], ["b", "c"], ["a", "c"]])
    assert rows == [{"linked": True, "ranks": [["a"], ["b"], ["c"]]}, {"linked": False, "ranks": [["x"], ["y"]]}]
    circle = modules("log/scenes.js", rank, ["a", "b"], [["a", "b"], ["b", "a"]])
    assert sorted(sum(circle[0]["ranks"], [])) == ["a", "b"], "arrows in a circle end, and lose no card"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "—"),
        (6667, "6,667"),
        (0, "0"),
        (True, "yes"),
        ([10, 1, 0], "10, 1, 0"),
        ([[2, 9020]], "[2, 9020]"),
        ([], "none"),
        ({"W2": 1, "W3": 0}, "W2: 1, W3: 0"),
        ({"A": None}, "A: —"),
        ("W1", "W1"),
    ],
)
def test_values_of_readings_as_text(modules, value, shown):
    assert modules("format.js", "(m, value) => m.formatValue(value)", value) == shown


@pytest.mark.parametrize(
    ("at_us", "shown"), [(0, "0 ms"), (1_250_000, "1,250 ms"), (490, "0.49 ms"), (1_001, "1.001 ms")]
)
def test_instants_are_milliseconds_with_as_many_decimals_as_they_have(modules, at_us, shown):
    assert modules("format.js", "(m, at) => m.formatMs(at)", at_us) == shown


TELL = """async (m, report, position) => {
  const { openLog } = await import("/assets/lab/log/log.js");
  return m.describeEvent(openLog(report), position);
}"""


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        (0, "w1 starts"),
        (2, "w1 sends INCR inflight to redis"),
        (3, "redis carries out INCR inflight for w1 and answers 1"),
        (4, "w1 gets 1 from redis for INCR inflight"),
        (14, "w1 is busy; its other tasks wait (duration: 20 ms)"),
        (15, "w1 is free again"),
        (16, "w2 is paused (duration: 15 ms)"),
        (22, "a message between w2 and redis is lost: DECR inflight (direction: request, reason: dropped on the way)"),
        (25, "w2: refused (no slot free, waited: 1.5 ms)"),
        (27, "w2 crashes; nothing of it runs any more"),
    ],
)
def test_every_event_is_told_in_a_sentence(modules, position, sentence):
    assert modules("describe.js", TELL, data.report(), position) == sentence


def test_a_message_that_nobody_asked_for_is_received(modules):
    report, story = data.report(), data.Story()
    story.event(0, "redis", "call.started", call=1, to="w1", text="message news hi")
    story.event(1, "w1", "call.applied", call=1, text="message news hi")
    report["trace"] = story.trace
    told = [modules("describe.js", TELL, report, position) for position in (0, 1)]
    assert told == ["redis sends message news hi to w1", "w1 receives message news hi from redis"]


def test_a_statement_that_hit_no_row_says_which_conditions_failed_on_which_row(modules):
    failed = [{"text": "owner is 'W3', the statement wants 'W2'"}, {"text": "epoch is 2, the statement wants 1"}]
    report = data.report()
    report["trace"][3]["fields"].update({"unmatched": [{"row": "jobs/7", "failed": failed}], "unmatched_left_out": 2})
    assert modules("describe.js", TELL, report, 3) == (
        "redis carries out INCR inflight for w1 and answers 1 "
        "(jobs/7: owner is 'W3', the statement wants 'W2'; epoch is 2, the statement wants 1; and 2 more rows)"
    )


def test_every_kind_of_the_simulation_has_a_sentence_and_a_label(modules):
    from py_runtime.sim.trace import KINDS

    told = modules("text/en-events.js", "(m) => [Object.keys(m.events.sentences), Object.keys(m.events.kinds)]")
    assert sorted(told[0]) == sorted(KINDS)
    assert sorted(told[1]) == sorted(KINDS)


LIMIT, MODE, PAUSES = data.catalogue()["experiments"][0]["parameters"]


@pytest.mark.parametrize(
    ("parameter", "typed", "value", "problem"),
    [
        (LIMIT, " 7 ", 7, None),
        (LIMIT, "0", None, "Limit must be a whole number from 1 to 100 slots; 0 is outside."),
        (LIMIT, "1e3", None, "Limit must be a whole number from 1 to 100 slots; “1e3” is not."),
        (LIMIT, "2.5", None, "Limit must be a whole number from 1 to 100 slots; “2.5” is not."),
        (LIMIT, "", None, "Limit must be a whole number from 1 to 100 slots; it is empty."),
        (
            LIMIT,
            "99999999999999999999",
            None,
            "Limit must be a whole number from 1 to 100 slots; “99999999999999999999” is not.",
        ),
        (PAUSES, "120,310", [120, 310], None),
        (
            PAUSES,
            "5, 6000",
            None,
            "Pauses must be whole numbers separated by commas, each from 0 to 5,000 ms; 6,000 is outside.",
        ),
        (PAUSES, "5,,6", None, "Pauses must be whole numbers separated by commas, each from 0 to 5,000 ms; “” is not."),
        (MODE, "wild", "wild", None),
    ],
)
def test_a_parameter_is_read_or_refused_in_one_sentence(modules, parameter, typed, value, problem):
    checked = modules("panel/parameter-check.js", "(m, p, typed) => m.checkParameter(p, typed)", parameter, typed)
    assert checked == {"value": value, "problem": problem}


def test_an_axis_along_which_no_time_has_passed_has_values_that_differ(modules):
    source = """async (m) => {
      const { formatMs } = await import("/assets/lab/format.js");
      const { low, high } = m.timeAxis({ events: [], endUs: 0 });
      return m.roundValues(low, high, 580).map(formatMs);
    }"""
    words = modules("log/axis.js", source)
    assert len(words) == len(set(words)) > 2


def test_highlighting_loses_no_letter_and_knows_strings_over_several_lines(modules):
    source = 'SCRIPT = """\nreturn 1 -- "x"\n"""\nx = 1  # note\nfor y in f(\'a"b\'):\n    pass\n'
    lines = modules("inspect/highlight.js", "(m, source) => m.highlight(source)", source)
    assert "\n".join("".join(piece["text"] for piece in line) for line in lines) + "\n" == source
    assert [piece["kind"] for piece in lines[1]] == ["string"]
    assert ("comment", "# note") in [(piece["kind"], piece["text"]) for piece in lines[3]]
    assert ("keyword", "for") in [(piece["kind"], piece["text"]) for piece in lines[4]]


def test_a_long_run_is_drawn_with_few_marks(modules):
    draw = """async (m, report) => {
      const { openLog } = await import("/assets/lab/log/log.js");
      const { timeAxis } = await import("/assets/lab/log/axis.js");
      const log = openLog(report);
      const axis = timeAxis(log);
      const frame = { width: 600, laneHeight: 30, top: 20, axis, range: { low: axis.low, high: axis.high } };
      const picture = m.layout(log, frame);
      return [log.events.length, picture.marks.call.split("M").length - 1, picture.crowd];
    }"""
    events, marks, crowd = modules("timeline/layout.js", draw, data.long_report())
    assert events >= 5000
    assert marks <= 8 * 601, "at most one mark per lane and pixel"
    assert crowd == "dense"


def test_an_embed_address_says_variant_and_changed_parameters_only(modules):
    code = """(m, experiment) => m.embedCode({
      base: new URL("https://lab.example/some/repo/"), experiment, variant: "lease",
      parameters: { limit: 5, mode: "calm", pauses_ms: [5, 10] } })"""
    experiment = {**data.catalogue()["experiments"][0], "title": 'A "quoted" <title> & more'}
    text = modules("panel/share.js", code, experiment)
    assert text.startswith('<iframe title="A &quot;quoted&quot; &lt;title> &amp; more"')
    assert 'src="https://lab.example/some/repo/embed/demo/?variant=lease&amp;parameters=%7B%22limit%22%3A5%7D"' in text
    assert 'sandbox="allow-scripts allow-same-origin' in text and 'loading="lazy"' in text
    assert '<script async src="https://lab.example/some/repo/assets/lab/embed-host.js"></script>' in text
