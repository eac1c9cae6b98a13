"""EVAL, EVALSHA and SCRIPT from the client; what Lua itself does is pinned in tests/conformance/lua."""

from tests.conformance.redis.stories import stories, tell


@stories(r"""
EVAL gives the script's result, converted
    eval('return 1', 0) -> 1
    eval('return 3.99', 0) -> 3
    eval('return "text"', 0) -> 'text'
    eval('return true', 0) -> 1
    eval('return false', 0) -> None
    eval('return nil', 0) -> None
    eval('return {1, 2.5, "three", {4}, nil, 6}', 0) -> [1, 2, 'three', [4]]
    eval('return {ok = "FINE"}', 0) -> 'FINE'
    eval('return {err = "MINE is broken"}', 0) -> ResponseError: MINE is broken
    eval('return {KEYS[1], KEYS[2], ARGV[1], #ARGV}', 2, 'k1', 'k2', 'a1', 'a2') -> ['k1', 'k2', 'a1', 2]
redis.call gives Lua values
    eval('return type(redis.call("GET", KEYS[1]))', 1, 'none') -> 'boolean'
    eval('return redis.call("INCR", KEYS[1]) + 0.9', 1, 'n') -> 1
    eval('return redis.call("GET", KEYS[1]) == redis.call("INCR", KEYS[1])', 1, 'n') -> None
    eval('return redis.call("SET", KEYS[1], "v").ok', 1, 's') -> 'OK'
    eval('return #redis.call("MGET", "a", "b", "c")', 0) -> 3
an error stops the script and keeps what it wrote
    eval('redis.call("SET", KEYS[1], "kept") redis.call("LPUSH", KEYS[1], "x") return 1', 1, 'k') -> \
        ResponseError: WRONGTYPE Operation against a key holding the wrong kind of value script: SHA, on @user_script:1.
    get('k') -> 'kept'
    eval('local r = redis.pcall("LPUSH", KEYS[1], "x") return r.err', 1, 'k') -> \
        'WRONGTYPE Operation against a key holding the wrong kind of value'
    eval('return redis.pcall("LPUSH", KEYS[1], "x")', 1, 'k') -> WRONGTYPE
    eval('error("mine")', 0) -> \
        ResponseError: user_script:1: mine script: SHA, on @user_script:1.
    eval('error({err = "CODE mine"})', 0) -> \
        ResponseError: CODE mine script: SHA, on @user_script:1.
    eval('return redis.call("NOSUCH")', 0) -> \
        ResponseError: Unknown Redis command called from script script: SHA, on @user_script:1.
    eval('return redis.call("GET")', 0) -> \
        ResponseError: Wrong number of args calling Redis command from script script: SHA, on @user_script:1.
    eval('return redis.call()', 0) -> \
        ResponseError: Please specify at least one argument for this redis lib call script: SHA, on @user_script:1.
a script's commands have subcommands too, and may not wait
    eval('return redis.call("XGROUP", "NOSUCH", "x")', 0) -> \
        ResponseError: Unknown Redis command called from script script: SHA, on @user_script:1.
    eval('return redis.call("XGROUP", "DESTROY", "x")', 0) -> \
        ResponseError: Wrong number of args calling Redis command from script script: SHA, on @user_script:1.
    eval('return redis.call("SCRIPT", "FLUSH")', 0) -> \
        ResponseError: This Redis command is not allowed from script script: SHA, on @user_script:1.
    eval('return redis.call("MULTI")', 0) -> \
        ResponseError: This Redis command is not allowed from script script: SHA, on @user_script:1.
    eval('return redis.call("XREAD", "BLOCK", "1", "STREAMS", "x", "$")', 0) -> \
        ResponseError: XREAD command is not allowed with BLOCK option from scripts script: SHA, on @user_script:1.
    eval('return redis.call("XREAD", "COUNT", "x", "BLOCK", "1", "STREAMS", "x", "$")', 0) -> \
        ResponseError: value is not an integer or out of range script: SHA, on @user_script:1.
EVALSHA knows what was loaded or run, until the flush
    script_load('return 7') -> '59b6ab2fbe0ee4b25733de0f62e6cda4899ef8e9'
    evalsha('59b6ab2fbe0ee4b25733de0f62e6cda4899ef8e9', 0) -> 7
    eval('return 8', 0) -> 8
    script_exists('c2db959528781f82a78b455e9842f46a02a43b61', 'nonsense') -> [True, False]
    script_flush() -> True
    evalsha('59b6ab2fbe0ee4b25733de0f62e6cda4899ef8e9', 0) -> NoScriptError: No matching script. Please use EVAL.
    execute_command('SCRIPT', 'FLUSH', 'NOW') -> ResponseError: SCRIPT FLUSH only support SYNC|ASYNC option
    execute_command('SCRIPT', 'NOSUCH') -> ResponseError: unknown subcommand 'NOSUCH'. Try SCRIPT HELP.
    execute_command('SCRIPT', 'LOAD') -> ResponseError: wrong number of arguments for 'script|load' command
keys are counted before the script is run
    execute_command('EVAL', 'return 1', 'x') -> ResponseError: value is not an integer or out of range
    execute_command('EVAL', 'return 1', '-1') -> ResponseError: Number of keys can't be negative
    execute_command('EVAL', 'return 1', '2', 'k') -> ResponseError: Number of keys can't be greater than number of args
    execute_command('EVAL', 'return 1') -> ResponseError: wrong number of arguments for 'eval' command
malformed scripts are refused and not remembered
    eval('return (', 0) -> \
        ResponseError: Error compiling script (new function): user_script:1: unexpected symbol near '<eof>'
    eval('retrun 1', 0) -> ResponseError: Error compiling script (new function): user_script:1: '=' expected near '1'
    eval('return "open', 0) -> \
        ResponseError: Error compiling script (new function): user_script:1: unfinished string near '<eof>'
    eval('x = 1', 0) -> \
        ResponseError: user_script:1: Attempt to modify a readonly table script: SHA, on @user_script:1.
    eval('return x', 0) -> \
        ResponseError: user_script:1: Script attempted to access nonexistent global variable 'x' script: SHA, on \
        @user_script:1.
    script_load('return (') -> \
        ResponseError: Error compiling script (new function): user_script:1: unexpected symbol near '<eof>'
    eval('', 0) -> None
a key does not lapse while a script runs
    eval('redis.call("SET", KEYS[1], "v", "PX", 1) for i = 1, 100000 do end return redis.call("EXISTS", KEYS[1])', \
        1, 'k') -> \
        1
bytes that are no UTF-8 pass through a script
    raw.eval(b'return ARGV[1] .. "\\255\\0"', 0, b'\xfe') -> b'\xfe\xff\x00'
""")
async def test_scripts(redis, connect, clock, story):
    await tell(story, redis, connect(decode_responses=False), clock)


async def test_an_error_inside_a_list_comes_as_a_value(redis):
    first, error = await redis.eval("return {1, redis.error_reply('inside')}", 0)
    assert (first, type(error).__name__, str(error)) == (1, "ResponseError", "inside")


async def test_a_registered_script_is_loaded_when_the_server_has_forgotten_it(redis, connect):
    acquire = redis.register_script("return redis.call('SET', KEYS[1], ARGV[1], 'NX')")
    assert await acquire(keys=["k"], args=["1"]) == "OK"
    await redis.script_flush()
    assert await acquire(keys=["k"], args=["2"]) is None
    assert await acquire(keys=["other"], args=["3"], client=connect()) == "OK"
