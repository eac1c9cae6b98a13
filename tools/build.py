"""Builds the publishable folder `site/`: records the runs, packs the runtime, writes the reference, calls MkDocs.

Decides the order and what depends on what; each step's work is in a module of its own and is skipped while its inputs
are the same. What is generated is put beside a copy of `docs/` in `build/docs`, which is all that MkDocs sees: so the
site generator can be replaced, and generated files are never among the written ones.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.bundle import bundle_page
from tools.node import node_environment, node_program
from tools.paths import BUILD, DATA, DOCS, LICENCES, NODE_MODULES, REFERENCE, ROOT, RUNTIME, SITE, STAGE
from tools.stamp import Step
from tools.theme import mend_theme

_PYTHON_FLOORS = [ROOT / "py_runtime", ROOT / "experiments"]
_TOOLS = ROOT / "tools"
_CONFIG = ROOT / "mkdocs.yml"
# Where readers and iframes find the site; canonical links and the 404 page need it. The publishing workflow sets it.
_SITE_URL = os.environ.get("SITE_URL") or "http://127.0.0.1:8000/"


def main() -> int:
    """Build what is stale; 0, or 1 after the failing tool's own words."""
    try:
        for work in (_record, _pack_runtime, _write_reference, _build_site):
            work()
    except subprocess.CalledProcessError as error:
        print(
            f"The build stopped: {' '.join(map(str, error.cmd))} failed with status {error.returncode}.",
            file=sys.stderr,
        )
        return 1
    except RuntimeError as error:
        print(f"The build stopped: {error}", file=sys.stderr)
        return 1
    return 0


def _record() -> None:
    step = Step("record", [*_PYTHON_FLOORS, _TOOLS / "record.py"], DATA, extra=sys.version)
    if not step.is_fresh():
        print("Recording one run of every variant …", flush=True)
        _run(sys.executable, "-m", "tools.record")
        step.done()


def _pack_runtime() -> None:
    inputs = [*_PYTHON_FLOORS, *_TOOLS.glob("pack_*"), ROOT / "package-lock.json"]
    step = Step("runtime", inputs, RUNTIME, extra=node_program())
    if not step.is_fresh():
        print("Packing the Python runtime for the browser …", flush=True)
        _run(sys.executable, _TOOLS / "pack_runtime.py", "--out", RUNTIME, "--pyodide", NODE_MODULES / "pyodide")
        step.done()


def _write_reference() -> None:
    step = Step("reference", [ROOT / "py_runtime" / "stores", *_TOOLS.glob("reference*.py")], REFERENCE)
    if not step.is_fresh():
        print("Writing the reference pages …", flush=True)
        shutil.rmtree(REFERENCE, ignore_errors=True)
        _run(sys.executable, "-m", "tools.reference", REFERENCE)
        step.done()


def _build_site() -> None:
    notices = ROOT / "THIRD-PARTY-NOTICES.md"
    inputs = [DOCS, DATA, RUNTIME, REFERENCE, LICENCES, notices, _CONFIG, _TOOLS, ROOT / "requirements" / "lab.txt"]
    step = Step("site", inputs, SITE, extra=_SITE_URL)
    if step.is_fresh():
        return
    print("Building the site …", flush=True)
    _stage(notices)
    # Built beside the old folder and then put in its place: a failed build leaves the last good site, and a running
    # server never sees half of one.
    fresh = BUILD / "site"
    shutil.rmtree(fresh, ignore_errors=True)
    # Not --quiet: it hides warnings from --strict too, and a page with broken links would be published.
    _run(sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", fresh)
    mend_theme(fresh, _SITE_URL)
    (fresh / ".nojekyll").touch()  # for whoever publishes from a branch: Pages must not run its own generator over it
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.move(fresh, SITE)
    step.done()


def _stage(notices: Path) -> None:
    from tools.embed import write_embeds  # here, since it reads what the recording step writes

    shutil.rmtree(STAGE, ignore_errors=True)
    shutil.copytree(DOCS, STAGE)
    shutil.copytree(REFERENCE, STAGE / "reference")
    bundle_page(STAGE / "assets" / "lab")
    page_data = STAGE / "assets" / "lab" / "data"
    shutil.copytree(DATA, page_data)
    shutil.copy(RUNTIME / "runtime.json", page_data)
    shutil.copytree(RUNTIME, STAGE / "assets" / "runtime", ignore=shutil.ignore_patterns("runtime.json"))
    write_embeds(STAGE)
    shutil.copytree(LICENCES, STAGE / "licences")
    shutil.copy(notices, STAGE / "licences" / "notices.txt")


def _run(*command: object) -> None:
    environment = {**node_environment(), "NO_MKDOCS_2_WARNING": "1", "SITE_URL": _SITE_URL}
    subprocess.run([str(part) for part in command], cwd=ROOT, env=environment, check=True, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
