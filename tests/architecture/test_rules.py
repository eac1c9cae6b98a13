"""The project's own files keep its rules (tools/tidy.py), read file by file."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import tidy
from tools.paths import DOCS, ROOT

_TEXT = (
    ".py",
    ".js",
    ".mjs",
    ".css",
    ".md",
    ".yml",
    ".yaml",
    ".toml",
    ".json",
    ".txt",
    ".in",
    "Makefile",
    "run",
    ".npmrc",
)


def breaches(files: list[Path], rule: Callable[[str], list[str]]) -> list[str]:
    """Every breach of a rule in the files, with the file's name; demands that there are files to read."""
    assert files, "the rule was given no file to read"
    return [
        f"{file.relative_to(ROOT)}: {breach}" for file in files for breach in rule(file.read_text(encoding="utf-8"))
    ]


@pytest.fixture(scope="module")
def slugs() -> list[str]:
    """The experiments' slugs, as the command line lists them."""
    command = [sys.executable, "-m", "experiments", "list", "--json"]
    listing = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60).stdout)
    return [entry["slug"] for entry in listing["experiments"]]


def test_simulated_floors_use_no_banned_name():
    assert breaches(tidy.floor_files(), tidy.banned_names) == []


def test_simulated_floors_import_the_standard_library_only():
    assert breaches(tidy.floor_files(), tidy.foreign_imports) == []


def test_experiments_import_public_packages_only():
    files = [file for file in tidy.project_files((".py",), "experiments") if file.parent != ROOT / "experiments"]
    assert breaches(files, tidy.deep_imports) == []


def test_the_page_knows_no_experiment_by_name(slugs):
    assert len(slugs) >= 5
    files = tidy.project_files((".js", ".css"), "docs/assets/lab")
    assert breaches(files, lambda text: tidy.named_slugs(text, slugs)) == []


def test_no_source_file_is_longer_than_the_limit():
    assert breaches(tidy.project_files((".py", ".js", ".mjs", ".css")), tidy.too_long) == []


def test_no_file_names_a_registry_address():
    assert breaches(tidy.project_files(_TEXT), tidy.registry_addresses) == []


def test_no_file_holds_a_path_of_somebodys_machine():
    assert breaches(tidy.project_files(_TEXT), tidy.machine_paths) == []


@pytest.mark.parametrize("lock", ["lab", "node", "bench"])
def test_python_locks_pin_every_package_with_hashes(lock):
    assert tidy.unhashed((ROOT / "requirements" / f"{lock}.txt").read_text()) == []


@pytest.mark.parametrize("lock", ["lab", "node", "bench"])
def test_python_locks_hold_what_is_asked_for(lock):
    wanted = (ROOT / "requirements" / f"{lock}.in").read_text().lower().splitlines()
    locked = (ROOT / "requirements" / f"{lock}.txt").read_text().lower()
    # What an extra or a marker adds is locked as packages and markers of its own.
    pins = [re.sub(r"\[.*?\]| ;.*", "", line) for line in wanted if line and line[0] not in "#-"]
    assert pins
    assert [pin for pin in pins if f"\n{pin} " not in locked] == []


def test_the_npm_lock_matches_what_is_asked_for_and_is_exact():
    asked = json.loads((ROOT / "package.json").read_text())
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    for kind in ("dependencies", "devDependencies"):
        for name, version in asked[kind].items():
            assert locked[f"node_modules/{name}"]["version"] == version
    assert [path for path, entry in locked.items() if path and "integrity" not in entry] == []


def test_pages_have_one_heading_each_and_no_two_the_same():
    titles = {page.relative_to(DOCS): tidy.headings(page.read_text(encoding="utf-8")) for page in DOCS.rglob("*.md")}
    assert titles
    assert {page: found for page, found in titles.items() if len(found) != 1} == {}
    firsts = [found[0] for found in titles.values()]
    assert sorted(firsts) == sorted(set(firsts))


def test_only_known_licences_are_redistributed_with_their_texts():
    notices = (ROOT / "THIRD-PARTY-NOTICES.md").read_text(encoding="utf-8")
    texts = {path.name for path in (ROOT / "licences").iterdir()}
    assert texts
    assert {name for name in texts if f"`{name}`" not in notices} == set()
    version = json.loads((ROOT / "package.json").read_text())["dependencies"]["pyodide"]
    assert f"Pyodide {version}" in notices
