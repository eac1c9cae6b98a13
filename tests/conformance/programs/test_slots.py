"""A holder that is killed: with leases its slot comes back, with a counter it never does."""

import time

from experiments.slot_recycling.programs import counter, lease, lease_repaired

# Long against the pauses of a loaded machine, in which a living holder must not lose its slot.
LEASE_MS, HEARTBEAT_MS = 2000, 200
ASKED_MAX = 1000
KEYS = {"lease": lease.KEY, "lease_repaired": lease_repaired.LEASES}


def admitted(child) -> bool:
    """Ask for a slot once."""
    child.order()
    return child.next("working", "refused")["event"] == "working"


def test_a_killed_holders_slot_comes_back_after_its_lease_and_the_counters_never_does(spawn, redis_port, raw):
    common = {"redis": redis_port, "limit": 1, "heartbeat_ms": HEARTBEAT_MS, "lease_ms": LEASE_MS}
    programs = ["counter", *KEYS]
    killed, asking = [
        {program: spawn("slots.holder", name=name, program=program, **common) for program in programs} for name in "AB"
    ]
    for child in (*killed.values(), *asking.values()):
        child.next("ready")
    for program in programs:
        assert admitted(killed[program])
        assert not admitted(asking[program])

    def members(program: str) -> list[bytes]:
        """Whom the leases name, without the number of the attempt."""
        return [member.partition(b"#")[0] for member in raw.call("ZRANGE", KEYS[program], 0, -1)]

    for child in killed.values():
        child.kill()
    assert [members(program) for program in KEYS] == [[b"A"], [b"A"]]  # no clean-up ran
    waiting = set(KEYS)
    for _ in range(ASKED_MAX):
        waiting = {program for program in sorted(waiting) if not admitted(asking[program])}
        assert not admitted(asking["counter"])
        if not waiting:
            break
        time.sleep(0.02)
    assert not waiting
    assert [members(program) for program in KEYS] == [[b"B"], [b"B"]]

    for program in KEYS:
        asking[program].order()
        asking[program].next("ended")
    assert [members(program) for program in KEYS] == [[], []]
    assert not admitted(asking["counter"])
    assert raw.call("GET", counter.KEY) == b"1"
    assert raw.call("PTTL", counter.KEY) == -1  # nothing in Redis will ever take it back
