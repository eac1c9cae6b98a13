"""What can be taken out of the repaired flight, and what falls without it. Which words say so: `texts`."""

from py_runtime.lab import Safeguard

_COMPARE = "if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then\n  return 0\nend\n"
_RENEWED, _PUBLISHED = "redis.call('HSET', KEYS[1], 'lease_until'", "redis.call('HSET', KEYS[2]"
# B's takeover meets the leader's return: paused at its first beat, A wakes at the very instant of B's second look.
_WAKES_AT_TAKEOVER = {"pause_ms": 1_620}
_FALLS_ANYWAY = ("no-token-burnt",)  # a refused takeover has burnt its token


def _safeguard(name: str, *changes: tuple[str, str], falls: tuple[str, ...] = (), **case) -> Safeguard:
    return Safeguard(name, "repaired", "repaired.py", changes, falls, **case)


SAFEGUARDS = (
    _safeguard(
        "token-check-on-publish",
        (_COMPARE + _PUBLISHED, "-- whoever publishes\n" + _PUBLISHED),
        falls=("one-result-for-all", "current-token-publishes"),
    ),
    _safeguard(
        "token-check-on-renewal",
        (_COMPARE + _RENEWED, "-- whoever renews\n" + _RENEWED),
    ),
    _safeguard(
        "expiry-recheck-at-takeover",
        (
            "if tonumber(redis.call('HGET', KEYS[1], 'lease_until') or 0) > now then\n  return 0\nend\n",
            "-- no look at the lease\n",
        ),
        falls=("live-leader-kept",),
        parameters=_WAKES_AT_TAKEOVER,
        not_judged=_FALLS_ANYWAY,
    ),
    _safeguard(
        "compare-at-takeover",
        ("if current ~= ARGV[1] or tonumber(ARGV[2])", "if tonumber(ARGV[2])"),
        parameters=_WAKES_AT_TAKEOVER,
        not_judged=_FALLS_ANYWAY,
    ),
    _safeguard(
        "token-must-grow",
        (
            "current ~= ARGV[1] or tonumber(ARGV[2]) <= tonumber(current == '' and 0 or current) then",
            "current ~= ARGV[1] then",
        ),
        parameters=_WAKES_AT_TAKEOVER,
        not_judged=_FALLS_ANYWAY,
    ),
    _safeguard(
        "no-takeover-after-result",
        ("if redis.call('EXISTS', KEYS[2]) == 1 then\n  return 0\nend\n", "-- no look for a result\n"),
        falls=("one-result-for-all",),
        parameters={"pause_ms": 1_720},
        not_judged=_FALLS_ANYWAY,
    ),
    _safeguard(
        "second-look",
        (
            """                token, answer, leader, remaining_ms, last_id = await self._look()
                if token or remaining_ms:
                    continue
""",
            "                # no second look\n",
        ),
        falls=("no-token-burnt",),
    ),
    _safeguard(
        "delay-before-takeover",
        ("                await asyncio.sleep(self._jitter_ms / 1000)\n", "                # no delay\n"),
        falls=("no-token-burnt",),
    ),
    _safeguard(
        "record-outlives-lease",
        ("redis.call('PEXPIRE', KEYS[1], ARGV[5])", "redis.call('PEXPIRE', KEYS[1], ARGV[4])"),
        ("redis.call('PEXPIRE', KEYS[1], ARGV[3])", "redis.call('PEXPIRE', KEYS[1], ARGV[2])"),
    ),
    _safeguard(
        "remembered-stream-id",
        ("xread({STREAM: last_id}, block=remaining_ms)", 'xread({STREAM: "$"}, block=remaining_ms)'),
    ),
    _safeguard(
        "refused-leader-stops",
        (
            "if not await self._renew(keys=[META], args=[token, self._lease_ms, KEEP_MS]):\n                return",
            "await self._renew(keys=[META], args=[token, self._lease_ms, KEEP_MS])  # whatever it answers",
        ),
    ),
)
