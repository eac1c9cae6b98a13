"""A small Lua 5.1 for Redis scripts: runs a script's text against a function that executes commands.

Start with `script.py`; the way of a script is

    lexer        tokens
    parser       statements   (expressions.py: expressions; scopes.py: names; unsupported.py: what is refused)
    syntax       the tree
    builder      tree to closures   (build_values, build_calls, build_statements, build_loops; operators.py)
    runs         the limits of one run: steps and depth
    library/     what scripts can call: base, strings, format, tables, maths, json, redis   (patterns.py: patterns)
    values       Lua's values in Python   (tables.py: tables; conversion.py: to and from Redis replies)
    errors       what can go wrong and its wording

The yardstick is redis-server 7.0.15. Not there, and refused when the script compiles: metatables, coroutines, `load`,
`bit`, `struct`, `cmsgpack`, a `#!` first line; refused when it runs: RESP3, `redis.set_repl` other than REPL_ALL.

Known differences, all of them on the side of equal runs and small stacks: `pairs` and cjson follow the order of
insertion; `#` of a table with holes may be another of its borders; tables and functions print a running number,
each NaN `-nan`; `math.random` starts anew in each run; a run has a number of steps and then ends with `BUSY …`;
recursion ends some 2000 calls deep, tail calls included; expressions nest 390 deep, replies 128, patterns 200;
`error({})` is an unknown error where redis-server crashes; `redis.pcall`'s table has no field
`ignore_error_stats_update`.
"""

from py_runtime.stores.lua.errors import LuaError, LuaSyntaxError
from py_runtime.stores.lua.runs import Dice
from py_runtime.stores.lua.script import Script, compile_script

__all__ = ["Dice", "LuaError", "LuaSyntaxError", "Script", "compile_script"]
