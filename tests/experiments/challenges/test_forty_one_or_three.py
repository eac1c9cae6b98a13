"""A cache before its first answer: how many calls, by schedule and by repair, and what sharing must not share."""

import pytest

from ..support import fallen, run, searched
from ..test_challenges import repair

SLUG = "forty-one-or-three"
FILE = "answers.py"


@pytest.mark.parametrize(
    ("gap_us", "calls"), [(0, 100), (488, 41), (490, 41), (499, 41), (500, 41), (501, 40), (1_000, 21)]
)
def test_how_many_calls_there_are_is_a_matter_of_the_schedule(gap_us, calls):
    """At 500 and 1,000 µs a request arrives as the first answer does. In one event loop the request is first."""
    assert run(SLUG, "broken", gap_us=gap_us).readings["upstream_calls"] == calls


def test_the_published_numbers():
    report = run(SLUG, "broken")
    assert report.readings == {
        "upstream_calls": 41, "answered": 100, "failed": 0, "end_us": 48_510, "wait_us_mean": 8_200,
    }  # fmt: skip
    assert fallen(report) == {"calls-shared", "tenants-apart"}


@pytest.mark.parametrize(
    ("name", "calls", "end_us", "wait_us"),
    [("reference", 1, 48_510, 4_182), ("merged-without-cache", 3, 60_180, None)],
)
def test_merging_leaves_one_call_and_without_a_memory_three(name, calls, end_us, wait_us):
    readings = run(SLUG, "broken", sources=repair(SLUG, name)).readings
    assert (readings["upstream_calls"], readings["end_us"]) == (calls, end_us)
    assert wait_us is None or readings["wait_us_mean"] == wait_us


@pytest.mark.parametrize(
    ("name", "falls"),
    [
        ("question-alone", "own-answers"),
        ("flights-kept", "fails-with-its-call"),
        ("kept-for-ever", "fresh-answers"),
        ("first-caller-leads", "fails-with-its-call"),
    ],
)
def test_what_sharing_must_not_share(name, falls):
    found = searched(SLUG, "broken", repair(SLUG, name))
    assert falls in found["counterexample"]["violated"]


def test_an_unshielded_wait_ends_the_call_for_everybody():
    text = repair(SLUG, "reference")[FILE]
    bare = text.replace("await asyncio.shield(self._flights[key])", "await self._flights[key]")
    assert bare != text
    assert searched(SLUG, "broken", {FILE: bare})["counterexample"]["violated"] == ["fails-with-its-call"]


def test_trying_again_for_ever_tells_nobody():
    text = repair(SLUG, "reference")[FILE]
    old = "            answer = await self._upstream.fetch(*key)\n"
    stubborn = text.replace(
        old,
        "            while True:\n                try:\n"
        "                    answer = await self._upstream.fetch(*key)\n                    break\n"
        "                except ConnectionError:\n                    await asyncio.sleep(0.005)\n",
    )
    assert stubborn != text
    assert "told-in-time" in fallen(run(SLUG, "broken", sources={FILE: stubborn}, failing_calls=2_000, requests=10))


def test_a_lock_for_each_key_is_as_good():
    old = repair(SLUG, "one-lock")[FILE]
    new = old.replace("asyncio.Lock()", "{}").replace(
        "async with self._lock:", "async with self._lock.setdefault(key, asyncio.Lock()):"
    )
    assert new != old
    assert searched(SLUG, "broken", {FILE: new})["outcome"].startswith("holds within bounds")
    assert fallen(run(SLUG, "broken", sources={FILE: new}, tenants=2)) == set()
