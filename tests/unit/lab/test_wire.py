"""The bridge answers every request, bad ones with a sentence, and keeps nothing from one to the next."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from py_runtime.lab.wire import SOURCE_MAX, Bridge

from .support import HEAD
from .toy import TABLE

RUN = {"version": 1, "type": "run", "experiment": "toy", "variant": "plain"}


def ask(**changes):
    return json.loads(Bridge(TABLE).handle(json.dumps({**RUN, **changes})))


def test_a_run_answers_with_the_whole_report():
    answer = ask(parameters={"count": 2}, seed=1, schedule=None, sources={})
    assert (answer["version"], answer["ok"]) == (1, True)
    report = answer["report"]
    assert set(report) == {
        "version", "experiment", "variant", "parameters", "seed", "outcome", "ended", "digest", "schedule", "events",
        "until_us", "bounds", "readings", "claims", "lanes", "trace", "scene", "output",
        "predictions",
    }  # fmt: skip
    assert (report["version"], report["events"]) == (1, len(report["trace"]))
    assert report["parameters"] == {"count": 2, "mood": "quiet", "sizes": [2]}
    assert set(report["trace"][1]) == {"sequence", "at_us", "actor", "kind", "fields", "line"}
    assert report["trace"][1]["line"] == {"file": "main.py", "line": 7}
    assert set(report["claims"][0]) == {"id", "kind", "text", "holds", "observed", "position"}


def test_preparing_asks_for_every_experiment_once_and_changes_no_answer():
    asked = []

    class Watched(dict):
        def values(self):
            asked.append("all")
            return super().values()

    bridge = Bridge(Watched(TABLE))
    before = bridge.handle(json.dumps(RUN))
    bridge.prepare()
    assert asked == ["all"]
    assert bridge.handle(json.dumps(RUN)) == before


def test_parameters_and_sources_may_be_left_out_or_null():
    assert ask(parameters=None, sources=None)["ok"] is True
    assert ask()["report"]["digest"] == ask(parameters={}, sources={})["report"]["digest"]


def test_a_replay_runs_the_schedule_again_with_the_edits_it_was_recorded_with():
    edited = {"main.py": "async def main(mark, count):\n    mark('step', number=5)\n"}
    first = ask(sources=edited, seed=3)["report"]
    again = ask(type="replay", schedule=first["schedule"], sources=edited)["report"]
    assert (again["digest"], again["readings"]["last"]) == (first["digest"], 5)


def test_the_catalogue_can_be_asked_for():
    answer = ask(type="catalogue")
    assert [each["slug"] for each in answer["catalogue"]["experiments"]] == ["toy"]


BAD = [
    ({"version": 2}, "a request is a JSON object with version 1"),
    ({"version": None}, "a request is a JSON object with version 1"),
    (
        {"type": "explode"},
        "unknown request type 'explode'; there are: catalogue, examine, explore, more, outlook, replay, run",
    ),
    ({"type": None}, "unknown request type 'None'"),
    ({"experiment": "nothing"}, "unknown experiment 'nothing'; there are: toy"),
    ({"experiment": None}, "unknown experiment 'None'"),
    ({"experiment": ["toy"]}, "unknown experiment"),
    ({"variant": "nothing"}, "unknown variant 'nothing'; there are: plain, other"),
    ({"variant": None}, "variant must be a text"),
    ({"parameters": [1]}, "parameters must map names to values"),
    ({"parameters": "count=1"}, "parameters must map names to values"),
    ({"parameters": {"cuont": 1}}, "unknown parameter 'cuont'; there are: count, mood, sizes"),
    ({"parameters": {"count": -1}}, "count must be a whole number from 0 to 1000 (steps), got '-1'"),
    ({"parameters": {"count": 1.5}}, "count must be a whole number"),
    ({"parameters": {"count": float("nan")}}, "count must be a whole number"),
    ({"parameters": {"count": 99}}, "count must not be 99 here"),
    ({"parameters": {"mood": ["quiet"]}}, "mood must be one of quiet, noisy"),
    ({"seed": "x"}, "seed must be a whole number"),
    ({"seed": None}, "seed must be a whole number"),
    ({"seed": 1 << 32}, "seed must be a whole number"),
    ({"schedule": "ol1~toy~plain~0_0"}, "a schedule is replayed by a request of type replay"),
    ({"sources": ["main.py"]}, "sources must map program files to texts"),
    ({"sources": {"main.py": None}}, "sources must map program files to texts"),
    ({"sources": {"other.py": ""}}, "unknown program file 'other.py'; there are: main.py"),
    ({"sources": {"../main.py": ""}}, "unknown program file '../main.py'"),
    ({"sources": {"main.py": "#" * (SOURCE_MAX + 1)}}, "a program may have at most 200,000 characters"),
    ({"type": "replay"}, "schedule must be a text"),
    ({"type": "replay", "schedule": "broken"}, "a schedule reads ol1~"),
]


@pytest.mark.parametrize(("changes", "words"), BAD, ids=[str(index) for index in range(len(BAD))])
def test_a_bad_request_gets_a_sentence(changes, words):
    answer = ask(**changes)
    assert (answer["version"], answer["ok"], answer["error"]["kind"]) == (1, False, "input")
    assert words in answer["error"]["message"]
    assert set(answer["error"]) == {"kind", "message", "file", "line"}
    assert len(answer["error"]["message"]) < 300


HUGE = '{"version": 1, "seed": ' + "9" * 10_000 + "}"


@pytest.mark.parametrize("text", ["", "{", "null", "[]", "7", '"run"', "[" * 100_000, "\ud800", HUGE])
def test_a_text_that_is_no_request_gets_a_sentence(text):
    answer = json.loads(Bridge(TABLE).handle(text))
    assert (answer["ok"], answer["error"]["kind"]) == (False, "input")
    assert "request" in answer["error"]["message"]


def test_a_program_that_cannot_be_loaded_is_an_error_of_the_program_with_its_line():
    error = ask(sources={"main.py": "x = (\n"})["error"]
    assert (error["kind"], error["file"], error["line"]) == ("program", "main.py", 1)


@pytest.mark.parametrize("raised", ["SystemExit(3)", "GeneratorExit()", "KeyboardInterrupt()"])
@pytest.mark.parametrize("where", ["raise {}", "async def main(mark, count):\n    raise {}"])
def test_nothing_that_a_program_raises_gets_past_the_bridge(where, raised):
    answer = ask(sources={"main.py": where.format(raised)})
    assert answer["ok"] or answer["error"]["message"]


def test_one_bad_request_does_not_spoil_the_next():
    bridge = Bridge(TABLE)
    good = json.dumps(RUN)
    first = bridge.handle(good)
    for changes, _ in BAD:
        bridge.handle(json.dumps({**RUN, **changes}))
    bridge.handle(json.dumps({**RUN, "sources": {"main.py": "raise SystemExit\n"}}))
    bridge.handle(json.dumps({**RUN, "sources": {"main.py": "async def main(m, c):\n    raise KeyboardInterrupt\n"}}))
    assert bridge.handle(good) == first


PATCHES = [
    "import asyncio\nasyncio.sleep = None",
    "import asyncio.tasks\nasyncio.tasks.sleep = None",
    "import asyncio\ndel asyncio.Event",
    "import asyncio\nasyncio.Lock.acquire = asyncio.Lock.__init__ = None",
    "import asyncio\nasyncio.Queue.put = asyncio.Queue.extra = None",
    "import json\njson.dumps = json.extra = None",
    "import dataclasses, re\ndataclasses.dataclass = dataclasses.replace = re.compile = None",
    "import fractions\nfractions.Fraction = None",
]
USES = f"""import asyncio, collections, dataclasses, fractions, json
{HEAD}    await asyncio.sleep(int(fractions.Fraction(0)))
    async with asyncio.Lock():
        await asyncio.tasks.sleep(0)
    asyncio.Event().set()
    await asyncio.Queue().put(json.dumps(dataclasses.replace(dataclasses.make_dataclass('X', ['a'])(1), a=2).a))
    print(hasattr(asyncio.Queue, 'extra'), hasattr(json, 'extra'))
