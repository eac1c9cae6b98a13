"""Every documented number comes out exactly, and the trace shows it without the readings' help."""

from collections import Counter

import pytest

from .golden import FLIGHT, GOLDEN, HEARTBEAT, MERGING, OWNERSHIP, SLOTS
from .support import LESSONS, VARIANTS, log_of, run


@pytest.mark.parametrize(
    ("slug", "variant", "parameters", "readings"),
    GOLDEN,
    ids=[f"{slug}-{variant}-{'-'.join(map(str, p.values()))}" for slug, variant, p, _ in GOLDEN],
)
def test_documented_numbers_come_out_exactly(slug, variant, parameters, readings):
    got = run(slug, variant, **parameters).readings
    assert {name: got[name] for name in readings} == readings


def test_the_table_covers_every_variant():
    assert {(slug, variant) for slug, variant, _, _ in GOLDEN} == {pair for pair in VARIANTS if pair[0] in LESSONS}


@pytest.mark.parametrize("seed", range(21))
@pytest.mark.parametrize("variant", ["counter", "lease", "lease-repaired"])
def test_slot_numbers_do_not_depend_on_the_order_of_simultaneous_events(variant, seed):
    [golden] = [readings for slug, each, _, readings in GOLDEN if (slug, each) == (SLOTS, variant)]
    assert run(SLOTS, variant, seed=seed).readings == golden


def beats_at_ms(report):
    return [event.at_us / 1000 for event in report.trace if event.fields.get("name") == "beat"]


def test_no_beat_is_in_the_trace_while_the_loop_is_blocked():
    blocked = beats_at_ms(run(HEARTBEAT, "in-loop"))
    assert blocked[:10] == list(range(20, 201, 20))
    assert blocked[10:] == list(range(610, 991, 20))
    skipped = beats_at_ms(run(HEARTBEAT, "in-loop", timer="phase-keeping"))
    assert skipped[10:] == [610, *range(620, 1001, 20)]


def test_every_beat_is_in_the_trace_while_a_pool_thread_works():
    report = run(HEARTBEAT, "offloaded")
    assert beats_at_ms(report) == list(range(20, 1001, 20))
    [started] = [event for event in report.trace if event.kind == "offload.started"]
    [completed] = [event for event in report.trace if event.kind == "offload.completed"]
    assert (started.actor, started.at_us, completed.at_us) == ("worker/thread-1", 210_000, 610_000)


