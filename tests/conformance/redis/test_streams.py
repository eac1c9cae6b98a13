"""Streams and consumer groups, the same on both arms."""

from tests.conformance.arms.arm import waiting
from tests.conformance.redis.stories import stories, tell


@stories(r"""
XADD takes explicit ids, which must grow
    xadd('x', {'f': 'v'}, id='1-1') -> '1-1'
    xadd('x', {'f': 'w', 'g': 'u'}, id='1-2') -> '1-2'
    xadd('x', {'f': 'v'}, id='1-2') -> \
        ResponseError: The ID specified in XADD is equal or smaller than the target stream top item
    xadd('x', {'f': 'v'}, id='0-0') -> ResponseError: The ID specified in XADD must be greater than 0-0
    xadd('x', {'f': 'v'}, id='1-*') -> '1-3'
    xadd('x', {'f': 'v'}, id='5') -> '5-0'
    xadd('x', {'f': 'v'}, id='4-9') -> \
        ResponseError: The ID specified in XADD is equal or smaller than the target stream top item
    xadd('x', {'f': 'v'}, id='abc') -> ResponseError: Invalid stream ID specified as stream command argument
    xadd('x', {'f': 'v'}, id='1-1-1') -> ResponseError: Invalid stream ID specified as stream command argument
    xlen('x') -> 4
    xrange('x') -> [('1-1', {'f': 'v'}), ('1-2', {'f': 'w', 'g': 'u'}), ('1-3', {'f': 'v'}), ('5-0', {'f': 'v'})]
    xadd('y', {'f': 'v'}, id='18446744073709551615-18446744073709551615') -> '18446744073709551615-18446744073709551615'
    xadd('y', {'f': 'v'}) -> ResponseError: The stream has exhausted the last possible ID, unable to add more items
XADD needs pairs, and NOMKSTREAM a stream that is there
    xadd('x', {'f': 'v'}, id='1-1', nomkstream=True) -> None
    exists('x') -> 0
    execute_command('XADD', 'x', '1-1', 'f') -> ResponseError: wrong number of arguments for 'xadd' command
    execute_command('XADD', 'x', '1-1', 'f', 'v', 'g') -> ResponseError: wrong number of arguments for 'xadd' command
    execute_command('XADD', 'x', 'MAXLEN', '1', '*') -> ResponseError: wrong number of arguments for 'xadd' command
XADD MAXLEN and MINID trim what is oldest
    xadd('x', {'n': '1'}, id='1-0', maxlen=2, approximate=False) -> '1-0'
    xadd('x', {'n': '2'}, id='2-0', maxlen=2, approximate=False) -> '2-0'
    xadd('x', {'n': '3'}, id='3-0', maxlen=2, approximate=False) -> '3-0'
    xrange('x') -> [('2-0', {'n': '2'}), ('3-0', {'n': '3'})]
    xadd('x', {'n': '4'}, id='4-0', minid='4', approximate=False) -> '4-0'
    xrange('x') -> [('4-0', {'n': '4'})]
    xadd('x', {'n': '5'}, id='5-0', maxlen=1) -> '5-0'
    xlen('x') -> 2
    xadd('x', {'n': '6'}, id='6-0', maxlen=0, approximate=False) -> '6-0'
    xlen('x') -> 0
    type('x') -> 'stream'
XTRIM
    xadd('x', {'n': '1'}, id='1-0') -> '1-0'
    xadd('x', {'n': '2'}, id='2-0') -> '2-0'
    xadd('x', {'n': '3'}, id='3-0') -> '3-0'
    xtrim('x', maxlen=5, approximate=False) -> 0
    xtrim('x', maxlen=2, approximate=False) -> 1
    xtrim('x', minid='3', approximate=False) -> 1
    xtrim('x', maxlen=0) -> 1
    xrange('x') -> []
    xtrim('none', maxlen=0) -> 0
    execute_command('XTRIM', 'x', 'MAXLEN', '-1') -> ResponseError: The MAXLEN argument must be >= 0.
    execute_command('XTRIM', 'x', 'MAXLEN', '=', '1', 'LIMIT', '1') -> \
        ResponseError: syntax error, LIMIT cannot be used without the special ~ option
    execute_command('XTRIM', 'x', 'SIZE', '1') -> ResponseError: syntax error
    execute_command('XTRIM', 'x', 'MAXLEN', '1', 'MINID', '1') -> \
        ResponseError: syntax error, MAXLEN and MINID options at the same time are not compatible
XRANGE and XREVRANGE include both ends unless told otherwise
    xadd('x', {'n': '1'}, id='1-1') -> '1-1'
    xadd('x', {'n': '2'}, id='1-2') -> '1-2'
    xadd('x', {'n': '3'}, id='2-0') -> '2-0'
    xrange('x', '1', '1') -> [('1-1', {'n': '1'}), ('1-2', {'n': '2'})]
    xrange('x', '1-2', '+') -> [('1-2', {'n': '2'}), ('2-0', {'n': '3'})]
    xrange('x', '(1-1', '+', count=1) -> [('1-2', {'n': '2'})]
    xrange('x', '-', '(2-0') -> [('1-1', {'n': '1'}), ('1-2', {'n': '2'})]
    xrevrange('x', count=2) -> [('2-0', {'n': '3'}), ('1-2', {'n': '2'})]
    xrevrange('x', '(2-0', '-') -> [('1-2', {'n': '2'}), ('1-1', {'n': '1'})]
    xrange('x', '3', '+') -> []
    xrange('none') -> []
    xrange('x', 'abc') -> ResponseError: Invalid stream ID specified as stream command argument
    execute_command('XRANGE', 'x', '-', '+', 'COUNT', '0') -> None
XDEL leaves the stream, and its last id
    xadd('x', {'n': '1'}, id='5-0') -> '5-0'
    xdel('x', '5-0', '9-9') -> 1
    xlen('x') -> 0
    exists('x') -> 1
    xadd('x', {'n': '2'}, id='4-0') -> \
        ResponseError: The ID specified in XADD is equal or smaller than the target stream top item
    xdel('none', '1-0') -> 0
    xdel('x', 'abc') -> ResponseError: Invalid stream ID specified as stream command argument
XREAD gives what stands above the ids
    xadd('x', {'n': '1'}, id='1-0') -> '1-0'
    xadd('x', {'n': '2'}, id='2-0') -> '2-0'
    xadd('y', {'n': '3'}, id='1-0') -> '1-0'
    xread({'x': '0'}) -> [['x', [('1-0', {'n': '1'}), ('2-0', {'n': '2'})]]]
    xread({'x': '1-0', 'y': '0'}) -> [['x', [('2-0', {'n': '2'})]], ['y', [('1-0', {'n': '3'})]]]
    xread({'x': '0', 'y': '0'}, count=1) -> [['x', [('1-0', {'n': '1'})]], ['y', [('1-0', {'n': '3'})]]]
    xread({'x': '2-0'}) -> []
    xread({'x': '$'}) -> []
    xread({'none': '0'}) -> []
    xread({'x': '$'}, block=15) -> []
    xread({'x': '0'}, block=15, count=1) -> [['x', [('1-0', {'n': '1'})]]]
    execute_command('XREAD', 'STREAMS', 'x', 'y', '0') -> \
        ResponseError: Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.
    execute_command('XREAD', 'BLOCK', '-1', 'STREAMS', 'x', '0') -> ResponseError: timeout is negative
    execute_command('XREAD', 'COUNT', '1') -> ResponseError: wrong number of arguments for 'xread' command
    execute_command('XREAD', 'STREAMS', 'x', '>') -> \
        ResponseError: The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.
a key of another type is no stream
    set('s', 'v') -> True
    xadd('s', {'f': 'v'}) -> WRONGTYPE
    xlen('s') -> WRONGTYPE
    xrange('s') -> WRONGTYPE
    xread({'s': '0'}) -> WRONGTYPE
    xdel('s', '1-0') -> WRONGTYPE
    xgroup_create('s', 'g') -> WRONGTYPE
bytes that are no UTF-8 pass through a stream
    raw.xadd('x', {b'\xff': b'\x00'}, id='1-0') -> b'1-0'
    raw.xrange('x') -> [(b'1-0', {b'\xff': b'\x00'})]
a group begins at an id, and is made once
    xgroup_create('x', 'g') -> \
        ResponseError: The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the \
        MKSTREAM option to create an empty stream automatically.
    xgroup_create('x', 'g', mkstream=True) -> True
    xgroup_create('x', 'g') -> ResponseError: BUSYGROUP Consumer Group name already exists
    xlen('x') -> 0
    xadd('x', {'n': '1'}, id='1-0') -> '1-0'
    xgroup_create('x', 'from-start', id='0') -> True
    xgroup_create('x', 'bad', id='abc') -> ResponseError: Invalid stream ID specified as stream command argument
    xreadgroup('g', 'c', {'x': '>'}) -> [['x', [('1-0', {'n': '1'})]]]
    xreadgroup('from-start', 'c', {'x': '>'}) -> [['x', [('1-0', {'n': '1'})]]]
    xgroup_setid('x', 'g', '0') -> True
    xreadgroup('g', 'c', {'x': '>'}) -> [['x', [('1-0', {'n': '1'})]]]
    xgroup_destroy('x', 'from-start') -> True
    xgroup_destroy('x', 'from-start') -> False
    xreadgroup('from-start', 'c', {'x': '>'}) -> \
        ResponseError: NOGROUP No such key 'x' or consumer group 'from-start' in XREADGROUP with GROUP option
each entry of a group goes to one consumer
    xgroup_create('x', 'g', id='0', mkstream=True) -> True
    xadd('x', {'n': '1'}, id='1-0') -> '1-0'
    xadd('x', {'n': '2'}, id='2-0') -> '2-0'
    xadd('x', {'n': '3'}, id='3-0') -> '3-0'
    xreadgroup('g', 'c1', {'x': '>'}, count=2) -> [['x', [('1-0', {'n': '1'}), ('2-0', {'n': '2'})]]]
    xreadgroup('g', 'c2', {'x': '>'}) -> [['x', [('3-0', {'n': '3'})]]]
    xreadgroup('g', 'c2', {'x': '>'}) -> []
    xreadgroup('g', 'c1', {'x': '0'}) -> [['x', [('1-0', {'n': '1'}), ('2-0', {'n': '2'})]]]
    xpending('x', 'g') -> \
        {'pending': 3, 'min': '1-0', 'max': '3-0', 'consumers': [{'name': 'c1', 'pending': 2}, {'name': 'c2', \
        'pending': 1}]}
    xack('x', 'g', '1-0', '9-9') -> 1
    xack('x', 'g', '1-0') -> 0
    xreadgroup('g', 'c1', {'x': '0'}) -> [['x', [('2-0', {'n': '2'})]]]
    xpending('x', 'g') -> \
        {'pending': 2, 'min': '2-0', 'max': '3-0', 'consumers': [{'name': 'c1', 'pending': 1}, {'name': 'c2', \
        'pending': 1}]}
    xdel('x', '2-0') -> 1
    xreadgroup('g', 'c1', {'x': '0'}) -> [['x', [('2-0', {})]]]
NOACK leaves nothing pending
    xgroup_create('x', 'g', id='0', mkstream=True) -> True
    xadd('x', {'n': '1'}, id='1-0') -> '1-0'
    xreadgroup('g', 'c', {'x': '>'}, noack=True) -> [['x', [('1-0', {'n': '1'})]]]
    xpending('x', 'g') -> {'pending': 0, 'min': None, 'max': None, 'consumers': []}
XAUTOCLAIM takes over what has been idle, and drops what was deleted
    xgroup_create('x', 'g', id='0', mkstream=True) -> True
    xadd('x', {'n': '1'}, id='1-0') -> '1-0'
    xadd('x', {'n': '2'}, id='2-0') -> '2-0'
    xadd('x', {'n': '3'}, id='3-0') -> '3-0'
    xreadgroup('g', 'gone', {'x': '>'}) -> [['x', [('1-0', {'n': '1'}), ('2-0', {'n': '2'}), ('3-0', {'n': '3'})]]]
    xautoclaim('x', 'g', 'c', 100_000) -> ['0-0', [], []]
    xdel('x', '2-0') -> 1
    pause 15
    xautoclaim('x', 'g', 'c', 10, count=1) -> ['2-0', [('1-0', {'n': '1'})], []]
    xautoclaim('x', 'g', 'c', 10, start_id='1-1') -> ['0-0', [('3-0', {'n': '3'})], ['2-0']]
    xpending('x', 'g') -> {'pending': 2, 'min': '1-0', 'max': '3-0', 'consumers': [{'name': 'c', 'pending': 2}]}
    xautoclaim('x', 'g', 'd', 0, justid=True) -> ['1-0', '3-0']
    execute_command('XAUTOCLAIM', 'x', 'g', 'c', '0', '0', 'COUNT', '0') -> ResponseError: COUNT must be > 0
    execute_command('XAUTOCLAIM', 'x', 'none', 'c', '0', '0') -> \
        ResponseError: NOGROUP No such key 'x' or consumer group 'none'
XCLAIM takes over by id
    xgroup_create('x', 'g', id='0', mkstream=True) -> True
    xadd('x', {'n': '1'}, id='1-0') -> '1-0'
    xreadgroup('g', 'gone', {'x': '>'}) -> [['x', [('1-0', {'n': '1'})]]]
    xclaim('x', 'g', 'c', 100_000, ['1-0']) -> []
    xclaim('x', 'g', 'c', 0, ['1-0', '9-9']) -> [('1-0', {'n': '1'})]
    xclaim('x', 'g', 'd', 0, ['1-0'], justid=True) -> ['1-0']
    xpending('x', 'g') -> {'pending': 1, 'min': '1-0', 'max': '1-0', 'consumers': [{'name': 'd', 'pending': 1}]}
consumers come with their first command and take what is pending along when they go
    xgroup_create('x', 'g', id='0', mkstream=True) -> True
    xgroup_createconsumer('x', 'g', 'c') -> 1
    xgroup_createconsumer('x', 'g', 'c') -> 0
    xadd('x', {'n': '1'}, id='1-0') -> '1-0'
    xreadgroup('g', 'c', {'x': '>'}) -> [['x', [('1-0', {'n': '1'})]]]
    xgroup_delconsumer('x', 'g', 'c') -> 1
    xgroup_delconsumer('x', 'g', 'c') -> 0
    xpending('x', 'g') -> {'pending': 0, 'min': None, 'max': None, 'consumers': []}
what a group refuses
    xreadgroup('g', 'c', {'none': '>'}) -> \
        ResponseError: NOGROUP No such key 'none' or consumer group 'g' in XREADGROUP with GROUP option
    xadd('x', {'n': '1'}, id='1-0') -> '1-0'
    xreadgroup('g', 'c', {'x': '>'}) -> \
        ResponseError: NOGROUP No such key 'x' or consumer group 'g' in XREADGROUP with GROUP option
    xack('x', 'g', '1-0') -> 0
    xpending('x', 'g') -> ResponseError: NOGROUP No such key 'x' or consumer group 'g'
    execute_command('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', 'x', '$') -> \
        ResponseError: NOGROUP No such key 'x' or consumer group 'g' in XREADGROUP with GROUP option
    execute_command('XREADGROUP', 'STREAMS', 'x', '>') -> \
        ResponseError: wrong number of arguments for 'xreadgroup' command
    execute_command('XGROUP', 'CREATE', 'x') -> ResponseError: wrong number of arguments for 'xgroup|create' command
""")
async def test_streams(redis, connect, clock, story):
    await tell(story, redis, connect(decode_responses=False), clock)


