"""The packed runtime: the same input gives the same folder, and the archive holds what a browser needs."""

import json
import marshal
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
def files(packed):
    """What the archive holds: name → bytes."""
    _, _, out, manifest = packed
    with tarfile.open(out / manifest["folder"] / "python.tar.gz") as archive:
        return {name: archive.extractfile(name).read() for name in archive.getnames()}


@pytest.fixture(scope="module")
def library(files):
    """The index of the modules: name → (file name, start, size, is a package)."""
    return marshal.loads(files["library.index"])


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


def test_a_package_is_shipped_compiled_and_with_its_sources_only_where_asked(files, library):
    assert library["floor"][0] == "/lib/lab/floor/__init__.pyc", "what tracebacks and the loader of data files see"
    assert "floor/__init__.py" not in files
    assert library["rooms"][0] == "/lib/lab/rooms/__init__.py"
    assert {"rooms/__init__.py", "rooms/one/programs/counter.py", "rooms/one/texts/en.json"} <= set(files)
    assert "rooms.one.programs.counter" in library
    assert not [name for name in files if "cpython-311" in name]


def test_the_modules_lie_in_one_file_one_after_the_other(files, library):
    end = 0
    for _, start, size, _ in sorted(library.values(), key=lambda entry: entry[1]):
        assert start == end
        assert size > 0
        end = start + size
    assert end == len(files["library.code"])
    assert library["asyncio"][3] is True
    assert library["asyncio.tasks"][3] is False


def test_what_python_imports_before_it_knows_the_library_comes_as_files(files, library):
    assert {"sitecustomize.pyc", "encodings/__init__.pyc", "codecs.pyc", "os.pyc"} <= set(files)
    assert "encodings" not in library
    assert "encodings.idna" in library


def test_the_standard_library_is_what_can_be_imported_and_not_the_rest(library):
    assert {"asyncio.taskgroups", "json.decoder", "pyodide.webloop"} <= set(library), "what Pyodide starts with"
    assert "colorsys" in library, "what a package imports"
    assert "fractions" in library, "what it imports in a function"
    assert "statistics" in library, "what a reader may import"
    for part in ("test", "unittest", "tkinter", "idlelib", "email", "multiprocessing", "pydoc", "ssl"):
        assert not [name for name in library if name.split(".")[0] == part], part


def test_pyodides_loader_of_packages_is_the_small_one(files, library):
    _, start, size, _ = library["pyodide._package_loader"]
    code = files["library.code"][start : start + size]
    assert b"init_loaded_packages" in code
    assert b"unpack_buffer" not in code


def test_the_dataclasses_of_every_package_are_compiled_ahead(files):
    ahead = files["dataclasses.ahead"]
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
