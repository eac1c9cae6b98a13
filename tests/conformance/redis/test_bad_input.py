"""Bad input: both arms refuse it with the same words, and what is stored stays as it was."""

from py_runtime.stores.redis import COMMANDS
from tests.conformance.arms.arm import refused
from tests.conformance.redis.stories import stories, tell


@stories(r"""
zero bytes and line breaks in what an error repeats
    execute_command('NO\nSUCH\0COMMAND', 'a\r\nb', 'c\0d') -> \
        ResponseError: unknown command 'NO', with args beginning with: 'SUCH' 'a  b' 'c'
    execute_command('EXPIRE', 'k', '1', 'SO\nON') -> ResponseError: Unsupported option SO ON
    execute_command('EXPIRE', 'k', '1', 'SOON\0') -> ResponseError: Unsupported option SOON
    execute_command('SCRIPT', 'a\0b') -> ResponseError: unknown subcommand 'a'. Try SCRIPT HELP.
    execute_command('XGROUP', 'DESTR\0', 'k', 'g') -> ResponseError: unknown subcommand 'DESTR'. Try XGROUP HELP.
    execute_command('XPENDING', 'k\0', 'g\n') -> ResponseError: NOGROUP No such key 'k' or consumer group 'g '
    eval('\0', 0) -> ResponseError: Error compiling script (new function): user_script:1: unexpected symbol
bytes that are no UTF-8 where a number or an option is expected
    raw.execute_command('SET', 'k', 'v', b'\xff') -> ResponseError: syntax error
    raw.execute_command('INCRBY', 'k', b'\xff') -> ResponseError: value is not an integer or out of range
    raw.execute_command('ZADD', 'z', b'\xff', 'a') -> ResponseError: value is not a valid float
    raw.execute_command('XADD', 'x', b'\xff', 'f', 'v') -> \
        ResponseError: Invalid stream ID specified as stream command argument
    raw.execute_command('LRANGE', 'l', b'\xff', 0) -> ResponseError: value is not an integer or out of range
    raw.execute_command('EVAL', b'\xff', 0) -> \
        ResponseError: Error compiling script (new function): user_script:1: unexpected symbol near '�'
    dbsize() -> 0
numbers of thousands of digits
    execute_command('INCRBY', 'k', '1' * 5000) -> ResponseError: value is not an integer or out of range
    execute_command('INCRBYFLOAT', 'k', '1' * 5000) -> ResponseError: value is not a valid float
    execute_command('INCRBYFLOAT', 'f', '0.' + '3' * 4500) -> 0.3333333333333333
    execute_command('INCRBYFLOAT', 'g', '0.' + '3' * 5500) -> ResponseError: value is not a valid float
    execute_command('ZADD', 'z', '1' * 5000, 'a') -> ResponseError: value is not a valid float
    execute_command('ZADD', 'z', '0.' + '3' * 5000, 'a') -> 1
    execute_command('ZCOUNT', 'z', '-' + '1' * 5000, '1' * 5000) -> 1
    execute_command('XADD', 'x', '1' * 5000, 'f', 'v') -> \
        ResponseError: Invalid stream ID specified as stream command argument
    execute_command('SCAN', '1' * 5000) -> ResponseError: invalid cursor
    execute_command('SET', 'k', 'v', 'PX', '1' * 5000) -> ResponseError: value is not an integer or out of range
    execute_command('LPOP', 'l', '1' * 5000) -> ResponseError: value is out of range, must be positive
    execute_command('EVAL', 'return 1', '1' * 5000) -> ResponseError: value is not an integer or out of range
    execute_command('BLPOP', 'l', '1' * 5000) -> ResponseError: timeout is not a float or out of range
numbers that are written in another way
    execute_command('INCRBY', 'k', '+1') -> ResponseError: value is not an integer or out of range
    execute_command('INCRBY', 'k', '0x10') -> ResponseError: value is not an integer or out of range
    execute_command('INCRBY', 'k', '1_000') -> ResponseError: value is not an integer or out of range
    execute_command('INCRBY', 'k', '١') -> ResponseError: value is not an integer or out of range
    execute_command('INCRBY', 'k', '-0') -> ResponseError: value is not an integer or out of range
    execute_command('ZADD', 'z', '1_000', 'a') -> ResponseError: value is not a valid float
    execute_command('ZADD', 'z', ' 1', 'a') -> ResponseError: value is not a valid float
    execute_command('ZADD', 'z', '1 ', 'a') -> ResponseError: value is not a valid float
    execute_command('ZADD', 'z', '', 'a') -> ResponseError: value is not a valid float
    execute_command('ZADD', 'z', '+.5e1', 'a') -> 1
    execute_command('ZADD', 'z', '0x1p3', 'b') -> 1
    execute_command('ZCOUNT', 'z', ' 1', '') -> 0
    execute_command('ZCOUNT', 'z', '', '8') -> 2
    execute_command('XADD', 'x', ' 1-+1', 'f', 'v') -> '1-1'
    execute_command('XRANGE', 'x', '01', '+') -> [('1-1', {'f': 'v'})]
    execute_command('SCAN', '', 'MATCH', 'z') -> (0, ['z'])
    execute_command('BLPOP', 'l', '0x0.01') -> None
NaN and infinity
    zadd('z', {'a': 'inf', 'b': 'infinity', 'c': '-Inf'}) -> 3
    execute_command('ZADD', 'z', 'nan', 'd') -> ResponseError: value is not a valid float
    execute_command('ZADD', 'z', '1e400', 'd') -> ResponseError: value is not a valid float
    execute_command('ZINCRBY', 'z', 'nan', 'a') -> ResponseError: value is not a valid float
    execute_command('ZINCRBY', 'z', '-inf', 'a') -> ResponseError: resulting score is not a number (NaN)
    zrange('z', 0, -1, withscores=True) -> [('c', -inf), ('a', inf), ('b', inf)]
    execute_command('ZRANGEBYSCORE', 'z', 'nan', 'inf') -> ResponseError: min or max is not a float
    execute_command('HINCRBYFLOAT', 'h', 'f', '-inf') -> ResponseError: value is NaN or Infinity
    eval('return redis.call("ZADD", KEYS[1], 0/0, "d")', 1, 'z') -> \
        ResponseError: value is not a valid float script: SHA, on @user_script:1.
    eval('return redis.call("ZADD", KEYS[1], 1/0, "d")', 1, 'z') -> 1
what can not be sent is refused by the client
    set('k', None) -> DataError: Invalid input of type: 'NoneType'. Convert to a bytes, string, int or float first.
    set('k', True) -> DataError: Invalid input of type: 'bool'. Convert to a bytes, string, int or float first.
    set('k', ['list']) -> DataError: Invalid input of type: 'list'. Convert to a bytes, string, int or float first.
    zadd('z', {}) -> DataError: ZADD requires at least one element/score pair
    hset('h') -> DataError: 'hset' with no key value pairs
    exists('k', 'z', 'h') -> 0
""")
async def test_bad_input(redis, connect, clock, story):
    await tell(story, redis, connect(decode_responses=False), clock)


async def test_every_command_refuses_too_few_arguments_and_of_a_fixed_number_one_too_many(redis):
    for command in COMMANDS.values():
        name = command.name.decode()
        if name == "EXEC":
            continue  # says that it discards the transaction, see test_transactions.py
        few = abs(command.arity) - 2
        numbers = [few] * (few >= 0) + [command.arity] * (command.arity > 0)
        for number in numbers:
            told = await refused(redis.execute_command(name, *["1"] * number))
            assert told == f"ResponseError: wrong number of arguments for '{name.lower()}' command"
