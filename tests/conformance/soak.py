"""The long comparison: `make conformance-soak`, or `python -m tests.conformance.soak 200000 --seed 7`.

Decides how many commands each source of random ones gets, and the exit status: 1 when anything differed.
"""

import argparse
import sys
from collections.abc import Callable

from tests.conformance.compared import Compared
from tests.conformance.lua import agreement as lua
from tests.conformance.random_redis import compare as random_redis
from tests.conformance.random_redis import connections, waiting
from tests.conformance.random_sql import compare as random_sql
from tests.conformance.random_sql import interleaved, malformed
from tests.conformance.servers.find import MissingServer

SOURCES: dict[str, Callable[[int, int], Compared]] = {
    "lua": lua.run,
    "redis": random_redis.run,
    "redis-connections": connections.run,
    "redis-waiting": waiting.run,
    "sql": random_sql.run,
    "sql-transactions": interleaved.run,
    "sql-malformed": malformed.run,
}
"""Name → `run(count, seed)`; a new source of random commands is one row here."""


def main(arguments: list[str] | None = None) -> int:
    """Run every source, or those named, and print what each compared and, last, the sums.

    Gives 0, 1 when anything differed, or 2 when a server is missing, with the line that says what to install.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.soak", description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, help="how many commands each source compares")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--source", action="append", choices=SOURCES, help="only this one; may be given again")
    options = parser.parse_args(arguments)
    compared = different = 0
    for name in options.source or SOURCES:
        try:
            found = SOURCES[name](options.count, options.seed)
        except MissingServer as missing:
            print(f"{name}: {missing}", file=sys.stderr)
            return 2
        compared += found.counts.total()
        different += len(found.differences)
        print(f"{name}, seed {options.seed}\n{found}\n", flush=True)
    print(f"In all: {compared:,} compared, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
