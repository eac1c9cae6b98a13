"""Sorted sets: every command with every option, the same on both arms."""

from tests.conformance.redis.stories import stories, tell


@stories(r"""
ZADD counts members that are new, not those that moved
    zadd('z', {'a': 1, 'b': 2}) -> 2
    zadd('z', {'a': 5, 'c': 3}) -> 1
    zrange('z', 0, -1, withscores=True) -> [('b', 2.0), ('c', 3.0), ('a', 5.0)]
equal scores stand in the order of their bytes
    zadd('z', {'b': 1, 'a': 1, 'B': 1, '': 1, 'aa': 1}) -> 5
    zrange('z', 0, -1) -> ['', 'B', 'a', 'aa', 'b']
ZADD XX moves members and adds none
    zadd('z', {'a': 1}, xx=True) -> 0
    exists('z') -> 0
    zadd('z', {'a': 1}) -> 1
    zadd('z', {'a': 2, 'b': 2}, xx=True) -> 0
    zrange('z', 0, -1, withscores=True) -> [('a', 2.0)]
ZADD XX CH tells an update from an absent member, but not from the same score
    zadd('z', {'a': 1}) -> 1
    zadd('z', {'a': 2}, xx=True, ch=True) -> 1
    zadd('z', {'a': 2}, xx=True, ch=True) -> 0
    zadd('z', {'b': 2}, xx=True, ch=True) -> 0
ZADD NX adds members and moves none
    zadd('z', {'a': 1}) -> 1
    zadd('z', {'a': 9, 'b': 2}, nx=True) -> 1
    zrange('z', 0, -1, withscores=True) -> [('a', 1.0), ('b', 2.0)]
ZADD GT and LT move one way only
    zadd('z', {'a': 5, 'b': 5}) -> 2
    zadd('z', {'a': 4, 'b': 6, 'c': 1}, gt=True) -> 1
    zrange('z', 0, -1, withscores=True) -> [('c', 1.0), ('a', 5.0), ('b', 6.0)]
    zadd('z', {'a': 4, 'b': 7, 'd': 1}, lt=True, ch=True) -> 2
    zrange('z', 0, -1, withscores=True) -> [('c', 1.0), ('d', 1.0), ('a', 4.0), ('b', 6.0)]
    zadd('z', {'e': 1}, gt=True, xx=True) -> 0
ZADD INCR adds to the score and gives it
    zadd('z', {'a': 2.5}, incr=True) -> 2.5
    zadd('z', {'a': 2.5}, incr=True) -> 5.0
    zadd('z', {'a': -1}, incr=True, gt=True) -> None
    zadd('z', {'a': 1}, incr=True, nx=True) -> None
    zadd('z', {'b': 1}, incr=True, xx=True) -> None
    zscore('z', 'a') -> 5.0
ZADD refuses what does not go together, and adds nothing
    execute_command('ZADD', 'z', 'NX', 'XX', '1', 'a') -> \
        ResponseError: XX and NX options at the same time are not compatible
    execute_command('ZADD', 'z', 'NX', 'GT', '1', 'a') -> \
        ResponseError: GT, LT, and/or NX options at the same time are not compatible
    execute_command('ZADD', 'z', 'GT', 'LT', '1', 'a') -> \
        ResponseError: GT, LT, and/or NX options at the same time are not compatible
    execute_command('ZADD', 'z', 'INCR', '1', 'a', '2', 'b') -> \
        ResponseError: INCR option supports a single increment-element pair
    execute_command('ZADD', 'z', '1', 'a', '2') -> ResponseError: syntax error
    execute_command('ZADD', 'z', '1', 'a', 'x', 'b') -> ResponseError: value is not a valid float
    execute_command('ZADD', 'z', 'NX') -> ResponseError: wrong number of arguments for 'zadd' command
    exists('z') -> 0
infinite scores are scores, NaN is none
    zadd('z', {'a': 'inf', 'b': '-inf', 'c': 0}) -> 3
    zrange('z', 0, -1, withscores=True) -> [('b', -inf), ('c', 0.0), ('a', inf)]
    zadd('z', {'a': 'nan'}) -> ResponseError: value is not a valid float
    execute_command('ZINCRBY', 'z', '-inf', 'a') -> ResponseError: resulting score is not a number (NaN)
    execute_command('ZADD', 'z', 'INCR', '+inf', 'b') -> ResponseError: resulting score is not a number (NaN)
    zscore('z', 'a') -> inf
    zcount('z', '-inf', '+inf') -> 3
    zcount('z', '(-inf', '(inf') -> 1
scores are doubles, printed with 17 digits
    raw.execute_command('ZADD', 'z', '0.1', 'a', '1e20', 'b', '3.0', 'c', '9007199254740993', 'd', '0x10', 'e') -> 5
    raw.execute_command('ZRANGE', 'z', '0', '-1', 'WITHSCORES') -> \
        [b'a', b'0.10000000000000001', b'c', b'3', b'e', b'16', b'd', b'9007199254740992', b'b', b'1e+20']
ZREM, ZCARD, ZSCORE, ZMSCORE
    zadd('z', {'a': 1, 'b': 2, 'c': 3}) -> 3
    zcard('z') -> 3
    zscore('z', 'b') -> 2.0
    zscore('z', 'x') -> None
    zmscore('z', ['a', 'x', 'c']) -> [1.0, None, 3.0]
    zrem('z', 'a', 'x') -> 1
    zrem('z', 'b', 'c') -> 2
    exists('z') -> 0
    zcard('z') -> 0
    zrem('z', 'a') -> 0
    zscore('z', 'a') -> None
ZRANK counts from the lowest, ZREVRANK from the highest
    zadd('z', {'a': 1, 'b': 2, 'c': 3}) -> 3
    zrank('z', 'a') -> 0
    zrank('z', 'c') -> 2
    zrank('z', 'x') -> None
    zrevrank('z', 'a') -> 2
ZINCRBY
    zincrby('z', 2.5, 'a') -> 2.5
    zincrby('z', -3, 'a') -> -0.5
    execute_command('ZINCRBY', 'z', 'x', 'a') -> ResponseError: value is not a valid float
ZPOPMIN and ZPOPMAX
    zpopmin('z') -> []
    zadd('z', {'a': 1, 'b': 2, 'c': 3, 'd': 4}) -> 4
    zpopmin('z') -> [('a', 1.0)]
    zpopmin('z', 2) -> [('b', 2.0), ('c', 3.0)]
    zpopmax('z', 10) -> [('d', 4.0)]
    exists('z') -> 0
    execute_command('ZPOPMIN', 'z', '-1') -> ResponseError: value is out of range, must be positive
    execute_command('ZPOPMIN', 'z', '0') -> []
ZRANGE by place
    zadd('z', {'a': 1, 'b': 2, 'c': 3}) -> 3
    zrange('z', 0, 0) -> ['a']
    zrange('z', -2, -1) -> ['b', 'c']
    zrange('z', 2, 1) -> []
    zrange('z', 0, 99, desc=True) -> ['c', 'b', 'a']
    zrevrange('z', 0, 1, withscores=True) -> [('c', 3.0), ('b', 2.0)]
    execute_command('ZRANGE', 'z', '0', '1', 'REV', 'WITHSCORES') -> ['c', '3', 'b', '2']
    execute_command('ZRANGE', 'z', 'a', '1') -> ResponseError: value is not an integer or out of range
ZRANGE by score
    zadd('z', {'a': 1, 'b': 2, 'c': 3}) -> 3
    zrange('z', 1, 2, byscore=True) -> ['a', 'b']
    zrange('z', '(1', '+inf', byscore=True, withscores=True) -> [('b', 2.0), ('c', 3.0)]
    zrange('z', 3, 1, byscore=True, desc=True) -> ['c', 'b', 'a']
    zrange('z', '-inf', '+inf', byscore=True, offset=1, num=1) -> ['b']
    zrange('z', '-inf', '+inf', byscore=True, offset=1, num=-1) -> ['b', 'c']
    zrangebyscore('z', '(1', '(3') -> ['b']
    zrangebyscore('z', 1, 3, start=1, num=5, withscores=True) -> [('b', 2.0), ('c', 3.0)]
    zrevrangebyscore('z', 3, '(1') -> ['c', 'b']
    zrangebyscore('z', 'x', 3) -> ResponseError: min or max is not a float
    zrangebyscore('z', 3, 1) -> []
ZRANGE by text
    zadd('z', {'a': 0, 'b': 0, 'c': 0, 'd': 0}) -> 4
    zrange('z', '[b', '(d', bylex=True) -> ['b', 'c']
    zrange('z', '-', '+', bylex=True, offset=1, num=2) -> ['b', 'c']
    zrange('z', '+', '[c', bylex=True, desc=True) -> ['d', 'c']
    zrangebylex('z', '-', '[b') -> ['a', 'b']
    zrevrangebylex('z', '+', '(b') -> ['d', 'c']
    zlexcount('z', '(a', '[d') -> 3
    zremrangebylex('z', '[a', '(c') -> 2
    zrangebylex('z', 'a', '+') -> ResponseError: min or max not valid string range item
    zrange('z', 0, -1) -> ['c', 'd']
ZRANGE by text over different scores, which Redis leaves open, walks on to the first member outside
    zadd('z', {'b': 1, 'a': 2, 'c': 3}) -> 3
    zrangebylex('z', '[b', '+') -> ['b', 'a', 'c']
    zrevrangebylex('z', '+', '[b') -> ['c']
    zlexcount('z', '-', '[b') -> 2
    zrangebylex('z', '[c', '[a') -> []
    zrange('z', '[b', '[b', bylex=True) -> ['b', 'a']
    zremrangebylex('z', '[a', '[b') -> 2
    zrange('z', 0, -1) -> ['c']
ZRANGE refuses LIMIT by place, and scores by text
    execute_command('ZRANGE', 'z', '0', '1', 'LIMIT', '0', '1') -> \
        ResponseError: syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX
    execute_command('ZRANGE', 'z', '-', '+', 'BYLEX', 'WITHSCORES') -> \
        ResponseError: syntax error, WITHSCORES not supported in combination with BYLEX
    execute_command('ZRANGE', 'z', '0', '1', 'BYSCORE', 'BYLEX') -> ResponseError: syntax error
    execute_command('ZRANGE', 'z', '0', '1', 'LIMIT', '0') -> ResponseError: syntax error
ZCOUNT, ZREMRANGEBYSCORE and ZREMRANGEBYRANK include both ends unless told otherwise
    zadd('z', {'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5}) -> 5
    zcount('z', 2, 4) -> 3
    zcount('z', '(2', 4) -> 2
    zcount('z', 'nan', 4) -> ResponseError: min or max is not a float
    zremrangebyscore('z', '-inf', 1) -> 1
    zremrangebyscore('z', '(2', '(4') -> 1
    zremrangebyrank('z', 0, 0) -> 1
    zremrangebyrank('z', -1, -1) -> 1
    zrange('z', 0, -1) -> ['d']
    zremrangebyrank('z', 0, -1) -> 1
    exists('z') -> 0
a key of another type is no sorted set
    set('s', 'v') -> True
    zadd('s', {'a': 1}) -> WRONGTYPE
    zrange('s', 0, -1) -> WRONGTYPE
    zscore('s', 'a') -> WRONGTYPE
    zpopmin('s') -> WRONGTYPE
    zcard('s') -> WRONGTYPE
    zremrangebyscore('s', 0, 1) -> WRONGTYPE
    get('s') -> 'v'
""")
async def test_sorted_sets(redis, connect, clock, story):
    await tell(story, redis, connect(decode_responses=False), clock)


async def test_scores_go_through_the_callers_function_as_text_or_as_numbers(redis):
    await redis.zadd("z", {"a": 1, "b": 1.7732526297292595e18})
    whole = await redis.zrange("z", 0, -1, withscores=True, score_cast_func=int)
    assert whole == [("a", 1), ("b", 1773252629729259520)]
    assert await redis.zrange("z", 0, 0, withscores=True, score_cast_func=repr) == [("a", "'1'")]
