"""A caller refused by its own slot: the lost answer, the late release and the late request, with documented numbers."""

import pytest

from ..support import answers, fallen, log_of, run, searched
from ..test_challenges import examined, repair

SLUG = "retry-that-is-refused"
AGAIN = {"lost": "none", "tasks": 2, "arrival_first_ms": 0, "arrival_every_ms": 9_600, "again_ms": 9_500}
LATE = {"lost": "late", "tasks": 2, "arrival_first_ms": 0}


def members(report):
    """(at_ms, members) at each change of the set."""
    values = log_of(report).values_of("redis", "llm:leases")
    return [(at_us // 1000, [member for member, _ in value or ()]) for _, at_us, value in values]


def test_the_retry_is_refused_by_its_own_slot_and_so_is_everybody_for_a_lease():
    report = run(SLUG, "broken")
    assert answers(report) == {
        "task-1": ("refused", 1_010),
        "task-2": ("refused", 4_100),
        "task-3": ("refused", 7_200),
        "task-4": ("admitted", 10_300),
    }
    assert report.readings == {
        "running_max": 1, "admitted": 1, "refused": 3, "refused_while_free": 3, "counted_max": 1,
    }  # fmt: skip
    assert fallen(report) == {"refused-for-a-reason", "everybody-admitted"}


@pytest.mark.parametrize(("gap_ms", "word"), [(8_999, "refused"), (9_000, "admitted")])
def test_the_ghost_goes_at_its_exact_age(gap_ms, word):
    report = run(SLUG, "broken", tasks=2, arrival_every_ms=gap_ms)
    assert answers(report)["task-2"] == (word, 1_000 + gap_ms)


def test_the_repaired_retry_is_admitted_and_releases():
    report = run(SLUG, "broken", sources=repair(SLUG, "reference"))
    assert answers(report)["task-1"] == ("admitted", 1_010)
    assert report.readings["admitted"] == 4
    assert members(report)[-1][1] == []


def test_the_late_release_of_one_attempt_removes_the_slot_of_the_next():
    report = run(SLUG, "broken", **AGAIN, stall_ms=9_450)
    assert answers(report)["task-1-again"] == ("admitted", 9_500)
    assert (9_550, []) in members(report)
    assert answers(report)["task-2"] == ("admitted", 9_600)
    assert fallen(report) == {"limit-kept"}
    repaired = run(SLUG, "broken", sources=repair(SLUG, "reference"), **AGAIN, stall_ms=9_450)
    assert answers(repaired)["task-2"] == ("refused", 9_600)
    assert fallen(repaired) == {"everybody-admitted"}


def test_a_request_that_arrives_after_the_release_leaves_a_ghost_for_one_lease():
    report = run(SLUG, "broken", **LATE, arrival_every_ms=600)
    assert members(report) == [(10, ["task-1"]), (410, []), (500, ["task-1"])]
    assert answers(report)["task-2"] == ("refused", 600)
    assert answers(run(SLUG, "broken", **LATE, arrival_every_ms=9_499))["task-2"][0] == "refused"
    assert answers(run(SLUG, "broken", **LATE, arrival_every_ms=9_500))["task-2"] == ("admitted", 9_500)
    repaired = run(SLUG, "broken", sources=repair(SLUG, "reference"), **LATE, arrival_every_ms=600)
    assert answers(repaired)["task-2"] == ("admitted", 600)


def test_the_simplest_way_to_break_it_is_one_lost_answer():
    found = searched(SLUG, "broken")
    assert (found["outcome"], found["minimal"]) == ("counterexample found", True)
    assert found["runs"] <= 100
    assert found["counterexample"]["schedule"].split("~")[3].startswith("0_x2")
    assert found["counterexample"]["violated"] == ["refused-for-a-reason"]


def test_taking_a_refusal_for_a_yes_lets_two_work():
    found = searched(SLUG, "broken", repair(SLUG, "refused-means-mine"))
    assert found["counterexample"]["violated"] == ["limit-kept"]


def test_an_attempt_in_the_name_is_not_enough_for_a_lost_answer():
    whole = repair(SLUG, "reference")["admission.py"]
    half = whole.replace("if redis.call('ZSCORE', KEYS[1], ARGV[3]) then", "if false then")
    assert half != whole
    assert "refused-for-a-reason" in fallen(run(SLUG, "broken", sources={"admission.py": half}))


@pytest.mark.parametrize(("name", "word"), [("reference", "refused"), ("whoever-leaves-clears", "admitted")])
def test_a_release_removes_no_other_slot(name, word):
    """task-1 leaves at 1,400 ms, task-2 works until 1,700, and task-1's second attempt has the free slot."""
    case = {"lost": "none", "limit": 2, "tasks": 3, "arrival_every_ms": 300, "again_ms": 450}
    report = run(SLUG, "broken", sources=repair(SLUG, name), **case)
    assert answers(report)["task-1-again"] == ("admitted", 1_450)
    assert answers(report)["task-3"] == (word, 1_600)
    assert ("limit-kept" in fallen(report)) is (word == "admitted")


def test_a_note_of_each_answer_is_another_way():
    """What a try was told is told again to its copies, early or late; nothing is looked for in the set."""
    text = repair(SLUG, "reference")["admission.py"]
    for old, new in (
        (
            "if redis.call('EXISTS', KEYS[2]) == 1 then\n  return 0\nend\n",
            "local told = redis.call('GET', KEYS[2])\nif told then\n  return tonumber(told)\nend\n",
        ),
        (
            "if redis.call('ZSCORE', KEYS[1], ARGV[3]) then\n"
            "  redis.call('ZADD', KEYS[1], 'GT', now, ARGV[3])\n  return 2\nend\n",
            "",
        ),
        ("  return 1\nend\n", "  redis.call('SET', KEYS[2], 1, 'PX', ARGV[1])\n  return 1\nend\n"),
        (
            "redis.call('SET', KEYS[2], 1, 'PX', ARGV[1])  -- a no",
            "redis.call('SET', KEYS[2], 0, 'PX', ARGV[1])  -- a no",
        ),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    assert examined(SLUG, {"admission.py": text})["solved"]


def test_a_note_in_a_call_of_its_own_is_early_enough_before_the_release():
    text = repair(SLUG, "note-after-release")["admission.py"]
    note = "        await self._answered(lambda: self._redis.set(ENDED + member, 1, px=self._lease_ms))\n"
    release = "        await self._answered(lambda: self._redis.zrem(LEASES, member))\n"
    assert text.count(release + note) == 1
    assert examined(SLUG, {"admission.py": text.replace(release + note, note + release)})["solved"]


def test_a_refusal_may_be_written_down_by_a_release():
    """A release after the no, in one step, also takes back what a late request has been granted by then."""
    text = repair(SLUG, "note-after-refusal")["admission.py"]
    note = "        await self._answered(lambda: self._redis.set(ENDED + member, 1, px=self._lease_ms))\n"
    assert text.count(note) == 1
    assert examined(SLUG, {"admission.py": text.replace(note, "        await self.release(member)\n")})["solved"]
