"""Expiry: every command with every condition, the same on both arms. Pauses stay clear of the moments they pass."""

from tests.conformance.redis.stories import stories, tell


@stories(r"""
a key lives to its moment and is gone after it
    set('k', 'v') -> True
    pexpire('k', 300) -> True
    pause 5
    exists('k') -> 1
    pause 350
    exists('k') -> 0
    ttl('k') -> -2
    pexpire('k', 30) -> False
EXPIRE counts from now and TTL tells what is left
    ttl('k') -> -2
    pttl('k') -> -2
    expiretime('k') -> -2
    pexpiretime('k') -> -2
    set('k', 'v') -> True
    ttl('k') -> -1
    pttl('k') -> -1
    expiretime('k') -> -1
    pexpiretime('k') -> -1
    expire('k', 100) -> True
    ttl('k') -> 100
    expire('k', 50) -> True
    ttl('k') -> 50
EXPIREAT and PEXPIREAT take moments
    set('k', 'v') -> True
    expireat('k', 99999999999) -> True
    expiretime('k') -> 99999999999
    pexpiretime('k') -> 99999999999000
    pexpireat('k', 99999999999499) -> True
    expiretime('k') -> 99999999999
    pexpireat('k', 99999999999500) -> True
    expiretime('k') -> 100000000000
    pexpiretime('k') -> 99999999999500
    pexpireat('k', now + 100_000) -> True
    ttl('k') -> 100
EXPIREAT takes a moment in milliseconds for one in seconds, in silence
    set('k', 'v') -> True
    expireat('k', 1785000000000) -> True
    expiretime('k') -> 1785000000000
a moment that is not in the future deletes the key, and that is success
    set('a', 'v') -> True
    expire('a', 0) -> True
    exists('a') -> 0
    set('a', 'v') -> True
    pexpire('a', -1) -> True
    exists('a') -> 0
    set('a', 'v') -> True
    expireat('a', 1) -> True
    exists('a') -> 0
    set('a', 'v') -> True
    pexpireat('a', now - 1) -> True
    exists('a') -> 0
NX sets only a first expiry
    set('k', 'v') -> True
    expire('k', 100, nx=True) -> True
    expire('k', 200, nx=True) -> False
    ttl('k') -> 100
XX changes only an expiry that is there
    set('k', 'v') -> True
    expire('k', 100, xx=True) -> False
    ttl('k') -> -1
    expire('k', 100) -> True
    expire('k', 200, xx=True) -> True
    ttl('k') -> 200
GT only makes a life longer, and no expiry is the longest
    set('k', 'v') -> True
    expire('k', 100, gt=True) -> False
    ttl('k') -> -1
    expire('k', 100) -> True
    expire('k', 50, gt=True) -> False
    expire('k', 200, gt=True) -> True
    ttl('k') -> 200
LT only makes a life shorter
    set('k', 'v') -> True
    expire('k', 100, lt=True) -> True
    expire('k', 200, lt=True) -> False
    expire('k', 50, lt=True) -> True
    ttl('k') -> 50
XX goes with GT and LT
    set('k', 'v') -> True
    expire('k', 100, xx=True, lt=True) -> False
    pexpireat('k', 99999999999999) -> True
    pexpireat('k', 99999999999998, xx=True, gt=True) -> False
    pexpireat('k', 99999999999998, xx=True, lt=True) -> True
    pexpiretime('k') -> 99999999999998
conditions that exclude each other are refused, a key or not
    expire('k', 1, nx=True, xx=True) -> ResponseError: NX and XX, GT or LT options at the same time are not compatible
    expire('k', 1, nx=True, gt=True) -> ResponseError: NX and XX, GT or LT options at the same time are not compatible
    expire('k', 1, gt=True, lt=True) -> ResponseError: GT and LT options at the same time are not compatible
    execute_command('EXPIRE', 'k', '1', 'NOW') -> ResponseError: Unsupported option NOW
the options stand in PEXPIRE, EXPIREAT and PEXPIREAT too
    set('k', 'v') -> True
    pexpire('k', 100_000, xx=True) -> False
    expireat('k', 99999999999, nx=True) -> True
    pexpireat('k', 99999999999001, gt=True) -> True
    expireat('k', 99999999999, lt=True) -> True
    pexpiretime('k') -> 99999999999000
PERSIST takes an expiry off
    persist('k') -> False
    set('k', 'v') -> True
    persist('k') -> False
    expire('k', 100) -> True
    persist('k') -> True
    ttl('k') -> -1
numbers that are none, or too large
    set('k', 'v') -> True
    expire('k', '1.5') -> ResponseError: value is not an integer or out of range
    expire('k', 'soon') -> ResponseError: value is not an integer or out of range
    expire('k', '9223372036854775807') -> ResponseError: invalid expire time in 'expire' command
    expire('k', '9223372036854775808') -> ResponseError: value is not an integer or out of range
    pexpire('k', '9223372036854775807') -> ResponseError: invalid expire time in 'pexpire' command
    expireat('k', '9223372036854775807') -> ResponseError: invalid expire time in 'expireat' command
    pexpireat('k', '9223372036854775807') -> True
    pexpiretime('k') -> 9223372036854775807
    expire('k', '-9223372036854775808') -> ResponseError: invalid expire time in 'expire' command
    exists('k') -> 1
what writes into a key keeps its expiry
    pexpire('none', 100) -> False
    zadd('z', {'a': 1}) -> 1
    expire('z', 100) -> True
    zadd('z', {'b': 1}) -> 1
    zrem('z', 'a') -> 1
    ttl('z') -> 100
    hset('h', 'f', 'v') -> 1
    expire('h', 100) -> True
    hincrby('h', 'n', 1) -> 1
    ttl('h') -> 100
    rpush('l', 'x') -> 1
    expire('l', 100) -> True
    rpush('l', 'y') -> 2
    ttl('l') -> 100
    append('s', 'x') -> 1
    expire('s', 100) -> True
    append('s', 'y') -> 2
    ttl('s') -> 100
a key that lapsed is a new one for whoever writes next
    set('k', '5', px=20) -> True
    pause 40
    incr('k') -> 1
    ttl('k') -> -1
    zadd('z', {'a': 1}) -> 1
    pexpire('z', 20) -> True
    pause 40
    zadd('z', {'b': 2}) -> 1
    zrange('z', 0, -1) -> ['b']
RENAME takes the expiry along
    set('k', 'v') -> True
    pexpireat('k', 99999999999999) -> True
    set('other', 'w', ex=5) -> True
    rename('k', 'other') -> True
    pexpiretime('other') -> 99999999999999
""")
async def test_expiry(redis, connect, clock, story):
    await tell(story, redis, connect(decode_responses=False), clock)
