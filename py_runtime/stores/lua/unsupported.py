"""What redis-server's Lua has and this one refuses: named at compile time, so that nobody believes it ran.

Decides the list and the sentence. A name on the list is refused wherever a script mentions it as a global or as a
field of its library; a local variable of the same name is not meant.
"""

GLOBALS = frozenset(
    "setmetatable getmetatable coroutine loadstring load collectgarbage gcinfo cmsgpack struct bit "
    "__redis__err__handler debug getfenv setfenv newproxy dofile loadfile module require os io package".split()
)

FIELDS = {
    "string": frozenset({"dump"}),
    "redis": frozenset({"acl_check_cmd"}),
    "cjson": frozenset(
        "new decode_invalid_numbers decode_max_depth encode_invalid_numbers encode_keep_buffer encode_max_depth "
        "encode_number_precision encode_sparse_array".split()
    ),
}


def refusal(name: str) -> str:
    """Why a script with this name does not compile."""
    return f"'{name}' is not supported by this Lua"
