"""Writes the reference pages from the tables that the code itself uses: nothing on them is kept by hand.

Decides which pages there are and what stands around the tables. What a command, a function or a statement is, and where
a stand-in differs from the real thing, is said in `py_runtime/stores`; what a safeguard is for, by the experiments.

    python -m tools.reference [FOLDER]     build/reference if none is named
"""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from py_runtime.stores import redis
from py_runtime.stores.lua import reference as lua
from py_runtime.stores.lua import unsupported
from py_runtime.stores.redis import client
from py_runtime.stores.redis.differences import DIFFERENCES as REDIS_DIFFERENCES
from py_runtime.stores.sql import reference as sql
from py_runtime.stores.sql.functions import AGGREGATES, FUNCTIONS
from py_runtime.stores.sql.values import TYPE_NAMES
from tools.paths import REFERENCE
from tools.reference_html import bullets, code, page, prose, table
from tools.reference_safeguards import safeguards

_LIBRARY_HEADINGS = {
    "": "Functions without a library",
    "string": "string",
    "table": "table",
    "math": "math",
    "cjson": "cjson",
    "redis": "redis",
}


def redis_commands() -> str:
    """Every command of the table, by family."""
    parts = [
        "What the Redis stand-in carries out, with all the options it knows. The replies and the error texts are those "
        "of Redis 7.0. A command or an option that is not here is an error that names it.",
        "`[…]` may be left out, `A|B` is one of the two, `…` repeats what is before it. Programs call the commands "
        "through [the client's methods](redis-client.md), scripts through [redis.call](lua.md).",
    ]
    for family, rows in redis.FAMILIES.items():
        names = [row.name.decode() for row in rows]
        cells = [
            (code(f"{name} {row.options}".rstrip()), prose(row.summary)) for name, row in zip(names, rows, strict=True)
        ]
        parts += [
            f"## {family}",
            table(family, ("Command", "What it does"), cells, [name.lower() for name in names]),
        ]
    return page("Redis commands", "Every command of the Redis stand-in with its options, by family.", *parts)


def redis_methods() -> str:
    """Every method of the client, by the file it is in."""
    parts = [
        "The client has the methods of `redis.asyncio.Redis`, with the same names, arguments, defaults and replies, "
        "for [the commands that there are](redis-commands.md). `execute_command` sends any of them."
    ]
    for heading, anchor, methods in _method_families():
        cells = [
            (code(_signature(name, method)), _command_link(name, method), _meaning(name, method))
            for name, method in methods
        ]
        parts += [
            f"## {heading}",
            table(heading, ("Method", "Command", "What it gives"), cells, [anchor + name for name, _ in methods]),
        ]
    return page("Redis client", "Every method of the Redis stand-in's client with its arguments.", *parts)


def _method_families() -> Iterator[tuple[str, str, list]]:
    """(heading, what the anchors begin with, methods) for each family of the client, and for each class of its own."""
    shown = [family for family in redis.Redis.__mro__ if family.__name__.endswith("Methods")]
    for family in shown:
        own = [(name, it) for name, it in _own_methods(family) if getattr(redis.Redis, name) is it]
        if own:
            yield _heading(family), "", own
    for kind in _client_classes():
        methods = {name: it for part in reversed(kind.__mro__) if part not in shown for name, it in _own_methods(part)}
        if methods:
            yield kind.__name__, f"{kind.__name__.lower()}-", list(methods.items())


def _client_classes() -> list[type]:
    """The client's public classes, `Redis` first."""
    names = dict.fromkeys(("Redis", *sorted({*client.__all__, *redis.__all__})))
    found = [getattr(client, name, None) or getattr(redis, name) for name in names]
    classes = [each for each in found if inspect.isclass(each) and each.__module__.startswith(client.__name__)]
    return [each for each in classes if not each.__name__.endswith("Methods")]


def _heading(family: type) -> str:
    """`SortedSetMethods` → `Sorted set methods`."""
    return re.sub(r"(?<=.)([A-Z])", lambda found: " " + found[1].lower(), family.__name__)


def _own_methods(kind: type) -> list[tuple]:
    """(name, function) of the public methods that a class itself defines, less those that only refuse."""
    methods = [(name, it) for name, it in vars(kind).items() if inspect.isfunction(it) and not name.startswith("_")]
    return [(name, it) for name, it in methods if it.__doc__ or _signature("", it) != "(*args, **options)"]


def _signature(name: str, method) -> str:
    parameters = list(inspect.signature(method).parameters.values())[1:]
    return name + str(inspect.Signature([each.replace(annotation=inspect.Parameter.empty) for each in parameters]))


def _command_of(name: str, method) -> str | None:
    """The command that a method sends: of its own name, else the only one that its code mentions."""
    mentioned = {text.partition(" ")[0] for text in method.__code__.co_consts if isinstance(text, str)}
    known = [word for word in mentioned | {name.upper()} if word.encode() in redis.COMMANDS]
    if name.upper() in known:
        return name.upper()
    return known[0] if len(known) == 1 and not name.endswith("execute_command") else None


def _command_link(name: str, method) -> str:
    command = _command_of(name, method)
    return f'<a href="../redis-commands/#{command.lower()}">{command}</a>' if command else ""


