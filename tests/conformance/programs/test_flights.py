"""A flight whose leader is killed or frozen: repaired, one result is accepted; broken, the documented fault shows."""

import pytest

from experiments.single_flight_takeover.programs import repaired
from tests.conformance.programs.processes import first_of, wait_until

LEASE_MS, HEARTBEAT_MS = 2000, 200
LONG_MS = 120_000  # longer than any test: a lease that holds, a heartbeat that does not come
JITTER_MS = 3000  # within which a follower that needs none has long taken over


@pytest.fixture
def callers(spawn, redis_port):
    """`callers(program, {}, …)`: a process for each dictionary of settings, all started and connected: A, B, C."""

    def start(program: str, *settings: dict) -> list:
        usual = {"redis": redis_port, "program": program, "jitter_ms": 0, "lease_ms": LEASE_MS}
        usual["heartbeat_ms"] = HEARTBEAT_MS
        started = [
            spawn("flights.caller", name=name, **{**usual, **own}) for name, own in zip("ABC", settings, strict=False)
        ]
        for child in started:
            child.next("ready")
        return started

    return start


def scripts(child, name: str) -> list:
    """What this script answered the process, each time."""
    return [event["reply"] for event in child.told("script") if event["name"] == f"flight-{name}"]


def ask(child) -> None:
    """Let it ask the flight."""
    child.order()


def lead(child) -> None:
    """Let it ask the flight; on return it leads and waits for the upstream."""
    ask(child)
    child.next("fetching")


def answer_of(child) -> tuple[int, str]:
    event = child.next("answered")
    return event["token"], event["answer"]


def blocked(raw) -> int:
    """How many clients wait inside a command."""
    lines = raw.call("INFO", "clients").decode().splitlines()
    return int(next(line for line in lines if line.startswith("blocked_clients:")).partition(":")[2])


def has_lapsed(raw) -> bool:
    """Whether the leader's lease is over by Redis's clock."""
    seconds, microseconds = map(int, raw.call("TIME"))
    return int(raw.call("HGET", repaired.META, "lease_until")) < seconds * 1000 + microseconds // 1000


def result(raw) -> tuple[int, str]:
    token, answer = raw.call("HMGET", repaired.RESULT, "token", "answer")
    return int(token), answer.decode()


def test_followers_of_a_killed_leader_get_one_accepted_result(callers, raw):
    leader, *followers = callers("repaired", {}, {}, {"jitter_ms": JITTER_MS})
    lead(leader)
    for child in followers:
        ask(child)
    wait_until(lambda: blocked(raw) == 2, "both followers wait for news")
    leader.kill()
    taker = first_of(followers, "fetching")
    taker.next("fetching")
    taker.order(f"from {taker.name}")
    assert [answer_of(child) for child in followers] == [(2, f"from {taker.name}")] * 2
    assert sum(len(child.told("fetching")) for child in followers) == 1
    assert result(raw) == (2, f"from {taker.name}")
    assert raw.call("XLEN", repaired.STREAM) == 1


def publish_late(callers, raw, program: str):
    """A is frozen before its answer comes; B takes over and publishes; A is thawed and publishes too."""
    old, new, reader = callers(program, {"heartbeat_ms": LONG_MS}, {"lease_ms": LONG_MS}, {})
    lead(old)
    old.freeze()
    old.order("from A")
    lead(new)
    new.order("from B")
    assert answer_of(new) == (2, "from B")
    assert result(raw) == (2, "from B")
    old.thaw()
    return old, answer_of(old), reader


def test_a_thawed_leaders_publish_is_refused(callers, raw):
    old, answer, reader = publish_late(callers, raw, "repaired")
    assert scripts(old, "publish") == [0]
    assert answer == (2, "from B")
    ask(reader)
    assert answer_of(reader) == (2, "from B")
    assert raw.call("XLEN", repaired.STREAM) == 1


def test_unchecked_a_thawed_leaders_publish_replaces_the_newer_result(callers, raw):
    old, answer, reader = publish_late(callers, raw, "unchecked_publish")
    assert scripts(old, "publish") == [1]
    assert answer == (1, "from A")
    ask(reader)
    assert answer_of(reader) == (1, "from A")  # B had token 2 before
    assert result(raw) == (1, "from A")
    assert raw.call("XLEN", repaired.STREAM) == 2


def lapse_then_two_followers(callers, raw, program: str):
    """A is killed; C sees the lapsed lease and delays; meanwhile B, without delay, takes over."""
    leader, quick, slow = callers(
        program, {}, {"lease_ms": LONG_MS, "heartbeat_ms": LONG_MS}, {"lease_ms": LONG_MS, "jitter_ms": JITTER_MS}
    )
    lead(leader)
    leader.kill()
    wait_until(lambda: has_lapsed(raw), "the killed leader's lease is over")
    ask(slow)
    slow.next("script")
    [(_, _, leads, remaining_ms, _)] = scripts(slow, "look")
    assert (leads, remaining_ms) == ("1", 0)
    lead(quick)
    return quick, slow


def test_a_follower_that_looks_again_after_its_delay_leaves_a_healthy_leader_alone(callers, raw):
    quick, slow = lapse_then_two_followers(callers, raw, "repaired")
    slow.next("script")
    (_, _, leads, remaining_ms, _) = scripts(slow, "look")[1]
    assert leads == "2"
    assert remaining_ms > 0
    quick.order("from B")
    assert [answer_of(quick), answer_of(slow)] == [(2, "from B")] * 2
    assert slow.told("fetching") == []


def test_blind_a_follower_evicts_a_healthy_leader_whose_work_is_thrown_away(callers, raw):
    quick, slow = lapse_then_two_followers(callers, raw, "blind_takeover")
    slow.next("fetching")
    quick.order("from B")
    wait_until(lambda: blocked(raw) == 1, "the evicted leader waits as a follower")
    slow.order("from C")
    assert [answer_of(slow), answer_of(quick)] == [(3, "from C")] * 2
    assert scripts(quick, "publish") == [0]
    assert result(raw) == (3, "from C")
    assert raw.call("GET", repaired.SEQUENCE) == b"3"
