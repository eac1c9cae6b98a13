"""Lists, and waiting for them, the same on both arms."""

from tests.conformance.arms.arm import refused, waiting
from tests.conformance.redis.stories import stories, tell


@stories(r"""
elements are put in front and behind, one after the other
    lpush('l', 'a', 'b') -> 2
    rpush('l', 'c', 'd') -> 4
    lrange('l', 0, -1) -> ['b', 'a', 'c', 'd']
    llen('l') -> 4
LPOP and RPOP take one or several, and the list ends with the last
    rpush('l', 'a', 'b', 'c', 'd', 'e') -> 5
    lpop('l') -> 'a'
    rpop('l') -> 'e'
    lpop('l', 2) -> ['b', 'c']
    lpop('l', 0) -> []
    rpop('l', 10) -> ['d']
    exists('l') -> 0
    lpop('l') -> None
    lpop('l', 2) -> None
    execute_command('LPOP', 'l', '-1') -> ResponseError: value is out of range, must be positive
    execute_command('RPOP', 'l', 'x') -> ResponseError: value is out of range, must be positive
LRANGE, LINDEX and LTRIM count from both ends
    rpush('l', 'a', 'b', 'c', 'd') -> 4
    lrange('l', 1, 2) -> ['b', 'c']
    lrange('l', -2, 99) -> ['c', 'd']
    lrange('l', 3, 1) -> []
    lrange('none', 0, -1) -> []
    lindex('l', -1) -> 'd'
    lindex('l', 9) -> None
    ltrim('l', 1, -2) -> True
    lrange('l', 0, -1) -> ['b', 'c']
    ltrim('l', 5, 9) -> True
    exists('l') -> 0
    lrange('l', 'x', 1) -> ResponseError: value is not an integer or out of range
LREM takes out equal elements, from either end
    rpush('l', 'a', 'b', 'a', 'c', 'a') -> 5
    lrem('l', 1, 'a') -> 1
    lrem('l', -1, 'a') -> 1
    lrange('l', 0, -1) -> ['b', 'a', 'c']
    lrem('l', 0, 'a') -> 1
    lrem('l', 0, 'a') -> 0
    lrange('l', 0, -1) -> ['b', 'c']
LMOVE moves one element, also within a list
    rpush('l', 'a', 'b', 'c') -> 3
    lmove('l', 'm') -> 'a'
    lmove('l', 'm', 'RIGHT', 'LEFT') -> 'c'
    lrange('m', 0, -1) -> ['c', 'a']
    lmove('m', 'm', 'LEFT', 'RIGHT') -> 'c'
    lrange('m', 0, -1) -> ['a', 'c']
    lmove('l', 'm') -> 'b'
    exists('l') -> 0
    lmove('l', 'm') -> None
    execute_command('LMOVE', 'l', 'm', 'UP', 'LEFT') -> ResponseError: syntax error
a blocking pop takes what is there, from the first key that has something
    rpush('b', '1', '2') -> 2
    rpush('c', '3') -> 1
    blpop(['a', 'b', 'c'], timeout=1) -> ('b', '1')
    brpop(['c', 'b'], timeout=1) -> ('c', '3')
    blpop('b', timeout=0.001) -> ('b', '2')
    blpop('b', timeout=0.02) -> None
a blocking pop refuses a time that is none
    execute_command('BLPOP', 'l', 'x') -> ResponseError: timeout is not a float or out of range
    execute_command('BLPOP', 'l', '-1') -> ResponseError: timeout is negative
    execute_command('BLPOP', 'l', 'inf') -> ResponseError: timeout is negative
    execute_command('BLPOP', 'l') -> ResponseError: wrong number of arguments for 'blpop' command
a key of another type is no list
    set('s', 'v') -> True
    lpush('s', 'x') -> WRONGTYPE
    lpop('s') -> WRONGTYPE
    llen('s') -> WRONGTYPE
    lrange('s', 0, -1) -> WRONGTYPE
    blpop('s', timeout=1) -> WRONGTYPE
    rpush('l', 'x') -> 1
    lmove('l', 's') -> WRONGTYPE
    lrange('l', 0, -1) -> ['x']
bytes that are no UTF-8 pass through a list
    raw.rpush('l', b'\xff', b'') -> 2
    raw.lrange('l', 0, -1) -> [b'\xff', b'']
""")
async def test_lists(redis, connect, clock, story):
    await tell(story, redis, connect(decode_responses=False), clock)


async def test_who_waits_longest_is_served_first(redis, connect, clock):
    first = await waiting(connect(), clock, lambda client: client.blpop("q", timeout=5))
    second = await waiting(connect(), clock, lambda client: client.brpop("q", timeout=5))
    assert await redis.rpush("q", "a", "b", "c") == 3
    assert [await first, await second] == [("q", "a"), ("q", "c")]
    assert await redis.lrange("q", 0, -1) == ["b"]


async def test_a_waiter_of_several_keys_gets_the_one_that_was_filled(redis, connect, clock):
    task = await waiting(connect(), clock, lambda client: client.blpop(["p", "q"], timeout=5))
    await redis.set("p", "no list")
    await redis.lpush("q", "x")
    assert await task == ("q", "x")
    assert await redis.exists("q") == 0


async def test_a_move_wakes_a_waiter(redis, connect, clock):
    await redis.rpush("from", "x")
    task = await waiting(connect(), clock, lambda client: client.blpop("to", timeout=5))
    assert await redis.lmove("from", "to") == "x"
    assert await task == ("to", "x")


async def test_a_push_in_a_script_wakes_a_waiter_when_the_script_has_ended(redis, connect, clock):
    task = await waiting(connect(), clock, lambda client: client.blpop("q", timeout=5))
    script = "redis.call('RPUSH', KEYS[1], 'a') redis.call('LPUSH', KEYS[1], 'b') return redis.call('LLEN', KEYS[1])"
    assert await redis.eval(script, 1, "q") == 2
    assert await task == ("q", "b")


async def test_a_waiter_gets_the_list_that_was_made_first_whatever_went_before(redis, connect, clock):
    task = await waiting(connect(), clock, lambda client: client.blpop(["p", "q"], timeout=5))
    await redis.set("p", "no list")
    script = "redis.call('DEL', KEYS[1]) redis.call('RPUSH', KEYS[2], 'a') redis.call('RPUSH', KEYS[1], 'b')"
    assert await redis.eval(script, 2, "p", "q") is None
    assert await task == ("q", "a")


async def test_a_waiter_whose_list_was_emptied_again_goes_on_waiting(redis, connect, clock):
    task = await waiting(connect(), clock, lambda client: client.blpop("q", timeout=5))
    script = "redis.call('RPUSH', KEYS[1], 'a') redis.call('DEL', KEYS[1])"
    assert await redis.eval(script, 1, "q") is None
    await clock.advance(10)
    assert not task.done()
    await redis.rpush("q", "b")
    assert await task == ("q", "b")


async def test_a_blocking_pop_in_a_script_is_refused(redis):
    told = await refused(redis.eval("return redis.call('BLPOP', KEYS[1], 1)", 1, "q"))
    assert told == (
        "ResponseError: This Redis command is not allowed from script "
        "script: c6d5dcd50cc0aad5f7b2b81f54d1274bfc1b1aef, on @user_script:1."
    )
