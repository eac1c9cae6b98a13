"""A compiled script as its callers see it: commands, determinism, reuse, refusals, positions of syntax errors."""

import hashlib
from collections.abc import Callable

import pytest

from py_runtime.stores.lua import LuaError, LuaSyntaxError, compile_script
from py_runtime.stores.replies import ErrorReply, Status

LEASE = """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - ARGV[2])
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[3]) then
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[4])
  return 1
end
return 0
"""


def test_the_lease_script_sends_its_three_commands_in_order() -> None:
    sent = []

    def call(argv: list[bytes]) -> object:
        sent.append(list(argv))
        return 0

    reply = compile_script(LEASE).run(call, [b"quota"], [b"10000", b"7000", b"1", b"task-1"])
    assert reply == 1
    assert sent == [
        [b"ZREMRANGEBYSCORE", b"quota", b"-inf", b"3000"],
        [b"ZCARD", b"quota"],
        [b"ZADD", b"quota", b"10000", b"task-1"],
    ]


def test_a_script_knows_its_sha1() -> None:
    assert compile_script("return 'é'").sha1 == hashlib.sha1("return 'é'".encode()).hexdigest()


def test_text_and_bytes_compile_to_the_same_script(answer: Callable) -> None:
    assert compile_script("return 'é'").sha1 == compile_script("return 'é'".encode()).sha1
    assert answer("return 'é'") == answer("return 'é'".encode()) == "é".encode()


def test_strings_are_bytes_and_need_not_be_text(answer: Callable) -> None:
    assert answer(b"return '\xff\xfe' .. ARGV[1]", args=[b"\x00\x80"]) == b"\xff\xfe\x00\x80"


def test_runs_do_not_see_each_other(answer: Callable) -> None:
    script = compile_script("KEYS[#KEYS + 1] = 'more' local t = {} t[1] = #KEYS return {t[1], math.random(1000)}")
    first = script.run(lambda argv: None, [b"a"], [])
    assert script.run(lambda argv: None, [b"a"], []) == first


def test_a_run_does_not_change_the_lists_it_was_given() -> None:
    keys, args = [b"a"], [b"b"]
    compile_script("KEYS[1] = 'x' ARGV[2] = 'y'").run(lambda argv: None, keys, args)
    assert (keys, args) == ([b"a"], [b"b"])


def test_a_script_may_run_inside_itself() -> None:
    script = compile_script("if ARGV[1] == '0' then return 0 end return 1 + redis.call('EVAL', ARGV[1] - 1)")
    reply = script.run(lambda argv: script.run(lambda inner: 0, [], [b"0"]), [], [b"1"])
    assert reply == 1


def test_random_numbers_are_those_of_a_fresh_redis_server(answer: Callable) -> None:
    assert answer("return {math.random(1000), math.random(1000), math.random(1000000)}") == [397, 841, 353337]


def test_every_not_a_number_prints_the_same(answer: Callable) -> None:
    script = "return {tostring(0 / 0), tostring(-(0 / 0)), tostring(math.huge - math.huge), tostring(tonumber('nan'))}"
    assert answer(script) == [b"-nan"] * 4


def test_pairs_walks_the_array_then_the_names_in_order_of_insertion(answer: Callable) -> None:
    script = "local t = {z = 1, 10, a = 2, 20} t.m = 3 t.a = nil t.a = 4 local r = {} %s return r"
    expected = [b"1", b"2", b"z", b"m", b"a"]
    assert answer(script % "for k in pairs(t) do r[#r + 1] = tostring(k) end") == expected
    assert answer(script % "local k = next(t) while k do r[#r + 1] = tostring(k) k = next(t, k) end") == expected


def test_entries_can_be_cleared_while_next_walks(answer: Callable) -> None:
    script = (
        "local t, n = {a = 1, b = 2, c = 3}, 0 local k = next(t) while k do t[k] = nil n = n + 1 k = next(t, k) end"
    )
    assert answer(script + " return {n, tostring(next(t))}") == [3, b"nil"]


