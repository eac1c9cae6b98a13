"""What the run showed, from the log: who ran when, and whom the set counted."""

from typing import Any

from py_runtime.lab import Log, Setting, moment

LEASES = "llm:leases"
ENDS = ("finished", "failed", "stopped", "actor.crashed")


def read(log: Log, setting: Setting) -> dict[str, Any]:
    names = [moment(event) for event in log.events]
    return {
        "counted_max": max((len(members) for _, _, members in counted_history(log)), default=0),
        "running_max": max((len(tasks) for _, _, tasks in running_history(log)), default=0),
        "finished": names.count("finished"),
        "stopped": names.count("stopped"),
        "refused": names.count("refused"),
    }


def running_history(log: Log) -> list[tuple[int, int, tuple[str, ...]]]:
    """(position, at_us, tasks at work) after every admission and every end."""
    running: dict[str, None] = {}
    history = []
    for event in log.events:
        if moment(event) == "admitted":
            running[event.actor] = None
        elif moment(event) in ENDS and event.actor in running:
            del running[event.actor]
        else:
            continue
        history.append((event.sequence, event.at_us, tuple(running)))
    return history


def counted_history(log: Log) -> list[tuple[int, int, tuple[str, ...]]]:
    """(position, at_us, members) after every change of the set, swept or not."""
    values = log.values_of("redis", LEASES)
    return [(position, at_us, tuple(member for member, _ in value or ())) for position, at_us, value in values]


def task_of(member: str) -> str:
    """The task that a member stands for: a program may add an attempt to its name, as in `task-1#2`."""
    return member.partition("#")[0]
