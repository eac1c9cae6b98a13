"""What a process may be. A role is `async (orders, tell, **settings)`; spawn one as `"jobs.racer"`.

jobs.py      a racer for jobs, a worker
slots.py     a holder of a slot
flights.py   a caller of a flight

Decides what the programs are handed besides the clients: settings, clocks, and an upstream and ticks that the test
holds in its hand. Each file imports the clients it needs and nothing of the lab, so that a process starts quickly.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

EXPERIMENTS = Path(__file__).parents[4] / "experiments"


def program(experiment: str, name: str) -> ModuleType:
    """An experiment's program: the file as it is, without the lab around it."""
    path = EXPERIMENTS / experiment / "programs" / f"{name}.py"
    spec = spec_from_file_location(f"program_{name}", path)
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
