"""A page between history and channel: which events it shows, with the documented loss, and what repairs must not do."""

import pytest

from ..support import fallen, log_of, run, searched
from ..test_challenges import repair

SLUG = "replay-or-subscribe-first"
FILE = "events.py"


def changed(*changes):
    """The reference repair with each old text replaced."""
    return repair(SLUG, "reference", *changes)


def test_an_event_between_replay_and_subscription_is_lost():
    report = run(SLUG, "broken")
    assert report.readings == {"shown": [1, 2, 4], "shown_later": [1, 2, 3, 4], "closed_ms": 410, "calls": 3}
    assert fallen(report) == {"one-after-another"}
    calls = {call.text.split()[0]: call.applied_us // 1000 for call in log_of(report).calls("redis") if _first(call)}
    assert calls["LRANGE"] == 295 and calls["SUBSCRIBE"] == 315  # event 3 is published at 305
    assert run(SLUG, "broken", opens_ms=250).readings["shown"] == [1, 2, 3, 4]


def _first(call):
    return call.actor == "page-1"


def test_subscribed_first_it_shows_all_four():
    report = run(SLUG, "broken", sources=repair(SLUG, "reference"))
    assert report.readings["shown"] == [1, 2, 3, 4] and fallen(report) == set()


def test_the_loss_of_the_last_event_leaves_no_gap():
    """It is found after one silence; the broken page waits for ever."""
    assert run(SLUG, "broken", lost_event=4).readings["closed_ms"] is None
    repaired = run(SLUG, "broken", lost_event=4, sources=repair(SLUG, "reference")).readings
    assert (repaired["shown"], repaired["closed_ms"]) == ([1, 2, 3, 4], 1_330)


def test_a_loss_in_the_middle_is_found_by_the_next_event():
    repaired = run(SLUG, "broken", lost_event=3, opens_ms=150, sources=repair(SLUG, "reference")).readings
    assert (repaired["shown"], repaired["closed_ms"]) == ([1, 2, 3, 4], 430)


def test_the_simplest_way_to_break_it():
    found = searched(SLUG, "broken")
    assert (found["outcome"], found["minimal"]) == ("counterexample found", True)
    assert "one-after-another" in found["counterexample"]["violated"] and found["runs"] <= 100


def test_an_event_that_was_never_stored_is_seen_once_and_never_again():
    found = searched(SLUG, "broken", repair(SLUG, "publish-first"))
    assert found["counterexample"]["violated"] == ["shown-again"]
    assert found["counterexample"]["schedule"].split("~")[3].startswith("0_x")  # one fault: the worker is killed


def test_a_page_that_goes_by_the_highest_number_drops_what_comes_late():
    report = run(
        SLUG,
        "broken",
        sources=changed(
            ("        while self.shown + 1 in self._ahead:\n", "        for seq in sorted(self._ahead):\n"),
            ("            self.shown += 1\n", "            self.shown = seq\n"),
        ),
        late_event=3,
        opens_ms=150,
    )
    assert report.readings["shown"] == [1, 2, 4] and "one-after-another" in fallen(report)


STREAM = """
import json

async def emit(redis, job_id, event):
    await redis.xadd(job_id, {"event": json.dumps(event)})

async def follow(redis, job_id, show, idle_s):
    position = "0"
    while True:
        for _, entries in await redis.xread({job_id: position}, block=int(idle_s * 1000)) or []:
            for position, fields in entries:
                event = json.loads(fields["event"])
                show(event)
                if event["type"] == "done":
                    return
"""


@pytest.mark.parametrize("case", [{}, {"lost_event": 3}])
def test_a_stream_is_history_and_channel_in_one(case):
    assert searched(SLUG, "broken", {FILE: STREAM}, case)["outcome"].startswith("holds within bounds")


def test_a_page_that_waits_for_a_silence_stands_still_as_long_as_events_come():
    case = {"events": 8, "lost_event": 3, "opens_ms": 150, "reload_ms": 2_000}
    assert run(SLUG, "broken", sources=repair(SLUG, "reference"), **case).readings["closed_ms"] == 820
    late = run(SLUG, "broken", sources=repair(SLUG, "gap-until-silence"), **case)
    assert (late.readings["shown"], late.readings["closed_ms"]) == ([1, 2, 3, 4, 5, 6, 7, 8], 1_830)
    assert "gaps-closed" in fallen(late)


def test_an_event_that_the_page_makes_up_is_not_what_the_worker_emitted():
    invented = changed(
        (
            "        while self.shown + 1 in self._ahead:\n",
            "        for seq in range(self.shown + 1, event['seq']):\n"
            "            self._ahead.setdefault(seq, {'seq': seq, 'type': 'text'})\n"
            "        while self.shown + 1 in self._ahead:\n",
        )
    )
    assert fallen(run(SLUG, "broken", sources=invented, lost_event=3, opens_ms=150)) == {"shown-as-emitted", "at-once"}


def test_the_worker_and_the_pages_share_nothing_in_python():
    """Each is a process: what the worker puts into a variable of the module, no page finds there."""
    shared = changed(
        ("import json\n", "import json\n\nEMITTED = []\n"),
        ("    text = json.dumps(event)\n", "    EMITTED.append(event)\n    text = json.dumps(event)\n"),
        ("    view = View(show)\n", "    view = View(show)\n    print(EMITTED)\n"),
    )
    assert run(SLUG, "broken", sources=shared).output == ["[]", "[]"]