async def test_every_reader_that_waits_wakes_and_sees_only_what_came_after(redis, connect, clock):
    await redis.xadd("x", {"n": "0"}, id="1-0")
    readers = [await waiting(connect(), clock, lambda client: client.xread({"x": "$"}, block=5000)) for _ in range(2)]
    await redis.xadd("x", {"n": "1"}, id="2-0")
    entry = [["x", [("2-0", {"n": "1"})]]]
    assert [await reader for reader in readers] == [entry, entry]


async def test_of_the_consumers_that_wait_one_gets_the_entry(redis, connect, clock):
    await redis.xgroup_create("x", "g", mkstream=True)
    first = await waiting(connect(), clock, lambda client: client.xreadgroup("g", "c1", {"x": ">"}, block=5000))
    second = await waiting(connect(), clock, lambda client: client.xreadgroup("g", "c2", {"x": ">"}, block=5000))
    await redis.xadd("x", {"n": "1"}, id="1-0")
    assert await first == [["x", [("1-0", {"n": "1"})]]]
    assert not second.done()
    await redis.xadd("x", {"n": "2"}, id="2-0")
    assert await second == [["x", [("2-0", {"n": "2"})]]]


async def test_an_id_of_the_servers_own_is_its_time_and_grows(redis, clock):
    before = await clock.now_ms()
    first, second = await redis.xadd("x", {"n": "1"}), await redis.xadd("x", {"n": "2"})
    ids = [tuple(map(int, entry_id.split("-"))) for entry_id in (first, second)]
    assert before <= ids[0][0] <= ids[1][0] <= await clock.now_ms()
    assert ids[0] < ids[1]
