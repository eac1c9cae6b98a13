"""Limits: steps, depth, memory. They end a script with an error of Redis's kind, never with a Python one."""

import sys
from collections.abc import Callable

import pytest

from py_runtime.stores.lua import LuaError, compile_script
from py_runtime.stores.lua.runs import KEPT_BEFORE_SWEEP, Run
from py_runtime.stores.lua.tables import LuaTable

BUSY = (
    "-BUSY Script stopped after 1000 steps (a step is a loop turn or a function call). script: SHA, on @user_script:1."
)
OVERFLOW = "-ERR user_script:1: stack overflow script: SHA, on @user_script:1."
TOO_DEEP = "-ERR Error compiling script (new function): user_script:1: chunk has too many syntax levels"

RUNAWAYS = [
    ("while", "while true do end"),
    ("repeat", "repeat until false"),
    ("numeric for", "for i = 1, 1 / 0 do end"),
    ("generic for", "for x in function() return 1 end do end"),
    ("calls in a loop of the library", "table.foreach({1}, function() while true do end end)"),
    ("pcall catches nothing here", "while true do pcall(function() while true do end end) end"),
    ("doubling a string", "local s = 'x' while true do s = s .. s end"),
    ("a long repetition", "return string.rep('x', 1e9)"),
    ("many long strings", "local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(4000) end"),
    ("a pattern that explodes", "return (('a'):rep(30)):find(('a?'):rep(30) .. ('a'):rep(30))"),
    ("a replacement that explodes", "return (('x'):rep(1000):gsub('x', ('y'):rep(1000)))"),
    ("many values at once", "local t = {} for i = 1, 500 do t[i] = i end while true do t = {unpack(t)} end"),
    (
        "a sort of equal turns",
        "local t = {} for i = 1, 400 do t[i] = i end table.sort(t, function(a, b) return a < b end)",
    ),
]


@pytest.mark.parametrize("script", [pytest.param(script, id=claim) for claim, script in RUNAWAYS])
def test_a_runaway_script_ends_with_busy(answer: Callable, script: str) -> None:
    assert answer(script, steps_max=1000) == BUSY


def test_the_busy_error_names_the_line_that_was_running(answer: Callable) -> None:
    assert answer("local n = 0\n\nwhile true do n = n + 1 end", steps_max=10).endswith("on @user_script:3.")


def test_a_script_within_its_steps_is_not_disturbed(answer: Callable) -> None:
    assert answer("local n = 0 for i = 1, 999 do n = n + 1 end return n", steps_max=1000) == 999


def test_what_a_runaway_script_wrote_stays(answer: Callable, store: object) -> None:
    answer("redis.call('SET', KEYS[1], 'x') while true do end", steps_max=10)
    assert store.values == {b"k1": b"x"}


@pytest.mark.parametrize(
    "script",
    [
        "local function f() return 1 + f() end return f()",
        "local f f = function(x) return f(f(x)) end return f(1)",
        "local t = {} function t:go() return self:go() .. 'x' end return t:go()",
    ],
)
def test_endless_recursion_is_a_stack_overflow(answer: Callable, script: str) -> None:
    assert answer(script) == OVERFLOW


def test_recursion_through_the_library_is_a_c_stack_overflow(answer: Callable) -> None:
    script = "local function f() table.sort({3, 2, 1}, f) return true end return f()"
    assert answer(script) == "-ERR C stack overflow script: SHA, on @user_script:1."


def test_a_thousand_calls_deep_is_fine(answer: Callable) -> None:
    assert answer("local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(1000)") == 1000


def test_a_script_goes_on_after_it_caught_an_overflow(answer: Callable) -> None:
    script = "local function f() return 1 + f() end pcall(f) pcall(f) local function g(n) return n end return g(7)"
    assert answer(script) == 7


