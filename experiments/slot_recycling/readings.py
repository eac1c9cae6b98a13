"""What the run showed, from the log: tasks by their fate, and how much of the limit was usable when."""

from collections.abc import Iterator
from typing import Any

from py_runtime.lab import Log, Setting, moment, value_at
from py_runtime.sim import US_PER_MS, us_from_ms

SAMPLE_EVERY_MS = 5_000


def read(log: Log, setting: Setting) -> dict[str, Any]:
    """capacity_every_5s samples 0, 5 s, … up to and including duration_ms."""
    running = running_history(log)
    refusal = log.first_mark("refused")
    counted = Counted(log, setting)
    samples_ms = range(0, setting["duration_ms"] + 1, SAMPLE_EVERY_MS)
    return {
        "admitted": _count(log, "admitted"),
        "refused": _count(log, "refused"),
        "finished": _count(log, "finished"),
        "crashed": sum(1 for _ in crashes(log)),
        "running_at_end": running[-1][2] if running else 0,
        "first_refusal_ms": None if refusal is None else refusal.at_us // US_PER_MS,
        "capacity_every_5s": [setting["limit"] - counted.at(us_from_ms(ms)) for ms in samples_ms],
        "running_max": max((now for _, _, now in running), default=0),
        "lost": _count(log, "lost"),
    }


def _count(log: Log, name: str) -> int:
    return sum(1 for _ in log.marks(name))


def running_history(log: Log) -> list[tuple[int, int, int]]:
    """(position, at_us, tasks really running) after every admission, and every end, loss or crash of one that runs."""
    running: dict[str, None] = {}
    history = []
    for event in log.events:
        name = moment(event)
        if name == "admitted":
            running[event.actor] = None
        elif name in ("finished", "lost", "actor.crashed") and event.actor in running:
            del running[event.actor]
        else:
            continue
        history.append((event.sequence, event.at_us, len(running)))
    return history


def crashes(log: Log) -> Iterator[Any]:
    """The crashes of tasks that were running; a task may also be killed while it asks for a slot or gives one back."""
    running: dict[str, None] = {}
    for event in log.events:
        if event.kind == "mark" and event.fields["name"] == "admitted":
            running[event.actor] = None
        elif event.kind == "mark" and event.fields["name"] in ("finished", "lost"):
            running.pop(event.actor, None)
        elif event.kind == "actor.crashed" and event.actor in running:
            yield event


class Counted:
    """How many slots the store says are taken, at any instant: the counter, or the members that a sweep would leave."""

    KEYS = {"counter": "llm:inflight", "lease": "llm:leases", "lease-repaired": "{llm}:leases"}

    def __init__(self, log: Log, setting: Setting) -> None:
        self._variant = setting.variant
        self._lease_ms = setting["lease_ms"]
        self._history = log.values_of("redis", self.KEYS[setting.variant])

    def at(self, at_us: int) -> int:
        """The count once everything of that instant has happened."""
        return self.of(self.value_at(at_us), at_us)

    def value_at(self, at_us: int) -> Any:
        """The key's value once everything of that instant has happened."""
        return value_at(self._history, at_us)

    def of(self, value: Any, at_us: int) -> int:
        """The count that a value of the key stands for at an instant."""
        if value is None:
            return 0
        if self._variant == "counter":
            return int(value)
        return sum(1 for _ in self.live(value, at_us))

    def live(self, value: Any, at_us: int) -> Iterator[str]:
        """The members of the set that a sweep at the instant would leave."""
        return (member for member, score in value or () if self.lapse_us(score) > at_us)

    def lapse_us(self, score: float) -> int:
        """When a member with this score stops counting, in µs."""
        lease_ms = self._lease_ms if self._variant == "lease" else 0  # the repaired score is the deadline itself
        return int(score * US_PER_MS) + lease_ms * US_PER_MS

    def changes(self) -> Iterator[tuple[int, int, int]]:
        """(position, at_us, count) at every change of the key and, for leases, whenever a member lapses unswept."""
        for index, (position, at_us, value) in enumerate(self._history):
            yield position, at_us, self.of(value, at_us)
            if self._variant == "counter":
                continue
            until_us = self._history[index + 1][1] if index + 1 < len(self._history) else None
            for lapse_us in sorted({self.lapse_us(score) for _, score in value or ()}):
                if at_us < lapse_us and (until_us is None or lapse_us < until_us):
                    yield position, lapse_us, self.of(value, lapse_us)
