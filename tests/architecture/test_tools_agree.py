"""What other tools check: import contracts, style, the page's types, the workflow's schema, the scripts' syntax."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools import tidy
from tools.node import node_program
from tools.paths import NODE_MODULES, ROOT

_BIN = sys.prefix + "/bin/"


def run(*command: str) -> None:
    """The command must succeed; its own words are the test's message."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def test_the_floors_keep_their_import_contracts():
    run(_BIN + "lint-imports", "--no-cache")


@pytest.mark.parametrize(
    ("contract", "wrong", "text"),
    [
        ("floors", "py_runtime/stores/deep.py", "import py_runtime.lab"),
        ("floors", "py_runtime/unlisted/__init__.py", ""),
        ("runtime-knows-no-experiment", "py_runtime/lab/deep.py", "import experiments.one"),
        ("independent-experiments", "experiments/one/deep.py", "import experiments.two"),
    ],
)
def test_import_contracts_break_where_they_should(tmp_path, contract, wrong, text):
    for package in ("", "/sim", "/stores", "/lab"):
        write(tmp_path / f"py_runtime{package}" / "__init__.py")
    for package in ("", "/one", "/two"):
        write(tmp_path / f"experiments{package}" / "__init__.py")
    write(tmp_path / "experiments" / "__main__.py", "import experiments")
    config = (ROOT / "pyproject.toml").read_text()
    section = config[config.index(f'[[tool.importlinter.contracts]]\nid = "{contract}"') :].split("\n\n")[0]
    heading = '[tool.importlinter]\nroot_packages = ["py_runtime", "experiments"]'
    write(tmp_path / "pyproject.toml", f"{heading}\n\n{section}\n")
    command = [_BIN + "lint-imports", "--no-cache"]
    kept = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert kept.returncode == 0, kept.stdout + kept.stderr
    write(tmp_path / wrong, text)
    broken = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert broken.returncode == 1
    assert "0 kept, 1 broken" in broken.stdout


def write(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_python_keeps_the_style():
    run(_BIN + "ruff", "check", "--no-cache", ".")


def test_the_pages_modules_have_sound_types():
    run(node_program(), str(NODE_MODULES / "typescript" / "bin" / "tsc"), "--project", "tsconfig.json")


def test_workflows_match_githubs_schema():
    files = [str(path) for path in tidy.project_files((".yml", ".yaml"), ".github/workflows")]
    assert files
    run(_BIN + "check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files)


def test_workflows_pin_every_action_to_a_commit():
    for path in tidy.project_files((".yml", ".yaml"), ".github/workflows"):
        assert tidy.unpinned_actions(path.read_text()) == []


def test_the_ci_script_is_sound_bash_and_executable():
    script = ROOT / ".ci" / "run"
    run("bash", "-n", str(script))
    assert script.stat().st_mode & 0o111