def test_cjson_writes_names_in_order_of_insertion(answer: Callable) -> None:
    assert answer("return cjson.encode({b = 1, a = {2, 3}, c = {}})") == b'{"b":1,"a":[2,3],"c":{}}'


def test_tables_and_functions_print_numbers_in_order_of_printing(answer: Callable) -> None:
    script = "local a, b, f = {}, {}, function() end return {tostring(b), tostring(f), tostring(a), tostring(b)}"
    assert answer(script) == [
        b"table: 0x00000000000001",
        b"function: 0x00000000000002",
        b"table: 0x00000000000003",
        b"table: 0x00000000000001",
    ]


def test_redis_log_reaches_whoever_listens() -> None:
    lines = []
    compile_script("redis.log(redis.LOG_WARNING, 'n =', 5)").run(
        lambda argv: None, [], [], log=lambda level, text: lines.append((level, text))
    )
    assert lines == [(3, b"n = 5")]


def test_an_error_reply_of_a_command_inside_an_array_is_a_table_with_err() -> None:
    script = compile_script("local r = redis.call('EXEC') return {type(r[1]), r[1].err, r[2].ok}")
    reply = script.run(lambda argv: [ErrorReply("ERR no"), Status(b"OK")], [], [])
    assert reply == [b"table", b"ERR no", b"OK"]


def test_an_error_table_thrown_without_text_is_an_unknown_error(answer: Callable) -> None:
    assert answer("error({})") == "-ERR unknown error script: SHA, on @user_script:1."


@pytest.mark.parametrize(
    ("text", "name", "line", "column"),
    [
        ("return setmetatable({}, {})", "setmetatable", 1, 8),
        ("local x = 1\n  local c = coroutine.create(f)", "coroutine", 2, 13),
        ("return loadstring('x')", "loadstring", 1, 8),
        ("return bit.band(1, 2)", "bit", 1, 8),
        ("return cmsgpack.pack(1)", "cmsgpack", 1, 8),
        ("return struct.pack('i', 1)", "struct", 1, 8),
        ("return string.dump(f)", "string.dump", 1, 15),
        ("cjson.encode_sparse_array(true)", "cjson.encode_sparse_array", 1, 7),
        ("return redis.acl_check_cmd('get')", "redis.acl_check_cmd", 1, 14),
    ],
)
def test_what_redis_has_and_this_lua_has_not_is_refused_by_name(text: str, name: str, line: int, column: int) -> None:
    with pytest.raises(LuaSyntaxError) as caught:
        compile_script(text)
    assert f"'{name}' is not supported" in caught.value.text
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_local_may_have_the_name_of_something_refused(answer: Callable) -> None:
    assert answer("local bit, string = 5, {dump = 6} return bit + string.dump") == 11


def test_a_first_line_with_flags_is_refused() -> None:
    with pytest.raises(LuaSyntaxError, match="'#!'"):
        compile_script("#!lua flags=no-writes\nreturn 1")


@pytest.mark.parametrize(("call", "text"), [("redis.setresp(3)", "setresp(3)"), ("redis.set_repl(0)", "REPL_ALL")])
def test_options_of_the_redis_library_that_are_not_there_say_so(answer: Callable, call: str, text: str) -> None:
    assert text in answer(call)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("return 1 +", 1, 11),
        ("local x = 1\nlocal y = = 2", 2, 11),
        ("local é = 1", 1, 7),
        ("local s = 'é' return )", 1, 22),
        ("return 'abc", 1, 8),
        ("--[[ open\n\n", 3, 1),
        ("x = 3x", 1, 5),
    ],
)
def test_a_syntax_error_has_line_and_column(text: str, line: int, column: int) -> None:
    with pytest.raises(LuaSyntaxError) as caught:
        compile_script(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert f"user_script:{line}:" in caught.value.text


def test_the_errors_of_scripts_are_error_replies() -> None:
    assert issubclass(LuaError, ErrorReply)
    assert issubclass(LuaSyntaxError, ErrorReply)
