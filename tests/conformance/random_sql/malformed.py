"""Statements with one token left out, doubled, moved or replaced: what PostgreSQL refuses is refused here too.

Decides what must agree. Our language is the smaller one, so a statement that PostgreSQL takes may be refused, and of a
statement with two faults another may be named; one that PostgreSQL refuses may not be taken.
"""

from random import Random

from py_runtime.stores.sql.tokens import tokenize
from tests.conformance.compared import Compared, Difference
from tests.conformance.random_sql.databases import Postgres, Reply, StandIn
from tests.conformance.random_sql.statements import Step, draw_sequence
from tests.conformance.servers import postgres

DIFFERENCES_MAX = 20
PER_TABLE = 30
STRANGERS = ("(", ")", ",", "*", "1", "'x'", "n", "=", "AND", "NOT", "NULL", "SELECT", "WHERE", "ON", ";", ".", "||")
_OUTCOMES = {
    (True, True): "refused by both",
    (True, False): "taken by PostgreSQL alone",
    (False, True): "taken by the stand-in alone",
    (False, False): "taken by both",
}


def run(count: int, seed: int) -> Compared:
    """Compare at least `count` statements with a PostgreSQL server of its own."""
    with postgres.server() as server:
        return compare(Postgres(postgres.address(server)), count, seed)


def compare(theirs: Postgres, count: int, seed: int) -> Compared:
    """Compare at least `count` statements with that PostgreSQL."""
    compared = Compared()
    number = 0
    while compared.counts.total() < count and len(compared.differences) < DIFFERENCES_MAX:
        random = Random(f"{seed}:{number}")
        number += 1
        table, *steps = draw_sequence(random, PER_TABLE, portable=False)
        ours = StandIn()
        theirs.fresh()
        for side in (ours, theirs):
            side.ask(table.text, {}, False)
        for step in [table, *steps]:
            text = spoilt(random, step.text)
            mine, yours = _tried(ours, text, step), _tried(theirs, text, step)
            compared.counts[f"malformed {_OUTCOMES[bool(mine.sqlstate), bool(yours.sqlstate)]}"] += 1
            if yours.sqlstate and not mine.sqlstate:
                compared.differences.append(Difference((table.text, text), str(mine), str(yours)))
    return compared


def spoilt(random: Random, text: str) -> str:
    """The statement with one token changed."""
    tokens = [token.text for token in tokenize(text)[:-1]]
    place = random.randrange(len(tokens))
    way = random.randrange(4)
    if way == 0:
        del tokens[place]
    elif way == 1:
        tokens.insert(place, tokens[place])
    elif way == 2:
        tokens.insert(random.randrange(len(tokens)), tokens.pop(place))
    else:
        tokens[place] = random.choice(STRANGERS)
    return " ".join(tokens)


def _tried(side: StandIn | Postgres, text: str, step: Step) -> Reply:
    """The answer to a statement that leaves nothing behind."""
    side.ask("BEGIN", {}, False)
    reply = side.ask(text, dict(step.parameters), False)
    side.ask("ROLLBACK", {}, False)
    return reply
