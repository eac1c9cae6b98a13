"""Calls: a request, its execution, a reply; latency, faults, cancelled callers, calls that block."""

import asyncio

import pytest

from py_runtime.sim import DROP, DUPLICATE, PASS, REPLY, REQUEST, Message, SimulationError, Verdict, delay


def _only(direction, verdict):
    return lambda message: verdict if message.direction == direction else PASS


@pytest.fixture
def call_under(bench, store_of):
    """One call of `a` to the store (100 µs each way) under a fault rule; the caller gives up after a second."""

    def run(rule=None, **options):
        world = bench.world()
        world.store = store_of(world, request_us=100, reply_us=100, **options)
        if rule is not None:
            world.network.rule(rule)

        async def program():
            try:
                async with asyncio.timeout(1):
                    world.mark(f"got {await world.network.call('store', 'x', text='GET x')}")
            except TimeoutError:
                world.mark("gave up")

        world.spawn(world.actor("a"), program())
        world.ended = world.run(10_000_000)
        return world

    return run


def test_a_call_takes_both_latencies_and_is_recorded_at_each_end(bench, call_under):
    world = call_under()
    assert [(event.at_us, event.actor, event.kind) for event in world.events][1:-1] == [
        (0, "a", "call.started"), (100, "store", "call.applied"), (200, "a", "call.completed"), (200, "a", "mark"),
    ]  # fmt: skip
    started, applied, completed = (event.fields for event in world.events[1:4])
    assert started == {"call": 1, "to": "store", "text": "GET x"}
    assert applied == {"call": 1, "text": "GET x", "reply": "x"}
    assert completed == {"call": 1, "reply": "x"}


def test_a_lost_request_is_never_carried_out(bench, call_under):
    world = call_under(_only(REQUEST, DROP))
    assert (world.store.applied, bench.marks(world)) == ([], ["gave up"])
    assert bench.timed(world, "call.lost", "call.failed") == [(0, "call.lost"), (1_000_000, "call.failed")]


def test_a_lost_reply_is_that_of_a_request_that_was_carried_out(bench, call_under):
    world = call_under(_only(REPLY, DROP))
    assert (world.store.applied, bench.marks(world)) == ([(100, "x")], ["gave up"])
    lost = next(event for event in world.events if event.kind == "call.lost")
    assert (lost.at_us, lost.actor, lost.fields["direction"]) == (100, "store", "reply")


def test_a_duplicated_request_is_carried_out_and_recorded_twice_and_answered_once(bench, call_under):
    world = call_under(_only(REQUEST, DUPLICATE))
    assert world.store.applied == [(100, "x"), (100, "x")]
    kinds = bench.kinds(world)
    assert (kinds.count("call.applied"), kinds.count("call.completed"), bench.marks(world)) == (2, 1, ["got x"])


def test_a_duplicated_reply_completes_the_call_once(bench, call_under):
    world = call_under(_only(REPLY, DUPLICATE))
    assert (len(world.store.applied), bench.kinds(world).count("call.completed")) == (1, 1)


@pytest.mark.parametrize(("direction", "applied_us"), [(REQUEST, 5_100), (REPLY, 100)])
def test_a_delay_adds_to_the_latency_of_its_message_only(bench, call_under, direction, applied_us):
    world = call_under(_only(direction, delay(5_000)))
    assert (world.store.applied, bench.timed(world)) == ([(applied_us, "x")], [(5_200, "got x")])


def test_later_messages_overtake_a_delayed_one(bench, store_of):
    world = bench.world()
    store = store_of(world)
    world.network.rule(lambda message: delay(50) if message.text == "slow" else PASS)

    async def program():
        await asyncio.gather(*(world.network.call("store", text, text=text) for text in ("slow", "fast")))

    world.spawn(world.actor("a"), program())
    world.run(1_000)
    assert store.applied == [(0, "fast"), (50, "slow")]


def test_a_duplicate_reaches_a_service_that_is_paused_twice_as_well(bench, store_of):
    world = bench.world()
    store = store_of(world)
    world.network.rule(_only(REQUEST, DUPLICATE))
    world.call_at(0, world.pause, store.actor, 300)
    world.call_at(10, lambda: world.spawn(world.actor("a"), world.network.call("store", "x")))
    world.run(1_000)
    assert store.applied == [(300, "x"), (300, "x")]
    assert bench.kinds(world).count("call.completed") == 1


