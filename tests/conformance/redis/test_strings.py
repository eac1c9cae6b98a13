"""Strings and counters: every command with every option, the same on both arms."""

from tests.conformance.redis.stories import stories, tell


@stories(r"""
SET stores a text and takes an expiry away
    get('k') -> None
    set('k', 'v') -> True
    get('k') -> 'v'
    set('k', 'v', ex=100) -> True
    ttl('k') -> 100
    set('k', 'w') -> True
    ttl('k') -> -1
SET NX sets only what is absent
    set('k', '1', nx=True) -> True
    set('k', '2', nx=True) -> None
    get('k') -> '1'
SET XX sets only what is there
    set('k', '1', xx=True) -> None
    get('k') -> None
    set('k', '1') -> True
    set('k', '2', xx=True) -> True
    get('k') -> '2'
SET EX counts in seconds
    set('k', 'v', ex=100) -> True
    ttl('k') -> 100
SET PX counts in milliseconds
    set('k', 'v', px=100_000) -> True
    ttl('k') -> 100
    set('k', 'v', px=20) -> True
    pause 40
    get('k') -> None
SET EXAT takes a moment in seconds
    set('k', 'v', exat=now // 1000 + 100) -> True
SET PXAT takes a moment in milliseconds
    set('k', 'v', pxat=now + 100_000) -> True
    execute_command('SET', 'k', 'v', 'PXAT', 99999999999999) -> True
    pexpiretime('k') -> 99999999999999
SET with a moment that has passed leaves no key
    set('k', 'v') -> True
    set('k', 'w', pxat=now - 1000) -> True
    get('k') -> None
    exists('k') -> 0
SET KEEPTTL keeps the expiry
    set('k', 'v', pxat=99999999999999) -> True
    set('k', 'w', keepttl=True) -> True
    pexpiretime('k') -> 99999999999999
    get('k') -> 'w'
SET GET gives the old value
    set('k', '1', get=True) -> None
    set('k', '2', get=True) -> '1'
    get('k') -> '2'
SET NX GET sets nothing where there is a value
    set('k', '1', nx=True, get=True) -> None
    set('k', '2', nx=True, get=True) -> '1'
    get('k') -> '1'
SET XX GET
    set('k', '1', xx=True, get=True) -> None
    exists('k') -> 0
    set('k', '1') -> True
    set('k', '2', xx=True, get=True) -> '1'
SET overwrites any type, SET GET does not
    rpush('l', 'x') -> 1
    set('l', 'v', get=True) -> WRONGTYPE
    type('l') -> 'list'
    set('l', 'v') -> True
    type('l') -> 'string'
SET refuses options that exclude each other, and durations of nothing
    execute_command('SET', 'k', 'v', 'NX', 'XX') -> ResponseError: syntax error
    execute_command('SET', 'k', 'v', 'EX', '1', 'PX', '1') -> ResponseError: syntax error
    execute_command('SET', 'k', 'v', 'EX', '1', 'KEEPTTL') -> ResponseError: syntax error
    execute_command('SET', 'k', 'v', 'EX') -> ResponseError: syntax error
    execute_command('SET', 'k', 'v', 'EX', '0') -> ResponseError: invalid expire time in 'set' command
    execute_command('SET', 'k', 'v', 'PX', '-1') -> ResponseError: invalid expire time in 'set' command
    execute_command('SET', 'k', 'v', 'EX', '1.5') -> ResponseError: value is not an integer or out of range
    execute_command('SET', 'k', 'v', 'EX', '9223372036854775807') -> ResponseError: invalid expire time in 'set' command
    execute_command('SET', 'k', 'v', 'NOW') -> ResponseError: syntax error
    set('k', 'v', ex=1, px=1) -> DataError: ``ex``, ``px``, ``exat``, ``pxat``, and ``keepttl`` are mutually exclusive.
    exists('k') -> 0
SETNX, SETEX and PSETEX
    setnx('k', '1') -> True
    setnx('k', '2') -> False
    setex('k', 100, 'v') -> True
    ttl('k') -> 100
    psetex('k', 20, 'v') -> True
    pause 40
    exists('k') -> 0
    setex('k', 0, 'v') -> ResponseError: invalid expire time in 'setex' command
    psetex('k', -1, 'v') -> ResponseError: invalid expire time in 'psetex' command
GETSET, GETDEL and GETEX
    getset('k', '1') -> None
    getset('k', '2') -> '1'
    getdel('k') -> '2'
    getdel('k') -> None
    getex('k', ex=100) -> None
    set('k', 'v') -> True
    getex('k', ex=100) -> 'v'
    ttl('k') -> 100
    getex('k') -> 'v'
    ttl('k') -> 100
    getex('k', persist=True) -> 'v'
    ttl('k') -> -1
    getex('k', pxat=99999999999999) -> 'v'
    pexpiretime('k') -> 99999999999999
    getex('k', exat=99999999999) -> 'v'
    expiretime('k') -> 99999999999
    getex('k', px=20) -> 'v'
    pause 40
    getex('k', px=20) -> None
    set('k', 'v') -> True
    getex('k', exat=1) -> 'v'
    exists('k') -> 0
    execute_command('GETEX', 'k', 'EX', '0') -> None
    execute_command('GETEX', 'k', 'KEEPTTL') -> ResponseError: syntax error
    execute_command('GETEX', 'k', 'EX', '1', 'PERSIST') -> ResponseError: syntax error
APPEND and STRLEN
    append('k', 'ab') -> 2
    append('k', 'cd') -> 4
    strlen('k') -> 4
    strlen('none') -> 0
    get('k') -> 'abcd'
    set('u', 'é') -> True
    strlen('u') -> 2
MSET, MSETNX and MGET
    mset({'a': '1', 'b': '2'}) -> True
    msetnx({'b': '3', 'c': '4'}) -> False
    msetnx({'c': '4', 'd': '5'}) -> True
    mget('a', 'b', 'c', 'd', 'e') -> ['1', '2', '4', '5', None]
    rpush('l', 'x') -> 1
    mget(['a', 'l']) -> ['1', None]
    execute_command('MSET', 'a', '1', 'b') -> ResponseError: wrong number of arguments for 'mset' command
INCR counts from 0 and keeps the expiry
    incr('k') -> 1
    incr('k') -> 2
    ttl('k') -> -1
    expire('k', 100) -> True
    incr('k', 10) -> 12
    decr('k') -> 11
    decr('k', 4) -> 7
    ttl('k') -> 100
    get('k') -> '7'
INCRBY and DECRBY
    incrby('k', 5) -> 5
    decrby('k', 7) -> -2
    incrby('k', -3) -> -5
INCRBYFLOAT
    incrbyfloat('k', 0.1) -> 0.1
    incrbyfloat('k', 0.2) -> 0.3
    get('k') -> '0.3'
    incrbyfloat('k', '5.0e3') -> 5000.3
    get('k') -> '5000.29999999999999982'
    incrbyfloat('k', -5000.3) -> 0.0
    get('k') -> '0'
what is no integer is not counted, and stays
    set('k', 'ten') -> True
    incr('k') -> ResponseError: value is not an integer or out of range
    incrbyfloat('k') -> ResponseError: value is not a valid float
    get('k') -> 'ten'
    set('k', '3.0') -> True
    incr('k') -> ResponseError: value is not an integer or out of range
    incrbyfloat('k', 1) -> 4.0
    set('k', ' 1') -> True
    incr('k') -> ResponseError: value is not an integer or out of range
    set('k', '01') -> True
    incr('k') -> ResponseError: value is not an integer or out of range
    set('k', '') -> True
    incr('k') -> ResponseError: value is not an integer or out of range
a count ends at 64 bits
    set('k', '9223372036854775807') -> True
    incr('k') -> ResponseError: increment or decrement would overflow
    incrby('k', -1) -> 9223372036854775806
    set('k', '-9223372036854775808') -> True
    decr('k') -> ResponseError: increment or decrement would overflow
    set('k', '9223372036854775808') -> True
    incr('k') -> ResponseError: value is not an integer or out of range
    execute_command('INCRBY', 'n', '9223372036854775808') -> ResponseError: value is not an integer or out of range
    execute_command('DECRBY', 'n', '-9223372036854775808') -> ResponseError: decrement would overflow
    exists('n') -> 0
NaN and infinity are not counted
    execute_command('INCRBYFLOAT', 'k', 'nan') -> ResponseError: value is not a valid float
    execute_command('INCRBYFLOAT', 'k', 'inf') -> ResponseError: increment would produce NaN or Infinity
    execute_command('INCRBYFLOAT', 'k', '1e5000') -> ResponseError: value is not a valid float
    exists('k') -> 0
bytes that are no UTF-8 pass through
    raw.set(b'\xff', b'\x00\xfe') -> True
    raw.get(b'\xff') -> b'\x00\xfe'
    raw.append(b'\xff', b'\r\n') -> 4
    raw.getdel(b'\xff') -> b'\x00\xfe\r\n'
a key of another type is refused and stays
    zadd('z', {'a': 1}) -> 1
    get('z') -> WRONGTYPE
    append('z', 'x') -> WRONGTYPE
    incr('z') -> WRONGTYPE
    getdel('z') -> WRONGTYPE
    getset('z', 'x') -> WRONGTYPE
    strlen('z') -> WRONGTYPE
    type('z') -> 'zset'
DEL, UNLINK, EXISTS and TYPE
    mset({'a': '1', 'b': '2', 'c': '3'}) -> True
    exists('a', 'a', 'b', 'none') -> 3
    delete('a', 'none') -> 1
    unlink('b', 'b') -> 1
    exists('a', 'b', 'c') -> 1
    type('c') -> 'string'
    type('none') -> 'none'
""")
async def test_strings_and_counters(redis, connect, clock, story):
    await tell(story, redis, connect(decode_responses=False), clock)
