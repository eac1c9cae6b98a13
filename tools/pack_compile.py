"""Runs inside Pyodide under Node: picks the modules the lab can import and compiles them to .pyc.

Decides which part of Python's standard library the browser gets, and turns it and the project's own packages into byte
code of the very interpreter that will load it. Knows nothing of the archive, its hash, or the page: it reads one
request (`/pack/request.json`) and writes one folder (`/pack/out`), laid out as the browser will see it under
LIBRARY_FOLDER. `tools/pack_runtime.mjs` mounts both.

The code of all modules goes into one file, `library.code`, with an index beside it, from which `pack_startup.py`
imports: looking for four hundred files one by one was a tenth of the time that a start took. Only what Python imports
before that importer is in place comes as a .pyc of its own.

How modules are picked (`find_modules`):
1. what Pyodide itself has imported by the time it is ready;
2. what the project's packages import anywhere, in functions too;
3. what a reader's edited program may reasonably import (READER_MODULES);
4. whatever those import at module level, recursively. An import inside a function of the standard library is not
   followed: that is how `unittest`, `pdb`, `email` and the like would slip in. The few such imports that the lab does
   reach are named in LAZY_MODULES.
"""

import ast
import io
import json
import marshal
import os
import sys
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

# A reader edits programs in the page. These are what small asyncio programs use; everything else of the standard
# library gives the ordinary ModuleNotFoundError. What leaves the simulation, the lab refuses by its own rules.
READER_MODULES = tuple(
    "abc array asyncio base64 binascii bisect cmath collections.abc contextlib contextvars copy dataclasses datetime "
    "decimal enum fractions functools hashlib heapq hmac inspect itertools json logging math numbers operator pprint "
    "queue random re statistics string struct textwrap threading time traceback types typing uuid weakref zlib".split()
)

# Imported by the standard library or the interpreter from within functions, on paths that a run can take:
# codecs by name, coloured tracebacks, the message of a SyntaxError, parsing of dates.
LAZY_MODULES = tuple(
    "__future__ _colorize _strptime codeop encodings.ascii encodings.idna encodings.latin_1 "
    "encodings.raw_unicode_escape encodings.unicode_escape encodings.utf_16 encodings.utf_8_sig linecache "
    "stringprep tokenize".split()
)

# Imported before `sitecustomize`, which brings the importer of everything else: files of their own.
EARLY_MODULES = tuple(
    "_collections_abc _sitebuiltins abc codecs encodings encodings.aliases encodings.utf_8 genericpath io os posixpath "
    "site stat".split()
)

# Optional for asyncio, which passes over a missing one, and costly to set up; programs may not import it.
LEFT_OUT = ("ssl",)

# Modules of which the browser gets another text: a file beside `pack_startup.py`.
REPLACED = {"pyodide/_package_loader.py": "pack_no_packages.py"}

# Where the browser unpacks the archive (pyodide-start.js puts it on the path); file names in tracebacks start with it.
LIBRARY_FOLDER = "/lib/lab"


def main(request_path="/pack/request.json", out="/pack/out"):
    """Write the code of every picked module and every module of the packages; return the counts as JSON text."""
    with open(request_path, encoding="utf-8") as file:
        request = json.load(file)
    library = Library(request["stdlib_zip"], os.path.dirname(request["startup"]))
    started = {name for name in sys.modules if library.path_of(name)}
    packages = []
    for package in request["packages"]:
        packages += read_package(package["folder"], package["name"], package["keep_sources"])
    wanted = set()
    for _, text, _ in packages:
        wanted.update(imported_names(ast.parse(text), deep=True))
    picked = find_modules(library, started | wanted | set(READER_MODULES) | set(LAZY_MODULES))
    early = {library.path_of(name) for name in EARLY_MODULES}
    codes = []
    for path in sorted(library.path_of(name) for name in picked):
        # Docstrings and assertions of the standard library are a sixth of the download, and nobody reads them here.
        if path in early:
            write_pyc(out, path, library.text(path), optimize=2)
        else:
            codes.append((path, code_of(path, library.text(path), optimize=2), False))
    for path, text, has_source in packages:
        # The project's own assertions must hold in the browser as they do in CPython.
        codes.append((path, code_of(path, text, optimize=0), has_source))
    write_library(out, codes)
    with open(request["startup"], encoding="utf-8") as file:
        write_pyc(out, "sitecustomize.py", file.read(), optimize=2)
    return json.dumps({"python": sys.version.split()[0], "standard_library": len(picked), "packages": len(packages)})


