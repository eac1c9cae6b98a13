"""Finds a Chromium for the browser tests and says how to start it. Installs nothing: that is `.ci/run`'s decision.

Looks, in this order, at `LAB_CHROMIUM` (someone said which one), at Playwright's own download, and at the programs
that systems install. `python -m tools.browser --check` fails with the command to run when there is none.
"""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import PlaywrightContextManager, sync_playwright

from tools.node import node_program

# The headless shell first, which Debian packages by itself: the same engine without the windows around it, and pages
# open in little more than half the time. It is also what Playwright downloads.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NOT_FOUND = (
    "No Chromium was found for the browser tests. Install one with 'apt-get install chromium' (Debian, Ubuntu) or "
    "'.venv/bin/python -m playwright install chromium', or name one: 'make test LAB_CHROMIUM=/path/to/chromium'."
)


def find_chromium(own: str | Path | None = None) -> Path | None:
    """The browser program to use, or None. Raises FileNotFoundError when `LAB_CHROMIUM` names none.

    `own` is where Playwright would keep its own one (`playwright.chromium.executable_path`), there or not.
    """
    named = os.environ.get("LAB_CHROMIUM")
    if named:
        if not (Path(named).is_file() and os.access(named, os.X_OK)):
            raise FileNotFoundError(f"LAB_CHROMIUM is {named}, and there is no program there.")
        return Path(named)
    if own and Path(own).is_file():
        return Path(own)
    # Debian's sbin-less PATHs of cron and CI sometimes lack /usr/bin's neighbours, so the usual places count too.
    for places in (None, "/usr/bin:/usr/local/bin:/snap/bin"):
        for name in _NAMES:
            found = shutil.which(name, path=places)
            if found:
                return Path(found)
    return None


def start_playwright() -> PlaywrightContextManager:
    """Playwright, as a context manager, run by the Node that the build uses.

    The Node that Playwright brings needs a library (libatomic) that a bare Debian does not have.
    """
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", node_program())
    return sync_playwright()


def launch_options(program: Path) -> dict:
    """Arguments for Playwright's `chromium.launch`: headless, and without the sandbox only when running as root."""
    arguments = ["--disable-dev-shm-usage"]  # containers often give /dev/shm 64 MB; Chromium then loses its tabs
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium refuses to start as root with it
    return {"executable_path": str(program), "args": arguments, "headless": True}


def main() -> int:
    """Print the browser's path; 0, or 1 after a sentence that names the command to install one."""
    try:
        with start_playwright() as playwright:
            program = find_chromium(playwright.chromium.executable_path)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    if program is None:
        print(NOT_FOUND, file=sys.stderr)
        return 1
    if "--check" not in sys.argv[1:]:
        print(program)
    return 0


if __name__ == "__main__":
    sys.exit(main())
