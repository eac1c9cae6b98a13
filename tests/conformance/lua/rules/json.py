"""`cjson`. Objects have one name here: with several, redis-server's order is that of its hash."""

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
        "-ERR user_script:1: Cannot serialise table: excessively sparse array script: SHA, on @user_script:1.",
    ),
    (
        "cjson.encode refuses functions",
        "return cjson.encode({type})",
        "-ERR user_script:1: Cannot serialise function: type not supported script: SHA, on @user_script:1.",
    ),
    (
        "cjson.encode refuses what is not a number",
        "return cjson.encode(0 / 0)",
        "-ERR user_script:1: Cannot serialise number: must not be NaN or Inf script: SHA, on @user_script:1.",
    ),
    (
        "cjson.encode refuses boolean keys",
        "return cjson.encode({[true] = 1})",
        (
            "-ERR user_script:1: Cannot serialise boolean: table key must be a number or string script: SHA, "
            "on @user_script:1."
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
        "local d = cjson.decode('[1, null]') return {#d, tostring(d[2] == cjson.null), tostring(d[2] == nil)}",
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
        "-ERR user_script:1: Expected value but found T_END at character 1 script: SHA, on @user_script:1.",
    ),
    (
        "cjson.decode names what it found",
        "return cjson.decode('[1, 2')",
        (
            "-ERR user_script:1: Expected comma or array end but found T_END at character 6 script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "cjson.decode wants object keys in quotes",
        "return cjson.decode('{a: 1}')",
        (
            "-ERR user_script:1: Expected object key string but found invalid token at character 2 script: "
            "SHA, on @user_script:1."
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
            "-ERR user_script:1: Expected value but found invalid escape code at character 2 script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "cjson.decode wants a string",
        "return cjson.decode(nil)",
        "-ERR user_script:1: bad argument #1 to 'decode' (string expected, got nil) script: SHA, on @user_script:1.",
    ),
    (
        "bytes beyond ASCII are written as they are",
        "return {cjson.encode('é€😀'), cjson.encode('\\0\\31\\127')}",
        [b'"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"', b'"\\u0000\\u001f\\u007f"'],
    ),
    (
        "numbers of every size",
        "return cjson.encode({1.1, 1e15, 123456789012345678, 0.1, 1e-7, -0.5})",
        b"[1.1,1e+15,1.2345678901235e+17,0.1,1e-07,-0.5]",
    ),
    (
        "a small gap is filled with null, an index of zero makes an object",
        "return {cjson.encode({[3] = 'c'}), cjson.encode({[0] = 1}), cjson.encode({[10] = 'c'})}",
        [b'[null,null,"c"]', b'{"0":1}', b'[null,null,null,null,null,null,null,null,null,"c"]'],
    ),
    (
        "cjson.null stands inside arrays and alone",
        "return {cjson.encode({cjson.null, 1}), cjson.encode(cjson.null), cjson.encode(nil)}",
        [b"[null,1]", b"null", b"null"],
    ),
    (
        "cjson.encode wants one argument",
        "return cjson.encode(1, 2)",
        "-ERR user_script:1: bad argument #1 to 'encode' (expected 1 argument) script: SHA, on @user_script:1.",
    ),
    (
        "infinity cannot be written",
        "return cjson.encode(1 / 0)",
        "-ERR user_script:1: Cannot serialise number: must not be NaN or Inf script: SHA, on @user_script:1.",
    ),
    ("a name given twice has its last value", 'return cjson.decode(\'{"a":1,"a":2}\').a', 2),
    ("null alone is nil as a reply", "return cjson.decode('null')", None),
    (
        "a number may have a sign, leading zeros or be hexadecimal",
        "return {cjson.decode('+1'), cjson.decode('01'), cjson.decode('0x10'), tostring(cjson.decode('-.5'))}",
        [1, 1, 16, b"-0.5"],
    ),
    (
        "a sign alone is an invalid number",
        "return cjson.decode('+x')",
        "-ERR user_script:1: Expected value but found invalid number at character 1 script: SHA, on @user_script:1.",
    ),
    ("control bytes may stand in a text", "return cjson.decode('\"a\\tb\\nc\"')", b"a\tb\nc"),
    (
        "half a surrogate pair is no character",
        "return cjson.decode('\"\\\\ud800\"')",
        (
            "-ERR user_script:1: Expected value but found invalid unicode escape code at character 2 script: "
            "SHA, on @user_script:1."
        ),
    ),
    (
        "a comma may not end an array",
        "return cjson.decode('[1,]')",
        "-ERR user_script:1: Expected value but found T_ARR_END at character 4 script: SHA, on @user_script:1.",
    ),
    (
        "a name needs its colon",
        "return cjson.decode('{\"a\" 1}')",
        "-ERR user_script:1: Expected colon but found T_NUMBER at character 6 script: SHA, on @user_script:1.",
    ),
    (
        "a word cut short is no value",
        "return cjson.decode('tru')",
        "-ERR user_script:1: Expected value but found invalid token at character 1 script: SHA, on @user_script:1.",
    ),
    (
        "text without its end",
        "return cjson.decode('\"open')",
        (
            "-ERR user_script:1: Expected value but found unexpected end of string at character 6 script: SHA, "
            "on @user_script:1."
        ),
    ),
    ("an empty array comes back as an object", "return cjson.encode(cjson.decode('{\"a\":[]}'))", b'{"a":{}}'),
    (
        "names of digits stay text",
        'return {cjson.decode(\'{"1":"a"}\')[\'1\'], tostring(cjson.decode(\'{"1":"a"}\')[1])}',
        [b"a", b"nil"],
    ),
]
