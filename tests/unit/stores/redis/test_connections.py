"""Transactions and pipelines as messages: what faults, crashes, outages and other clients do to them, and the trace."""

import asyncio
import builtins

import pytest

from py_runtime.sim import DROP, DUPLICATE, PASS, REPLY, REQUEST, SeededScheduler, Stream, World, delay
from py_runtime.stores.redis import ConnectionError, RedisServer, ResponseError, TimeoutError, WatchError


class Stage:
    """A world with one server; `play` runs named programs `program(client)` and gives what they returned or raised."""

    def __init__(self, scheduler=None, **server) -> None:
        self.world = World(scheduler=scheduler)
        self.server = RedisServer(self.world, **server)
        self.ended: dict[str, object] = {}

    def start(self, name: str, program, **client) -> None:
        async def main():
            try:
                self.ended[name] = await program(self.server.client(**client))
            except Exception as error:
                self.ended[name] = error

        self.world.spawn(self.world.actor(name), main())

    def play(self, **programs) -> dict[str, object]:
        for name, program in programs.items():
            self.start(name, program)
        self.world.run(60_000_000)
        return self.ended

    def applied(self) -> list[tuple]:
        """(text, reply, changed keys) of each command that was carried out."""
        return [
            (e.fields["text"], e.fields["reply"], [change["key"] for change in e.fields.get("changes", ())])
            for e in self.world.events
            if e.kind == "call.applied"
        ]

    def on(self, direction: str, begins: str, verdict) -> None:
        def judge(message):
            return verdict if message.direction == direction and message.text.startswith(begins) else PASS

        self.world.network.rule(judge)


@pytest.fixture
def stage() -> Stage:
    return Stage()


async def add_two(redis):
    return await redis.pipeline().incr("k").incr("k").execute()


def test_a_transaction_is_one_message_and_changes_data_at_one_moment(stage):
    assert stage.play(a=add_two) == {"a": [1, 2]}
    assert stage.applied() == [("MULTI; INCR k; INCR k; EXEC", [1, 2], ["k"])]
    changes = [e.fields["changes"] for e in stage.world.events if e.kind == "call.applied"]
    assert changes == [[{"store": "redis", "key": "k", "type": "string", "value": "2"}]]


def test_a_pipeline_without_a_transaction_is_one_message_carried_out_command_by_command(stage):
    assert stage.play(a=lambda redis: redis.pipeline(transaction=False).incr("k").get("k").execute()) == {"a": [1, "1"]}
    assert stage.applied() == [("INCR k", 1, ["k"]), ("INCR k; GET k", [1, "1"], [])]


def test_a_long_pipeline_is_cut_in_the_trace_and_not_in_fact(stage):
    async def program(redis):
        pipe = redis.pipeline()
        for number in range(2000):
            pipe.rpush("q", number)
        return len(await pipe.execute())

    assert stage.play(a=program) == {"a": 2000}
    [(text, _, _)] = stage.applied()
    assert text == "; ".join(["MULTI", *[f"RPUSH q {number}" for number in range(11)], "… 1990 more"])


def test_others_come_in_between_the_commands_of_a_pipeline_and_never_into_a_transaction():
    def program(transaction):
        async def main(redis):
            pipe = redis.pipeline(transaction=transaction)
            return await pipe.get("k").get("k").get("k").execute()

        return main

    seen = {True: set(), False: set()}
    for transaction, replies in seen.items():
        for seed in range(30):
            stage = Stage(SeededScheduler(Stream(seed, "schedule")))
            stage.play(reader=program(transaction), writer=lambda redis: redis.set("k", "new"))
            replies.add(tuple(stage.ended["reader"]))
    assert seen[True] == {(None,) * 3, ("new",) * 3}
    assert {(None, None, "new"), (None, "new", "new")} < seen[False]


def test_a_lost_request_does_nothing_and_a_lost_reply_hides_a_transaction_that_was_done(stage):
    stage.on(REQUEST, "MULTI; INCR lost", DROP)
    stage.on(REPLY, "MULTI; INCR hidden", DROP)
    for key in ("lost", "hidden"):
        stage.start(key, lambda redis, key=key: redis.pipeline().incr(key).execute(), socket_timeout=1)
    ended = stage.play()
    assert [type(ended[key]) for key in ("lost", "hidden")] == [TimeoutError, TimeoutError]
    assert (stage.server.peek("lost"), stage.server.peek("hidden")) == (None, "1")


def test_a_transaction_that_arrives_twice_is_done_twice(stage):
    stage.on(REQUEST, "MULTI", DUPLICATE)
    assert stage.play(a=add_two) == {"a": [1, 2]}
    assert stage.server.peek("k") == "4"


