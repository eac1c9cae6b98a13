"""The packed runtime: the same input gives the same folder, and the archive holds what a browser needs."""

import json
import tarfile

import pytest

from tools.node import node_program
from tools.pack_runtime import pack
from tools.paths import NODE_MODULES

DOOR = "from dataclasses import dataclass\n\n@dataclass\nclass Door:\n    width_of_this_door: int\n"
PROGRAM = "VALUE = 'a source that readers see'\n"


def write_packages(folder):
    """Two tiny packages as the project's are laid out: one shipped compiled only, one with its sources and data."""
    files = {
        "floor/__init__.py": "from dataclasses import dataclass\n\n@dataclass(frozen=True)\nclass Point:\n    x: int\n",
        "floor/__pycache__/__init__.cpython-311.pyc": "stale",
        "rooms/__init__.py": "import colorsys, floor\n\ndef later():\n    import fractions\n\n" + DOOR,
        "rooms/one/programs/counter.py": PROGRAM,
        "rooms/one/texts/en.json": "{}",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return {"floor": (folder / "floor", False), "rooms": (folder / "rooms", True)}


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pack")
    packages = write_packages(folder / "source")
    out = folder / "runtime"
    manifest = pack(out, NODE_MODULES / "pyodide", packages, imports=["floor", "rooms"], node=node_program())
    return folder, packages, out, manifest


@pytest.fixture(scope="module")
def names(packed):
    _, _, out, manifest = packed
    with tarfile.open(out / manifest["folder"] / "python.tar.gz") as archive:
        return set(archive.getnames())


def test_the_same_input_gives_the_same_folder_and_a_changed_one_another(packed):
    folder, packages, _, manifest = packed
    pyodide = NODE_MODULES / "pyodide"
    again = pack(folder / "again", pyodide, packages, imports=["floor", "rooms"], node=node_program())
    assert again == manifest
    (folder / "source" / "rooms" / "one" / "programs" / "counter.py").write_text("VALUE = 'edited'\n")
    other = pack(folder / "again", pyodide, packages, imports=["floor", "rooms"], node=node_program())
    (folder / "source" / "rooms" / "one" / "programs" / "counter.py").write_text(PROGRAM)
    assert other["folder"] != manifest["folder"]
    assert [path.name for path in (folder / "again").iterdir() if path.is_dir()] == [other["folder"]]


def test_the_manifest_tells_the_sizes_of_what_is_there(packed):
    _, _, out, manifest = packed
    assert json.loads((out / "runtime.json").read_text()) == manifest
    files = {path.name: path.stat().st_size for path in (out / manifest["folder"]).iterdir()}
    assert files == {file["name"]: file["bytes"] for file in manifest["files"]}
    assert all(0 < file["gzip_bytes"] <= file["bytes"] for file in manifest["files"])
    assert manifest["lock"]["packages"] == {}


def test_a_package_is_shipped_compiled_and_with_its_sources_only_where_asked(names):
    assert "floor/__init__.pyc" in names
    assert "floor/__init__.py" not in names
    assert {"rooms/one/programs/counter.py", "rooms/one/texts/en.json"} <= names
    assert [name for name in names if "counter.cpython" in name and "__pycache__" in name]
    assert not [name for name in names if "cpython-311" in name]


def test_the_standard_library_is_what_can_be_imported_and_not_the_rest(names):
    assert {"asyncio/taskgroups.pyc", "json/decoder.pyc", "pyodide/webloop.pyc"} <= names, "what Pyodide starts with"
    assert "colorsys.pyc" in names, "what a package imports"
    assert "fractions.pyc" in names, "what it imports in a function"
    assert "statistics.pyc" in names, "what a reader may import"
    for part in ("test/", "unittest/", "tkinter/", "idlelib/", "email/", "multiprocessing/", "pydoc"):
        assert not [name for name in names if name.startswith(part)], part


def test_the_dataclasses_of_every_package_are_compiled_ahead(packed, names):
    _, _, out, manifest = packed
    assert "sitecustomize.pyc" in names
    with tarfile.open(out / manifest["folder"] / "python.tar.gz") as archive:
        ahead = archive.extractfile("dataclasses.ahead").read()
    assert b"self.x=x" in ahead.replace(b" ", b"") or b"'x',x" in ahead, "Point, in a package without sources"
    assert b"width_of_this_door" in ahead, "Door, in a package with its sources"


def test_a_module_that_cannot_be_imported_stops_the_packing(packed):
    folder, packages, _, _ = packed
    with pytest.raises(RuntimeError, match="no_such_module") as caught:
        pack(folder / "broken", NODE_MODULES / "pyodide", packages, imports=["no_such_module"], node=node_program())
    assert len(str(caught.value)) < 5000, "Node's own words, without the line of Pyodide that threw"


def test_a_missing_pyodide_names_the_command_to_run(tmp_path):
    with pytest.raises(RuntimeError, match="npm ci"):
        pack(tmp_path / "out", tmp_path / "nowhere", {})
