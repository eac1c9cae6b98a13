"""One random sequence: command lines of all families, with pauses between them in which keys may lapse.

Decides how often a command line is spoilt and how, and keeps away from what cannot be compared: the time itself, the
order of a scan in batches, and waiting for long.
"""

from dataclasses import dataclass
from functools import cache
from random import Random

from py_runtime.stores.redis.table import COMMANDS
from tests.conformance.random_redis import grammar
from tests.conformance.random_redis.values import JUNK, SEEDS, Moment, draw, kind_of


@dataclass(frozen=True)
class Transaction:
    """Command lines from MULTI to EXEC or DISCARD."""

    lines: tuple[tuple, ...]

    def __str__(self) -> str:
        return "; ".join(map(line_text, self.lines))


Step = tuple | int | Transaction
"""A command line, whose words are bytes or `Moment`s; a pause in ms; or a transaction."""

# TIME never agrees, MULTI comes with its EXEC; the others concern several connections or servers: they have own tests.
NOT_DRAWN = frozenset(
    "TIME MULTI SUBSCRIBE UNSUBSCRIBE PSUBSCRIBE PUNSUBSCRIBE WAIT REPLICAOF ROLE QUIT RESET CLUSTER".split()
)
WRAPPERS = (b"return redis.call(unpack(ARGV))", b"return redis.pcall(unpack(ARGV))")
"""Scripts that run the command line they are given: the same replies, there and back through Lua's values."""

_ENDS = (b"EXEC", b"DISCARD", b"RESET", b"QUIT")
_RARE = frozenset(("FLUSHALL", "FLUSHDB"))
_BLOCKING = (b"BLPOP", b"BRPOP", b"BLMOVE")
_PAUSES_MS = (1, 2, 3, 5, 8)


def commands() -> list[str]:
    """The commands that are drawn; adding one to the table is enough."""
    return sorted(name.decode() for name in COMMANDS if name.decode() not in NOT_DRAWN)


@cache
def _grammar(command: str):
    return grammar.parse(COMMANDS[command.encode()].options)


def line_text(words: tuple) -> str:
    """A command line as a report shows it."""
    return " ".join([repr(word)[1:] if isinstance(word, bytes) else repr(word) for word in words])


def draw_sequence(random: Random, length: int) -> list[Step]:
    """A sequence of some `length` steps that favours one kind of value, so that its commands meet in the same keys."""
    names = commands()
    kind = random.choice(("S", "H", "Z", "Z", "E", "L", "X", "X", ""))
    favoured = [name for name in names if kind_of(name) == kind]
    seeds = list(SEEDS.get(kind, [seed for seeds in SEEDS.values() for seed in seeds]))
    steps: list[Step] = [seed for seed in seeds if random.random() < 0.8]
    if kind in ("X", "L") and random.random() < 0.06:
        steps += _many(kind, random)
        length += len(steps)
    while len(steps) < length:
        chance = random.random()
        if chance < 0.05:
            steps.append(random.choice(_PAUSES_MS))
        elif chance < 0.08:
            steps.append(_draw_transaction(favoured, random))
        elif chance < 0.15:
            steps.append(random.choice(seeds))
        else:
            name = random.choice(favoured if random.random() < 0.7 else names)
            if name not in _RARE or random.random() < 0.1:
                line = draw_command(name, random)
                steps.append((b"EVAL", random.choice(WRAPPERS), b"0", *line) if random.random() < 0.06 else line)
    return steps


def _many(kind: str, random: Random) -> list[Step]:
    """A stream or list long enough for its nodes, which Redis fills with 100 entries or 4 kB, to matter."""
    value = b"v" * random.choice((1, 30, 300))
    count = random.choice((99, 100, 101, 230))
    if kind == "L":
        return [(b"RPUSH", b"l1", *[b"%d" % number for number in range(count)])]
    return [(b"XADD", b"x1", b"%d-0" % (number + 10), b"f1", value) for number in range(count)]


def _draw_transaction(names: list[str], random: Random) -> Transaction:
    inside = [draw_command(random.choice(names), random) for _ in range(random.randint(0, 4))]
    lines = [line for line in inside if line[0].upper() not in _ENDS]
    return Transaction(((b"MULTI",), *lines, (random.choice((b"EXEC", b"EXEC", b"EXEC", b"DISCARD")),)))


def draw_command(name: str, random: Random) -> tuple:
    """A command line of this command, as its row in the table allows it or a little spoilt."""
    words = [
        word.text.encode() if word.literal else draw(word.text, name, random) for word in _grammar(name).draw(random)
    ]
    if random.random() < 0.8:
        words = _balanced(name, words, random)
    if random.random() < 0.1:
        words = _spoilt(name, words, random)
    sent = name if random.random() < 0.9 else name.lower()
    if random.random() < 0.003:
        sent = "NOSUCH" + name
    return tuple(_comparable(sent.encode(), words))


def _balanced(name: str, words: list, random: Random) -> list:
    """The words, made to fit: as many ids as streams, as many keys as a script is promised, bounds of ZRANGE's kind."""
    count = random.choice((1, 1, 2))
    keys = [draw("key", name, random) for _ in range(count)]
    if name in ("XREAD", "XREADGROUP"):
        kinds = (b">", b">", b"0") if name == "XREADGROUP" else (b"$", b"0", b"1-1")
        ids = [random.choice((*kinds, draw("id", name, random))) for _ in range(count)]
        return [*words[: words.index(b"STREAMS") + 1], *keys, *ids]
    if name in ("EVAL", "EVALSHA"):
        return [words[0], b"%d" % count, *keys, *(draw("argument", name, random) for _ in range(random.randint(1, 2)))]
    if name == "ZRANGE":
        like = "ZRANGEBYLEX" if b"BYLEX" in words else "ZCOUNT" if b"BYSCORE" in words else "ZREVRANGE"
        kind = "start" if like == "ZREVRANGE" else "min"
        return [words[0], draw(kind, like, random), draw(kind, like, random), *words[3:]]
    return words


def _spoilt(name: str, words: list, random: Random) -> list:
    """The words with one of them left out, doubled, replaced, added, or all in lower case."""
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
