"""Where the programs of the real servers are.

Decides which places are looked at and what is said when a server is missing. Starts nothing.
"""

import os
import shutil
from pathlib import Path

POSTGRES_FOLDERS = Path("/usr/lib/postgresql")  # where Debian keeps initdb and postgres, which it puts on no PATH


class MissingServer(Exception):
    """A server that is not installed; the text is one line that names Debian's package."""

    def __init__(self, program: str, package: str) -> None:
        super().__init__(f"{program} is not installed: apt-get install {package} (Debian's package) brings it")


def redis_server() -> str:
    """The path of `redis-server`. Raises MissingServer."""
    program = shutil.which("redis-server")
    if program is None:
        raise MissingServer("redis-server", "redis-server")
    return program


def postgres_programs() -> Path:
    """The folder of `initdb` and `postgres`: the one on the PATH, else Debian's newest. Raises MissingServer."""
    on_path = shutil.which("initdb")
    if on_path is not None and shutil.which("postgres") is not None:
        return Path(on_path).parent
    folders = [path.parent for path in POSTGRES_FOLDERS.glob("*/bin/postgres") if (path.parent / "initdb").exists()]
    if not folders:
        raise MissingServer("PostgreSQL", "postgresql")
    return max(folders, key=lambda folder: int(folder.parent.name) if folder.parent.name.isdigit() else 0)


def absence_is_failure() -> bool:
    """In continuous integration every arm must run; elsewhere the arm of a missing server is skipped."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")
