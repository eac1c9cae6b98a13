"""One random sequence: command lines of all families, with pauses between them in which keys may lapse.

Decides how often a command line is spoilt and how, and keeps away from what cannot be compared: the time itself, the
order of a scan in batches, and waiting for long.
"""

from functools import cache
from random import Random

from py_runtime.stores.redis.table import COMMANDS
from tests.conformance.random_redis import grammar
from tests.conformance.random_redis.values import JUNK, Moment, draw

Step = tuple | int
"""A command line, whose words are bytes or `Moment`s; or a pause in ms."""

# TIME never agrees; the others speak to a connection or to several servers, and have tests of their own.
NOT_DRAWN = frozenset(
    "TIME MULTI EXEC DISCARD WATCH UNWATCH SUBSCRIBE UNSUBSCRIBE PSUBSCRIBE PUNSUBSCRIBE PUBLISH PUBSUB WAIT REPLICAOF "
    "SLAVEOF FAILOVER ROLE INFO CLIENT CONFIG SHUTDOWN DEBUG HELLO SELECT QUIT RESET CLUSTER READONLY READWRITE "
    "ASKING".split()
)
_RARE = frozenset(("FLUSHALL", "FLUSHDB"))
_BLOCKING = (b"BLPOP", b"BRPOP", b"BLMOVE")
_PAUSES_MS = (1, 2, 3, 5, 8)


def commands() -> list[str]:
    """The commands that are drawn; adding one to the table is enough."""
    return sorted(name.decode() for name in COMMANDS if name.decode() not in NOT_DRAWN)


@cache
def _grammar(command: str):
    return grammar.parse(COMMANDS[command.encode()].options)


def draw_sequence(random: Random, length: int) -> list[Step]:
    """A sequence of `length` steps that favours a few families, so that its commands meet in the same keys."""
    names = commands()
    favoured = [name for name in names if name[0] in random.choice(("GSID", "HE", "Z", "LRB", "X", "SEP", "Z", "X"))]
    steps: list[Step] = []
    while len(steps) < length:
        if random.random() < 0.05:
            steps.append(random.choice(_PAUSES_MS))
            continue
        name = random.choice(favoured if random.random() < 0.7 else names)
        if name not in _RARE or random.random() < 0.1:
            steps.append(draw_command(name, random))
    return steps


def draw_command(name: str, random: Random) -> tuple:
    """A command line of this command, as its row in the table allows it or a little spoilt."""
    words = [
        word.text.encode() if word.literal else draw(word.text, name, random) for word in _grammar(name).draw(random)
    ]
    if random.random() < 0.12:
        words = _spoilt(name, words, random)
    sent = name if random.random() < 0.9 else name.lower()
    if random.random() < 0.003:
        sent = "NOSUCH" + name
    return tuple(_comparable(sent.encode(), words))


def _spoilt(name: str, words: list, random: Random) -> list:
    options = [word.encode() for word in COMMANDS[name.encode()].options.replace("|", " ").replace("[", " ").split()]
    literals = [word.rstrip(b"]") for word in options if word.isupper()]
    place = random.randint(0, len(words))
    change = random.choice(("drop", "double", "junk", "option", "case", "more"))
    if change == "drop":
        return words[:place] + words[place + 1 :]
    if change == "double":
        return words[:place] + words[place - 1 : place] + words[place:]
    if change == "junk":
        return words[:place] + [random.choice(JUNK)] + words[place + 1 :]
    if change == "option" and literals:
        return words[:place] + [random.choice(literals)] + words[place:]
    if change == "case":
        return [word.lower() if isinstance(word, bytes) else word for word in words]
    return [*words, random.choice(JUNK)]


def _comparable(name: bytes, words: list) -> list:
    """The command line, made to wait for a moment only and to scan in one batch."""
    upper = [word.upper() if isinstance(word, bytes) else b"" for word in words]
    if name.upper() in _BLOCKING and words and _waits(words[-1]):
        words = [*words[:-1], b"0.001"]
    for place in range(len(words) - 1):
        if upper[place] == b"BLOCK" and _waits(words[place + 1]):
            words[place + 1] = b"1"
        if upper[place] == b"COUNT" and name.upper() == b"SCAN" and _waits(words[place + 1]):
            words[place + 1] = b"1000"
    if name.upper() == b"SCAN" and words:
        if words[0].strip(b"+-").isdigit():  # a cursor that no scan gave means something only to the server
            words[0] = b"0"
        if b"COUNT" not in upper:
            words = [*words, b"COUNT", b"1000"]
    return [name, *words]


def _waits(word) -> bool:
    """Whether the word is some number that a server would take for how long to wait, or where to begin."""
    if isinstance(word, Moment):
        return True
    try:
        return float(word) >= 0
    except ValueError:
        return word[:2].lower() in (b"0x", b"+0")
