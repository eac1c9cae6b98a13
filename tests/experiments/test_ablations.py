"""Switch one safeguard off by editing the program's text: its own claim falls. And which single removals stay safe."""

import difflib

import pytest

from experiments import EXPERIMENTS

from .golden import FLIGHT, HEARTBEAT, MERGING, OWNERSHIP, SLOTS
from .support import VARIANTS, edit, fallen, holds, program, run


def declared(slug, variant):
    """Safeguard → the changes that take it out."""
    return {each.id: each.changes for each in EXPERIMENTS[slug].safeguards if each.variant == variant}


REPAIRED = {
    **declared(FLIGHT, "repaired"),
    "takeover-compares": (
        (
            """local current = redis.call('HGET', KEYS[1], 'token') or ''
if current ~= ARGV[1] or tonumber(ARGV[2]) <= tonumber(current == '' and 0 or current) then
  return 0
end
""",
            "",
        ),
    ),
}


def flight_without(*safeguards, **parameters):
    sources = edit(FLIGHT, "repaired.py", *(change for name in safeguards for change in REPAIRED[name]))
    return run(FLIGHT, "repaired", sources=sources, **parameters)


@pytest.mark.parametrize(
    ("safeguard", "claims"),
    [
        ("token-check-on-publish", {"one-result-for-all", "current-token-publishes"}),
        ("token-check-on-renewal", {"stale-write-refused"}),
        ("second-look", {"no-token-burnt"}),
        ("delay-before-takeover", {"no-token-burnt"}),
    ],
)
def test_a_flight_without_this_safeguard_breaks_these_claims(safeguard, claims):
    assert fallen(flight_without(safeguard)) == claims


@pytest.mark.parametrize("safeguard", ["takeover-compares", "expiry-recheck-at-takeover", "no-takeover-after-result"])
def test_a_flight_stays_safe_without_this_one_alone(safeguard):
    assert flight_without(safeguard).outcome == "holds within bounds"


def test_what_keeps_a_live_leader_is_either_comparison_once_nobody_looks_again():
    assert "live-leader-kept" in holds(flight_without("second-look"))
    assert holds(flight_without("second-look", "takeover-compares"))["live-leader-kept"] is True
    assert holds(flight_without("second-look", "expiry-recheck-at-takeover"))["live-leader-kept"] is True
    both = flight_without("second-look", "takeover-compares", "expiry-recheck-at-takeover")
    assert "live-leader-kept" in fallen(both)
    assert both.readings == run(FLIGHT, "blind-takeover").readings


def test_a_takeover_that_ignores_the_result_calls_again_once_nobody_looks_again():
    """A crashes, B publishes at 3,220 ms, and C, whose delay ends at 3,310 ms, has nothing else to stop it."""
    late = {"fault": "crash", "fault_at_ms": 50, "upstream_ms": 100}
    others = ("second-look", "takeover-compares", "expiry-recheck-at-takeover")
    assert flight_without(*others, **late).readings["upstream_calls"] == 2
    assert flight_without(*others, "no-takeover-after-result", **late).readings["upstream_calls"] == 3


