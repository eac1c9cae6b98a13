"""The math library."""

RULES = [
    (
        "math rounds and compares",
        "return {math.floor(-1.5), math.ceil(-1.5), math.max(1, 5, 3), math.min(4, 2), math.abs(-3)}",
        [-2, -1, 5, 2, 3],
    ),
    (
        "math computes",
        "return {math.pow(2, 10), math.sqrt(16), math.fmod(-7, 3), math.log10(1000), math.exp(0), math.ldexp(3, 2)}",
        [1024, 4, -1, 3, 1, 12],
    ),
    (
        "math splits numbers",
        "return {math.modf(-3.7), tostring(select(2, math.modf(3.5))), tostring(math.frexp(8))}",
        [-3, b"0.5", b"0.5"],
    ),
    (
        "math has its constants",
        "return {tostring(math.pi), tostring(math.huge), tostring(-math.huge)}",
        [b"3.1415926535898", b"inf", b"-inf"],
    ),
    (
        "math outside its domain is not a number",
        "return {tostring(math.sqrt(-1)), tostring(math.log(0)), tostring(math.exp(1000))}",
        [b"-nan", b"-inf", b"inf"],
    ),
    (
        "math.floor refuses text",
        "return math.floor('x')",
        (
            "-ERR user_script:1: bad argument #1 to 'floor' (number expected, got string) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "math.random refuses an empty interval",
        "return math.random(0)",
        "-ERR user_script:1: bad argument #1 to 'random' (interval is empty) script: SHA, on @user_script:1.",
    ),
    (
        "math.random after a seed gives the same numbers again",
        (
            "math.randomseed(7) local a = math.random(1000) math.randomseed(7) return {tostring(a == "
            "math.random(1000)), a}"
        ),
        [b"true", 267],
    ),
    (
        "the remainder of C has the sign of its left side",
        "return {math.fmod(-5, 3), math.fmod(5, -3), tostring(math.fmod(5, math.huge)), math.mod(5, 3)}",
        [-2, 2, b"5", 2],
    ),
    ("text that spells numbers may be compared by max and min", "return {math.max(1, '5'), math.min('3', 2)}", [5, 2]),
    (
        "math.max wants a number",
        "return math.max()",
        (
            "-ERR user_script:1: bad argument #1 to 'max' (number expected, got no value) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "parts of infinity",
        "return {tostring(math.modf(-1 / 0)), tostring(select(2, math.modf(-1 / 0)))}",
        [b"-inf", b"-0"],
    ),
    (
        "angles",
        "return {tostring(math.deg(math.pi)), tostring(math.rad(180)), tostring(math.atan2(1, 2))}",
        [b"180", b"3.1415926535898", b"0.46364760900081"],
    ),
    ("a logarithm has one base", "return tostring(math.log(8, 2))", b"2.0794415416798"),
    (
        "a seed decides all numbers after it",
        (
            "math.randomseed(42) return {math.random(1, 100), math.random(1, 100), math.random(5), "
            "tostring(math.random())}"
        ),
        [75, 35, 1, b"0.42233895809499"],
    ),
    (
        "only the lower 32 bits of a seed count",
        (
            "math.randomseed(2 ^ 40 + 3) local a = math.random(1000000) math.randomseed(3) return {a, "
            "math.random(1000000)}"
        ),
        [783235, 783235],
    ),
    (
        "a negative seed and a broken one",
        "math.randomseed(-1) local a = math.random(1000000) math.randomseed(1.9) return {a, math.random(1000000)}",
        [300026, 41631],
    ),
    (
        "an interval of random numbers may be negative or a point",
        "math.randomseed(1) return {math.random(-10, 10), math.random(7, 7)}",
        [-10, 7],
    ),
    (
        "math.random takes at most two arguments",
        "return math.random(1, 2, 3)",
        "-ERR user_script:1: wrong number of arguments script: SHA, on @user_script:1.",
    ),
    (
        "math.random refuses bounds in the wrong order",
        "return math.random(5, 1)",
        "-ERR user_script:1: bad argument #2 to 'random' (interval is empty) script: SHA, on @user_script:1.",
    ),
]
