"""BLPOP and XREAD BLOCK: who waits, whom a write wakes, and when waiting ends."""

import asyncio

import pytest

from py_runtime.sim import World
from py_runtime.stores.redis import ConnectionError, RedisServer

SECOND_US = 1_000_000


class Stage:
    """A world with one server; `play` starts named actors and runs; `seen` lists (ms, actor, value) as they come."""

    def __init__(self) -> None:
        self.world = World()
        self.server = RedisServer(self.world)
        self.seen: list[tuple] = []

    def start(self, name: str, program) -> None:
        async def main():
            reply = await program(self.server.client())
            self.seen.append((self.world.now_us // 1000, name, reply))

        self.world.spawn(self.world.actor(name), main())

    def run(self, until_ms: int = 60_000) -> list[tuple]:
        self.world.run(until_ms * 1000)
        failed = [event.fields for event in self.world.events if event.kind == "task.failed"]
        assert failed == []
        return self.seen


@pytest.fixture
def stage() -> Stage:
    return Stage()


def after(seconds: float, program):
    async def main(redis):
        await asyncio.sleep(seconds)
        return await program(redis)

    return main


def test_waiters_get_elements_in_the_order_they_came(stage):
    for name, seconds in (("c", 0.3), ("a", 0.1), ("b", 0.2)):
        stage.start(name, after(seconds, lambda redis: redis.blpop("q")))
    stage.start("writer", after(1, lambda redis: redis.rpush("q", "1", "2")))
    assert stage.run() == [(1000, "writer", 2), (1000, "a", ("q", "1")), (1000, "b", ("q", "2"))]
    assert stage.server.blocked_count == 1


def test_an_element_that_is_there_is_taken_without_waiting_from_the_first_key_that_has_one(stage):
    async def program(redis):
        await redis.rpush("b", "1")
        await redis.rpush("c", "2")
        return await redis.blpop(["a", "b", "c"], timeout=1), await redis.brpop(["a", "c"], timeout=1)

    stage.start("w", program)
    assert stage.run() == [(0, "w", (("b", "1"), ("c", "2")))]


@pytest.mark.parametrize(("timeout", "ms"), [(2, 2000), (0.25, 250), (0.0001, 1)])
def test_waiting_ends_with_nothing_when_the_time_is_up(stage, timeout, ms):
    stage.start("w", lambda redis: redis.blpop("q", timeout=timeout))
    assert stage.run() == [(ms, "w", None)]
    assert stage.server.blocked_count == 0


def test_every_reader_of_a_stream_wakes(stage):
    for name in ("a", "b"):
        stage.start(name, lambda redis: redis.xread({"s": "$"}, block=0))
    stage.start("writer", after(1, lambda redis: redis.xadd("s", {"f": "v"})))
    entry = [["s", [("1000-0", {"f": "v"})]]]
    assert stage.run() == [(1000, "writer", "1000-0"), (1000, "a", entry), (1000, "b", entry)]


def test_a_reader_from_now_on_misses_what_came_before_and_a_reader_from_an_id_does_not(stage):
    stage.start("writer", lambda redis: redis.xadd("s", {"f": "v"}, id="5-1"))
    stage.start("from-now", after(1, lambda redis: redis.xread({"s": "$"}, block=2000)))
    stage.start("from-id", after(1, lambda redis: redis.xread({"s": "5-0"}, block=2000)))
    assert stage.run() == [
        (0, "writer", "5-1"),
        (1000, "from-id", [["s", [("5-1", {"f": "v"})]]]),
        (3000, "from-now", []),
    ]


def test_a_write_inside_a_script_wakes_too(stage):
    stage.start("reader", lambda redis: redis.blpop("q"))
    stage.start("writer", after(1, lambda redis: redis.eval("return redis.call('RPUSH', KEYS[1], 'x')", 1, "q")))
    assert stage.run() == [(1000, "writer", 1), (1000, "reader", ("q", "x"))]


def test_a_key_of_another_type_wakes_nobody(stage):
    stage.start("reader", lambda redis: redis.blpop("q", timeout=3))
    stage.start("writer", after(1, lambda redis: redis.set("q", "no list")))
    assert stage.run() == [(1000, "writer", True), (3000, "reader", None)]


def test_a_waiter_that_gave_up_or_crashed_takes_no_element(stage):
    async def impatient(redis):
        try:
            async with asyncio.timeout(0.5):
                return await redis.blpop("q")
        except TimeoutError:
            return "gave up"

    stage.start("impatient", impatient)
    stage.start("victim", lambda redis: redis.blpop("q"))
    stage.start("patient", after(0.1, lambda redis: redis.blpop("q")))
    stage.world.call_at(700_000, stage.world.crash, stage.world.actor("victim"))
    stage.start("writer", after(1, lambda redis: redis.rpush("q", "x")))
    assert stage.run() == [(500, "impatient", "gave up"), (1000, "writer", 1), (1000, "patient", ("q", "x"))]
    assert stage.server.peek("q") is None


def test_the_element_a_waiter_takes_is_recorded_with_the_waiters_call(stage):
    stage.start("reader", lambda redis: redis.blpop("q"))
    stage.start("writer", after(1, lambda redis: redis.rpush("q", "x")))
    stage.run()
    applied = [event.fields for event in stage.world.events if event.kind == "call.applied"]
    assert [(fields["text"], [change["value"] for change in fields["changes"]]) for fields in applied] == [
        ("RPUSH q x", [["x"]]),
        ("BLPOP q 0", [None]),
    ]


def test_an_outage_breaks_the_connection_of_those_who_wait(stage):
    async def program(redis):
        with pytest.raises(ConnectionError, match=r"^Connection closed by server\.$"):
            await redis.blpop("q")

    stage.start("w", program)
    stage.world.call_at(2 * SECOND_US, stage.server.set_down, True)
    assert stage.run() == [(2000, "w", None)]
