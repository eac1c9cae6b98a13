"""A small Lua 5.1 for Redis scripts: runs a script's text against a function that executes commands.

Start with `script.py`; the way of a script is

    lexer        tokens
    parser       statements   (expressions.py: expressions; scopes.py: names; unsupported.py: what is refused)
    syntax       the tree
    builder      tree to closures   (build_values, build_calls, build_statements, build_loops; operators.py)
    names        how errors call a value
    runs         the limits of one run: steps and depth
    library/     what scripts can call: base, strings, format, tables, maths, json, redis   (patterns.py: patterns)
    values       Lua's values in Python   (tables.py: tables; conversion.py: to and from Redis replies)
    errors       what can go wrong and its wording
    reference    what there is and what differs, as data

The yardstick is redis-server 7.0.15: the tests run the same texts on both.
"""

from py_runtime.stores.lua.errors import LuaError, LuaSyntaxError
from py_runtime.stores.lua.runs import Dice
from py_runtime.stores.lua.script import Script, compile_script

__all__ = ["Dice", "LuaError", "LuaSyntaxError", "Script", "compile_script"]
