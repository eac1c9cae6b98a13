"""Makes one file of the panel's modules, and one of its style sheets, in a staged copy of `docs/assets/lab`.

The modules run unbuilt as they are written; on the site they would cost some seventy requests, one after another. So
`main.js` and `lab.css` are bundled there by esbuild under their own names, and so is the editor, which brings
CodeMirror from npm and is loaded when a reader first edits. What the page shares with its workers (`runtime.js`,
`live.js` and what they import) stays as it is: it must exist once, and workers load it by address.
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
# Bundled by itself: imported by the panel when it is needed, and made of packages that browsers cannot find by name.
EDITOR = "editing/codemirror.js"
# Syntax that every browser able to run Pyodide knows.
TARGET = "es2022"


def bundle_page(folder: Path) -> None:
    """Bundle `folder`/main.js and lab.css in place; modules and sheets that are inside them by then are removed, and
    modules of types alone.

    Raises subprocess.CalledProcessError; esbuild has then said why on the error stream.
    """
    with TemporaryDirectory() as unused:
        kept = _bundle(folder, *SEPARATE, f"--outdir={unused}")
    merged = bundle_editor(folder, folder) - {EDITOR}
    external = [f"--external:{folder / name}" for name in sorted({*kept, EDITOR})]
    for entry in ("main.js", "lab.css"):
        # Into the folder itself: esbuild writes the paths of what stays outside relative to where the bundle will be.
        inside = _bundle(
            folder, entry, f"--outdir={folder}", "--allow-overwrite", "--minify", f"--target={TARGET}", *external
        )
        merged |= inside - kept - {entry, EDITOR}
    # What nothing imports holds types alone, for whoever edits: no page asks for it.
    merged |= {path.relative_to(folder).as_posix() for path in folder.rglob("*.js")} - kept - {"main.js", EDITOR}
    for name in merged:
        (folder / name).unlink()
    for parent in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
        if not any(parent.iterdir()):
            parent.rmdir()


def bundle_editor(folder: Path, to: Path) -> set[str]:
    """Bundle the editor of the modules in `folder` into the same place under `to`; returns which modules went in."""
    inside = _bundle(
        folder,
        EDITOR,
        f"--outfile={to / EDITOR}",
        "--allow-overwrite",
        "--minify",
        f"--target={TARGET}",
        "--legal-comments=none",  # the licences are among the site's notices
    )
    return {name for name in inside if (folder / name).is_file() and not name.startswith("..")}


def _bundle(folder: Path, *arguments: str) -> set[str]:
    """Run esbuild on these entries; returns every file it read, relative to the folder."""
    with TemporaryDirectory() as scratch:
        meta = Path(scratch, "meta.json")
        program = NODE_MODULES / ".bin" / "esbuild"
        command = [program, "--bundle", "--format=esm", "--log-level=warning", f"--metafile={meta}", *arguments]
        # By this variable packages are found from any folder, also one outside the project.
        environment = {**node_environment(), "NODE_PATH": str(NODE_MODULES)}
        subprocess.run(command, cwd=folder, env=environment, check=True, stdin=subprocess.DEVNULL)
        return set(json.loads(meta.read_text(encoding="utf-8"))["inputs"])
