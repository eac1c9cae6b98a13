"""Finding and setting up tools: the right program, or one sentence that says what to do."""

import importlib.util
import os
import re
from pathlib import Path

import pytest

from tools import browser, csp, embed, node, prepare
from tools.paths import DOCS, ROOT


def program(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def node_in(folder: Path, version: str, npm: bool = True) -> Path:
    program(folder / "node", f"echo {version}")
    if npm:
        program(folder / "npm")
    return folder


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine with nothing on its PATH but a shell, and an empty environment folder."""
    monkeypatch.setattr(node, "ENVIRONMENT", tmp_path / "environment")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.delenv("LAB_CHROMIUM", raising=False)
    return tmp_path


def test_a_node_on_the_path_is_used(bare, monkeypatch):
    folder = node_in(bare / "a", "v22.1.0")
    monkeypatch.setenv("PATH", str(folder))
    assert node.node_folder() == folder


@pytest.mark.parametrize(("version", "npm"), [("v18.19.0", True), ("v22.1.0", False), ("nonsense", True)])
def test_an_old_or_incomplete_node_is_passed_over(bare, monkeypatch, version, npm):
    node_in(bare / "a", version, npm)
    good = node_in(bare / "environment" / "bin", "v20.0.0")
    monkeypatch.setenv("PATH", str(bare / "a"))
    assert node.node_folder() == good
    assert node.node_environment()["PATH"].split(os.pathsep)[0] == str(good)


def test_no_node_gives_the_command_to_run(bare):
    assert node.node_folder() is None
    with pytest.raises(FileNotFoundError, match="make prepare"):
        node.node_environment()


def test_an_old_python_is_refused_with_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr("sys.version_info", (3, 10, 4))
    assert prepare.main() == 1
    assert "Python 3.11 or newer is needed, this is 3.10" in capsys.readouterr().err


def test_a_python_without_ensurepip_names_the_package_to_install(monkeypatch, capsys):
    real = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "ensurepip" else real(name))
    assert prepare.main() == 1
    assert "apt-get install python3-venv" in capsys.readouterr().err


def test_a_named_browser_comes_first(bare, monkeypatch):
    named = program(bare / "mine" / "chrome")
    monkeypatch.setenv("LAB_CHROMIUM", str(named))
    assert browser.find_chromium(program(bare / "own" / "chrome")) == named


def test_a_named_browser_that_is_not_there_is_an_error(bare, monkeypatch):
    monkeypatch.setenv("LAB_CHROMIUM", str(bare / "absent"))
    with pytest.raises(FileNotFoundError, match="absent"):
        browser.find_chromium()


def test_playwrights_own_browser_comes_before_the_systems(bare, monkeypatch):
    own = program(bare / "own" / "chrome")
    program(bare / "bin" / "chromium")
    monkeypatch.setenv("PATH", str(bare / "bin"))
    assert browser.find_chromium(own) == own
    assert browser.find_chromium(bare / "absent") == bare / "bin" / "chromium"


def test_the_sandbox_is_off_for_root_only(monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert "--no-sandbox" in browser.launch_options(Path("x"))["args"]
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert "--no-sandbox" not in browser.launch_options(Path("x"))["args"]


def test_the_policy_allows_each_inline_script_by_its_hash_and_nothing_else(tmp_path):
    page = '<script>a&&b()</script><script src="x.js"></script><script type="application/json">{"c": 1}</script>'
    (tmp_path / "index.html").write_text(page)
    [source] = csp.inline_scripts(tmp_path)
    assert source == "'sha256-eIohr3UvuoKOsKTldOrgtdaGv2002XMbZvM4P6VEOJ0='"
    directives = dict(part.split(" ", 1) for part in csp.policy(tmp_path).split("; "))
    assert directives["script-src"] == f"'self' 'wasm-unsafe-eval' {source}"
    assert directives["default-src"] == directives["worker-src"] == "'self'"


def test_the_documented_policy_is_the_base_of_the_computed_one():
    base = "; ".join(f"{name} {' '.join(sources)}" for name, sources in csp.BASE.items())
    page = (DOCS / "how-it-works.md").read_text(encoding="utf-8")
    assert f"```text\n{base}\n```" in page
    for name, (sources, _) in csp.THEME.items():
        assert f"`{name} {' '.join(sources)}`" in page


def test_embed_pages_link_the_same_files_as_the_sites_pages():
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    wanted = re.findall(r"assets/lab/[\w.-]+\.(?:css|js)", config)
    assert wanted == re.findall(r"assets/lab/[\w.-]+\.(?:css|js)", embed._PAGE)
