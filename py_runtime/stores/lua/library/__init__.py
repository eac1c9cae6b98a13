"""What a script finds without declaring it: the library functions and tables, the same for every run.

`GLOBALS` maps names (bytes) to Lua values. Tables are read only, as redis-server has them.
"""

from py_runtime.stores.lua.library import base, json, maths, redis, strings, tables
from py_runtime.stores.lua.tables import LuaTable, ReadOnlyTable

GLOBALS = {
    **base.FUNCTIONS,
    b"_VERSION": b"Lua 5.1",
    b"cjson": ReadOnlyTable(json.FIELDS),
    b"math": ReadOnlyTable(maths.FIELDS),
    b"redis": ReadOnlyTable(redis.FIELDS),
    b"string": ReadOnlyTable(strings.FIELDS),
    b"table": ReadOnlyTable(tables.FIELDS),
}


def global_table(keys: LuaTable, arguments: LuaTable) -> ReadOnlyTable:
    """`_G` of one run."""
    table = ReadOnlyTable({**GLOBALS, b"KEYS": keys, b"ARGV": arguments}, complete=True)
    table.hash[b"_G"] = table
    return table
