"""One sequence for all flights: the documented slots, which keys fail on two nodes, and tokens that come back."""

import pytest

from py_runtime.stores.redis import key_slot

from ..support import fallen, log_of, run, searched
from ..test_challenges import examined, repair

SLUG = "one-node-two-nodes"
REFUSED = "Script attempted to access a non local key in a cluster node"


def failures(report):
    return {mark.actor: mark.fields["error"] for mark in log_of(report).marks("failed")}


def led(report, key):
    """The tokens and leaders of a key's record, in order."""
    values = log_of(report).values_of("redis-1", f"ai:flight:meta:{{{key}}}")
    return list(dict.fromkeys((value["token"], value["leader"]) for _, _, value in values if value))


def test_the_slots_are_the_documented_ones():
    parts = ("meta", "result", "stream")
    assert [key_slot(f"ai:flight:{part}:{{abc}}".encode()) for part in parts] == [7_638] * 3
    assert key_slot(b"ai:flight:owner-seq") == 4_970
    cards = {card["id"]: card["role"] for view in run(SLUG, "broken").scene for card in view.get("cards", ())}
    assert cards == {
        "sequence": "slot 4970, redis-1",
        "abc": "slot 7638, redis-1",
        "def": "slot 16148, redis-2",
        "ghi": "slot 8695, redis-2",
        "jkl": "slot 9808, redis-2",
    }


def test_on_two_nodes_abc_works_and_the_others_are_refused():
    report = run(SLUG, "broken")
    assert (report.readings["answered"], report.readings["failed"], report.readings["upstream_calls"]) == (2, 4, 1)
    assert list(failures(report)) == ["def-1", "ghi-1", "jkl-1", "def-2"]
    assert all(error.startswith(REFUSED) for error in failures(report).values())
    assert fallen(report) == {"every-request-answered", "work-is-shared"}


def test_on_one_node_nothing_is_wrong():
    report = run(SLUG, "broken", nodes=1)
    assert (report.readings["answered"], report.readings["failed"], report.readings["upstream_calls"]) == (6, 0, 4)
    assert fallen(report) == set()


@pytest.mark.parametrize("nodes", [1, 2])
def test_a_declared_sequence_is_refused_on_any_number_of_nodes(nodes):
    report = run(SLUG, "broken", sources=repair(SLUG, "declared"), nodes=nodes)
    assert set(failures(report).values()) == {"EVAL - all keys must map to the same key slot"}
    assert report.readings["answered"] == 0


@pytest.mark.parametrize(("name", "answered"), [("reference", 4), ("drawn-before", 0)])
def test_whoever_needs_one_sequence_for_all_fails_with_its_node(name, answered):
    report = run(SLUG, "broken", sources=repair(SLUG, name), down_node=1)
    assert report.readings["answered"] == answered


def test_a_counter_that_expired_gives_the_old_leaders_token_again_and_its_late_result_is_taken():
    report = run(SLUG, "broken", sources=repair(SLUG, "counter-expires"), fault="pause", followers=1)
    assert led(report, "abc") == [("1", "abc-1"), ("1", "abc-2")]
    assert fallen(report) >= {"tokens-grow", "one-result-per-key"}


def test_the_repaired_tokens_grow_for_their_own_key_only():
    report = run(SLUG, "broken", sources=repair(SLUG, "reference"), fault="pause", followers=1)
    assert led(report, "abc") == [("1", "abc-1"), ("5120000", "abc-2")]
    assert report.readings["token_seen_by"] == {
        "abc-1": 5_120_000, "def-1": 10_000, "ghi-1": 20_000, "jkl-1": 30_000, "abc-2": 5_120_000,
    }  # fmt: skip
    assert fallen(report) == set()


def test_the_simplest_way_to_break_it_needs_no_fault():
    found = searched(SLUG, "broken")
    assert (found["outcome"], found["minimal"], found["runs"]) == ("counterexample found", True, 1)
    assert found["counterexample"]["schedule"].split("~")[3] == "0_0"


LATER = {"keys": 1, "followers": 1, "later_at_ms": 3_600_000}
FROM_THE_RECORD = "math.max(tonumber(meta[1] or 0) + 1, time[1] * 1000000 + time[2])"


def test_what_the_record_counts_is_forgotten_with_it():
    """The record goes ten minutes after the last renewal; an hour later its key is asked for once more."""
    report = run(SLUG, "broken", sources=repair(SLUG, "record-expires"), **LATER)
    assert led(report, "abc") == [("1", "abc-1"), ("1", "abc-3")]
    assert fallen(report) == {"tokens-grow", "one-call-per-key", "one-result-per-key"}
    repaired = run(SLUG, "broken", sources=repair(SLUG, "reference"), **LATER)
    assert "tokens-grow" not in fallen(repaired)


def test_a_counter_of_the_keys_own_that_stays_is_as_good():
    sources = repair(
        SLUG,
        "reference",
        (FROM_THE_RECORD, "redis.call('INCR', KEYS[3])"),
        (
            "self._run(TAKE_OVER, [meta, result], arguments)",
            "self._run(TAKE_OVER, [meta, result, meta + ':seq'], arguments)",
        ),
    )
    assert examined(SLUG, sources)["solved"]
