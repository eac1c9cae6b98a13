"""Where things are. Decides the names of the project's folders once; knows nothing of what is inside them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
ENVIRONMENT = ROOT / ".venv"
NODE_MODULES = ROOT / "node_modules"
LICENCES = ROOT / "licences"

BUILD = ROOT / "build"  # everything here is generated and may be deleted at any time
DATA = BUILD / "data"  # the catalogue and the recorded runs
REFERENCE = BUILD / "reference"  # the reference pages, written from the code's own tables
RUNTIME = BUILD / "runtime"  # Pyodide and our packed Python
STAGE = BUILD / "docs"  # docs/ plus what is generated: the folder that MkDocs reads
CATALOGUE = DATA / "experiments.json"  # the index
SITE = ROOT / "site"  # the publishable folder


def experiment_file(slug: str, data: Path = DATA) -> Path:
    """Where the whole description of an experiment is kept."""
    return data / "experiments" / f"{slug}.json"


def report_file(slug: str, variant: str, data: Path = DATA) -> Path:
    """Where the recorded run of a variant is kept."""
    return data / "recorded" / slug / f"{variant}.json"
