"""Tables, `#`, constructors, and the table library."""

RULES = [
    (
        "a table has an array part, names and any other keys",
        (
            "local t = {10, 20, x = 1, ['y z'] = 2, [30] = 3, [1.5] = 4, [true] = 5} return {t[1], t[2], t.x, "
            "t['y z'], t[30], t[1.5], t[true]}"
        ),
        [10, 20, 1, 2, 3, 4, 5],
    ),
    (
        "positions in a constructor win over written keys",
        "local t = {[1] = 'key', 'position'} return t[1]",
        b"position",
    ),
    (
        "the keys 1 and '1' and true are three keys",
        "local t = {} t[1] = 'a' t['1'] = 'b' t[true] = 'c' return {t[1], t['1'], t[true]}",
        [b"a", b"b", b"c"],
    ),
    ("a float key that is whole is the whole key", "local t = {} t[2 / 2] = 'x' return t[1]", b"x"),
    (
        "tables and functions can be keys",
        "local k, f, t = {}, function() end, {} t[k] = 1 t[f] = 2 return {t[k], t[f], tostring(t[{}])}",
        [1, 2, b"nil"],
    ),
    (
        "length grows when the next index is set and shrinks when the last is cleared",
        "local t = {1, 2} t[3] = 3 local a = #t t[3] = nil return {a, #t}",
        [3, 2],
    ),
    (
        "filling a gap joins what lies behind it",
        "local t = {} t[3] = 'c' t[2] = 'b' t[1] = 'a' return {#t, t[1], t[2], t[3]}",
        [3, b"a", b"b", b"c"],
    ),
    (
        "next refuses an unknown key",
        "return next({}, 'x')",
        "-ERR invalid key to 'next' script: SHA, on @user_script:1.",
    ),
    (
        "table.concat joins strings and numbers",
        "return {table.concat({1, 'a', 2.5}, ', '), table.concat({}), table.concat({1, 2, 3}, '-', 2, 3)}",
        [b"1, a, 2.5", b"", b"2-3"],
    ),
    (
        "table.concat refuses other values",
        "return table.concat({1, {}, 3})",
        "-ERR user_script:1: invalid value (table) at index 2 in table for 'concat' script: SHA, on @user_script:1.",
    ),
    (
        "table.insert appends and shifts",
        "local t = {1, 2} table.insert(t, 3) table.insert(t, 1, 0) return t",
        [0, 1, 2, 3],
    ),
    (
        "table.insert wants two or three arguments",
        "table.insert({})",
        "-ERR user_script:1: wrong number of arguments to 'insert' script: SHA, on @user_script:1.",
    ),
    (
        "table.remove takes from the end or from a position",
        "local t = {1, 2, 3, 4} return {table.remove(t), table.remove(t, 1), #t}",
        [4, 1, 2],
    ),
    ("table.remove of an empty table gives nothing", "return select('#', table.remove({}))", 0),
    (
        "table.sort orders numbers and strings",
        "local t, u = {5, 2, 8, 1}, {'b', 'a', 'C'} table.sort(t) table.sort(u) return {t, u}",
        [[1, 2, 5, 8], [b"C", b"a", b"b"]],
    ),
    (
        "table.sort takes a comparison",
        "local t = {5, 2, 8, 1} table.sort(t, function(a, b) return a > b end) return t",
        [8, 5, 2, 1],
    ),
    (
        "table.sort cannot order numbers with strings",
        "table.sort({5, 'x'})",
        "-ERR attempt to compare string with number script: SHA, on @user_script:1.",
    ),
    (
        "table.sort notices a comparison that is no order",
        "local t = {3, 1, 2, 5, 4, 7, 6} table.sort(t, function(a, b) return true end)",
        "-ERR user_script:1: invalid order function for sorting script: SHA, on @user_script:1.",
    ),
    (
        "table.getn and table.maxn",
        "return {table.getn({1, 2}), table.maxn({1, 2, [10] = 5}), table.maxn({})}",
        [2, 10, 0],
    ),
    (
        "table.setn is gone",
        "table.setn({}, 1)",
        "-ERR user_script:1: 'setn' is obsolete script: SHA, on @user_script:1.",
    ),
    (
        "table.foreach visits until something is returned",
        "return table.foreach({a = 'x'}, function(k, v) return k .. v end)",
        b"ax",
    ),
    (
        "an index of zero or less is a key like any other",
        "local t = {[0] = 'zero', [-1] = 'neg', 'one'} return {#t, t[0], t[-1], t[1]}",
        [1, b"zero", b"neg", b"one"],
    ),
    ("a cleared end shortens the table", "local t = {1, 2, 3, 4, 5} t[#t] = nil t[#t] = nil return #t", 3),
    ("a nil inside a constructor leaves the last index in place", "local t = {nil, nil, 3} return #t", 3),
    (
        "a number and the text that spells it are two keys",
        "local t = {[10] = 'n', ['10'] = 's'} return {t[10], t['10']}",
        [b"n", b"s"],
    ),
    (
        "table.concat refuses a nil inside its range",
        "return table.concat({1, nil, 3}, ',', 1, 3)",
        "-ERR user_script:1: invalid value (nil) at index 2 in table for 'concat' script: SHA, on @user_script:1.",
    ),
    (
        "table.concat refuses booleans",
        "return table.concat({'a', true})",
        (
            "-ERR user_script:1: invalid value (boolean) at index 2 in table for 'concat' script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "table.insert beyond the end leaves a gap",
        "local t = {1, 2} table.insert(t, 5, 'x') return {#t, t[5]}",
        [2, b"x"],
    ),
    ("table.insert of nil adds nothing", "local t = {} table.insert(t, nil) return #t", 0),
    (
        "table.remove outside the table gives nothing",
        "local t = {1, 2, 3} return {select('#', table.remove(t, 5)), select('#', table.remove(t, 0)), #t}",
        [0, 0, 3],
    ),
    (
        "table.sort of tables needs a comparison",
        "table.sort({{2}, {1}})",
        "-ERR attempt to compare two table values script: SHA, on @user_script:1.",
    ),
    (
        "table.sort takes a comparison of tables",
        "local t = {{2}, {1}} table.sort(t, function(a, b) return a[1] < b[1] end) return {t[1][1], t[2][1]}",
        [1, 2],
    ),
    (
        "table.sort refuses what is no function",
        "table.sort({3, 1, 2}, 5)",
        (
            "-ERR user_script:1: bad argument #2 to 'sort' (function expected, got number) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "table.foreachi walks the array part",
        "return table.foreachi({1, 2, 3, x = 4}, function(i, v) if i == 2 then return v * 10 end end)",
        20,
    ),
    (
        "Lua 5.2's pack and unpack are not there",
        "return {tostring(table.pack), tostring(table.unpack)}",
        [b"nil", b"nil"],
    ),
]
