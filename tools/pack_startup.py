"""Shipped into the browser as `sitecustomize`, which Python imports before anything else: dataclasses, compiled ahead.

`@dataclass` writes the methods of a class as text and compiles that text when the class is made. The lab and Pyodide
make over a hundred at every start, and compiling was a third of the time that importing the lab took. The texts do not
change, so they are compiled when the runtime is packed; an unknown text (a reader's own class) is compiled as ever.
Decides nothing else, and knows nothing of the lab.
"""

import dataclasses
import marshal
import os

AHEAD_FILE = os.path.join(os.path.dirname(__file__), "dataclasses.ahead")

try:
    with open(AHEAD_FILE, "rb") as _file:
        _ahead = marshal.load(_file)
    _unknown = None
except FileNotFoundError:  # being packed: find out which texts there are
    _ahead = {}
    _unknown = set()


def run_text(text, globals, locals):
    """What `exec` does for dataclasses."""
    code = _ahead.get(text)
    if code is None:
        if _unknown is not None:
            _unknown.add(text)
        code = compile(text, "<string>", "exec", dont_inherit=True)
    exec(code, globals, locals)


def write_ahead(path):
    """Compile every text met since the start into `path`; returns how many there are."""
    codes = {text: compile(text, "<string>", "exec", dont_inherit=True) for text in sorted(_unknown)}
    with open(path, "wb") as file:
        file.write(marshal.dumps(codes))
    return len(codes)


# A module's own name comes before a built-in one: this reaches dataclasses and nothing else.
dataclasses.exec = run_text
