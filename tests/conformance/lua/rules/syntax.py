"""Comments, separators, and what does not compile."""

RULES = [
    (
        "comments end with the line or the long bracket",
        "local a = 1 -- one\n--[[ two\nthree ]] local b = 2 --[==[ ]] ]==] return a + b",
        3,
    ),
    ("semicolons may end statements", "local a = 1; local b = 2; return a + b;", 3),
    (
        "an unfinished expression",
        "return 1 +",
        "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '<eof>'",
    ),
    (
        "a missing end",
        "if true then",
        "-ERR Error compiling script (new function): user_script:1: 'end' expected near '<eof>'",
    ),
    (
        "a missing end far from its opening",
        "if true then\n\nreturn 1",
        (
            "-ERR Error compiling script (new function): user_script:3: 'end' expected (to close 'if' at line "
            "1) near '<eof>'"
        ),
    ),
    (
        "a missing then",
        "if true return 1 end",
        "-ERR Error compiling script (new function): user_script:1: 'then' expected near 'return'",
    ),
    (
        "return must be the last statement",
        "return 1 local x",
        "-ERR Error compiling script (new function): user_script:1: '<eof>' expected near 'local'",
    ),
    (
        "break needs a loop",
        "break",
        "-ERR Error compiling script (new function): user_script:1: no loop to break near '<eof>'",
    ),
    (
        "break must be the last statement",
        "while true do break local x end",
        "-ERR Error compiling script (new function): user_script:1: 'end' expected near 'local'",
    ),
    (
        "a value alone is no statement",
        "5",
        "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '5'",
    ),
    (
        "a name alone is no statement",
        "x",
        "-ERR Error compiling script (new function): user_script:1: '=' expected near '<eof>'",
    ),
    (
        "only variables can be assigned",
        "f() = 1",
        "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '='",
    ),
    (
        "a parenthesis cannot be assigned",
        "(x) = 1",
        "-ERR Error compiling script (new function): user_script:1: syntax error near '='",
    ),
    (
        "local wants a name",
        "local 5",
        "-ERR Error compiling script (new function): user_script:1: '<name>' expected near '5'",
    ),
    (
        "for wants a name",
        "for 1 = 1, 2 do end",
        "-ERR Error compiling script (new function): user_script:1: '<name>' expected near '1'",
    ),
    (
        "for wants = or in",
        "for x do end",
        "-ERR Error compiling script (new function): user_script:1: '=' or 'in' expected near 'do'",
    ),
    (
        "a table must be closed",
        "return {1, 2",
        "-ERR Error compiling script (new function): user_script:1: '}' expected near '<eof>'",
    ),
    (
        "table entries need separators",
        "return {1 2}",
        "-ERR Error compiling script (new function): user_script:1: '}' expected near '2'",
    ),
    (
        "arguments must be closed",
        "f(1",
        "-ERR Error compiling script (new function): user_script:1: ')' expected near '<eof>'",
    ),
    (
        "a call may not start on a new line",
        "local f = redis.log\nf\n(1)",
        (
            "-ERR Error compiling script (new function): user_script:3: ambiguous syntax (function call x new "
            "statement) near '('"
        ),
    ),
    (
        "varargs belong to functions that declare them",
        "local function f() return ... end",
        (
            "-ERR Error compiling script (new function): user_script:1: cannot use '...' outside a vararg "
            "function near '...'"
        ),
    ),
    (
        "parameters are names",
        "local function f(1) end",
        "-ERR Error compiling script (new function): user_script:1: <name> or '...' expected near '1'",
    ),
    (
        "an unfinished string",
        "return 'abc",
        "-ERR Error compiling script (new function): user_script:1: unfinished string near '<eof>'",
    ),
    (
        "an unfinished string at a line end",
        "return 'abc\n'",
        "-ERR Error compiling script (new function): user_script:1: unfinished string near ''abc'",
    ),
    (
        "an unfinished long string",
        "return [[abc",
        "-ERR Error compiling script (new function): user_script:1: unfinished long string near '<eof>'",
    ),
    (
        "an unfinished long comment",
        "--[[ abc",
        "-ERR Error compiling script (new function): user_script:1: unfinished long comment near '<eof>'",
    ),
    (
        "a numeral with a wrong suffix",
        "return 3x",
        "-ERR Error compiling script (new function): user_script:1: malformed number near '3x'",
    ),
    (
        "a numeral with two points",
        "return 1..2",
        "-ERR Error compiling script (new function): user_script:1: malformed number near '1..2'",
    ),
    (
        "an escape beyond 255",
        "return '\\300'",
        "-ERR Error compiling script (new function): user_script:1: escape sequence too large near '''",
    ),
    (
        "an unknown character",
        "return @",
        "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '@'",
    ),
    (
        "no integer division",
        "return 7 // 2",
        "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '/'",
    ),
    (
        "no != operator",
        "return 1 != 2",
        "-ERR Error compiling script (new function): user_script:1: '<eof>' expected near '!'",
    ),
    ("no goto", "goto done", "-ERR Error compiling script (new function): user_script:1: '=' expected near 'done'"),
    (
        "no attributes",
        "local x <const> = 1",
        "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '<'",
    ),
    (
        "an expression is no statement",
        "x + 1",
        "-ERR Error compiling script (new function): user_script:1: '=' expected near '+'",
    ),
    (
        "a call is a statement, its value is not",
        "local t = {} t.x",
        "-ERR Error compiling script (new function): user_script:1: '=' expected near '<eof>'",
    ),
    (
        "a return ends its block",
        "return 1 return 2",
        "-ERR Error compiling script (new function): user_script:1: '<eof>' expected near 'return'",
    ),
    (
        "no bit operators",
        "return 5 & 3",
        "-ERR Error compiling script (new function): user_script:1: '<eof>' expected near '&'",
    ),
    (
        "a local function needs a name",
        "local function () end",
        "-ERR Error compiling script (new function): user_script:1: '<name>' expected near '('",
    ),
    (
        "a method cannot be taken without a call",
        "local s = 'x' return s:len",
        "-ERR Error compiling script (new function): user_script:1: function arguments expected near '<eof>'",
    ),
    (
        "a for needs its do",
        "for i = 1, 2 return i end",
        "-ERR Error compiling script (new function): user_script:1: 'do' expected near 'return'",
    ),
    (
        "a lone semicolon is no statement",
        ";",
        "-ERR Error compiling script (new function): user_script:1: unexpected symbol near ';'",
    ),
    (
        "only a variable or an index can be assigned to",
        "local x (x), x = 1, 2",
        "-ERR Error compiling script (new function): user_script:1: syntax error near ','",
    ),
    (
        "an error shows a string with its escapes resolved, up to a zero byte",
        "return 1 'a\\065\\nb\\0c'",
        "-ERR Error compiling script (new function): user_script:1: '<eof>' expected near ''aA b'",
    ),
    (
        "an error shows a long string without its first line end",
        "return 1 [==[\nx]==]",
        "-ERR Error compiling script (new function): user_script:2: '<eof>' expected near '[==[x]==]'",
    ),
    (
        "an unknown sign is shown as it is",
        "return ?",
        "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '?'",
    ),
    (
        "a control byte is shown by its number",
        "return \x01",
        "-ERR Error compiling script (new function): user_script:1: unexpected symbol near 'char(1)'",
    ),
    (
        "a call whose parenthesis stands on the next line is ambiguous",
        "local f = tostring\nf\n(1)",
        "-ERR Error compiling script (new function): user_script:3: "
        "ambiguous syntax (function call x new statement) near '('",
    ),
    (
        "behind a name that begins an entry of a table it is not",
        "return {tostring\n(1)}",
        [b"1"],
    ),
    (
        "a name that begins an entry of a table counts as standing where the next word does",
        "return {missing\n(1)}",
        "-ERR user_script:2: Script attempted to access nonexistent global variable 'missing' script: SHA, "
        "on @user_script:2.",
    ),
    (
        "a local function begins where its parameters do",
        "local\nfunction f()",
        "-ERR Error compiling script (new function): user_script:2: 'end' expected near '<eof>'",
    ),
    ("a zero byte behind a number belongs to it", "return 1\x00 + 2", 3),
    (
        "a zero byte elsewhere is no token that could be shown",
        "return \x00",
        "-ERR Error compiling script (new function): user_script:1: unexpected symbol",
    ),
    ("bytes that are no text may stand in strings", 'return "\\255\\128" .. #"\\255"', b"\xff\x801"),
]