def _meaning(name: str, method) -> str:
    described = (inspect.getdoc(method) or "").partition("\n\n")[0].replace("\n", " ")
    command = _command_of(name, method)
    return prose(described or (redis.COMMANDS[command.encode()].summary if command else ""))


def lua_page() -> str:
    """The language and the library of scripts."""
    parts = [
        "Scripts run from their text, as `EVAL` and `EVALSHA` do it in Redis 7.0: in one piece, at one instant, and an "
        "error takes back nothing of what was written before it.",
        "## The language",
        table(
            "The language", ("Form", "What it is"), [(code(form.form), prose(form.meaning)) for form in lua.LANGUAGE]
        ),
    ]
    for library, heading in _LIBRARY_HEADINGS.items():
        forms = [form for form in lua.LIBRARY if form.name.rpartition(".")[0] == library]
        parts += [
            f"## {heading}",
            table(heading, ("Form", "What it gives"), [(code(form.form), prose(form.meaning)) for form in forms]),
        ]
    refused = sorted(unsupported.GLOBALS)
    refused += sorted(f"{name}.{field}" for name, fields in unsupported.FIELDS.items() for field in fields)
    parts += [
        "## Limits",
        table("Limits", ("At most", "Of what"), [(f"{most:,}", prose(what)) for what, most in lua.LIMITS]),
        "## What is refused",
        "Redis's Lua has these, or an error of its own for them. Here a script that mentions one does not compile:",
        '<p class="reference-names">' + " ".join(code(name) for name in refused) + "</p>",
    ]
    return page("Lua for scripts", "What scripts of the Redis stand-in may use, and the limits of a run.", *parts)


def sql_page() -> str:
    """Statements, operators, functions and types of the database."""
    statements = [(code(form.form), prose(form.meaning), code(form.example)) for form in sql.STATEMENTS]
    operators = [
        (code(form.form), prose(form.meaning), code(form.example) if form.example else "") for form in sql.OPERATORS
    ]
    functions = [(code(each.form), prose(each.meaning)) for each in FUNCTIONS.values()]
    aggregates = [(code(each.form), prose(each.meaning)) for each in AGGREGATES.values()]
    kinds: dict[str, list[str]] = {}
    for written, kind in TYPE_NAMES.items():
        kinds.setdefault(kind, []).append(written)
    parts = [
        "The database runs the text of these statements. PostgreSQL is the reference for what they mean and for the "
        "words of errors. Anything else is an error that names the word, its line and its column.",
        "## Statements",
        table("Statements", ("Form", "What it does", "Example"), statements),
        "## Operators and conditions",
        table("Operators and conditions", ("Form", "What it is", "Example"), operators),
        "## Functions",
        table("Functions", ("Form", "What it gives"), functions),
        "## Functions over several rows",
        table("Functions over several rows", ("Form", "What it gives"), aggregates),
        "## Types",
        table("Types", ("Type", "May be written"), [(code(kind), " ".join(map(code, kinds[kind]))) for kind in kinds]),
    ]
    return page("SQL", "The statements, operators, functions and types of the SQL stand-in.", *parts)


def differences() -> str:
    """Where each stand-in is known to differ from the real thing."""
    parts = [
        "The stand-ins are compared with redis-server 7.0.15, PostgreSQL and SQLite by tests that run the same "
        "programs on both. This is what is known to differ. A difference that is not listed is a mistake in the lab.",
        "## Redis and its client",
        bullets(REDIS_DIFFERENCES),
        "## Lua",
        bullets(lua.DIFFERENCES),
        "## SQL",
        bullets(sql.DIFFERENCES),
    ]
    return page("Known differences", "Where the stand-ins differ from Redis, its Lua, and PostgreSQL.", *parts)


def overview() -> str:
    """The page that leads to the others."""
    counts = {
        "redis-commands": ("Redis commands", f"{len(redis.COMMANDS)} commands with their options"),
        "redis-client": ("Redis client", "the methods that programs call"),
        "lua": ("Lua for scripts", f"the language, {len(lua.LIBRARY)} names of its library, and the limits of a run"),
        "sql": ("SQL", "statements, operators, functions, types"),
        "differences": ("Known differences", "where a stand-in is not the real thing"),
        "safeguards": ("Safeguards", "what falls when one part of a repaired program is taken out"),
    }
    links = "\n".join(f"- [{title}]({name}.md): {what}" for name, (title, what) in counts.items())
    return page(
        "Reference",
        "What the stand-ins for Redis, Lua and SQL support, generated from their own tables.",
        "What programs on this site may use. These pages are made from the tables that the code itself works with, so "
        "they list what there is, and nothing else.",
        links,
        "A command is added with [one function and one row](../how-to/add-a-command.md).",
    )


PAGES = {
    "index": overview,
    "redis-commands": redis_commands,
    "redis-client": redis_methods,
    "lua": lua_page,
    "sql": sql_page,
    "differences": differences,
    "safeguards": safeguards,
}


def write_pages(folder: Path) -> None:
    """Write every page into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, render in PAGES.items():
        (folder / f"{name}.md").write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]) if len(sys.argv) > 1 else REFERENCE)
