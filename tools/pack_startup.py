"""Shipped into the browser as `sitecustomize`, which Python imports before anything else: two ways to start sooner.

- *Modules from one file.* `tools/pack_compile.py` writes the code of all modules into one file with an index. Python's
  own importer asks the file system about every folder of its path, several times per module, which here means calls
  from WebAssembly into JavaScript.
- *Dataclasses, compiled ahead.* `@dataclass` writes the methods of a class as text and compiles that text when the
  class is made. The lab and Pyodide make over a hundred at every start, and compiling was a third of the time that
  importing the lab took. The texts do not change, so they are compiled when the runtime is packed; an unknown text (a
  reader's own class) is compiled as ever.

And until everything is imported, nothing is garbage: collections wait until the worker switches them on
(pyodide-start.js). Decides nothing else, and knows nothing of the lab.
"""

import gc
import marshal
import posix
import sys
from _frozen_importlib import ModuleSpec

FOLDER = __file__.rpartition("/")[0]


class Library:
    """Finds and loads the modules of `library.code`; what is not there is left to Python's own importers."""

    def __init__(self, index, code_file):
        self._index = index
        self._code_file = code_file

    def find_spec(self, name, path=None, target=None):
        entry = self._index.get(name)
        if entry is None:
            return None
        file, _, _, is_package = entry
        spec = ModuleSpec(name, self, origin=file, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations.append(file.rpartition("/")[0])
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        _, start, size, _ = self._index[module.__spec__.name]
        exec(marshal.loads(posix.pread(self._code_file, size, start)), module.__dict__)

    def get_data(self, path):
        """The bytes of a file that lies beside a module."""
        with open(path, "rb") as file:
            return file.read()


def read_marshalled(name):
    """The value in a file of the archive, or None where there is no such file."""
    try:
        with open(f"{FOLDER}/{name}", "rb") as file:
            return marshal.load(file)
    except FileNotFoundError:
        return None


def run_text(text, globals, locals):
    """What `exec` does for dataclasses."""
    compiled = _ahead.get(text)
    if compiled is not None:
        code = marshal.loads(compiled)
    else:
        if _unknown is not None:
            _unknown.add(text)
        code = compile(text, "<string>", "exec", dont_inherit=True)
    exec(code, globals, locals)


def write_ahead(path):
    """Compile every text met since the start into `path`; returns how many there are."""
    codes = {text: marshal.dumps(compile(text, "<string>", "exec", dont_inherit=True)) for text in sorted(_unknown)}
    with open(path, "wb") as file:
        file.write(marshal.dumps(codes))
    return len(codes)


gc.disable()
sys.meta_path.insert(0, Library(read_marshalled("library.index"), posix.open(f"{FOLDER}/library.code", posix.O_RDONLY)))

_ahead = read_marshalled("dataclasses.ahead")
_unknown = None
if _ahead is None:  # being packed: find out which texts there are
    _ahead = {}
    _unknown = set()

import dataclasses  # noqa: E402 - found through the library, which had to be put in place first

# A module's own name comes before a built-in one: this reaches dataclasses and nothing else.
dataclasses.exec = run_text
