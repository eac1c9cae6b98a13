"""`redis.call`, `redis.pcall` and the rest of the redis library, and what a script leaves in the keyspace."""

RULES = [
    ("redis.sha1hex hashes text", "return redis.sha1hex('x')", b"11f6ad8ec52a2984abaafd7c3b516503785c2072"),
    (
        "redis.sha1hex wants one argument",
        "return redis.sha1hex()",
        "-ERR wrong number of arguments script: SHA, on @user_script:1.",
    ),
    (
        "redis.log checks its level",
        "return redis.log(10, 'x')",
        "-ERR Invalid debug level. script: SHA, on @user_script:1.",
    ),
    (
        "redis.log wants a level and a text",
        "return redis.log('x')",
        "-ERR redis.log() requires two arguments or more. script: SHA, on @user_script:1.",
    ),
    (
        "redis has its constants",
        "return {redis.LOG_DEBUG, redis.LOG_WARNING, redis.REPL_ALL, redis.REDIS_VERSION, redis.REDIS_VERSION_NUM}",
        [0, 3, 3, b"7.0.15", 458767],
    ),
    ("redis.replicate_commands says yes", "return redis.replicate_commands()", 1),
    ("redis.set_repl takes REPL_ALL", "return redis.set_repl(redis.REPL_ALL)", None),
    ("redis.setresp takes version 2", "return redis.setresp(2)", None),
    ("redis.breakpoint and debug do nothing", "redis.debug('x') return tostring(redis.breakpoint())", b"false"),
    (
        "redis.call throws the command's error",
        "redis.call('SET', KEYS[1], 'x')\nreturn redis.call('INCR', KEYS[1])",
        "-ERR value is not an integer or out of range script: SHA, on @user_script:2.",
        {"k1": b"x"},
    ),
    (
        "redis.call's error can be caught as text",
        "redis.call('SET', KEYS[1], 'x') local ok, e = pcall(redis.call, 'INCR', KEYS[1]) return {tostring(ok), e}",
        [b"false", b"ERR value is not an integer or out of range"],
        {"k1": b"x"},
    ),
    (
        "redis.pcall returns the error as a table",
        "redis.call('SET', KEYS[1], 'x') local e = redis.pcall('INCR', KEYS[1]) return {type(e), e.err}",
        [b"table", b"ERR value is not an integer or out of range"],
        {"k1": b"x"},
    ),
    (
        "redis.call without arguments",
        "return redis.call()",
        "-ERR Please specify at least one argument for this redis lib call script: SHA, on @user_script:1.",
    ),
    (
        "redis.call with a table",
        "return redis.call('GET', {})",
        "-ERR Lua redis lib command arguments must be strings or integers script: SHA, on @user_script:1.",
    ),
    (
        "redis.call with nil",
        "return redis.call('GET', KEYS[9])",
        "-ERR Lua redis lib command arguments must be strings or integers script: SHA, on @user_script:1.",
    ),
    (
        "redis.call with a boolean",
        "return redis.call('SET', KEYS[1], true)",
        "-ERR Lua redis lib command arguments must be strings or integers script: SHA, on @user_script:1.",
    ),
    (
        "redis.pcall with a table returns its error",
        "return redis.pcall('GET', {})",
        "-ERR Lua redis lib command arguments must be strings or integers",
    ),
    (
        "an error keeps what the script wrote before",
        "pcall(function() redis.call('SET', KEYS[1], 'kept') error('late') end) return redis.call('GET', KEYS[1])",
        b"kept",
        {"k1": b"kept"},
    ),
    (
        "a command that does not exist",
        "return redis.call('NOPE')",
        "-ERR Unknown Redis command called from script script: SHA, on @user_script:1.",
    ),
    (
        "a command that is not text",
        "return redis.call(5)",
        "-ERR Unknown Redis command called from script script: SHA, on @user_script:1.",
    ),
    (
        "a command without a name",
        "return redis.call('')",
        "-ERR Unknown Redis command called from script script: SHA, on @user_script:1.",
    ),
    (
        "too few arguments",
        "return redis.call('SET', KEYS[1])",
        "-ERR Wrong number of args calling Redis command from script script: SHA, on @user_script:1.",
    ),
    (
        "an error of pcall inside an array",
        "return {1, redis.pcall('NOPE'), 2}",
        [1, "-ERR Unknown Redis command called from script", 2],
    ),
    (
        "pcall without arguments",
        "return redis.pcall()",
        "-ERR Please specify at least one argument for this redis lib call",
    ),
    (
        "cjson.null is no argument",
        "return redis.call('GET', cjson.null)",
        "-ERR Lua redis lib command arguments must be strings or integers script: SHA, on @user_script:1.",
    ),
    (
        "a command inside a table is no argument",
        "return redis.call({'GET', KEYS[1]})",
        "-ERR Lua redis lib command arguments must be strings or integers script: SHA, on @user_script:1.",
    ),
    (
        "minus zero and huge numbers as arguments",
        ("local z = 0 redis.call('RPUSH', KEYS[1], -z, 1e20, 2 ^ 63, 0.1) return redis.call('LRANGE', KEYS[1], 0, -1)"),
        [b"-0", b"1e+20", b"9.2233720368547758e+18", b"0.10000000000000001"],
        {"k1": [b"-0", b"1e+20", b"9.2233720368547758e+18", b"0.10000000000000001"]},
    ),
    (
        "a hash is a flat array",
        "redis.call('HSET', KEYS[1], 'a', 1, 'b', 2) return redis.call('HGETALL', KEYS[1])",
        [b"a", b"1", b"b", b"2"],
        {"k1": [b"a", b"1", b"b", b"2"]},
    ),
    (
        "scores are text",
        (
            "redis.call('ZADD', KEYS[1], 1.5, 'a') return {type(redis.call('ZSCORE', KEYS[1], 'a')), "
            "redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')}"
        ),
        [b"string", [b"a", b"1.5"]],
        {"k1": [b"a", b"1.5"]},
    ),
    (
        "the clock is two texts",
        "local t = redis.call('TIME') return {#t, type(t[1]), type(t[2])}",
        [2, b"string", b"string"],
    ),
    (
        "a stream entry is an array of its id and its fields",
        "redis.call('XADD', KEYS[1], '1-1', 'f', 'v') return redis.call('XRANGE', KEYS[1], '-', '+')",
        [[b"1-1", [b"f", b"v"]]],
        {"k1": [[b"1-1", [b"f", b"v"]]]},
    ),
    (
        "an absent list gives false, an empty range an empty table",
        "return {redis.call('LPOP', KEYS[1]) == false, #redis.call('LRANGE', KEYS[1], 0, -1)}",
        [1, 0],
    ),
    (
        "the type of a key is a status",
        "return {redis.call('TYPE', KEYS[1]), redis.call('TYPE', KEYS[1]).ok}",
        ["+none", b"none"],
    ),
    (
        "a script may not call scripts",
        "return redis.call('EVAL', 'return 1', 0)",
        "-ERR This Redis command is not allowed from script script: SHA, on @user_script:1.",
    ),
    (
        "a script may not wait",
        "return redis.call('BLPOP', KEYS[1], 0)",
        "-ERR This Redis command is not allowed from script script: SHA, on @user_script:1.",
    ),
    (
        "nor wait for a stream",
        "return redis.call('XREAD', 'BLOCK', 0, 'STREAMS', KEYS[1], '$')",
        "-ERR XREAD command is not allowed with BLOCK option from scripts script: SHA, on @user_script:1.",
    ),
    (
        "a script may touch keys it did not declare",
        "redis.call('SET', 'other', 'x') return redis.call('GET', 'other')",
        b"x",
        {"other": b"x"},
    ),
    (
        "the second write fails and the first stays",
        "redis.call('SET', KEYS[1], 'kept') redis.call('INCR', KEYS[1])",
        "-ERR value is not an integer or out of range script: SHA, on @user_script:1.",
        {"k1": b"kept"},
    ),
    (
        "a runtime error keeps earlier writes",
        "redis.call('SET', KEYS[1], 'kept') local t return t.x",
        "-ERR user_script:1: attempt to index local 't' (a nil value) script: SHA, on @user_script:1.",
        {"k1": b"kept"},
    ),
    (
        "a caught error lets the script go on writing",
        "redis.call('SET', KEYS[1], 'a') redis.pcall('INCR', KEYS[1]) redis.call('SET', KEYS[2], 'b')",
        None,
        {"k1": b"a", "k2": b"b"},
    ),
    (
        "a thrown error table of a command keeps its text when thrown again",
        "local e = redis.pcall('NOPE') error(e)",
        "-ERR Unknown Redis command called from script script: SHA, on @user_script:1.",
    ),
    (
        "error_reply takes one text and nothing else",
        "return redis.error_reply('a', 'b')",
        "-ERR wrong number or type of arguments",
    ),
    (
        "error_reply of nothing at all and of a minus",
        "return {redis.error_reply(''), redis.error_reply('-'), redis.error_reply('--X y')}",
        ["-ERR ", "-ERR ", "--X y"],
    ),
    ("a status of nothing at all", "return redis.status_reply('')", "+"),
    (
        "sha1hex of the empty text, a number and a table",
        "return {redis.sha1hex(''), redis.sha1hex(5), redis.sha1hex({})}",
        [
            b"da39a3ee5e6b4b0d3255bfef95601890afd80709",
            b"ac3478d69a3c81fa62e60f5c3696165a4e5e6ac4",
            b"da39a3ee5e6b4b0d3255bfef95601890afd80709",
        ],
    ),
    (
        "redis.log wants a number as its level",
        "return redis.log('x', 'y')",
        "-ERR First argument must be a number (log level). script: SHA, on @user_script:1.",
    ),
    (
        "redis.setresp knows two versions",
        "return redis.setresp(4)",
        "-ERR RESP version must be 2 or 3. script: SHA, on @user_script:1.",
    ),
    (
        "redis.set_repl knows its flags",
        "return redis.set_repl(9)",
        (
            "-ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE. script: SHA, "
            "on @user_script:1."
        ),
    ),
    (
        "the flags of replication",
        "return {redis.REPL_NONE, redis.REPL_AOF, redis.REPL_SLAVE, redis.REPL_REPLICA, redis.REPL_ALL}",
        [0, 1, 2, 2, 3],
    ),
]
