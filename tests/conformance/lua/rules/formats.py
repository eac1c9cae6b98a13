"""`string.format`."""

RULES = [
    (
        "string.format of numbers",
        "return string.format('%d|%5d|%-5d|%05d|%x|%X|%o|%i', 42, 42, 42, 42, 255, 255, 8, 7.9)",
        b"42|   42|42   |00042|ff|FF|10|7",
    ),
    (
        "string.format of fractions",
        "return string.format('%f|%.2f|%8.3f|%e|%g|%g', 3.14159, 3.14159, 3.14159, 12345.678, 0.1, 1e20)",
        b"3.141590|3.14|   3.142|1.234568e+04|0.1|1e+20",
    ),
    (
        "string.format of text",
        "return string.format('%s|%5s|%-5s|%.2s|%q|%c|%%', 'ab', 'ab', 'ab', 'abc', 'a\"b', 65)",
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
            "-ERR user_script:1: bad argument #2 to 'format' (number expected, got string) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "string.format refuses nil for text",
        "return string.format('%s', nil)",
        "-ERR user_script:1: bad argument #2 to 'format' (string expected, got nil) script: SHA, on @user_script:1.",
    ),
    (
        "a text is cut to its precision and padded to its width",
        "return string.format('%5.2s|%-6s|%.0s|', 'abc', 'ab', 'x')",
        b"   ab|ab    ||",
    ),
    (
        "a zero byte ends a formatted text",
        "return {string.format('%s', 'a\\0b'), string.format('a\\0b%s', 'c')}",
        [b"a", b"a\x00bc"],
    ),
    ("a text of a hundred bytes or more is not padded", "return #string.format('%99s', ('x'):rep(100))", 100),
    (
        "signs, spaces and zeros of integers",
        "return string.format('%5d|%-5d|%+d|% d|%05d|%.3d', 42, 42, 42, 42, -42, 5)",
        b"   42|42   |+42| 42|-0042|005",
    ),
    (
        "other bases and their marks",
        "return string.format('%x %X %#x %o %#o %u', 255, 255, 255, 8, 8, 42)",
        b"ff FF 0xff 10 010 42",
    ),
    (
        "exponents, the short form and rounding",
        "return string.format('%e|%G|%.0f|%.1f|%.17g', 12345.678, 1e-10, 0.5, 0.25, 0.1)",
        b"1.234568e+04|1E-10|0|0.2|0.10000000000000001",
    ),
    (
        "integers beyond 64 bits",
        "return string.format('%d %d %x', 2 ^ 53, 2 ^ 64, 2 ^ 32)",
        b"9007199254740992 -9223372036854775808 100000000",
    ),
    ("text that spells a number is formatted as one", "return string.format('%d %5.1f', '10', '2.25')", b"10   2.2"),
    ("quoting for Lua", "return string.format('%q', 'a\\nb\\0c\"d\\\\e\\r')", b'"a\\\nb\\000c\\"d\\\\e\\r"'),
    (
        "a width of three digits is too long",
        "return string.format('%123d', 1)",
        "-ERR user_script:1: invalid format (width or precision too long) script: SHA, on @user_script:1.",
    ),
    (
        "a directive without a value is told of before what is wrong with it",
        "return string.format('%123d')",
        "-ERR user_script:1: bad argument #2 to 'format' (no value) script: SHA, on @user_script:1.",
    ),
    (
        "an option that is a zero byte is not shown",
        "return string.format('%\\0', 1)",
        "-ERR user_script:1: invalid option '%' to 'format' script: SHA, on @user_script:1.",
    ),
    (
        "a flag too many",
        "return string.format('%------d', 1)",
        "-ERR user_script:1: invalid format (repeated flags) script: SHA, on @user_script:1.",
    ),
    (
        "a percent sign alone",
        "return string.format('%')",
        "-ERR user_script:1: bad argument #2 to 'format' (no value) script: SHA, on @user_script:1.",
    ),
    (
        "what is no text and no number cannot be formatted as text",
        "return string.format('%s', {})",
        (
            "-ERR user_script:1: bad argument #2 to 'format' (string expected, got table) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "hexadecimal fractions are not there",
        "return string.format('%a', 1)",
        "-ERR user_script:1: invalid option '%a' to 'format' script: SHA, on @user_script:1.",
    ),
]
