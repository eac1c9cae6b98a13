"""Messages that a service pushes, calls whose caller does not wait, and what follows behind all that was sent."""

import asyncio

import pytest

from py_runtime.sim import DROP, DUPLICATE, PASS, PUSH, delay


@pytest.fixture
def pushing(bench):
    """A world with a service `store` that pushes each request's payload to the actor `b`, and what `b` has read."""
    world = bench.world()
    world.read = []

    def handle(request) -> None:
        receiver = world.actor("b")
        world.network.push(
            "store", receiver, request.payload, f"tell {request.payload}", lambda told: world.read.append(
                (world.now_us, world.current_actor().name, told)
            ),
        )  # fmt: skip
        request.complete("ok")

    world.network.serve("store", handle, request_us=10, reply_us=100)
    return world


def tell(world, *payloads, to_us: int = 10_000) -> list:
    async def program() -> None:
        for payload in payloads:
            await world.network.call("store", payload)

    world.spawn(world.actor("a"), program())
    world.run(to_us)
    return world.read


def test_a_push_takes_as_long_as_a_reply_and_is_read_in_a_step_of_the_receiver(bench, pushing):
    assert tell(pushing, "x") == [(110, "b", "x")]
    events = [(e.at_us, e.actor, e.kind, dict(e.fields)) for e in pushing.events if e.fields.get("call") == 2]
    assert events == [
        (10, "store", "call.started", {"call": 2, "to": "b", "text": "tell x"}),
        (110, "b", "call.applied", {"call": 2, "text": "tell x"}),
    ]


@pytest.mark.parametrize(
    ("verdict", "read"),
    [(DROP, []), (DUPLICATE, [(110, "b", "x"), (110, "b", "x")]), (delay(50), [(160, "b", "x")])],
    ids=["drop", "duplicate", "delay"],
)
def test_fault_rules_see_a_push_by_its_direction(pushing, verdict, read):
    pushing.network.rule(lambda message: verdict if message.direction == PUSH else PASS)
    assert tell(pushing, "x") == read


def test_a_push_waits_for_a_paused_receiver_and_is_lost_on_a_crashed_one(pushing):
    receiver = pushing.actor("b")
    pushing.pause(receiver, 500)
    pushing.call_at(600, pushing.crash, receiver)
    assert tell(pushing, *range(8)) == [(500, "b", number) for number in range(4)] + [(550, "b", 4)]
    lost = [e.fields for e in pushing.events if e.kind == "call.lost"]
    assert [(fields["direction"], fields["reason"]) for fields in lost] == [("push", "b is gone")] * 3


def test_a_crashed_service_pushes_nothing(pushing):
    service = pushing.actor("store")
    pushing.crash(service)
    pushing.call_at(1, pushing.network.push, "store", pushing.actor("b"), "x", "tell x", pushing.read.append)
    pushing.run(1000)
    assert pushing.read == []


def test_an_answer_to_a_call_without_waiting_is_read_in_a_step_of_the_caller(bench, store_of):
    world = bench.world()
    store_of(world, request_us=100, reply_us=100)
    read = []

    async def program() -> None:
        for payload in ("x", "y"):
            world.network.send("store", payload, f"GET {payload}", lambda *answer: read.append((world.now_us, answer)))
        world.mark("went on")
        await asyncio.Event().wait()

    world.spawn(world.actor("a"), program())
    world.run(1000)
    assert read == [(200, ("x", None)), (200, ("y", None))]
    assert bench.timed(world) == [(0, "went on")]


def test_what_follows_comes_behind_all_that_was_sent_even_when_that_is_late(bench):
    world = bench.world()
    seen = []
    world.network.serve("store", lambda request: seen.append((world.now_us, request.payload)), request_us=10)
    world.network.rule(lambda message: delay(500) if message.call == 1 else PASS)

    async def program() -> None:
        for payload in ("late", "soon"):
            world.network.send("store", payload, payload, lambda *answer: None)
        world.network.follow("store", lambda message: seen.append((world.now_us, message)), "closed")

    world.spawn(world.actor("a"), program())
    world.run(1000)
    assert seen == [(10, "soon"), (510, "late"), (510, "closed")]


def test_a_long_request_lets_others_come_in_between(bench):
    world = bench.world()
    seen = []

    def go_on(request, left: int = 2) -> None:
        seen.append(f"{request.sender} {left}")
        if left:
            request.call_soon(lambda again: go_on(again, left - 1), request)
        else:
            request.complete("done")

    world.network.serve("store", go_on)
    for name in "ab":
        world.spawn(world.actor(name), world.network.call("store", name))
    world.run(1000)
    assert seen == ["a 2", "a 1", "b 2", "a 0", "b 1", "b 0"]