def test_a_late_transaction_of_a_caller_that_gave_up_is_still_done_on_its_own_connection(stage):
    stage.on(REQUEST, "MULTI", delay(3_000_000))

    async def program(redis):
        pipe = redis.pipeline()
        await pipe.watch("other")
        pipe.multi()
        await pipe.incr("k").execute()

    stage.start("a", program, socket_timeout=1)
    ended = stage.play()
    assert isinstance(ended["a"], WatchError)
    assert str(ended["a"]) == "A TimeoutError occurred while watching one or more keys"
    assert stage.server.peek("k") == "1"
    assert stage.server.keyspace.sessions.every() == []


def test_what_a_crashed_client_watches_and_has_queued_is_forgotten(stage):
    async def program(redis):
        connection = redis.client()
        await connection.execute_command("WATCH", "k")
        await connection.execute_command("MULTI")
        await connection.incr("k")
        await asyncio.sleep(10)
        await connection.execute_command("EXEC")

    stage.world.call_at(5_000_000, stage.world.crash, stage.world.actor("a"))
    assert stage.play(a=program) == {}
    assert stage.server.peek("k") is None
    assert stage.server.keyspace.sessions.every() == []
    assert stage.server.keyspace.sessions.watchers == {}


@pytest.mark.parametrize(("at_s", "down_s"), [(1, 1), (1, 5)])
def test_an_outage_ends_what_is_watched(stage, at_s, down_s):
    async def program(redis):
        async with redis.pipeline() as pipe:
            await pipe.watch("k")
            await asyncio.sleep(4)
            pipe.multi()
            return await pipe.incr("k").execute()

    stage.world.call_at(at_s * 1_000_000, stage.server.set_down, True)
    stage.world.call_at((at_s + down_s) * 1_000_000, stage.server.set_down, False)
    ended = stage.play(a=program)
    assert str(ended["a"]) == "A ConnectionError occurred while watching one or more keys"
    assert stage.server.peek("k") is None


def test_during_an_outage_a_pipeline_is_refused_and_afterwards_works_again(stage):
    async def program(redis):
        pipe = redis.pipeline()
        await pipe.incr("k").execute()
        stage.server.set_down(True)
        with pytest.raises(ConnectionError, match="Error 111 connecting to redis:6379. Connection refused."):
            await pipe.incr("k").execute()
        stage.server.set_down(False)
        return await pipe.incr("k").execute()

    assert stage.play(a=program) == {"a": [2]}


def test_an_outage_fails_a_pipeline_that_waits_in_a_blocking_command(stage):
    stage.world.call_at(1_000_000, stage.server.set_down, True)
    ended = stage.play(a=lambda redis: redis.pipeline(transaction=False).incr("k").blpop("q").incr("k").execute())
    assert (type(ended["a"]), str(ended["a"])) == (ConnectionError, "Connection closed by server.")
    assert stage.server.peek("k") == "1"
    assert stage.server.blocked_count == 0


def test_packets_of_one_connection_wait_for_the_one_before(stage):
    async def program(redis):
        connection = redis.client()
        popped = asyncio.create_task(connection.blpop("q"))
        await asyncio.sleep(1)
        behind = asyncio.create_task(connection.set("k", "after"))
        await asyncio.sleep(1)
        before = await redis.get("k")
        await redis.rpush("q", "x")
        return before, await popped, await behind

    assert stage.play(a=program) == {"a": (None, ("q", "x"), True)}


def test_a_task_that_is_cancelled_in_a_transaction_takes_its_connection_with_it(stage):
    async def program(redis):
        pipe = redis.pipeline()
        await pipe.watch("k")
        try:
            async with asyncio.timeout(1):
                await pipe.execute_command("BLPOP", "q", 0)
        except builtins.TimeoutError:
            await pipe.reset()
        return await pipe.set("k", "v").execute()

    assert stage.play(a=program) == {"a": [True]}
    assert len(stage.server.keyspace.sessions.every()) == 1


@pytest.mark.parametrize("words", [("MULTI",), ("WATCH", "k"), ("SUBSCRIBE", "c"), ("UNSUBSCRIBE",)])
def test_a_plain_call_has_no_connection_to_keep_anything_on(stage, words):
    ended = stage.play(a=lambda redis: redis.execute_command(*words))
    assert isinstance(ended["a"], ResponseError)
    assert str(ended["a"]) == (
        f"{words[0]} needs a connection of its own: use the client's pipeline(), pubsub() or client()"
    )


def test_an_error_inside_a_transaction_has_the_note_that_it_has_outside(stage):
    async def program(redis):
        replies = await redis.pipeline().set("k", "v", nx=True).execute_command("SET", "k", "v", "NXX").execute(False)
        return replies[1].__notes__

    [note] = stage.play(a=program)["a"]
    assert note.startswith("'NXX' is no option of SET, which takes: key value")


def test_a_transaction_wakes_who_waits_once_it_is_over(stage):
    async def push(redis):
        await asyncio.sleep(1)
        return await redis.pipeline().rpush("q", "x").lpop("q").rpush("q", "y").execute()

    assert stage.play(a=lambda redis: redis.blpop("q"), b=push) == {"a": ("q", "y"), "b": [1, "x", 1]}
