"""MULTI, EXEC, DISCARD, WATCH on connections a and b, and the client's pipelines: the same on both arms.

A story is a list of lines `connection: command => reply`, without the reply where redis-py reads `QUEUED` as if it were
the command's own; `pause 30` lets 30 ms pass. Errors are shown by class and text.
"""

import asyncio

import pytest

from tests.conformance.arms.arm import refused

STORIES = {
    "queued commands run at EXEC, and an error of one takes nothing back": """
        a: MULTI => OK
        a: SET k v
        a: INCR k
        b: GET k => None
        a: APPEND k w
        a: EXEC => ['OK', 'ResponseError: value is not an integer or out of range', 2]
        b: GET k => vw
    """,
    "no nesting": """
        a: MULTI => OK
        a: MULTI => ResponseError: MULTI calls can not be nested
        a: WATCH k => ResponseError: WATCH inside MULTI is not allowed
        a: PING
        a: EXEC => ['PONG']
    """,
    "without MULTI": """
        a: EXEC => ResponseError: EXEC without MULTI
        a: DISCARD => ResponseError: DISCARD without MULTI
        a: UNWATCH => True
        a: EXEC now => ExecAbortError: Transaction discarded because of: wrong number of arguments for 'exec' command
    """,
    "a command that cannot be queued spoils the transaction": """
        a: MULTI => OK
        a: SET k => ResponseError: wrong number of arguments for 'set' command
        a: SET k v
        a: EXEC => ExecAbortError: Transaction discarded because of previous errors.
        a: EXISTS k => 0
        a: MULTI => OK
        a: NOPE x => ResponseError: unknown command 'NOPE', with args beginning with: 'x'
        a: EXEC => ExecAbortError: Transaction discarded because of previous errors.
        a: MULTI => OK
        a: SCRIPT NOPE => ResponseError: unknown subcommand 'NOPE'. Try SCRIPT HELP.
        a: EXEC => ExecAbortError: Transaction discarded because of previous errors.
        a: MULTI => OK
        a: XGROUP CREATE s => ResponseError: wrong number of arguments for 'xgroup|create' command
        a: DISCARD => OK
        a: GET k => None
    """,
    "DISCARD forgets what is queued and what is watched": """
        a: WATCH k => True
        a: MULTI => OK
        a: SET k v
        a: DISCARD => OK
        b: SET k w => True
        a: MULTI => OK
        a: GET k => QUEUED
        a: EXEC => ['w']
    """,
    "a write by another lets EXEC do nothing": """
        a: WATCH k other => True
        b: SET k 1 => True
        a: MULTI => OK
        a: SET k 2
        a: EXEC => None
        a: GET k => 1
        a: MULTI => OK
        a: GET k => QUEUED
        a: EXEC => ['1']
    """,
    "a write of one's own before MULTI counts, too": """
        a: WATCH k => True
        a: SET k 1 => True
        a: MULTI => OK
        a: GET k => QUEUED
        a: EXEC => None
    """,
    "what changes nothing does not count": """
        b: SADD s m => 1
        a: WATCH k s => True
        b: DEL k => 0
        b: SADD s m => 0
        b: EXPIRE k 10 => False
        a: MULTI => OK
        a: SCARD s
        a: EXEC => [1]
    """,
    "an expiry that is set counts, and so does a script": """
        b: SET k 1 => True
        a: WATCH k => True
        b: EXPIRE k 100 => True
        a: MULTI => OK
        a: EXEC => None
        a: WATCH k => True
        b: EVAL return(redis.call('set',KEYS[1],'2')) 1 k => OK
        a: MULTI => OK
        a: EXEC => None
    """,
    "a key that ends between WATCH and EXEC counts": """
        b: SET k 1 PX 20 => True
        a: WATCH k => True
        pause 60
        a: MULTI => OK
        a: EXEC => None
    """,
    "a key that had ended before WATCH does not": """
        b: SET k 1 PX 20 => True
        pause 60
        a: WATCH k => True
        a: MULTI => OK
        a: EXISTS k
        a: EXEC => [0]
    """,
    "FLUSHALL counts only for keys that there are": """
        b: SET k 1 => True
        a: WATCH none => True
        b: FLUSHALL => True
        a: MULTI => OK
        a: EXEC => []
        b: SET k 1 => True
        a: WATCH k => True
        b: FLUSHALL => True
        a: MULTI => OK
        a: EXEC => None
    """,
    "a transaction of another counts": """
        a: WATCH k other => True
        b: MULTI => OK
        b: SET other 1
        b: EXEC => ['OK']
        a: MULTI => OK
        a: EXEC => None
    """,
    "UNWATCH": """
        a: WATCH k => True
        b: SET k 1 => True
        a: UNWATCH => True
        a: MULTI => OK
        a: EXEC => []
    """,
    "nothing waits inside a transaction, and scripts run there": """
        a: MULTI => OK
        a: BLPOP none 0
        a: XREAD BLOCK 0 STREAMS none $
        a: EVAL return(redis.call('incr',KEYS[1])) 1 k
        a: EVAL return(redis.call('get',KEYS[1],'x')) 1 k
        a: EXEC => [None, None, 1, 'ResponseError: Wrong number of args calling Redis command from script']
    """,
    "RESET ends all": """
        a: WATCH k => True
        a: MULTI => OK
        a: RESET => RESET
        a: EXEC => ResponseError: EXEC without MULTI
    """,
}