def test_a_rule_sees_the_message_and_holds_within_its_scope_only(bench, store_of):
    world = bench.world()
    store_of(world, request_us=5)
    seen = []

    def look(message):
        seen.append(message)
        return PASS

    world.network.rule(look, from_us=1_000, until_us=2_000)

    async def program():
        for _ in range(4):
            await world.network.call("store", "x", text="GET x")
            await asyncio.sleep(0.000_995)

    world.spawn(world.actor("a"), program())
    world.run(10_000)
    # Calls leave at 0, 1000, 2000 and 3000; only the second call's messages fall in 1000 ≤ instant < 2000.
    assert seen == [
        Message(REQUEST, 2, "a", "store", "GET x", 1_000),
        Message(REPLY, 2, "store", "a", "GET x", 1_005),
    ]


def test_the_first_rule_that_does_not_let_pass_holds(bench, call_under):
    def setup(message):
        raise AssertionError("asked although an earlier rule had answered")

    world = call_under(lambda message: Verdict("pass"))  # equal to PASS, not the same object
    assert bench.marks(world) == ["got x"]
    world.network.rule(_only(REQUEST, DROP))
    world.network.rule(setup)
    world.spawn(world.actor("b"), world.network.call("store", "y"))
    assert world.run(20_000_000).waiting == ("b",)


def test_rules_may_be_lifted_and_installed_while_one_is_asked(bench, store_of):
    world = bench.world()
    store = store_of(world)

    def once(message):
        world.network.lift(rules[0])
        world.network.lift(rules[0])  # lifted already: stays so
        world.network.rule(never)
        return DROP

    def never(message):
        return PASS

    def second(message):
        return DROP if message.text == "second" else PASS

    rules = [world.network.rule(once), world.network.rule(second)]
    for text in ("first", "second", "third"):
        world.spawn(world.actor(text), world.network.call("store", text, text=text))
    ended = world.run(1_000)
    assert ([payload for _, payload in store.applied], ended.waiting) == (["third"], ("first", "second"))


def test_lifting_a_rule_leaves_an_equal_one(bench, call_under):
    rule = _only(REQUEST, DROP)
    world = bench.world()
    first, second = world.network.rule(rule), world.network.rule(rule)
    world.network.lift(second)
    assert first == second
    assert [each is first for each in world.network.rules] == [True]


@pytest.mark.parametrize("verdict", [None, "drop", True])
def test_a_rule_that_gives_no_verdict_is_a_mistake_that_says_so(bench, call_under, verdict):
    world = call_under(lambda message: verdict)
    assert bench.failures(world) == [
        f"SimulationError: a fault rule returns PASS, DROP, DUPLICATE or delay(…), got {verdict!r}"
    ]


def test_a_delay_is_whole_and_not_negative():
    with pytest.raises(ValueError, match="delay_us"):
        delay(-1)
    with pytest.raises(TypeError, match="delay_us"):
        delay(0.5)


def test_an_error_that_the_service_answers_is_raised_in_the_caller(bench):
    world = bench.world()
    world.network.serve("store", lambda request: request.fail(KeyError("no such key"), retry=False))

    async def program():
        with pytest.raises(KeyError, match="no such key"):
            await world.network.call("store", "x")
        world.mark("caught")

    world.spawn(world.actor("a"), program())
    world.run(10)
    fields = [event.fields for event in world.events if event.kind in ("call.applied", "call.failed")]
    assert fields == [
        {"call": 1, "text": "", "reply": None, "error": "'no such key'", "retry": False},
        {"call": 1, "error": "'no such key'"},
    ]
    assert bench.marks(world) == ["caught"]


def test_an_error_without_words_is_told_by_its_class(bench):
    world = bench.world()
    world.network.serve("store", lambda request: request.fail(TimeoutError()))
    world.spawn(world.actor("a"), world.network.call("store", "x"))
    world.run(10)
    assert [event.fields["error"] for event in world.events if event.kind == "call.failed"] == ["TimeoutError"]


def test_a_caller_that_gives_up_does_not_take_its_request_back(bench, store_of):
    world = bench.world()
    store = store_of(world, request_us=100, hold=True)

    async def program():
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.000_050):
                await world.network.call("store", "x")
        await asyncio.sleep(1)

    world.spawn(world.actor("a"), program())
    world.call_at(500, lambda: world.mark(f"cancelled: {store.held[0].cancelled}"))
    world.call_at(600, lambda: store.held[0].complete("too late"))
    world.run(10_000_000)
    assert store.applied == [(100, "x")]
    assert bench.timed(world, "mark", "call.failed", "call.applied", "call.completed") == [
        (50, "call.failed"), (500, "cancelled: True"), (600, "call.applied"),
    ]  # fmt: skip
    assert not bench.failures(world)


