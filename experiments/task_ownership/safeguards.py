"""What can be taken out of the claim programs, and what falls without it. Which words say so: `texts`."""

from py_runtime.lab import Safeguard

_RELEASED = "SET owner = NULL, claimed_at = NULL, token = NULL"


def _of_claim(name: str, old: str, new: str, *falls: str, file: str = "claims.py") -> Safeguard:
    return Safeguard(name, "global-claim", file, ((old, new),), falls)


def _of_preemption(name: str, old: str, new: str, *falls: str) -> Safeguard:
    return Safeguard(name, "preemption", "claims.py", ((old, new),), falls)


SAFEGUARDS = (
    _of_claim(
        "claim-asks-for-no-owner",
        "AND owner IS NULL AND claimed_at IS NULL\n",
        "AND TRUE AND TRUE\n",
        "idle-worker-runs-it",
        "result-reaches-gateway",
    ),
    _of_claim("claim-asks-owner", "AND owner IS NULL AND", "AND TRUE AND"),
    _of_claim("claim-asks-claimed-at", "AND claimed_at IS NULL\n", "AND TRUE\n"),
    _of_claim(
        "index-is-cleaned",
        "        await redis.zrem(READY, job_id)\n",
        "        # the candidate stays in the index\n",
        "candidate-removed",
        file="worker.py",
    ),
    _of_preemption(
        "start-compares-claim",
        "AND owner = :worker AND claimed_at IS NOT NULL\n  AND epoch = :epoch AND token = :token\n",
        "AND TRUE AND claimed_at IS NOT NULL\n  AND TRUE AND TRUE\n",
        "stale-start-refused",
    ),
    _of_preemption("start-compares-owner", "AND owner = :worker AND claimed_at", "AND TRUE AND claimed_at"),
    _of_preemption(
        "start-compares-epoch", "NOT NULL\n  AND epoch = :epoch AND token", "NOT NULL\n  AND TRUE AND token"
    ),
    _of_preemption(
        "start-compares-token",
        "NOT NULL\n  AND epoch = :epoch AND token = :token\n",
        "NOT NULL\n  AND epoch = :epoch AND TRUE\n",
    ),
    _of_preemption("epoch-grows", "epoch = epoch + 1", "epoch = 1", "one-winner-per-claim", "row-keeps-new-owner"),
    _of_preemption(
        "epoch-survives-release",
        f"{_RELEASED}\n",
        f"{_RELEASED}, epoch = 0\n",
        "one-winner-per-claim",
        "epoch-never-falls",
        "row-keeps-new-owner",
    ),
    _of_preemption("release-clears-claimed-at", _RELEASED, "SET owner = NULL, token = NULL", "row-keeps-new-owner"),
)