def rows_by_second(report):
    """The short job's row after each second in which it changed."""
    history = log_of(report).values_of("database", "jobs/short")
    return {at_us // 1_000_000: row for _, at_us, row in history}


def test_the_job_row_goes_through_claim_start_and_end_at_the_documented_ticks():
    report = run(OWNERSHIP, "global-claim")
    rows = rows_by_second(report)
    assert sorted(rows) == [2, 4, 5, 7]
    assert [rows[tick]["state"] for tick in sorted(rows)] == ["queued", "queued", "running", "done"]
    assert (rows[4]["owner"], rows[4]["epoch"], rows[4]["execution_id"]) == ("W2", 1, None)
    index = log_of(report).values_of("redis", "jobs:ready")
    assert [(at_us // 1_000_000, value) for _, at_us, value in index] == [(3, [["short", 3]]), (4, None)]
    [delivered] = [event for event in report.trace if event.fields.get("name") == "delivered"]
    assert delivered.actor == "W1"


def test_the_late_start_leaves_the_row_as_the_second_claim_left_it():
    report = run(OWNERSHIP, "preemption")
    rows = rows_by_second(report)
    assert sorted(rows) == [2, 4, 9, 10]
    assert (rows[9]["owner"], rows[9]["claimed_at"], rows[9]["token"], rows[9]["epoch"]) == (None, None, None, 1)
    last = rows[10]
    assert (last["state"], last["owner"], last["epoch"], last["execution_id"]) == ("queued", "W3", 2, None)
    [late] = [event for event in report.trace if event.kind == "call.started" and event.at_us == 12_000_000]
    assert late.actor == "W2"


def test_the_short_job_starts_in_the_trace_when_the_long_one_ends():
    trace = run(OWNERSHIP, "local-queue").trace
    marks = [(e.fields["name"], e.fields.get("job"), e.at_us) for e in trace if e.kind == "mark"]
    assert marks == [
        ("started", "long", 0), ("entered", "short", 2_000_000), ("ended", "long", 20_000_000),
        ("started", "short", 20_000_000), ("ended", "short", 22_000_000),
    ]  # fmt: skip


def test_the_counter_in_the_store_never_falls_below_the_crashes_so_far():
    report = run(SLOTS, "counter")
    crashes = [event.at_us for event in report.trace if event.kind == "actor.crashed"]
    assert len(crashes) == 10
    assert crashes[-1] == 21_237_000
    for _, at_us, value in log_of(report).values_of("redis", "llm:inflight"):
        assert int(value or 0) >= sum(crash < at_us for crash in crashes)
    admitted = [event.at_us for event in report.trace if event.fields.get("name") == "admitted"]
    assert admitted[-1] == 19_987_000


@pytest.mark.parametrize("variant", ["lease", "lease-repaired"])
def test_every_crashed_task_leaves_the_set_within_one_lease_and_one_arrival(variant):
    report = run(SLOTS, variant)
    key = {"lease": "llm:leases", "lease-repaired": "{llm}:leases"}[variant]
    history = log_of(report).values_of("redis", key)
    crashes = [(event.at_us, event.actor) for event in report.trace if event.kind == "actor.crashed"]
    assert len(crashes) == 26
    for crashed_us, task in crashes:
        until_us = crashed_us + (3_000 + 370) * 1_000
        after = [value for _, at_us, value in history if at_us >= until_us]
        assert not any(member.partition("#")[0] == task for value in after for member, _ in value or ())


def test_the_result_in_the_store_is_written_once_and_by_the_second_token():
    report = run(FLIGHT, "repaired")
    results = log_of(report).values_of("redis", "flight:{weather}:result")
    assert [(at_us, value["token"], value["answer"]) for _, at_us, value in results if value] == [
        (9_020_000, "2", "answer that B asked for")
    ]
    leads = [(at_us, value["leader"], value["token"]) for _, at_us, value in
             log_of(report).values_of("redis", "flight:{weather}:meta") if value["status"] == "RUNNING"]  # fmt: skip
    assert (5_120_000, "B", "2") in leads
    assert {leader for _, leader, _ in leads} == {"A", "B"}


def test_with_a_blind_takeover_three_callers_lead_and_b_is_refused_at_its_next_beat():
    report = run(FLIGHT, "blind-takeover")
    refused = [(call.actor, call.applied_us) for call in log_of(report).calls("redis")
               if "flight-renew" in call.text and call.reply == 0]  # fmt: skip
    assert refused == [("B", 6_120_000), ("A", 7_500_000)]
    starts = [(call.actor, call.started_us) for call in log_of(report).calls("upstream")]
    assert starts == [("A", 0), ("B", 5_120_000), ("C", 5_310_000)]


def test_a_hung_leader_renews_to_the_end_and_nobody_else_calls():
    report = run(FLIGHT, "repaired", fault="hang")
    renewals = [call.applied_us for call in log_of(report).calls("redis")
                if "flight-renew" in call.text and call.reply == 1]  # fmt: skip
    assert renewals == list(range(1_000_000, 20_000_001, 1_000_000))
    assert [event.kind for event in report.trace if event.actor == "upstream"].count("call.lost") == 1


def test_the_upstream_starts_in_the_trace_are_the_calls_that_are_counted():
    starts = {variant: [call.started_us for call in log_of(run(MERGING, variant)).calls("upstream")]
              for variant in ("plain", "merged", "merged-without-cache")}  # fmt: skip
    assert starts["plain"] == [490 * number for number in range(41)]
    assert starts["merged"] == [0]
    assert starts["merged-without-cache"] == [0, 20_090, 40_180]


def test_every_request_is_answered_once():
    for variant in ("plain", "merged", "merged-without-cache"):
        answered = Counter(event.fields["request"] for event in run(MERGING, variant).trace
                           if event.fields.get("name") == "answered")  # fmt: skip
        assert answered == Counter(range(1, 101))


@pytest.mark.parametrize("seed", range(10))
def test_an_arrival_on_the_instant_of_the_first_completion_comes_before_it(seed):
    assert run(MERGING, "plain", seed=seed, gap_us=500).readings["upstream_calls"] == 41
