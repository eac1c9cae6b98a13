"""Skips a build step whose inputs have not changed since it last succeeded.

Decides by content (names and bytes of the input files), not by file times: a fresh clone, a branch switch and a copied
folder all have misleading times. Knows nothing of what a step does.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from tools.paths import BUILD, ROOT

_SKIPPED_FOLDERS = {"__pycache__", "node_modules"}


def input_digest(inputs: Iterable[Path], extra: str = "") -> str:
    """Hash of every file under `inputs` (files or folders, missing ones count as absent) and of the text `extra`."""
    digest = hashlib.sha256(extra.encode())
    for path in inputs:
        for file in sorted(_files(path)):
            content = file.read_bytes()
            digest.update(f"\0{file.relative_to(ROOT)}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()


def _files(path: Path) -> Iterable[Path]:
    if path.is_file():
        return [path]
    return (f for f in path.rglob("*") if f.is_file() and not _SKIPPED_FOLDERS.intersection(f.parts))


class Step:
    """One step of the build: `is_fresh()` before the work, `done()` after it succeeded.

    Example:
        step = Step("site", inputs=[DOCS], output=SITE)
        if not step.is_fresh():
            ...
            step.done()
    """

    def __init__(self, name: str, inputs: Iterable[Path], output: Path, extra: str = "") -> None:
        self._file = BUILD / "stamps" / name
        self._output = output
        self.digest = input_digest(inputs, extra)

    def is_fresh(self) -> bool:
        """True when the output exists and came from inputs with the same content."""
        return self._output.exists() and self._file.is_file() and self._file.read_text() == self.digest

    def done(self) -> None:
        """Remember that the output now belongs to these inputs."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(self.digest)
