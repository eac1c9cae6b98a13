"""Finds a Node that is new enough, with its npm. Decides which one is used; installing one is `prepare`'s work."""

from __future__ import annotations  # `prepare` imports this under whatever Python the machine has

import os
import re
import shutil
import subprocess
from pathlib import Path

from tools.paths import ENVIRONMENT

NODE_MAJOR_MIN = 20  # the oldest line that Pyodide's Node loader and esbuild both support


def node_folder() -> Path | None:
    """The folder that holds a usable `node` and `npm`: from the PATH first, else from our environment, else None."""
    search = os.pathsep.join([os.environ.get("PATH", ""), str(ENVIRONMENT / "bin")])
    for folder in search.split(os.pathsep):
        if folder and _is_usable(Path(folder)):
            return Path(folder)
    return None


def _is_usable(folder: Path) -> bool:
    node, npm = folder / "node", folder / "npm"
    if not (os.access(node, os.X_OK) and os.access(npm, os.X_OK)):
        return False
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return False
    match = re.match(r"v(\d+)\.", answer)
    return match is not None and int(match[1]) >= NODE_MAJOR_MIN


def node_environment() -> dict[str, str]:
    """A copy of the process environment in which `node` and `npm` are the usable ones.

    Raises FileNotFoundError with the command to run when there are none.
    """
    folder = node_folder()
    if folder is None:
        raise FileNotFoundError(f"No Node {NODE_MAJOR_MIN} or newer with npm was found: run 'make prepare'.")
    return {**os.environ, "PATH": os.pathsep.join([str(folder), os.environ.get("PATH", "")])}


def node_program() -> str:
    """The path of the usable `node`; raises FileNotFoundError as `node_environment` does."""
    return str(shutil.which("node", path=node_environment()["PATH"]))