async def shown(call) -> str:
    """A reply as text; an error by class and text, up to where a script's error says which script it was."""
    try:
        reply = await call
    except Exception as error:
        reply = error
    return str([_one(part) for part in reply] if isinstance(reply, list) else _one(reply))


def _one(reply):
    return f"{type(reply).__name__}: {reply}".partition(" script: ")[0] if isinstance(reply, Exception) else reply


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
async def test_connections_and_transactions(connect, clock, story):
    connections = {"a": connect().client(), "b": connect().client()}
    for line in story.strip("\n").splitlines():
        line = line.removeprefix("        ")
        if line.startswith("pause "):
            await clock.advance(int(line.removeprefix("pause ")))
        elif line.strip():
            words, _, expected = line.partition(" => ")
            name, _, command = words.partition(": ")
            reply = await shown(connections[name].execute_command(*command.split()))
            assert not expected or reply.strip() == expected, line
    for connection in connections.values():
        await connection.aclose()


async def test_a_pipeline_collects_commands_and_gives_their_replies_parsed(redis):
    for transaction in (True, False):
        await redis.flushall()
        pipe = redis.pipeline(transaction=transaction)
        assert pipe.set("k", "1") is pipe
        pipe.hset("h", mapping={"f": "v"}).hgetall("h").zadd("z", {"m": 1}).zrange("z", 0, -1, withscores=True)
        pipe.expire("k", 100).mget([]).get("none")
        assert len(pipe) == 8
        assert await pipe.execute() == [True, 1, {"f": "v"}, 1, [("m", 1.0)], True, [], None]
        assert len(pipe) == 0
        assert await pipe.execute() == []


async def test_errors_in_a_pipeline_name_the_command_or_stand_in_the_list(redis):
    for transaction in (True, False):
        await redis.set("k", "v")
        async with redis.pipeline(transaction=transaction) as pipe:
            assert await refused(pipe.get("k").lpush("k", "x").get("k").execute()) == (
                "ResponseError: Command # 2 (LPUSH k x) of pipeline caused error: "
                "('WRONGTYPE Operation against a key holding the wrong kind of value',)"
            )
            replies = await pipe.get("k").lpush("k", "x").append("k", "w").execute(raise_on_error=False)
            assert (replies[0], type(replies[1]).__name__, replies[2]) == ("v", "ResponseError", 2)
    pipe = redis.pipeline().set("k", "new").execute_command("NOPE", "a" * 200)
    assert await refused(pipe.execute()) == (
        "ResponseError: Command # 2 (NOPE...) of pipeline caused error: "
        f"(\"unknown command 'NOPE', with args beginning with: '{'a' * 128}' \",)"
    )
    assert await redis.get("k") == "vw"
    assert await refused(redis.pipeline().set("k", object()).execute()) == (
        "DataError: Invalid input of type: 'object'. Convert to a bytes, string, int or float first."
    )


