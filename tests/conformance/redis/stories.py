"""Stories told in calls and literal replies, which both arms have to give.

    a title, without indentation
        set('k', 'v', nx=True) -> True
        pause 20
        raw.get('k') -> b'v'
        incr('k') -> ResponseError: value is not an integer or out of range
        lpush('k', 'x') -> WRONGTYPE

A call is a method of the client; `raw.` begins one of a second client that decodes nothing. `now` is the server's time
in ms when the story begins, `pause` lets so many ms pass. A reply is a Python literal (`inf` too), or the class and the
text of what was raised, with SHA for a script's name; a line that ends in `\\` goes on in the next one.
"""

import ast
import math
import re
import warnings
from dataclasses import dataclass

import pytest

from tests.conformance.arms.arm import Clock, refused

_REFUSAL = re.compile(r"\w+Error: ")
_WRONG_TYPE = "ResponseError: WRONGTYPE Operation against a key holding the wrong kind of value"


@dataclass(frozen=True)
class Step:
    """One line of a story: a call and what it gives, or a pause (`call` is then empty)."""

    call: str
    expected: str
    pause_ms: int = 0


def stories(text: str) -> pytest.MarkDecorator:
    """The decorator that runs a test's body once per story, as its argument `story`."""
    told: dict[str, list[Step]] = {}
    for line in re.sub(r"\\\n *", "", text).splitlines():
        if not line.strip():
            continue
        if not line.startswith(" "):
            assert line not in told, f"two stories of one title: {line}"
            steps = told[line] = []
        elif line.split()[0] == "pause":
            steps.append(Step("", "", int(line.split()[1])))
        else:
            call, arrow, expected = line.strip().rpartition(" -> ")
            assert arrow, f"no reply: {line}"
            full_call = call if call.startswith("raw.") else f"redis.{call}"
            steps.append(Step(full_call, _WRONG_TYPE if expected == "WRONGTYPE" else expected))
    return pytest.mark.parametrize("story", told.values(), ids=list(told))


async def tell(story: list[Step], redis, raw, clock: Clock) -> None:
    """Make the calls of a story one after the other and compare each reply with the expected one."""
    names = {"redis": redis, "raw": raw, "now": await clock.now_ms(), "inf": math.inf}
    for step in story:
        if step.pause_ms:
            await clock.advance(step.pause_ms)
            continue
        if _REFUSAL.match(step.expected):
            reply, expected = await _refused(step.call, names), step.expected
        else:
            reply, expected = shown(await _made(step.call, names)), shown(_literal(step.expected))
        # No line here ends in spaces. The message is written out, since pytest explains assertions of test files only.
        assert reply.rstrip() == expected, f"{step.call} -> {reply}, and not {expected}"


async def _made(call: str, names: dict):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # redis-py's, of commands that newer servers replace
        return await eval(call, names)


async def _refused(call: str, names: dict) -> str:
    return re.sub(r"\b[0-9a-f]{40}\b", "SHA", await refused(_made(call, names)))


def _literal(text: str):
    return eval(text, {"inf": math.inf}) if "inf" in text else ast.literal_eval(text)


def shown(reply) -> str:
    """A reply as Python writes it, types told apart; sets and errors by what they hold."""
    if isinstance(reply, (set, frozenset)):
        return "{" + ", ".join(sorted(map(shown, reply))) + "}"
    if isinstance(reply, list):
        return "[" + ", ".join(map(shown, reply)) + "]"
    if isinstance(reply, tuple):
        return "(" + ", ".join(map(shown, reply)) + ")"
    if isinstance(reply, dict):
        return "{" + ", ".join(f"{shown(key)}: {shown(value)}" for key, value in reply.items()) + "}"
    return f"{type(reply).__name__}: {reply}" if isinstance(reply, Exception) else repr(reply)
