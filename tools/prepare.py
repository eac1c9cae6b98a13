"""Sets up everything that building and testing need, on a machine that has only Python (with venv) and make.

Decides what is installed and when it is stale. Runs under the machine's own Python, so it uses the standard library
only; it does not know what is built afterwards. Each part is skipped when its lock file, the Python and the place of
the project are the same as when it was last set up.
"""

from __future__ import annotations  # an older Python must get as far as the sentence that says it is too old

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.node import NODE_MAJOR_MIN, node_environment, node_folder
from tools.paths import BUILD, ENVIRONMENT, NODE_MODULES, ROOT

PYTHON_MIN = (3, 11)
_LAB_LOCK = ROOT / "requirements" / "lab.txt"
_NODE_LOCK = ROOT / "requirements" / "node.txt"


def main() -> int:
    """Set up what is missing; 0, or 1 after one sentence that says what to install or what went wrong."""
    try:
        _check_python()
        make_environment(ENVIRONMENT, _LAB_LOCK)
        _prepare_node()
        _prepare_npm_folder()
    except subprocess.CalledProcessError as error:
        print(f"This command failed with status {error.returncode}: {' '.join(map(str, error.cmd))}", file=sys.stderr)
        return 1
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _check_python() -> None:
    version = ".".join(map(str, sys.version_info[:2]))
    if sys.version_info < PYTHON_MIN:
        raise RuntimeError(f"Python 3.11 or newer is needed, this is {version}: use 'make PYTHON=python3.11 …'.")
    # Debian ships venv without ensurepip; creating the environment would fail half way with a longer story.
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        raise RuntimeError(
            f"This Python {version} cannot make virtual environments: install python3-venv "
            f"(on Debian and Ubuntu: apt-get install python3-venv, or python{version}-venv)."
        )


def make_environment(folder: Path, lock: Path) -> Path:
    """A Python environment with what a lock names, made anew when it is stale; gives its Python.

    Raises `subprocess.CalledProcessError` where it cannot be made.
    """
    python, stamp = folder / "bin" / "python", folder / "lab-stamp"
    # The place counts: scripts in an environment hold absolute paths and break when the folder is moved or copied.
    wanted = _digest(lock.read_text(), sys.version, str(ROOT))
    if _holds(stamp, wanted) and python.exists():
        return python
    print(f"Setting up the Python environment in {folder.relative_to(ROOT)}/ …", flush=True)
    if folder.exists():
        shutil.rmtree(folder)
    _run([sys.executable, "-m", "venv", folder])
    _pip_install(python, lock)
    stamp.write_text(wanted)
    return python


def _prepare_node() -> None:
    if node_folder() is None:
        print(f"No Node {NODE_MAJOR_MIN} or newer here: installing one into {ENVIRONMENT.name}/ …", flush=True)
        _pip_install(ENVIRONMENT / "bin" / "python", _NODE_LOCK)
    if node_folder() is None:
        raise RuntimeError(f"Node from PyPI does not run on this machine: install Node {NODE_MAJOR_MIN} or newer.")


def _prepare_npm_folder() -> None:
    stamp = NODE_MODULES / ".lab-stamp"
    wanted = _digest((ROOT / "package-lock.json").read_text(), str(ROOT))
    if _holds(stamp, wanted):
        return
    print("Installing the npm packages …", flush=True)
    environment = node_environment()
    environment.setdefault("NODE_USE_SYSTEM_CA", "1")  # networks with a certificate authority of their own
    if not os.access(os.path.expanduser("~"), os.W_OK):  # npm refuses to start without a place for its cache
        environment["npm_config_cache"] = str(BUILD / "npm-cache")
    # No install scripts: esbuild and typescript bring their programs as packages, nothing needs to run.
    quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    _run(["npm", "ci", "--ignore-scripts", *quiet], environment)
    stamp.write_text(wanted)


def _pip_install(python: Path, lock: Path) -> None:
    options = ["--quiet", "--quiet", "--disable-pip-version-check", "--no-input", "--require-hashes"]
    _run([python, "-m", "pip", "install", *options, "-r", lock])


def _run(command: list, environment: dict[str, str] | None = None) -> None:
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdin=subprocess.DEVNULL)


def _holds(stamp: Path, text: str) -> bool:
    return stamp.is_file() and stamp.read_text() == text


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
