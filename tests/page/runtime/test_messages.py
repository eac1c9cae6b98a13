"""messages.js: every message passes its own guard and no other, and nothing of another version or shape passes any."""

import pytest

# name of the maker → an expression that makes one; the guard is is<Name>.
MADE = {
    "prepare": "messages.prepare('https://lab.example/assets/runtime/00/')",
    "start": "messages.start({ module: new WebAssembly.Module(EMPTY), archive: new ArrayBuffer(8), lock: '{}' })",
    "run": "messages.run(7, '{}')",
    "prepared": "messages.prepared()",
    "started": "messages.started()",
    "startFailed": "messages.startFailed('no')",
    "runAnswered": "messages.runAnswered(7, '{}', 1024)",
    "runFailed": "messages.runFailed(7, 'broke')",
    "liveConnect": "messages.liveConnect(new MessageChannel().port1)",
    "liveMeasure": "messages.liveMeasure("
    "{ interval_ms: 20, window_ms: 1000, block_at_ms: 210, block_ms: 400, timer: 'sleep-loop' }, true)",
    "liveWork": "messages.liveWork(400)",
    "liveWorked": "messages.liveWorked()",
    "liveBeat": "messages.liveBeat()",
    "liveMeasured": "messages.liveMeasured('{}')",
    "liveFailed": "messages.liveFailed('no')",
}
TURN = {
    "schedule": "ol1~toy~plain~0_0", "step": 3, "at_us": 0, "over": False, "choices": [], "faults": [], "missed": [],
    "deviations": 0, "spent": 0, "faults_max": 1, "violated": [], "points": [[0, 0]],
}  # fmt: skip
SEARCH = {"runs": 3, "saved": 0, "best": None, "done": False}
EMPTY = "const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);"


def guard_of(name):
    return f"is{name[0].upper()}{name[1:]}"


def accepting(page, expression):
    """Names of the guards that accept the value, among those of whole messages."""
    names = [guard_of(name) for name in MADE]
    return page.evaluate(
        f"(names) => {{ {EMPTY} const value = {expression}; return names.filter((name) => messages[name](value)); }}",
        names,
    )


def test_every_maker_is_listed_here(warm_page):
    exported = warm_page.evaluate("Object.keys(messages).filter((name) => typeof messages[name] === 'function')")
    guards = {name for name in exported if name.startswith("is")}
    makers = set(exported) - guards - {name for name in exported if name.endswith("Text")}  # Python's, not the worker's
    assert makers == set(MADE)
    assert {guard_of(name) for name in MADE} <= guards


@pytest.mark.parametrize("name", MADE)
def test_a_message_passes_its_own_guard_only(warm_page, name):
    assert accepting(warm_page, MADE[name]) == [guard_of(name)]


@pytest.mark.parametrize("name", MADE)
def test_a_message_of_another_version_passes_none(warm_page, name):
    assert accepting(warm_page, f"{{ ...{MADE[name]}, wire: 2 }}") == []


@pytest.mark.parametrize(
    "name", [name for name in MADE if name not in ("prepared", "started", "liveWorked", "liveBeat")]
)
def test_a_message_that_lacks_its_content_passes_none(warm_page, name):
    assert accepting(warm_page, f"(({{ wire, type }}) => ({{ wire, type }}))({MADE[name]})") == []


@pytest.mark.parametrize("value", ["null", "undefined", "7", "'run'", "[]", "{}", "new Error('x')"])
def test_what_is_no_message_passes_none(warm_page, value):
    assert accepting(warm_page, value) == []


@pytest.mark.parametrize(
    ("answer", "accepted"),
    [
        ({"version": 1, "ok": False, "error": {"kind": "input", "message": "m", "file": None, "line": None}}, True),
        ({"version": 2, "ok": False, "error": {"kind": "input", "message": "m"}}, False),
        ({"version": 1, "ok": True, "report": {"version": 1}}, False),
        ({"version": 1, "ok": True, "work": SEARCH}, True),
        ({"version": 1, "ok": True, "work": {**SEARCH, "done": True}}, False),
        ({"version": 1, "ok": True, "work": {**SEARCH, "done": True, "result": {}}}, True),
        ({"version": 1, "ok": True, "work": {**SEARCH, "runs": -1}}, False),
        ({"version": 1, "ok": "yes"}, False),
        (None, False),
    ],
)
def test_an_answer_of_python_is_guarded_too(warm_page, answer, accepted):
    assert warm_page.evaluate("(answer) => messages.isAnswer(answer)", answer) is accepted


@pytest.mark.parametrize(
    ("state", "accepted"),
    [
        (SEARCH, True),
        ({**SEARCH, "best": {"schedule": "0_0", "violated": ["limit"]}}, True),
        ({**SEARCH, "best": {"schedule": 7, "violated": []}}, False),
        ({**SEARCH, "saved": None}, False),
        ({**SEARCH, "done": True}, False),
    ],
)
def test_how_far_a_search_is_is_guarded_once_more(warm_page, state, accepted):
    assert warm_page.evaluate("(state) => messages.isSearchState(state)", state) is accepted


@pytest.mark.parametrize(
    ("changes", "accepted"),
    [
        ({}, True),
        ({"schedule": None}, False),
        ({"step": -1}, False),
        ({"over": "no"}, False),
        ({"points": None}, False),
    ],
)
def test_where_a_game_stands_is_guarded(warm_page, changes, accepted):
    assert warm_page.evaluate("(turn) => messages.isTurn(turn)", {**TURN, **changes}) is accepted
