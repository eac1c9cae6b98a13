"""The string library and its patterns. The replies were recorded from redis-server 7.0.15."""

from collections.abc import Callable

import pytest

RULES = [
    (
        "string.sub counts from both ends",
        (
            "return {('hello'):sub(2), ('hello'):sub(-3), ('hello'):sub(2, -2), ('hello'):sub(0), "
            "('hello'):sub(4, 2), ('hello'):sub(-100, 2)}"
        ),
        [b"ello", b"llo", b"ell", b"hello", b"", b"he"],
    ),
    (
        "string.byte and string.char",
        "return {('ABC'):byte(), ('ABC'):byte(-1), string.char(72, 105), #string.char()}",
        [65, 67, b"Hi", 0],
    ),
    (
        "string.char refuses what is no byte",
        "return string.char(256)",
        "-ERR user_script:1: bad argument #1 to 'char' (invalid value) script: SHA, on @user_script:1.",
    ),
    ("string.rep with zero or less is empty", "return {('x'):rep(3), ('x'):rep(0), ('x'):rep(-1)}", [b"xxx", b"", b""]),
    (
        "string.upper, lower, reverse and len",
        "return {('aBc'):upper(), ('aBc'):lower(), ('abc'):reverse(), ('abc'):len()}",
        [b"ABC", b"abc", b"cba", 3],
    ),
    ("string.find gives first and last position", "return {('hello'):find('l')}", [3, 3]),
    ("string.find gives captures too", "return {('key=val'):find('(%w+)=(%w+)')}", [1, 7, b"key", b"val"]),
    ("string.find in plain mode takes no pattern", "return {('a.b'):find('.', 1, true)}", [2, 2]),
    ("string.find starts where it is told", "return {('hello'):find('l', 4)}", [4, 4]),
    ("string.find of nothing found is nil", "return {tostring(('hello'):find('z'))}", [b"nil"]),
    ("string.match without captures gives the whole match", "return ('id=42'):match('%d+')", b"42"),
    (
        "string.match with an anchor",
        "return {tostring(('xa'):match('^a')), ('ax'):match('^a'), tostring(('ax'):match('a$'))}",
        [b"nil", b"a", b"nil"],
    ),
    ("string.match gives positions for empty captures", "return {('hello'):match('()ll()')}", [3, 5]),
    (
        "repetitions are greedy or short",
        ("return {('<<a>>'):match('<(.+)>'), ('<<a>>'):match('<(.-)>'), ('aaa'):match('a?'), ('b'):match('a*b')}"),
        [b"<a>", b"<a", b"a", b"b"],
    ),
    (
        "sets, ranges and complements",
        ("return {('x_1-'):match('[%w_]+'), ('abc'):match('[^a]+'), ('b-'):match('[a-c]'), ('a]'):match('[]]')}"),
        [b"x_1", b"bc", b"b", b"]"],
    ),
    (
        "classes of characters",
        (
            "return {('a1 .'):match('%a'), ('a1 .'):match('%d'), ('a1 .'):match('%s'), ('a1 "
            ".'):match('%p'), ('aB'):match('%u'), ('xF'):match('%x')}"
        ),
        [b"a", b"1", b" ", b".", b"B", b"F"],
    ),
    ("balanced pairs", "return ('f(a(b)c)d'):match('%b()')", b"(a(b)c)"),
    ("frontiers", "return {('THE (quick) fox'):gsub('%f[%a]%a+', 'X')}", [b"X (X) X", 3]),
    ("back references", "return ('say \"hi\" now'):match('([\"\\'])(.-)%1')", b'"'),
    ("string.gsub replaces and counts", "return {('hello world'):gsub('o', '0')}", [b"hell0 w0rld", 2]),
    ("string.gsub stops after the given number", "return {('aaa'):gsub('a', 'b', 2)}", [b"bba", 2]),
    (
        "string.gsub fills in captures",
        ("return {('hello world'):gsub('(%w+)', '<%1>'), ('abc'):gsub('%w', '%0%0'), ('a'):gsub('a', '%%')}"),
        [b"<hello> <world>", b"aabbcc", b"%", 1],
    ),
    (
        "string.gsub asks a table",
        "return {('$name is $age'):gsub('%$(%w+)', {name = 'Bob', age = 42})}",
        [b"Bob is 42", 2],
    ),
    (
        "string.gsub asks a function and keeps what it refuses",
        "return {('abc'):gsub('%w', function(c) if c == 'b' then return 'X' end end)}",
        [b"aXc", 3],
    ),
    ("string.gsub matches the empty string between characters", "return {('abc'):gsub('', '-')}", [b"-a-b-c-", 4]),
    (
        "string.gsub refuses a table as replacement",
        "return ('a'):gsub('a', function() return {} end)",
        "-ERR user_script:1: invalid replacement value (a table) script: SHA, on @user_script:1.",
    ),
    (
        "string.gsub refuses nil",
        "return ('a'):gsub('a', nil)",
        (
            "-ERR user_script:1: bad argument #2 to 'gsub' (string/function/table expected) script: "
            "SHA, on @user_script:1."
        ),
    ),
    (
        "string.gmatch walks all matches",
        "local r = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do r[#r + 1] = k .. v end return r",
        [b"a1", b"b2"],
    ),
    (
        "a pattern may not end with a percent sign",
        "return ('a'):find('%')",
        "-ERR user_script:1: malformed pattern (ends with '%') script: SHA, on @user_script:1.",
    ),
    (
        "a set must be closed",
        "return ('a'):find('[a')",
        "-ERR user_script:1: malformed pattern (missing ']') script: SHA, on @user_script:1.",
    ),
    ("a capture must be opened before it is closed", "return ('a'):find('a)')", None),
    (
        "a capture must be closed",
        "return ('a'):find('(a')",
        "-ERR user_script:1: unfinished capture script: SHA, on @user_script:1.",
    ),
    (
        "a replacement may not name an absent capture",
        "return ('a'):gsub('a', '%2')",
        "-ERR user_script:1: invalid capture index script: SHA, on @user_script:1.",
    ),
    (
        "string.format of numbers",
        "return string.format('%d|%5d|%-5d|%05d|%x|%X|%o|%i', 42, 42, 42, 42, 255, 255, 8, 7.9)",
        b"42|   42|42   |00042|ff|FF|10|7",
    ),
    (
        "string.format of fractions",
        ("return string.format('%f|%.2f|%8.3f|%e|%g|%g', 3.14159, 3.14159, 3.14159, 12345.678, 0.1, 1e20)"),
        b"3.141590|3.14|   3.142|1.234568e+04|0.1|1e+20",
    ),
    (
        "string.format of text",
        ("return string.format('%s|%5s|%-5s|%.2s|%q|%c|%%', 'ab', 'ab', 'ab', 'abc', 'a\"b', 65)"),
        b'ab|   ab|ab   |ab|"a\\"b"|A|%',
    ),
    (
        "string.format of infinities",
        "return string.format('%f %g %d', 1 / 0, -1 / 0, 1 / 0)",
        b"inf -inf -9223372036854775808",
    ),
    (
        "string.format of negative numbers as unsigned",
        "return string.format('%u %x', -1, -1)",
        b"18446744073709551615 ffffffffffffffff",
    ),
    (
        "string.format wants enough arguments",
        "return string.format('%d')",
        "-ERR user_script:1: bad argument #2 to 'format' (no value) script: SHA, on @user_script:1.",
    ),
    (
        "string.format refuses an unknown directive",
        "return string.format('%y', 1)",
        "-ERR user_script:1: invalid option '%y' to 'format' script: SHA, on @user_script:1.",
    ),
    (
        "string.format refuses text for a number",
        "return string.format('%d', 'x')",
        (
            "-ERR user_script:1: bad argument #2 to 'format' (number expected, got string) script: "
            "SHA, on @user_script:1."
        ),
    ),
    (
        "string.format refuses nil for text",
        "return string.format('%s', nil)",
        ("-ERR user_script:1: bad argument #2 to 'format' (string expected, got nil) script: SHA, on @user_script:1."),
    ),
]


@pytest.mark.parametrize(("script", "reply"), [pytest.param(*rule[1:], id=rule[0]) for rule in RULES])
def test_each_string_function_answers_as_in_redis_server(answer: Callable, script: str, reply: object) -> None:
    assert answer(script) == reply
