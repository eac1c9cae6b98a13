"""What other tools check: import contracts, style, the page's types, the workflow's schema, the scripts' syntax."""

import subprocess
import sys

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


def test_import_contracts_break_when_a_floor_imports_upwards(tmp_path):
    for module, text in {"sim": "", "stores": "import py_runtime.lab", "lab": ""}.items():
        package = tmp_path / "py_runtime" / module
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(text)
    (tmp_path / "py_runtime" / "__init__.py").touch()
    config = (ROOT / "pyproject.toml").read_text()
    floors = config[config.index('[[tool.importlinter.contracts]]\nid = "floors"') :].split("\n\n")[0]
    (tmp_path / "pyproject.toml").write_text(f'[tool.importlinter]\nroot_package = "py_runtime"\n\n{floors}\n')
    done = subprocess.run(
        [_BIN + "lint-imports", "--no-cache"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "py_runtime.stores -> py_runtime.lab" in done.stdout


def test_python_keeps_the_style():
    run(_BIN + "ruff", "check", "--no-cache", ".")


@pytest.mark.parametrize("config", ["tsconfig.json", "tsconfig.worker.json"])
def test_the_pages_modules_have_sound_types(config):
    run(node_program(), str(NODE_MODULES / "typescript" / "bin" / "tsc"), "--project", config)


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
