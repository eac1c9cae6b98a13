"""The panel's modules become one file on the site; what workers and other sites load stays where it is."""

import re
import shutil
from pathlib import Path

import pytest

from tools.bundle import EDITOR, SEPARATE, bundle_page
from tools.paths import DOCS

LAB = DOCS / "assets" / "lab"


@pytest.fixture(scope="module")
def staged(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("staged") / "lab"
    shutil.copytree(LAB, folder)
    bundle_page(folder)
    return folder


def test_the_panel_is_one_module_and_one_sheet(staged):
    assert [path.relative_to(staged).as_posix() for path in staged.rglob("*/*")] == [EDITOR]
    assert len(list(staged.glob("*.js"))) < len(list(LAB.rglob("*.js"))) / 3
    assert "@import" not in (staged / "lab.css").read_text(encoding="utf-8")


def test_what_is_loaded_by_its_own_address_is_left_as_written(staged):
    for name in SEPARATE:
        assert (staged / name).read_bytes() == (LAB / name).read_bytes()


def test_every_module_that_is_imported_is_there(staged):
    imports = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""")
    found = {
        path.name: imports.findall(re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL))
        for path in staged.glob("*.js")
    }
    assert "./runtime.js" in found["main.js"]
    for name, addresses in found.items():
        for address in addresses:
            assert (staged / address).is_file(), f"{name} imports {address}"


def test_the_editor_is_one_module_beside_the_panel_and_asks_for_no_other(staged):
    editor, panel = ((staged / name).read_text(encoding="utf-8") for name in (EDITOR, "main.js"))
    assert f'import("./{EDITOR}")' in panel
    assert "cm-content" in editor and "cm-content" not in panel
    assert not re.search(r"""(?:from|import)\s*\(?\s*["']""", editor)


def test_the_panel_and_the_page_share_one_runtime(staged):
    """Two copies would mean two workers: the module that holds the page's only lab must not be inside the bundle."""
    assert "pyodide-worker.js" not in (staged / "main.js").read_text(encoding="utf-8")
