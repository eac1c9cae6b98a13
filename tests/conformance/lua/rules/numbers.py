"""Numbers, comparisons, and text that counts as a number."""

RULES = [
    (
        "power binds tighter than minus and to the right",
        "return {2 ^ 3 ^ 2, -2 ^ 2, 2 * 3 % 4, 1 + 2 * 3}",
        [512, -4, 2, 7],
    ),
    (
        "strings are numbers for arithmetic",
        "return {'10' + 5, '0x10' * 2, ' 7 ' - 1, -'3', 10 .. ''}",
        [15, 32, 6, -3, b"10"],
    ),
    (
        "strings are never numbers for equality",
        "return {tostring(1 == '1'), tostring('1' == '1'), tostring(0 == false), tostring(nil == false)}",
        [b"false", b"true", b"false", b"false"],
    ),
    (
        "text is ordered byte by byte, so 10 comes before 9",
        "return {tostring('10' < '9'), tostring('Z' < 'a'), tostring('a' < 'ab'), tostring('a' < 'a\\0')}",
        [b"true", b"true", b"true", b"true"],
    ),
    (
        "tables are equal only to themselves",
        "local t = {} return {tostring(t == t), tostring({} == {})}",
        [b"true", b"false"],
    ),
    ("modulo has the sign of its right side", "return {7 % 3, -7 % 3, 7 % -3, tostring(5.5 % 2)}", [1, 2, -2, b"1.5"]),
    (
        "division by zero gives infinities and not a number",
        "return {tostring(1 / 0), tostring(-1 / 0), tostring(0 / 0), tostring(0 / 0 == 0 / 0)}",
        [b"inf", b"-inf", b"-nan", b"false"],
    ),
    (
        "numbers print with 14 digits",
        (
            "return {tostring(1 / 3), tostring(1e15), tostring(123456789012345), tostring(0.1 + 0.2), "
            "tostring(2 ^ 53), tostring(1e100)}"
        ),
        [b"0.33333333333333", b"1e+15", b"1.2345678901234e+14", b"0.3", b"9.007199254741e+15", b"1e+100"],
    ),
    (
        "whole numbers print without a point",
        "return {tostring(5), tostring(10 / 2), tostring(1e14 / 10), tostring(-0.0)}",
        [b"5", b"5", b"10000000000000", b"-0"],
    ),
    (
        "numerals may be hexadecimal, fractions and exponents",
        "return {0xff, .5 * 4, 3., 1e2, 2E+1}",
        [255, 2, 3, 100, 20],
    ),
    (
        "tonumber reads decimal, hexadecimal and blanks",
        "return {tonumber('10'), tonumber(' 5 '), tonumber('0x1f'), tonumber('1e2'), tostring(tonumber('.5'))}",
        [10, 5, 31, 100, b"0.5"],
    ),
    (
        "tonumber gives nil for what is no number",
        (
            "return {tostring(tonumber('abc')), tostring(tonumber('')), tostring(tonumber('1 2')), "
            "tostring(tonumber('1e')), tostring(tonumber(nil))}"
        ),
        [b"nil", b"nil", b"nil", b"nil", b"nil"],
    ),
    (
        "tonumber reads other bases",
        (
            "return {tonumber('ff', 16), tonumber('zz', 36), tonumber('101', 2), tostring(tonumber('9', 8)), "
            "tonumber('0x1F', 16)}"
        ),
        [255, 1295, 5, b"nil", 31],
    ),
    (
        "tonumber refuses a base beyond 36",
        "return tonumber('1', 37)",
        "-ERR user_script:1: bad argument #2 to 'tonumber' (base out of range) script: SHA, on @user_script:1.",
    ),
    (
        "tonumber wants a value",
        "return tonumber()",
        "-ERR user_script:1: bad argument #1 to 'tonumber' (value expected) script: SHA, on @user_script:1.",
    ),
    (
        "number and string have no order",
        "return 1 < '2'",
        "-ERR user_script:1: attempt to compare number with string script: SHA, on @user_script:1.",
    ),
    (
        "a reply of GET has no order with a number",
        "redis.call('SET', KEYS[1], '5') return redis.call('GET', KEYS[1]) > 3",
        "-ERR user_script:1: attempt to compare number with string script: SHA, on @user_script:1.",
        {"k1": b"5"},
    ),
    (
        "nil and number have no order",
        "return nil <= 1",
        "-ERR user_script:1: attempt to compare nil with number script: SHA, on @user_script:1.",
    ),
    (
        "two tables have no order",
        "return {} < {}",
        "-ERR user_script:1: attempt to compare two table values script: SHA, on @user_script:1.",
    ),
    (
        "two booleans have no order",
        "return true > false",
        "-ERR user_script:1: attempt to compare two boolean values script: SHA, on @user_script:1.",
    ),
    (
        "a number beyond 64 bits keeps its size, a hexadecimal numeral stops there",
        "return {tostring(2 ^ 63), tostring(0xffffffffffffffff), tostring(0x10000000000000000)}",
        [b"9.2233720368548e+18", b"1.844674407371e+19", b"1.844674407371e+19"],
    ),
    (
        "fourteen digits decide between the long and the short form",
        "return 1e15 .. '|' .. 1e14 .. '|' .. 123456789012345678 .. '|' .. -1e-5",
        b"1e+15|1e+14|1.2345678901235e+17|-1e-05",
    ),
    (
        "minus zero keeps its sign, and so do its roundings",
        (
            "local z = 0 local n = -z return {tostring(n), tostring(z * -1), tostring(math.floor(n)), "
            "tostring(math.ceil(-0.5)), 1 / n == -math.huge}"
        ),
        [b"-0", b"-0", b"-0", b"-0", 1],
    ),
    (
        "modulo by infinity and by zero",
        "return {tostring(5 % math.huge), tostring(-5 % math.huge), tostring(5 % 0), tostring(math.huge % 2)}",
        [b"-nan", b"-nan", b"-nan", b"-nan"],
    ),
    (
        "powers of zero, with negative and with broken exponents",
        "return {0 ^ 0, tostring(2 ^ -1), tostring(2 ^ 0.5), tostring((-8) ^ (1 / 3))}",
        [1, b"0.5", b"1.4142135623731", b"-nan"],
    ),
    (
        "text with an exponent, in hexadecimal or with blanks around it counts in arithmetic",
        "return {'0x1p4' + 0, '1e2' + 0, '  12  ' + 0, '1' + '2'}",
        [16, 100, 12, 3],
    ),
    (
        "text that names infinity counts in arithmetic",
        "return {tostring('inf' + 0), tostring('1e400' + 0), 1e308 * 10 == math.huge}",
        [b"inf", b"inf", 1],
    ),
    (
        "comparisons bind tighter than equality of their results",
        "return {tostring(1 < 2 == true), tostring(not 1 == 2)}",
        [b"true", b"false"],
    ),
    ("zero bytes take part in the order of text", "return {'a\\0b' < 'a\\0c', 'a' < 'a\\0', '' < 'a'}", [1, 1, 1]),
    (
        "a chain of comparisons compares a boolean",
        "return 1 < 2 < 3",
        "-ERR user_script:1: attempt to compare boolean with number script: SHA, on @user_script:1.",
    ),
    (
        "integers beyond 2^53 round to even",
        "return {tostring(2 ^ 53 + 1 == 2 ^ 53), 9007199254740993}",
        [b"true", 9007199254740992],
    ),
    (
        "tonumber refuses signs and letters after an exponent",
        (
            "return {tostring(tonumber('1e+')), tonumber('1e+2'), tostring(tonumber('1_000')), "
            "tostring(tonumber('0b1'))}"
        ),
        [b"nil", 100, b"nil", b"nil"],
    ),
    (
        "tonumber in another base wraps negative numbers like C",
        "return {tostring(tonumber('-ff', 16)), tostring(tonumber('8', 8)), tostring(tonumber(10, 16))}",
        [b"1.844674407371e+19", b"nil", b"16"],
    ),
    (
        "tonumber in base ten takes fractions, in others not",
        "return {tostring(tonumber('1.5', 10)), tostring(tonumber('1.5', 9))}",
        [b"1.5", b"nil"],
    ),
]