async def test_optimistic_locking(redis):
    await redis.set("k", "5")
    async with redis.pipeline() as pipe:
        assert await pipe.watch("k") is True
        value = int(await pipe.get("k"))
        await redis.set("k", "50")
        pipe.multi()
        pipe.set("k", value + 1)
        assert await refused(pipe.execute()) == "WatchError: Watched variable changed."
        assert (pipe.watching, len(pipe), await redis.get("k")) == (False, 0, "50")
        await pipe.watch("k")
        value = int(await pipe.get("k"))
        pipe.multi()
        assert await pipe.set("k", value + 1).get("k").execute() == [True, "51"]


async def test_what_a_pipeline_refuses(redis):
    pipe = redis.pipeline()
    pipe.multi()
    with pytest.raises(Exception, match=r"^Cannot issue nested calls to MULTI$"):
        pipe.multi()
    assert await refused(pipe.watch("k")) == "RedisError: Cannot issue a WATCH after a MULTI"
    await pipe.reset()
    with pytest.raises(Exception, match=r"^Commands without an initial WATCH have already been issued$"):
        pipe.get("k").multi()
    assert await pipe.execute() == [None]


async def test_transaction_runs_its_function_again_until_nothing_came_in_between(redis):
    await redis.set("k", "1")
    tried = []

    async def add_one(pipe):
        value = int(await pipe.get("k"))
        tried.append(value)
        if len(tried) < 3:
            await redis.incr("k")
        pipe.multi()
        pipe.set("k", value + 1)
        return value

    assert await redis.transaction(add_one, "k") == [True]
    assert (tried, await redis.get("k")) == ([1, 2, 3], "4")
    assert await redis.transaction(add_one, "k", value_from_callable=True) == 4


async def test_a_registered_script_in_a_pipeline_is_loaded_where_the_server_does_not_know_it(redis):
    script = redis.register_script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
    pipe = redis.pipeline()
    assert await script(keys=["k"], args=[2], client=pipe) is pipe
    assert await pipe.get("k").execute() == [2, "2"]


async def test_a_blocking_command_outside_a_transaction_holds_up_its_own_pipeline_alone(redis):
    pipe = redis.pipeline(transaction=False).set("before", "1").blpop("q").get("k")
    waiting = asyncio.create_task(pipe.execute())
    while await redis.get("before") is None:
        await asyncio.sleep(0.005)
    await redis.set("k", "in between")
    await redis.rpush("q", "x")
    assert await waiting == [True, ("q", "x"), "in between"]


async def test_a_connection_that_is_closed_while_it_watches(redis, redis_arm):
    pipe = redis.pipeline()
    await pipe.watch("k")
    if redis_arm.name == "stand-in":
        redis_arm.server.cut_connections(redis_arm.world.current_actor())
    else:
        await redis.client_kill_filter(_type="normal", skipme=True)
    pipe.multi()
    expected = "WatchError: A ConnectionError occurred while watching one or more keys"
    assert await refused(pipe.get("k").execute()) == expected
    assert await pipe.get("k").execute() == [None]


async def test_a_transaction_on_a_node_of_a_cluster_has_its_keys_in_one_slot(nodes):
    connection = nodes[0].client()
    for words in (("MULTI",), ("INCR", "b"), ("INCR", "c")):  # slots 3300 and 7365, both of the first node
        await connection.execute_command(*words)
    expected = "ClusterCrossSlotError: Keys in request don't hash to the same slot"
    assert await refused(connection.execute_command("EXEC")) == expected
    assert await refused(connection.execute_command("EXEC")) == "ResponseError: EXEC without MULTI"
    await connection.execute_command("MULTI")
    assert (await refused(connection.incr("a"))).startswith("MovedError: 15495 ")
    assert await refused(connection.execute_command("EXEC")) == (
        "ExecAbortError: Transaction discarded because of previous errors."
    )
    assert await nodes[0].pipeline().incr("{b}1").incr("{b}2").execute() == [1, 1]
    await connection.aclose()
