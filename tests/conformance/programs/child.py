"""A process of its own: `python -m tests.conformance.programs.child ROLE SETTINGS`, run by `processes.py`.

Decides how it talks: each line on its input is an order, each line on its output an event as JSON. Ends with the
process that started it, also when that one is killed.
"""

import asyncio
import ctypes
import json
import os
import signal
import sys
from importlib import import_module

_PR_SET_PDEATHSIG = 1  # Linux: the signal that the kernel sends when the parent is gone; a frozen process gets it too


class Orders:
    """The orders from the test, in order of arrival."""

    def __init__(self) -> None:
        self._reader = asyncio.StreamReader()

    async def listen(self) -> None:
        protocol = asyncio.StreamReaderProtocol(self._reader)
        await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)

    async def next(self) -> str:
        """Wait for the next order."""
        line = await self._reader.readline()
        if not line:
            os._exit(1)  # the test is gone
        return line.decode().rstrip("\n")


def tell(event: str, **values: object) -> None:
    """Report an event to the test."""
    print(json.dumps({"event": event, **values}), flush=True)


async def main(role: str, settings: dict) -> None:
    orders = Orders()
    await orders.listen()
    module, name = role.split(".")
    play = getattr(import_module(f"tests.conformance.programs.roles.{module}"), name)
    await play(orders, tell, **settings)


if __name__ == "__main__":
    if hasattr(ctypes.CDLL(None), "prctl"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
