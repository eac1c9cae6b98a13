"""The how-to page is right: its function, row, method and test are carried out as they stand there."""

import re

from py_runtime.stores.redis import table
from py_runtime.stores.redis.client import lists
from py_runtime.stores.redis.commands import sets
from tools.paths import DOCS
from tools.reference import redis_commands

BLOCK = re.compile(r'^```python title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def blocks() -> dict[str, str]:
    """File → code, as the page shows it."""
    page = (DOCS / "how-to" / "add-a-command.md").read_text(encoding="utf-8")
    found = dict(BLOCK.findall(page))
    assert list(found) == [
        "py_runtime/stores/redis/commands/sets.py",
        "py_runtime/stores/redis/table.py",
        "py_runtime/stores/redis/client/lists.py",
        "tests/conformance",
    ]
    return found


def defined(code: str, names: dict):
    """The one function that the code defines, among these names."""
    space = dict(names)
    exec(code, space)
    [name] = [name for name in space if name not in names and name != "__builtins__"]
    return space[name]


async def test_the_page_adds_a_command_that_every_arm_has(redis, monkeypatch):
    function, row, method, test = blocks().values()
    assert b"SMISMEMBER" not in table.COMMANDS
    monkeypatch.setattr(sets, "smismember", defined(function, vars(sets)), raising=False)
    added = eval(row.strip().removesuffix(","), vars(table))
    monkeypatch.setitem(table.COMMANDS, added.name, added)
    monkeypatch.setitem(table.FAMILIES, "Sets and lists", (*table.FAMILIES["Sets and lists"], added))
    monkeypatch.setattr(lists.SetMethods, "smismember", defined(method, vars(lists)), raising=False)
    await defined(test, {})(redis)
    assert (
        "<code>SMISMEMBER key member [member …]</code></th><td>whether each of several is a member" in redis_commands()
    )
