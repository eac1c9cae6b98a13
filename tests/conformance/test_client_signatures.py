"""The stand-in's client has redis-py's methods: same names, arguments, order and defaults."""

import inspect

import pytest
import redis.asyncio

from py_runtime.stores.redis import Redis

VAR_KEYWORD = inspect.Parameter.VAR_KEYWORD
METHODS = [name for name in sorted(dir(Redis)) if not name.startswith("_")]
# Arguments for options that Redis 7.0 does not have, or that say nothing to a stand-in; giving one is a TypeError.
LEFT_OUT = {
    "aclose": {"close_connection_pool"},
    "set": {"ifeq", "ifne", "ifdeq", "ifdne"},
    "xadd": {"ref_policy", "idmpauto", "idmp"},
    "xread": {"max_count", "max_size"},
    "xreadgroup": {"claim_min_idle_time", "max_count", "max_size"},
    "xtrim": {"ref_policy"},
    "zrank": {"withscore", "score_cast_func"},
    "zrevrank": {"withscore", "score_cast_func"},
}


def parameters(client: type, name: str) -> list[tuple]:
    found = inspect.signature(getattr(client, name)).parameters.values()
    return [(each.name, each.kind, each.default) for each in found]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_takes_what_redis_py_takes(name):
    left_out = LEFT_OUT.get(name, set())
    theirs = [each for each in parameters(redis.asyncio.Redis, name) if each[0] not in left_out]
    ours = parameters(Redis, name)
    if theirs[-1][1] is VAR_KEYWORD and ours[-1][1] is not VAR_KEYWORD:  # any keyword there, here those that count
        theirs = theirs[:-1]
        ours = [each for each in ours if each[1] is not inspect.Parameter.KEYWORD_ONLY]
    assert ours == theirs
