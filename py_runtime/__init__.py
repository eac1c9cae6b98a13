"""The lab's Python: a deterministic simulation, store stand-ins on top of it, and what an experiment is.

Floors, lowest first; a floor never imports one above it (kept by import contracts in `pyproject.toml`):

    sim     time, order, chance, actors, faults, trace, schedulers. Knows no store.
    stores  the Redis and SQL stand-ins and clients shaped like the real ones. Imports sim.
    lab     what an experiment is, running one, the report, the wire format. Imports sim and stores.

Everything here is standard library only and runs unchanged in CPython 3.11+ and in Pyodide. Start with
`py_runtime/sim/world.py`.
"""