def test_a_caller_that_is_cancelled_after_its_reply_was_read_has_a_completed_call(bench, store_of):
    async def program(world):
        call = asyncio.create_task(world.network.call("store", "x"))
        while "call.completed" not in bench.kinds(world):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait([call])
        world.mark(f"cancelled: {call.cancelled()}")

    world = bench.world()
    store_of(world)
    world.spawn(world.actor("a"), program(world))
    world.run(10)
    assert bench.marks(world) == ["cancelled: True"]
    assert "call.failed" not in bench.kinds(world)
    assert bench.kinds(world).count("call.completed") == 1


def test_a_call_may_block_and_be_completed_later_by_another(bench):
    world = bench.world()
    waiting = []

    def handle(request):
        if request.payload == "POP":
            waiting.append(request)
            request.call_later(1_000, request.complete, None)
        else:
            waiting.pop(0).complete(request.payload)
            request.complete("OK")

    world.network.serve("queue", handle)

    async def pop(name):
        world.mark(f"{name} {await world.network.call('queue', 'POP')}")

    async def push():
        await asyncio.sleep(0.000_300)
        await world.network.call("queue", "item")

    for name in ("first", "second"):
        world.spawn(world.actor(name), pop(name))
    world.spawn(world.actor("pusher"), push())
    world.run(10_000)
    # The first answer holds: the first caller's time limit, at 1000, finds its call completed.
    assert bench.timed(world) == [(300, "first item"), (1_000, "second None")]


def test_a_timer_of_a_service_can_be_cancelled_and_runs_as_the_service(bench, store_of):
    world = bench.world()
    store = store_of(world, hold=True)
    world.spawn(world.actor("a"), world.network.call("store", "x"))
    world.run(1)

    def fire(name):
        world.mark(f"{name} as {world.current_actor()}")

    store.held[0].call_later(10, fire, "never").cancel()
    store.held[0].call_later(20, fire, "fired")
    world.run(100)
    assert bench.timed(world) == [(20, "fired as store")]
    with pytest.raises(ValueError, match="delay_us"):
        store.held[0].call_later(-1, fire, "past")


def test_a_handler_runs_as_the_service_and_its_marks_are_the_services(bench):
    world = bench.world()

    def handle(request):
        world.mark(f"from {request.sender}, at {request.now_us}")
        request.complete(None)

    world.network.serve("store", handle, request_us=3)
    world.spawn(world.actor("a"), world.network.call("store", "x"))
    world.run(10)
    assert [(event.actor, event.fields["name"]) for event in world.events if event.kind == "mark"] == [
        ("store", "from a, at 3")
    ]


def test_what_a_handler_raises_ends_the_run_which_can_go_on(bench):
    world = bench.world()

    def handle(request):
        if request.payload == "bad":
            raise ZeroDivisionError("a mistake in the store")
        request.complete("ok")

    world.network.serve("store", handle)
    for payload in ("bad", "good"):
        world.spawn(world.actor(payload), world.network.call("store", payload))
    with pytest.raises(ZeroDivisionError):
        world.run(10)
    assert world.run(10).waiting == ("bad",)


def test_a_call_to_an_unknown_service_names_those_there_are(bench, store_of):
    world = bench.world()
    store_of(world, "redis")
    store_of(world, "sql")
    world.spawn(world.actor("a"), world.network.call("reids", "x"))
    world.run(10)
    assert bench.failures(world) == ["SimulationError: no service is named reids; there are: redis, sql"]
    with pytest.raises(SimulationError, match="already a service named sql"):
        store_of(world, "sql")


def test_the_trace_keeps_what_changed_as_it_was_then(bench):
    world = bench.world()
    items: list[int] = []

    def handle(request):
        items.append(request.payload)
        request.complete(items, changes=[{"store": "s", "key": "items", "type": "list", "value": items}])

    world.network.serve("store", handle)

    async def program():
        for number in range(3):
            await world.network.call("store", number)

    world.spawn(world.actor("a"), program())
    world.run(10)
    applied = [event.fields for event in world.events if event.kind == "call.applied"]
    assert [fields["changes"][0]["value"] for fields in applied] == [[0], [0, 1], [0, 1, 2]]
    assert [fields["reply"] for fields in applied] == [[0], [0, 1], [0, 1, 2]]
