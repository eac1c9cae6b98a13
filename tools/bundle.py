"""Makes one file of the panel's modules, and one of its style sheets, in a staged copy of `docs/assets/lab`.

The modules run unbuilt as they are written; on the site they would cost some seventy requests, one after another. So
`main.js` and `lab.css` are bundled there by esbuild under their own names. What the page shares with its workers
(`runtime.js`, `live.js` and what they import) stays as it is: it must exist once, and workers load it by address.
Decides only that; which modules there are is found out.
"""

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.node import node_environment
from tools.paths import NODE_MODULES

# Loaded by their own addresses: by the panel, by a worker, or by another site's page.
SEPARATE = ("runtime.js", "live.js", "pyodide-worker.js", "live-worker.js", "embed-host.js")
# Syntax that every browser able to run Pyodide knows.
TARGET = "es2022"


def bundle_page(folder: Path) -> None:
    """Bundle `folder`/main.js and lab.css in place; modules and sheets that are inside them by then are removed.

    Raises subprocess.CalledProcessError; esbuild has then said why on the error stream.
    """
    with TemporaryDirectory() as unused:
        kept = _bundle(folder, *SEPARATE, f"--outdir={unused}")
    external = [f"--external:{folder / name}" for name in sorted(kept)]
    for entry in ("main.js", "lab.css"):
        # Into the folder itself: esbuild writes the paths of what stays outside relative to where the bundle will be.
        inside = _bundle(
            folder, entry, f"--outdir={folder}", "--allow-overwrite", "--minify", f"--target={TARGET}", *external
        )
        for name in inside - kept - {entry}:
            (folder / name).unlink()
    for parent in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
        if not any(parent.iterdir()):
            parent.rmdir()


def _bundle(folder: Path, *arguments: str) -> set[str]:
    """Run esbuild on these entries; returns every file it read, relative to the folder."""
    with TemporaryDirectory() as scratch:
        meta = Path(scratch, "meta.json")
        program = NODE_MODULES / ".bin" / "esbuild"
        command = [program, "--bundle", "--format=esm", "--log-level=warning", f"--metafile={meta}", *arguments]
        subprocess.run(command, cwd=folder, env=node_environment(), check=True, stdin=subprocess.DEVNULL)
        return set(json.loads(meta.read_text(encoding="utf-8"))["inputs"])
