"""Keys of any type, scanning, and the server itself, the same on both arms."""

from tests.conformance.redis.stories import stories, tell


@stories(r"""
KEYS takes patterns
    mset({'one': '1', 'two': '2', 'o[e': '3', 'oXe': '4'}) -> True
    keys('on*') -> ['one']
    keys('t[vwx]o') -> ['two']
    keys('t[^w]o') -> []
    keys('t[a-z]o') -> ['two']
    keys('o\\[e') -> ['o[e']
    keys('none*') -> []
    keys('TWO') -> []
SCAN walks everything, filtered by pattern and type
    mset({'a1': '1', 'b1': '2'}) -> True
    sadd('a2', 'x') -> 1
    scan(0, match='b*', count=100) -> (0, ['b1'])
    scan(0, _type='set', count=100) -> (0, ['a2'])
    scan(0, match='none', count=100) -> (0, [])
    execute_command('SCAN', 'x') -> ResponseError: invalid cursor
    execute_command('SCAN', '0', 'COUNT', '0') -> ResponseError: syntax error
    execute_command('SCAN', '0', 'LIMIT', '1') -> ResponseError: syntax error
    execute_command('SCAN', '0', 'MATCH') -> ResponseError: syntax error
DBSIZE, FLUSHALL and FLUSHDB
    mset({'a': '1', 'b': '2'}) -> True
    dbsize() -> 2
    flushall() -> True
    dbsize() -> 0
    set('a', '1') -> True
    flushdb(asynchronous=True) -> True
    dbsize() -> 0
    execute_command('FLUSHALL', 'NOW') -> ResponseError: syntax error
RENAME and RENAMENX
    set('a', '1') -> True
    set('b', '2') -> True
    renamenx('a', 'b') -> False
    rename('a', 'b') -> True
    get('b') -> '1'
    exists('a') -> 0
    renamenx('b', 'a') -> True
    rename('none', 'a') -> ResponseError: no such key
    renamenx('none', 'a') -> ResponseError: no such key
    rename('a', 'a') -> True
TOUCH counts keys
    mset({'a': '1', 'b': '2'}) -> True
    touch('a', 'b', 'none') -> 2
TYPE names every kind of value
    set('s', 'v') -> True
    hset('h', 'f', 'v') -> 1
    zadd('z', {'a': 1}) -> 1
    sadd('e', 'a') -> 1
    rpush('l', 'a') -> 1
    xadd('x', {'f': 'v'}, id='1-0') -> '1-0'
    type('s') -> 'string'
    type('h') -> 'hash'
    type('z') -> 'zset'
    type('e') -> 'set'
    type('l') -> 'list'
    type('x') -> 'stream'
PING and ECHO
    ping() -> True
    echo('there') -> 'there'
    execute_command('PING', 'there') -> False
    execute_command('PING', 'a', 'b') -> ResponseError: wrong number of arguments for 'ping' command
what is unknown is named, with the beginning of its arguments
    execute_command('NOSUCH') -> ResponseError: unknown command 'NOSUCH', with args beginning with:
    execute_command('NOSUCH', 'a', 'b c', '1' * 200) -> \
        ResponseError: unknown command 'NOSUCH', with args beginning with: 'a' 'b c' \
        '1111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111'
    execute_command('GET') -> ResponseError: wrong number of arguments for 'get' command
    execute_command('GET', 'a', 'b') -> ResponseError: wrong number of arguments for 'get' command
    execute_command('get', 'none') -> None
a cluster's command is refused outside a cluster
    execute_command('CLUSTER', 'KEYSLOT', 'k') -> ResponseError: This instance has cluster support disabled
""")
async def test_keys_and_the_server(redis, connect, clock, story):
    await tell(story, redis, connect(decode_responses=False), clock)


async def test_scan_iter_finds_every_key_once_in_many_batches(redis):
    names = {f"k{number}" for number in range(500)}
    await redis.mset(dict.fromkeys(names, "v"))
    found = [key async for key in redis.scan_iter(count=7)]
    assert set(found) == names


async def test_a_scan_sees_what_was_there_all_along_whatever_comes_and_goes(redis):
    await redis.mset({f"stays{number}": "v" for number in range(200)})
    cursor, seen, rounds = None, set(), 0
    while cursor != 0:
        cursor, keys = await redis.scan(cursor or 0, count=10)
        seen.update(keys)
        await redis.mset({f"new{rounds}-{number}": "v" for number in range(30)})
        await redis.delete(*[f"new{rounds - 1}-{number}" for number in range(30)])
        rounds += 1
    assert {key for key in seen if key.startswith("stays")} == {f"stays{number}" for number in range(200)}
