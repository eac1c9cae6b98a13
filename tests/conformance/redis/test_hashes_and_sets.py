"""Hashes and sets, the same on both arms."""

from tests.conformance.redis.stories import stories, tell


@stories(r"""
HSET says how many fields are new
    hset('h', 'a', '1') -> 1
    hset('h', 'a', '2') -> 0
    hset('h', mapping={'a': '3', 'b': '4', 'c': '5'}) -> 2
    hgetall('h') -> {'a': '3', 'b': '4', 'c': '5'}
    hlen('h') -> 3
    hmset('h', {'d': '6'}) -> True
    execute_command('HSET', 'h', 'a') -> ResponseError: wrong number of arguments for 'hset' command
    execute_command('HSET', 'h', 'a', '1', 'b') -> ResponseError: wrong number of arguments for 'hset' command
HSETNX sets only an absent field
    hsetnx('h', 'a', '1') -> 1
    hsetnx('h', 'a', '2') -> 0
    hget('h', 'a') -> '1'
reading what is there and what is not
    hget('h', 'a') -> None
    hgetall('h') -> {}
    hlen('h') -> 0
    hmget('h', 'a', 'b') -> [None, None]
    hset('h', mapping={'a': '1', 'b': ''}) -> 2
    hget('h', 'none') -> None
    hmget('h', ['a', 'none', 'b']) -> ['1', None, '']
    hexists('h', 'a') -> True
    hexists('h', 'none') -> False
    hkeys('h') -> ['a', 'b']
    hvals('h') -> ['1', '']
a hash ends with its last field
    hset('h', mapping={'a': '1', 'b': '2'}) -> 2
    hdel('h', 'a', 'none', 'a') -> 1
    hdel('h', 'b') -> 1
    exists('h') -> 0
    hdel('h', 'b') -> 0
HINCRBY counts in 64 bits
    hincrby('h', 'n') -> 1
    hincrby('h', 'n', 10) -> 11
    hincrby('h', 'n', -20) -> -9
    hset('h', 'max', '9223372036854775807') -> 1
    hincrby('h', 'max', 1) -> ResponseError: increment or decrement would overflow
    hset('h', 't', 'text') -> 1
    hincrby('h', 't', 1) -> ResponseError: hash value is not an integer
    execute_command('HINCRBY', 'h', 'n', '1.5') -> ResponseError: value is not an integer or out of range
    hget('h', 'n') -> '-9'
HINCRBYFLOAT
    hincrbyfloat('h', 'f', 0.1) -> 0.1
    hincrbyfloat('h', 'f', 0.2) -> 0.3
    hget('h', 'f') -> '0.3'
    hset('h', 't', 'text') -> 1
    hincrbyfloat('h', 't', 1) -> ResponseError: hash value is not a float
    execute_command('HINCRBYFLOAT', 'h', 'f', 'nan') -> ResponseError: value is not a valid float
    execute_command('HINCRBYFLOAT', 'h', 'f', 'inf') -> ResponseError: value is NaN or Infinity
bytes that are no UTF-8 pass through a hash
    raw.hset('h', b'\xff', b'\x00') -> 1
    raw.hgetall('h') -> {b'\xff': b'\x00'}
    raw.hget('h', b'\xff') -> b'\x00'
a key of another type is no hash
    set('s', 'v') -> True
    hset('s', 'f', 'v') -> WRONGTYPE
    hget('s', 'f') -> WRONGTYPE
    hgetall('s') -> WRONGTYPE
    hincrby('s', 'f', 1) -> WRONGTYPE
    hdel('s', 'f') -> WRONGTYPE
    hlen('s') -> WRONGTYPE
    get('s') -> 'v'
a set holds each member once
    sadd('s', 'a', 'b', 'a') -> 2
    sadd('s', 'b', 'c') -> 1
    scard('s') -> 3
    smembers('s') -> {'a', 'b', 'c'}
    sismember('s', 'a') -> 1
    sismember('s', 'z') -> 0
    srem('s', 'a', 'z', 'a') -> 1
    srem('s', 'b', 'c') -> 2
    exists('s') -> 0
a set that is not there is empty
    smembers('s') -> {}
    scard('s') -> 0
    sismember('s', 'a') -> 0
    srem('s', 'a') -> 0
a key of another type is no set
    rpush('l', 'x') -> 1
    sadd('l', 'a') -> WRONGTYPE
    smembers('l') -> WRONGTYPE
    srem('l', 'a') -> WRONGTYPE
    scard('l') -> WRONGTYPE
    sismember('l', 'a') -> WRONGTYPE
bytes that are no UTF-8 pass through a set
    raw.sadd('s', b'\xff', b'') -> 2
    raw.smembers('s') -> {b'', b'\xff'}
""")
async def test_hashes_and_sets(redis, connect, clock, story):
    await tell(story, redis, connect(decode_responses=False), clock)