"""


@pytest.mark.parametrize("patch", PATCHES)
@pytest.mark.parametrize("kind", ["run", "explore"])
def test_what_a_program_puts_into_shared_modules_is_gone_after_it(kind, patch):
    bridge = Bridge(TABLE)
    good, uses = json.dumps(RUN), json.dumps({**RUN, "sources": {"main.py": USES}})
    published, edited = bridge.handle(good), bridge.handle(uses)
    assert json.loads(edited)["report"]["output"] == ["False False"]
    for text in (f"{patch}\n{HEAD}    pass\n", f"{HEAD}    " + patch.replace("\n", "; ")):
        bridge.handle(json.dumps({**RUN, "type": kind, "sources": {"main.py": text}}))
        assert (bridge.handle(good), bridge.handle(uses)) == (published, edited)


def test_a_program_that_interrupts_python_is_told_so():
    answer = ask(sources={"main.py": f"{HEAD}    raise KeyboardInterrupt\n"})
    assert answer["error"]["kind"] == "program"
    assert answer["error"]["message"] == "KeyboardInterrupt ended the run, which no program may do"


@pytest.mark.parametrize(
    "where", ["raise ValueError('<b>' * 1_000_000)", f"{HEAD}    raise ValueError('<b>' * 1_000_000)"]
)
def test_a_huge_error_is_told_in_its_beginning(where):
    assert len(json.dumps(ask(sources={"main.py": where}))) < 20_000


def test_answers_are_plain_ascii_even_for_odd_texts():
    answer = Bridge(TABLE).handle(
        json.dumps({**RUN, "sources": {"main.py": "async def main(mark, count):\n    print('\\ud800 — ✓')\n"}})
    )
    assert answer.isascii()
    assert json.loads(answer)["report"]["output"] == ["\ud800 — ✓"]


LEAVES = st.none() | st.booleans() | st.integers() | st.text()
JSON = st.recursive(LEAVES, lambda each: st.dictionaries(st.text(), each))


@settings(max_examples=30, deadline=None)
@given(JSON)
def test_any_json_gets_an_answer(value):
    answer = json.loads(Bridge(TABLE).handle(json.dumps(value)))
    assert answer["ok"] is False
    for name in ("parameters", "sources", "seed", "variant", "schedule", "type"):
        assert isinstance(ask(**{name: value})["ok"], bool)
