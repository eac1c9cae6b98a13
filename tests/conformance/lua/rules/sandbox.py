"""Globals and libraries: what a script finds, and what it may not change."""

RULES = [
    (
        "reading an undeclared global is refused",
        "return x",
        (
            "-ERR user_script:1: Script attempted to access nonexistent global variable 'x' script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "writing an undeclared global is refused",
        "x = 1",
        "-ERR user_script:1: Attempt to modify a readonly table script: SHA, on @user_script:1.",
    ),
    (
        "defining a global function is refused",
        "function f() end",
        "-ERR user_script:1: Attempt to modify a readonly table script: SHA, on @user_script:1.",
    ),
    (
        "KEYS itself cannot be replaced",
        "KEYS = {}",
        "-ERR user_script:1: Attempt to modify a readonly table script: SHA, on @user_script:1.",
    ),
    (
        "a library cannot be changed",
        "string.foo = 1",
        "-ERR user_script:1: Attempt to modify a readonly table script: SHA, on @user_script:1.",
    ),
    (
        "_G cannot be changed",
        "_G.x = 1",
        "-ERR user_script:1: Attempt to modify a readonly table script: SHA, on @user_script:1.",
    ),
    (
        "rawset cannot change _G either",
        "rawset(_G, 'x', 1)",
        "-ERR Attempt to modify a readonly table script: SHA, on @user_script:1.",
    ),
    (
        "_G refuses to read an absent name",
        "return _G.nothing",
        (
            "-ERR user_script:1: Script attempted to access nonexistent global variable 'nothing' script: SHA, "
            "on @user_script:1."
        ),
    ),
    ("rawget reads an absent name of _G as nil", "return tostring(rawget(_G, 'nothing'))", b"nil"),
    ("a library answers nil for an absent name", "return tostring(redis.nothing)", b"nil"),
    (
        "KEYS and ARGV are tables that a script may change",
        "KEYS[3] = 'k3' ARGV[1] = nil return {#KEYS, KEYS[3], tostring(ARGV[1])}",
        [3, b"k3", b"nil"],
    ),
    (
        "globals are also found in _G",
        "return {_G.KEYS[1], tostring(_G.string == string), tostring(_G == _G._G), _VERSION}",
        [b"k1", b"true", b"true", b"Lua 5.1"],
    ),
    (
        "tostring prints all kinds",
        "return {tostring(nil), tostring(true), tostring(1.5), tostring('x'), tostring(cjson.null)}",
        [b"nil", b"true", b"1.5", b"x", b"userdata: (nil)"],
    ),
    (
        "type names all kinds",
        "return {type(nil), type(true), type(1), type('x'), type({}), type(type), type(cjson.null)}",
        [b"nil", b"boolean", b"number", b"string", b"table", b"function", b"userdata"],
    ),
    (
        "rawset, rawget and rawequal are there, rawlen of Lua 5.2 is not",
        "return rawlen({1})",
        (
            "-ERR user_script:1: Script attempted to access nonexistent global variable 'rawlen' script: SHA, "
            "on @user_script:1."
        ),
    ),
    (
        "os and io are not there",
        "return {tostring(rawget(_G, 'io')), tostring(rawget(_G, 'print')), tostring(rawget(_G, 'dofile'))}",
        [b"nil", b"nil", b"nil"],
    ),
    (
        "a library cannot be replaced",
        "redis = {}",
        "-ERR user_script:1: Attempt to modify a readonly table script: SHA, on @user_script:1.",
    ),
    (
        "a function of a library cannot be replaced",
        "redis.call = function() end",
        "-ERR user_script:1: Attempt to modify a readonly table script: SHA, on @user_script:1.",
    ),
    (
        "a loop variable is local",
        "for i = 1, 2 do end return i",
        (
            "-ERR user_script:1: Script attempted to access nonexistent global variable 'i' script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "a nested function cannot define a global",
        "local function f() leaked = 1 end f()",
        "-ERR user_script:1: Attempt to modify a readonly table script: SHA, on @user_script:1.",
    ),
    (
        "pcall catches an undeclared global",
        "return {pcall(function() return undeclared end)}",
        [None, b"user_script:1: Script attempted to access nonexistent global variable 'undeclared'"],
    ),
    (
        "a global may be asked for by a number",
        "return _G[1]",
        (
            "-ERR user_script:1: Script attempted to access nonexistent global variable '1' script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "a global may be asked for by a text or a number only",
        "return _G[true]",
        (
            "-ERR user_script:1: Second argument to luaProtectedTableError must be a string or number script: "
            "SHA, on @user_script:1."
        ),
    ),
]
