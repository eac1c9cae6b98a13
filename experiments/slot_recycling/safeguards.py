"""What can be taken out of the repaired lease, and what falls without it. Which words say so: `texts`."""

from py_runtime.lab import Safeguard

_FILE = "lease_repaired.py"
_SERVER_CLOCK = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

# One task, whose work ends at the very instant of a beat.
_ENDS_AT_BEAT = {"task_ms": 1_000, "duration_ms": 2_000}


def _safeguard(name: str, *changes: tuple[str, str], falls: tuple[str, ...] = (), **case) -> Safeguard:
    return Safeguard(name, "lease-repaired", _FILE, changes, falls, **case)


SAFEGUARDS = (
    _safeguard(
        "sweep-before-count",
        ("redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)\n", "-- no sweep\n"),
        falls=("nobody-refused-below-limit",),
    ),
    _safeguard(
        "count-below-limit",
        ("if redis.call('ZCARD', KEYS[1]) < tonumber(redis.call('GET', KEYS[2])) then", "if true then"),
        falls=("limit-respected",),
    ),
    _safeguard(
        "server-clock",
        (_SERVER_CLOCK, "\nlocal now = tonumber(ARGV[3])\n"),
        ("_ms = settings.heartbeat_ms\n", "_ms, self._now_ms = settings.heartbeat_ms, settings.now_ms\n"),
        ("args=[self._lease_ms, member]) > 0", "args=[self._lease_ms, member, self._now_ms()]) > 0"),
        ("args=[self._lease_ms, member]):", "args=[self._lease_ms, member, self._now_ms()]):"),
        falls=("limit-respected",),
    ),
    _safeguard(
        "membership-check",
        (
            """if not deadline or tonumber(deadline) <= now then
  redis.call('ZREM', KEYS[1], ARGV[2])
  return 0
end
""",
            "-- no look whether the member is still there\n",
        ),
        falls=("renewal-never-adds",),
        parameters={"heartbeat_ms": 2_000, "duration_ms": 4_000},
        not_judged=("limit-respected", "running-are-counted"),
    ),
    _safeguard(
        "heartbeat-before-release",
        ("        await asyncio.wait([heartbeat, working])\n", "        # no wait\n"),
        parameters=_ENDS_AT_BEAT,
    ),
    _safeguard(
        "own-member-first",
        ("if redis.call('ZSCORE', KEYS[1], ARGV[2]) then", "if false then"),
    ),
    _safeguard(
        "deadline-only-rises",
        (
            "redis.call('ZADD', KEYS[1], 'GT', now + tonumber(ARGV[1]), ARGV[2])",
            "redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[2])",
        ),
    ),
    _safeguard(
        "lost-lease-stops-work",
        ("            heartbeat.result()  # raises LeaseLost, or what went wrong in Redis\n", "            pass\n"),
    ),
    _safeguard(
        "one-limit-for-all",
        ("tonumber(redis.call('GET', KEYS[2]))", "tonumber(ARGV[3])"),
        ("args=[self._lease_ms, member]) > 0", "args=[self._lease_ms, member, self._limit]) > 0"),
    ),
    _safeguard(
        "attempt-in-the-name",
        ('member = f"{task_id}#{attempt}"', "member = task_id"),
    ),
)
