"""The rules of tools/tidy.py catch what they are for, and leave alone what is fine."""

import pytest

from tools import tidy
from tools.stamp import input_digest


@pytest.mark.parametrize("module", sorted(tidy.BANNED))
@pytest.mark.parametrize(
    "form", ["import {0}", "from {0} import x", "def f():\n    import {0}.inner", "import os, {0} as y"]
)
def test_a_banned_import_is_found_with_its_replacement(module, form):
    [breach] = tidy.banned_names(form.format(module))
    assert module in breach
    assert tidy.BANNED[module] in breach


def test_a_banned_call_is_found():
    assert len(tidy.banned_names("x = hash('a')")) == 1


@pytest.mark.parametrize(
    "text", ["from . import time", "import timeit", "import asyncio.tasks", "x.time()", "y.hash(1)"]
)
def test_names_that_only_look_banned_are_allowed(text):
    assert tidy.banned_names(text) == []


def test_third_party_imports_are_found():
    assert tidy.foreign_imports("import json\nimport py_runtime.sim\nimport requests") == ["line 3 imports requests"]


def test_an_import_below_a_public_package_is_found(tmp_path):
    package = tmp_path / "py_runtime" / "sim"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    text = "from py_runtime.sim import World\nfrom py_runtime.sim.engine import Engine"
    assert [breach.split(",")[0] for breach in tidy.deep_imports(text, tmp_path)] == [
        "line 2 imports py_runtime.sim.engine"
    ]


def test_a_slug_in_the_pages_code_is_found():
    assert tidy.named_slugs("if (slug === 'some-experiment')", ["some-experiment", "another"]) != []
    assert tidy.named_slugs("if (slug === other)", ["some-experiment", "another"]) == []


def test_a_long_file_is_found():
    assert tidy.too_long("x\n" * 400) == []
    assert tidy.too_long("x\n" * 401) == ["has 401 lines, and 400 are allowed"]


@pytest.mark.parametrize(
    "text",
    [
        '"resol' + 'ved": "https://host/a"',
        "https://host/pool/a-1.0.tg" + "z",
        "https://host/a-1.0-py3-none-any.wh" + "l",
        "https://host/sim" + "ple",
        "--index-" + "url x",
        "--find-" + "links x",
    ],
)
def test_a_registry_address_is_found(text):
    assert len(tidy.registry_addresses(f"fine\n{text}")) >= 1
    assert tidy.registry_addresses(f"fine\n{text}")[0].startswith("line 2")


def test_ordinary_addresses_are_no_registry_addresses():
    assert tidy.registry_addresses("https://github.com/pyodide/pyodide and https://example.org/simply") == []


@pytest.mark.parametrize("path", ["/ro" + "ot/x", "'/ho" + "me/someone/y'", "cd /wo" + "rk/main", "=/Us" + "ers/a"])
def test_a_machine_path_is_found(path):
    assert len(tidy.machine_paths(path)) == 1


@pytest.mark.parametrize(
    "path", ["/usr/bin/chromium", "docs/work/x", "https://host/home/x", "/some/repo/", "./" + "root/x"]
)
def test_other_paths_are_allowed(path):
    assert tidy.machine_paths(path) == []


def test_an_action_without_a_commit_is_found():
    sha = "0123456789abcdef" * 2 + "01234567"
    assert tidy.unpinned_actions(f"      - uses: actions/checkout@{sha} # v5.0.0") == []
    assert len(tidy.unpinned_actions("      - uses: actions/checkout@v5")) == 1
    assert len(tidy.unpinned_actions(f"      - uses: actions/checkout@{sha}")) == 1


def test_a_requirement_without_pin_or_hash_is_found():
    good = "# made by a tool\na-b==1.0 ; python_version < '3.13' \\\n    --hash=sha256:aa\n    # via c\n"
    assert tidy.unhashed(good) == []
    assert tidy.unhashed(good + "d==2\n") == ["d==2"]
    assert tidy.unhashed(good + "d>=2 \\\n    --hash=sha256:bb\n") == ["d>=2"]


def test_headings_inside_code_fences_do_not_count():
    page = "# One\n\n```python\n# a comment\n```\n\n## Two\n\n# Three\n"
    assert tidy.headings(page) == ["One", "Three"]


def test_the_digest_of_inputs_sees_content_names_and_absence(monkeypatch, tmp_path):
    monkeypatch.setattr("tools.stamp.ROOT", tmp_path)
    folder = tmp_path / "inputs"
    folder.mkdir()
    seen = {input_digest([folder]), input_digest([folder], extra="x"), input_digest([tmp_path / "absent"], extra="y")}
    (folder / "a").write_text("1")
    seen.add(input_digest([folder]))
    (folder / "a").write_text("2")
    seen.add(input_digest([folder]))
    (folder / "a").rename(folder / "b")
    seen.add(input_digest([folder]))
    assert len(seen) == 6
    assert input_digest([folder]) in seen
