"""Reads the project's own files and says where they break its rules; the tests in tests/architecture call it.

Decides the rules that are more than style: which names are banned and what to use instead, how long a file may be, what
the page's code and the lock files must not hold. Each rule is a function from text (and perhaps a name) to a list of
breaches, so that a test can also show that the rule catches what it is for.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.paths import ROOT

LINES_MAX = 400
# Top-level modules that the simulated floors must not import → what to use instead.
BANNED = {
    "js": "messages through py_runtime.lab.wire; only the worker touches JavaScript",
    "pyodide": "messages through py_runtime.lab.wire; only the worker touches Pyodide",
    "pyodide_js": "messages through py_runtime.lab.wire; only the worker touches Pyodide",
    "threading": "asyncio.to_thread, which runs on the simulated pool",
    "multiprocessing": "an actor of the world",
    "concurrent": "asyncio.to_thread, which runs on the simulated pool",
    "subprocess": "an actor of the world",
    "socket": "world.network.call",
    "select": "world.network.call",
    "selectors": "the simulated loop, py_runtime.sim.loop",
    "signal": "world.crash or world.pause",
    "time": "world.now_us, or the actor's clocks",
    "datetime": "integer microseconds of virtual time",
    "random": "a named stream of py_runtime.sim.chance",
    "secrets": "a named stream of py_runtime.sim.chance",
    "uuid": "a counter, or a named stream of py_runtime.sim.chance",
    "tempfile": "a stand-in that lives in memory",
}
# Calls by bare name that differ between Pythons or processes → what to use instead.
BANNED_CALLS = {
    "hash": "the value itself as a key, or hashlib: hash() differs between 32-bit Pyodide and CPython, and per process",
}
_FLOORS = ("py_runtime", "experiments")
_REGISTRY = re.compile(
    # Written in pieces, so that this file does not hold what it looks for.
    r'"resol'
    + r'ved"|https?://[^\s"]*(?:\.tg'
    + r"z|\.wh"
    + r"l|/sim"
    + r"ple)|--(?:extra-)?index-"
    + r"url|--find-"
    + r"links"
)
_MACHINE_PATH = re.compile(r"(?<![\w.:/-])/(?:ro" + r"ot|ho" + r"me|wo" + r"rk|Us" + r"ers)/[\w.-]+")


def project_files(suffixes: tuple[str, ...] = (), under: str = "") -> list[Path]:
    """The project's written files (tracked, or new and not ignored), with one of the suffixes, below `under`."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", under or "."]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted(
        ROOT / name for name in listed if (not suffixes or name.endswith(suffixes)) and (ROOT / name).is_file()
    )


def floor_files() -> list[Path]:
    """The Python files of `py_runtime` and `experiments`."""
    return [file for package in _FLOORS for file in project_files((".py",), package)]


def imports(text: str) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of every absolute import in a program, wherever it stands."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.lineno, node.module or ""


def banned_names(text: str) -> list[str]:
    """Imports and calls of the tables above, each with what to use instead."""
    breaches = []
    for line, name in imports(text):
        top = name.partition(".")[0]
        if top in BANNED:
            breaches.append(f"line {line} imports {name}; use {BANNED[top]}")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BANNED_CALLS:
            breaches.append(f"line {node.lineno} calls {node.func.id}(); use {BANNED_CALLS[node.func.id]}")
    return breaches


def foreign_imports(text: str) -> list[str]:
    """Imports of anything but the standard library and the floors themselves."""
    own = {*sys.stdlib_module_names, *_FLOORS}
    return [f"line {line} imports {name}" for line, name in imports(text) if name.partition(".")[0] not in own]


def deep_imports(text: str, root: Path = ROOT) -> list[str]:
    """Imports by an experiment from below the public packages: `py_runtime.sim` is public, a file in it is not."""
    return [
        f"line {line} imports {name}, which is no public package"
        for line, name in imports(text)
        if name.startswith("py_runtime.") and not (root / name.replace(".", "/") / "__init__.py").is_file()
    ]


def named_slugs(text: str, slugs: list[str]) -> list[str]:
    """Experiments that a file of the page names; it must know none."""
    return [f"names the experiment {slug}" for slug in slugs if slug in text]


def too_long(text: str, lines_max: int = LINES_MAX) -> list[str]:
    """A file that has grown past the limit holds more than one concept."""
    lines = len(text.splitlines())
    return [f"has {lines} lines, and {lines_max} are allowed"] if lines > lines_max else []


def registry_addresses(text: str) -> list[str]:
    """Addresses of package registries: whoever installs decides where packages come from."""
    return [f"line {line} holds {match[0]}" for line, match in _search(_REGISTRY, text)]


def machine_paths(text: str) -> list[str]:
    """Absolute paths of one person's machine."""
    return [f"line {line} holds {match[0]}" for line, match in _search(_MACHINE_PATH, text)]


def unpinned_actions(text: str) -> list[str]:
    """Steps of a workflow that name a movable tag instead of a commit with its version beside it."""
    pinned = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
    lines = enumerate(text.splitlines(), 1)
    return [f"line {number}: {line.strip()}" for number, line in lines if "uses:" in line and not pinned.search(line)]


def unhashed(text: str) -> list[str]:
    """Requirements of a lock file that are not pinned to one version with hashes."""
    entries = re.split(r"\n(?=[A-Za-z0-9])", re.sub(r"(?m)^\s*#.*\n?", "", text).strip())
    return [entry.split()[0] for entry in entries if not re.match(r"[\w.-]+==[^\s]+.*--hash=sha256:", entry, re.DOTALL)]


def headings(markdown: str) -> list[str]:
    """The level-one headings of a page, outside code fences."""
    prose = re.sub(r"(?ms)^( *)(```+|~~~+).*?^\1\2\s*$", "", markdown)
    return re.findall(r"(?m)^# +(.+?)\s*$", prose)


def _search(pattern: re.Pattern, text: str) -> Iterator[tuple[int, re.Match]]:
    for number, line in enumerate(text.splitlines(), 1):
        for match in pattern.finditer(line):
            yield number, match
