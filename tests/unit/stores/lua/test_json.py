"""cjson. The replies were recorded from redis-server 7.0.15."""

from collections.abc import Callable

import pytest

RULES = [
    (
        "cjson.encode writes scalars",
        (
            "return {cjson.encode(1), cjson.encode(1.5), cjson.encode('a'), cjson.encode(true), "
            "cjson.encode(cjson.null), cjson.encode(nil)}"
        ),
        [b"1", b"1.5", b'"a"', b"true", b"null", b"null"],
    ),
    (
        "cjson.encode writes arrays and objects",
        "return {cjson.encode({1, 2, {3}}), cjson.encode({a = {b = 1}}), cjson.encode({})}",
        [b"[1,2,[3]]", b'{"a":{"b":1}}', b"{}"],
    ),
    ("cjson.encode writes null for gaps", "return cjson.encode({1, nil, 3})", b"[1,null,3]"),
    (
        "cjson.encode escapes",
        "return cjson.encode('a/b\"c\\\\d\\n\\t\\1\\127é')",
        b'"a\\/b\\"c\\\\d\\n\\t\\u0001\\u007f\xc3\xa9"',
    ),
    (
        "cjson.encode keeps 14 digits",
        "return {cjson.encode(1 / 3), cjson.encode(1e20), cjson.encode(123456789012)}",
        [b"0.33333333333333", b"1e+20", b"123456789012"],
    ),
    ("cjson.encode turns number keys into text", "return cjson.encode({[1.5] = 1})", b'{"1.5":1}'),
    (
        "cjson.encode refuses sparse arrays",
        "return cjson.encode({[1] = 1, [100] = 2})",
        ("-ERR user_script:1: Cannot serialise table: excessively sparse array script: SHA, on @user_script:1."),
    ),
    (
        "cjson.encode refuses functions",
        "return cjson.encode({type})",
        ("-ERR user_script:1: Cannot serialise function: type not supported script: SHA, on @user_script:1."),
    ),
    (
        "cjson.encode refuses what is not a number",
        "return cjson.encode(0 / 0)",
        ("-ERR user_script:1: Cannot serialise number: must not be NaN or Inf script: SHA, on @user_script:1."),
    ),
    (
        "cjson.encode refuses boolean keys",
        "return cjson.encode({[true] = 1})",
        (
            "-ERR user_script:1: Cannot serialise boolean: table key must be a number or string "
            "script: SHA, on @user_script:1."
        ),
    ),
    (
        "cjson.encode refuses a table inside itself",
        "local t = {} t[1] = t return cjson.encode(t)",
        "-ERR user_script:1: Cannot serialise, excessive nesting (1001) script: SHA, on @user_script:1.",
    ),
    (
        "cjson.decode reads objects and arrays",
        (
            'local d = cjson.decode(\'{"a": [1, 2.5, "x"], "b": {"c": true}}\') return {d.a[1], '
            "tostring(d.a[2]), d.a[3], tostring(d.b.c)}"
        ),
        [1, b"2.5", b"x", b"true"],
    ),
    (
        "cjson.decode reads null as cjson.null",
        ("local d = cjson.decode('[1, null]') return {#d, tostring(d[2] == cjson.null), tostring(d[2] == nil)}"),
        [2, b"true", b"false"],
    ),
    (
        "cjson.decode reads escapes",
        "return cjson.decode('\"a\\\\n\\\\u00e9\\\\ud83d\\\\ude00\\\\/\"')",
        b"a\n\xc3\xa9\xf0\x9f\x98\x80/",
    ),
    (
        "cjson.decode wants a value",
        "return cjson.decode('')",
        ("-ERR user_script:1: Expected value but found T_END at character 1 script: SHA, on @user_script:1."),
    ),
    (
        "cjson.decode names what it found",
        "return cjson.decode('[1, 2')",
        (
            "-ERR user_script:1: Expected comma or array end but found T_END at character 6 script: "
            "SHA, on @user_script:1."
        ),
    ),
    (
        "cjson.decode wants object keys in quotes",
        "return cjson.decode('{a: 1}')",
        (
            "-ERR user_script:1: Expected object key string but found invalid token at character 2 "
            "script: SHA, on @user_script:1."
        ),
    ),
    (
        "cjson.decode refuses what follows the value",
        "return cjson.decode('[1] x')",
        ("-ERR user_script:1: Expected the end but found invalid token at character 5 script: SHA, on @user_script:1."),
    ),
    (
        "cjson.decode refuses bad escapes",
        "return cjson.decode('\"\\\\x\"')",
        (
            "-ERR user_script:1: Expected value but found invalid escape code at character 2 script: "
            "SHA, on @user_script:1."
        ),
    ),
    (
        "cjson.decode wants a string",
        "return cjson.decode(nil)",
        ("-ERR user_script:1: bad argument #1 to 'decode' (string expected, got nil) script: SHA, on @user_script:1."),
    ),
]


@pytest.mark.parametrize(("script", "reply"), [pytest.param(*rule[1:], id=rule[0]) for rule in RULES])
def test_each_json_text_is_the_one_of_redis_server(answer: Callable, script: str, reply: object) -> None:
    assert answer(script) == reply