class Library:
    """The standard library: a zip of .py files, less LEFT_OUT, with REPLACED. Answers what is in it, by module name."""

    def __init__(self, zip_path, own_folder):
        self._zip = zipfile.ZipFile(zip_path)
        self._names = set(self._zip.namelist())
        self._own_folder = own_folder

    def path_of(self, module):
        """Path of the module's source inside the zip, or None (built in, ours, left out, or unknown)."""
        if module in LEFT_OUT:
            return None
        base = module.replace(".", "/")
        for path in (f"{base}/__init__.py", f"{base}.py"):
            if path in self._names:
                return path
        return None

    def text(self, path):
        if path in REPLACED:
            with open(os.path.join(self._own_folder, REPLACED[path]), encoding="utf-8") as file:
                return file.read()
        return io.TextIOWrapper(io.BytesIO(self._zip.read(path)), encoding="utf-8").read()


def find_modules(library, roots):
    """Names of all standard-library modules reachable from `roots` by module-level imports, parents included."""
    picked, pending = set(), sorted(roots, reverse=True)
    while pending:
        name = pending.pop()
        parent = name.rpartition(".")[0]
        if parent and parent not in picked:
            pending.append(parent)
        path = library.path_of(name)
        if path is None or name in picked:
            continue
        picked.add(name)
        package = name if path.endswith("/__init__.py") else parent
        pending.extend(sorted(imported_names(ast.parse(library.text(path)), package=package, library=library)))
    return picked


def imported_names(tree, package="", deep=False, library=None):
    """Dotted names that the module imports; `from a import b` gives both `a` and `a.b`, as either may be a module.

    With `deep`, imports inside functions count. Without, only those that run when the module is imported, and the
    handlers of a `try` are skipped when what its body imports is there (`import _datetime`, else `_pydatetime`).
    """
    names = set()
    pending = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            names.update([base, *(f"{base}.{alias.name}" for alias in node.names if alias.name != "*")])
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            pending.extend(node.body if deep else [])
        elif isinstance(node, ast.If) and _never_runs(node):
            pending.extend(node.orelse)
        elif isinstance(node, ast.Try) and not deep and library and _all_present(node.body, package, library):
            pending.extend([*node.body, *node.orelse, *node.finalbody])
        else:
            pending.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr))
    return {name for name in names if name}


def _absolute(node, package):
    if not node.level:
        return node.module or ""
    parts = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])


def _never_runs(node):
    """Whether the body of this `if` is for type checkers or for running the file as a program."""
    text = ast.unparse(node.test)
    return text in ("TYPE_CHECKING", "typing.TYPE_CHECKING", "False") or text.startswith("__name__ ==")


def _all_present(body, package, library):
    direct = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = set()
    for node in direct:
        names.update([_absolute(node, package)] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
    return bool(names) and all(name in sys.builtin_module_names or library.path_of(name) for name in names)


def read_package(folder, name, keep_sources):
    """[(path, source text, keep_sources)] of every .py file of one of the project's packages, sorted by path."""
    found = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(folder for folder in folders if folder != "__pycache__")
        for file in sorted(files):
            if file.endswith(".py"):
                inside = os.path.relpath(os.path.join(root, file), folder)
                with open(os.path.join(root, file), encoding="utf-8") as stream:
                    found.append((f"{name}/{inside}", stream.read(), keep_sources))
    return sorted(found)


def code_of(path, text, optimize):
    """Compile a module as if read from its place in the browser."""
    return compile(text, f"{LIBRARY_FOLDER}/{path}", "exec", dont_inherit=True, optimize=optimize)


def write_library(out, codes):
    """Write `library.code`, the marshalled code of all modules one after the other, and `library.index`, a marshalled
    {module name: (file name, start, size, is a package)}; a file name ends in .pyc where no source is shipped.
    """
    index = {}
    with open(os.path.join(out, "library.code"), "wb") as file:
        for path, code, has_source in codes:
            is_package = path.endswith("/__init__.py")
            name = path.removesuffix("/__init__.py" if is_package else ".py").replace("/", ".")
            data = marshal.dumps(code)
            index[name] = (f"{LIBRARY_FOLDER}/{path}" + ("" if has_source else "c"), file.tell(), len(data), is_package)
            file.write(data)
    with open(os.path.join(out, "library.index"), "wb") as file:
        file.write(marshal.dumps(index, 4))  # the version that the tests' Python reads, too


def write_pyc(out, path, text, optimize):
    """Write a module as a .pyc file that is never compared with a source."""
    target = os.path.join(out, path + "c")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(_code_to_hash_pyc(code_of(path, text, optimize), bytes(8), checked=False))
