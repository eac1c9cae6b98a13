"""A quota of slots under crashes: a counter, leases by last heartbeat, leases that know themselves. Lengths in ms."""

from heapq import heappop, heappush


def quota(variant: str, p: dict, order: int = 1) -> dict:
    """The readings. `order`: +1 takes what falls on one instant in order of making, -1 in the reverse order."""
    events: list = []
    made = 0

    def at(when, kind, task):
        nonlocal made
        made += 1
        heappush(events, (when, order * made, kind, task))

    for task, when in enumerate(range(p["arrival_first_ms"], p["duration_ms"], p["arrival_every_ms"]), start=1):
        at(when, "arrive", task)
    counter, leases, running = 0, {}, set()  # leases: task → its last heartbeat
    seen = dict.fromkeys(("admitted", "refused", "finished", "crashed", "lost"), 0)
    first_refusal, running_max, capacity = None, 0, []

    def free(task):
        nonlocal counter
        counter -= 1
        leases.pop(task, None)
        running.discard(task)

    def usable(now):
        if variant == "counter":
            return p["limit"] - counter
        return p["limit"] - sum(beat > now - p["lease_ms"] for beat in leases.values())

    sample = 0
    while True:
        now = events[0][0] if events else p["duration_ms"] + 1
        while sample < now and sample <= p["duration_ms"]:
            capacity.append(usable(sample))
            sample += 5_000
        if now > p["duration_ms"]:
            break
        _, _, kind, task = heappop(events)
        if kind == "arrive":
            if variant != "counter":
                leases = {each: beat for each, beat in leases.items() if beat > now - p["lease_ms"]}
            if (counter if variant == "counter" else len(leases)) >= p["limit"]:
                seen["refused"] += 1
                first_refusal = now if first_refusal is None else first_refusal
                continue
            seen["admitted"] += 1
            counter += 1
            leases[task] = now
            running.add(task)
            running_max = max(running_max, len(running))
            if p["crash_every"] and seen["admitted"] % p["crash_every"] == 0:
                at(now + p["crash_after_ms"], "crash", task)
            at(now + p["task_ms"], "finish", task)
            at(now + p["heartbeat_ms"], "beat", task)
        elif task not in running:
            continue
        elif kind == "crash":
            seen["crashed"] += 1
            running.discard(task)
        elif kind == "finish":
            seen["finished"] += 1
            free(task)
        elif variant == "lease-repaired" and leases.get(task, now - p["lease_ms"]) <= now - p["lease_ms"]:
            seen["lost"] += 1
            free(task)
        else:
            leases[task] = now
            at(now + p["heartbeat_ms"], "beat", task)
    return {**seen, "running_at_end": len(running), "first_refusal_ms": first_refusal,
            "capacity_every_5s": capacity, "running_max": running_max}  # fmt: skip
