"""`find`, `match`, `gmatch` and `gsub` with Lua's patterns."""

RULES = [
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
        "return {('<<a>>'):match('<(.+)>'), ('<<a>>'):match('<(.-)>'), ('aaa'):match('a?'), ('b'):match('a*b')}",
        [b"<a>", b"<a", b"a", b"b"],
    ),
    (
        "sets, ranges and complements",
        "return {('x_1-'):match('[%w_]+'), ('abc'):match('[^a]+'), ('b-'):match('[a-c]'), ('a]'):match('[]]')}",
        [b"x_1", b"bc", b"b", b"]"],
    ),
    (
        "classes of characters",
        (
            "return {('a1 .'):match('%a'), ('a1 .'):match('%d'), ('a1 .'):match('%s'), ('a1 .'):match('%p'), "
            "('aB'):match('%u'), ('xF'):match('%x')}"
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
        "return {('hello world'):gsub('(%w+)', '<%1>'), ('abc'):gsub('%w', '%0%0'), ('a'):gsub('a', '%%')}",
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
            "-ERR user_script:1: bad argument #2 to 'gsub' (string/function/table expected) script: SHA, on "
            "@user_script:1."
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
        "a match of the empty text before, inside and behind",
        "return {('abc'):find(''), ('abc'):find('', 4), ('abc'):find('', 10)}",
        [1, 4, 4, 3],
    ),
    ("a start before the text is its beginning", "return {('abc'):find('c', -1), ('abc'):find('a', -100)}", [3, 1, 1]),
    ("captures nest and are numbered by their opening", "return {('abc'):match('((a)(b))')}", [b"ab", b"a", b"b"]),
    ("trimming", "return {('  trim me  '):match('^%s*(.-)%s*$')}", [b"trim me"]),
    ("a pattern with three captures", "return {('2024-01-02'):match('(%d+)-(%d+)-(%d+)')}", [b"2024", b"01", b"02"]),
    ("a star may match nothing", "return {('abc'):gsub('b*', 'x')}", [b"xaxxcx", 4]),
    (
        "a table that has true for a match cannot replace it",
        "return ('abc'):gsub('.', {b = true})",
        "-ERR user_script:1: invalid replacement value (a boolean) script: SHA, on @user_script:1.",
    ),
    ("false in a table keeps the match", "return {('abc'):gsub('.', {a = false, b = 'B'})}", [b"aBc", 3]),
    (
        "gsub with a count of zero or less replaces nothing",
        "return {('aa'):gsub('a', 'b', 0), ('aa'):gsub('a', 'b', -1)}",
        [b"aa", b"aa", 0],
    ),
    ("captures may change places", "return {('hello world'):gsub('(%w+) (%w+)', '%2 %1')}", [b"world hello", 1]),
    ("gsub with an anchor looks once", "return {('aaa'):gsub('^a', 'x')}", [b"xaa", 1]),
    ("a dollar sign in the middle is a dollar sign", "return {('a$c'):gsub('$c', 'x')}", [b"ax", 1]),
    (
        "an anchor means itself to gmatch",
        "local r = {} for k in ('a^a'):gmatch('^a') do r[#r + 1] = k end return r",
        [b"^a"],
    ),
    (
        "a minus at the end of a set is a minus",
        "return {('a-c'):gsub('[a-]', 'x'), ('a^c'):gsub('[c^]', 'x')}",
        [b"xxc", b"axx", 2],
    ),
    (
        "a set may hold its own bracket first, and is never empty",
        "return {('a]c'):gsub('[]]', 'x'), pcall(string.gsub, 'abc', '[]', 'x')}",
        [b"axc", None, b"malformed pattern (missing ']')"],
    ),
    (
        "zero bytes in text and in a class",
        "return {('a\\0b'):find('%z'), ('a\\0b'):gsub('%Z', 'x')}",
        [2, b"x\x00x", 2],
    ),
    (
        "a pattern without signs is sought byte by byte, zero bytes too",
        "return {tostring(('a\\0b'):find('a\\0c')), ('a\\0b'):find('\\0b')}",
        [b"nil", 2, 3],
    ),
    (
        "fields between separators, the empty ones too",
        "local r = {} for w in ('a,b,,c'):gmatch('([^,]*)') do r[#r + 1] = w end return r",
        [b"a", b"", b"b", b"", b"", b"c", b""],
    ),
    (
        "a back reference to an unfinished capture",
        "return ('x'):match('(%1)')",
        "-ERR user_script:1: invalid capture index script: SHA, on @user_script:1.",
    ),
    (
        "a pattern with 33 captures",
        "return ('a'):rep(33):match(('(a)'):rep(33))",
        "-ERR user_script:1: too many captures script: SHA, on @user_script:1.",
    ),
    (
        "a balance needs its two signs",
        "return ('x'):match('%b(')",
        "-ERR user_script:1: unbalanced pattern script: SHA, on @user_script:1.",
    ),
    (
        "a frontier needs its set",
        "return ('x'):match('%fa')",
        "-ERR user_script:1: missing '[' after '%f' in pattern script: SHA, on @user_script:1.",
    ),
    ("a replacement that ends with a percent sign", "return {('x'):gsub('x', 'a%')}", [b"a\x00", 1]),
    ("a number may be the replacement", "return {('abc'):gsub('b', 5)}", [b"a5c", 1]),
    (
        "a boolean may not",
        "return ('abc'):gsub('b', true)",
        (
            "-ERR user_script:1: bad argument #2 to 'gsub' (string/function/table expected) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "gsub looks at its count before its replacement",
        "return string.gsub('x', 'x', nil, {})",
        "-ERR user_script:1: bad argument #4 to 'gsub' (number expected, got table) script: SHA, on @user_script:1.",
    ),
]