def test_a_deep_run_leaves_pythons_recursion_limit_alone(answer: Callable) -> None:
    before = sys.getrecursionlimit()
    answer("local function f() return 1 + f() end return f()")
    answer("return " + "(" * 5000)
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize(
    "text",
    [
        "return " + "(" * 5000 + "1" + ")" * 5000,
        "return " + "{" * 300 + "}" * 300,
        "return " + "not " * 300 + "1",
        "return " + "+".join(["1"] * 5000),
        "return " + "..".join(["'a'"] * 5000),
        "local t return t" + ".x" * 5000,
        "return " + "(" * 150 + "1" + ("+1" * 150 + ")") * 150,
        "do " * 300 + "end " * 300,
        "return " + "function() return " * 300 + "1" + " end" * 300,
    ],
)
def test_too_deep_nesting_does_not_compile(answer: Callable, text: str) -> None:
    assert answer(text) == TOO_DEEP


def test_a_long_elseif_chain_is_not_deep(answer: Callable) -> None:
    branches = " ".join(f"elseif x == {number} then return {number}" for number in range(3000))
    assert answer(f"local x = 2999 if x == -1 then return -1 {branches} end") == 2999


def test_a_function_has_at_most_200_locals(answer: Callable) -> None:
    assert answer("\n".join(f"local x{number} = {number}" for number in range(200)) + " return x199") == 199
    assert answer(" ".join(f"local x{number} = 1" for number in range(201))).endswith(
        "user_script:1: main function has more than 200 local variables"
    )


def test_a_reply_that_holds_itself_is_an_error(answer: Callable) -> None:
    assert answer("local t = {} t[1] = t return t") == "-ERR reached lua stack limit"


def test_json_nests_a_thousand_deep_and_no_deeper(answer: Callable) -> None:
    script = "local t = {} for i = 1, %d do t = {t} end return #cjson.encode(t)"
    assert answer(script % 999) == 2000
    assert "excessive nesting (1001)" in answer(script % 1000)
    assert answer("return type(cjson.decode(('['):rep(1000) .. (']'):rep(1000)))") == b"table"
    assert "too many nested data structures (1001)" in answer("return cjson.decode(('['):rep(2000))")


@pytest.mark.parametrize(
    "build",
    [
        "local list for i = 1, 30000 do list = {list} end",
        "local head = {} local at = head for i = 1, 30000 do at.next = {} at = at.next end",
        "local t = {} for i = 1, 30000 do t = {[t] = true} end",
        "local f = type for i = 1, 30000 do local g = f f = function() return g end end",
        "local last for i = 1, 30000 do local r = redis.status_reply('x') r.last = last last = r end",
    ],
)
def test_a_long_chain_is_taken_apart_without_recursion(build: str) -> None:
    freed_at_once = []

    class Watched(Run):
        def close(self) -> None:
            super().close()
            freed_at_once.append(all(not (k.array or k.hash) if type(k) is LuaTable else not k for k in self._kept))

    script = compile_script(build + " return 'built'")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("py_runtime.stores.lua.script.Run", Watched)
        assert script.run(lambda argv: None, [], []) == b"built"
    assert freed_at_once == [True]


@pytest.mark.parametrize(
    "build",
    [
        "local t = {} for j = 1, 2000 do t = {t} end",
        "local t = {} local at = t for j = 1, 2000 do at.n = {} at = at.n end",
    ],
)
def test_chains_that_are_no_longer_used_are_forgotten_during_the_run(build: str) -> None:
    kept = []

    class Watched(Run):
        def close(self) -> None:
            kept.append(len(self._kept))
            super().close()

    script = compile_script(f"for i = 1, 50 do {build} end")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("py_runtime.stores.lua.script.Run", Watched)
        script.run(lambda argv: None, [], [])
    assert kept[0] <= 2 * KEPT_BEFORE_SWEEP


def test_an_error_tells_its_line() -> None:
    with pytest.raises(LuaError) as caught:
        compile_script("local x\n\nreturn x.y").run(lambda argv: None, [], [])
    assert caught.value.line == 3