@pytest.mark.parametrize(
    ("broken", "lines"),
    [("no_reread", 7), ("blind_takeover", 14), ("unchecked_publish", 5), ("key_expiry_is_lease", 34)],
)
def test_a_broken_flight_differs_from_the_repaired_one_only_where_it_must(broken, lines):
    changed = [
        line
        for line in difflib.unified_diff(
            program(FLIGHT, "repaired.py").splitlines(), program(FLIGHT, f"{broken}.py").splitlines(), n=0, lineterm=""
        )
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert 2 < len(changed) <= lines


COUNTER = {
    "release": ("await quota.release(task_id)  # after", "pass  # after"),
    "give-back-when-refused": ("            await self._redis.decr(KEY)\n            return", "            return"),
    "release-once": ("        await work()\n", "        await work()\n        await quota.release(task_id)\n"),
    "limit": ("if count > self._limit:", "if False:"),
}


@pytest.mark.parametrize(
    ("safeguard", "claims"),
    [
        ("release", {"capacity-returns", "nobody-refused-below-limit"}),
        ("give-back-when-refused", {"capacity-returns", "nobody-refused-below-limit"}),
        ("release-once", {"limit-respected", "running-are-counted"}),
        ("limit", {"limit-respected"}),
    ],
)
def test_a_counter_without_this_safeguard_breaks_these_claims_even_when_nothing_crashes(safeguard, claims):
    sources = edit(SLOTS, "counter.py", COUNTER[safeguard])
    report = run(SLOTS, "counter", sources=sources, limit=3, crash_every=0)
    assert fallen(report) - {"crash-happened"} == claims


def test_the_counter_itself_is_safe_when_nothing_crashes():
    assert fallen(run(SLOTS, "counter", limit=3, crash_every=0)) == {"crash-happened"}


LEASE = {
    "sweep": ("redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - timeout)\n", ""),
    "count": ("if redis.call('ZCARD', KEYS[1]) < limit then", "if true then"),
    "heartbeat": ("            await self._redis.zadd(KEY, {task_id: self._now_ms()})\n", "            pass\n"),
    "release": ("        await quota.release(task_id)\n", "        pass\n"),
    "stop-heartbeat": ("        heartbeat.cancel()\n", ""),
}


@pytest.mark.parametrize(
    ("safeguard", "parameters", "claims"),
    [
        ("sweep", {}, {"nobody-refused-below-limit"}),
        ("count", {"limit": 4}, {"limit-respected"}),
        ("heartbeat", {"limit": 4, "lease_ms": 1_900}, {"limit-respected", "running-are-counted"}),
        ("release", {}, {"capacity-returns", "nobody-refused-below-limit"}),
        ("stop-heartbeat", {}, {"renewal-never-adds", "capacity-returns", "nobody-refused-below-limit"}),
    ],
)
def test_a_lease_without_this_safeguard_breaks_these_claims(safeguard, parameters, claims):
    assert fallen(run(SLOTS, "lease", sources=edit(SLOTS, "lease.py", LEASE[safeguard]), **parameters)) == claims
    assert fallen(run(SLOTS, "lease", **parameters)) <= set()


REPAIRED_LEASE = declared(SLOTS, "lease-repaired")
SHORT = {"limit": 2, "crash_every": 0, "heartbeat_ms": 2_000, "lease_ms": 1_500}


def test_a_renewal_without_the_membership_check_puts_back_what_was_swept():
    sources = edit(SLOTS, "lease_repaired.py", *REPAIRED_LEASE["membership-check"])
    assert holds(run(SLOTS, "lease-repaired", sources=sources, **SHORT))["renewal-never-adds"] is False
    assert holds(run(SLOTS, "lease-repaired", **SHORT))["renewal-never-adds"] is True


@pytest.mark.parametrize(
    "safeguard", ["membership-check", "own-member-first", "heartbeat-before-release", "deadline-only-rises"]
)
def test_the_documented_run_does_not_need_this_safeguard_of_the_repaired_lease(safeguard):
    """Its case does not come up there, as the page says: no reply is lost, and no beat is in flight at a release."""
    sources = edit(SLOTS, "lease_repaired.py", *REPAIRED_LEASE[safeguard])
    edited = run(SLOTS, "lease-repaired", sources=sources)
    assert edited.readings == run(SLOTS, "lease-repaired").readings


def without(file, *changes, variant="preemption", **parameters):
    return run(OWNERSHIP, variant, sources=edit(OWNERSHIP, file, *changes), **parameters)


OWNER, EPOCH, TOKEN = "owner = :worker", "epoch = :epoch", "token = :token"
STARTING = f"{OWNER} AND claimed_at IS NOT NULL\n  AND {EPOCH} AND {TOKEN}\n"
RELEASING = "SET owner = NULL, claimed_at = NULL, token = NULL"


def starting_with(*conditions):
    """The start's conditions on the claim, with every one that is not listed made true of any row."""
    text = STARTING.replace("claimed_at IS NOT NULL", "id = id")
    for condition in {OWNER, EPOCH, TOKEN} - set(conditions):
        text = text.replace(condition, f"{condition.partition(' = ')[2]} IS NOT NULL")
    return STARTING, text


def test_a_start_that_checks_nothing_of_the_claim_is_not_refused():
    report = without("claims.py", starting_with())
    assert report.readings["late_started_rows"] == 1
    assert "stale-start-refused" in fallen(report)
    assert holds(report)["row-keeps-new-owner"] is None


@pytest.mark.parametrize("left", [OWNER, EPOCH, TOKEN])
def test_when_another_worker_took_the_job_each_condition_alone_refuses_the_late_start(left):
    report = without("claims.py", starting_with(left))
    assert report.readings["late_started_rows"] == 0
    assert fallen(report) == set()


def test_a_release_that_forgets_claimed_at_makes_the_job_unclaimable():
    report = without("claims.py", (RELEASING, "SET owner = NULL, token = NULL"))
    assert (report.readings["owner"], report.readings["epoch"]) == (None, 1)
    assert "row-keeps-new-owner" in fallen(report)


def test_a_refused_owner_that_writes_its_name_back_is_seen_in_the_row():
    answer = "        return answer.row_count\n"
    back = '        await self._database.execute("UPDATE jobs SET owner = :worker", {"worker": claim.worker})\n'
    report = without("claims.py", (answer, back + answer))
    assert (report.readings["late_started_rows"], report.readings["owner"]) == (0, "W2")
    assert fallen(report) == {"row-keeps-new-owner"}


def test_a_release_that_resets_the_epoch_issues_an_old_one_again():
    report = without("claims.py", (RELEASING, f"{RELEASING}, epoch = 0"))
    assert fallen(report) >= {"epoch-never-falls", "one-winner-per-claim"}


def test_a_claim_that_does_not_ask_for_an_ownerless_row_has_two_winners():
    condition = "AND owner IS NULL AND claimed_at IS NULL\n  AND execution_id IS NULL"
    report = without("claims.py", (condition, "AND execution_id IS NULL"), variant="global-claim")
    assert report.readings["claim_rows"] == {"W2": 1, "W3": 1}


def test_a_worker_that_leaves_the_candidate_in_the_index_is_seen():
    report = without("worker.py", ("        await redis.zrem(READY, job_id)\n", ""), variant="global-claim")
    assert "candidate-removed" in fallen(report)


def test_a_gateway_that_forwards_nothing_delivers_nothing():
    report = without("gateway.py", ('log("delivered", job=job_id, type=event["type"])', "pass"), variant="global-claim")
    assert fallen(report) == {"result-reaches-gateway"}


def test_an_offloaded_call_that_forgets_the_thread_stalls_the_beats_again():
    call = ("return await asyncio.to_thread(upload, store, key, payload)", "return upload(store, key, payload)")
    report = run(HEARTBEAT, "offloaded", sources=edit(HEARTBEAT, "offloaded.py", call))
    assert fallen(report) == {"every-beat-ran", "beats-on-time"}
    assert report.readings == run(HEARTBEAT, "in-loop").readings


def test_a_merged_program_without_its_flights_is_a_stampede():
    sources = edit(MERGING, "merged.py", ("if key not in self._flights:", "if True:"))
    assert "one-call-in-flight" in fallen(run(MERGING, "merged", sources=sources))


@pytest.mark.parametrize(("slug", "variant"), VARIANTS)
def test_expected_and_breaks_say_what_happens_with_default_parameters(slug, variant):
    declared = EXPERIMENTS[slug].variant(variant)
    report = run(slug, variant)
    if declared.expected == "breaks":
        assert declared.breaks in fallen(report)
        assert report.outcome == "counterexample found"
    else:
        assert fallen(report) == set()
        assert report.outcome == "holds within bounds"
        assert None not in holds(report).values(), "a claim that says nothing by default is vacuous"
