"""A heartbeat that has nothing to do with the upload. `on_beat(late_s)` is told how late each beat ran, in seconds."""

import asyncio
import math


async def sleep_loop(interval_s, on_beat):
    """The next beat is due one interval after this one ran: a late beat moves all that follow."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + interval_s
        await asyncio.sleep(interval_s)
        on_beat(loop.time() - due)


async def phase_keeping(interval_s, on_beat):
    """Beats keep to a grid, as with setInterval in a browser: one that is missed is skipped, not made up."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    beat = 1
    while True:
        due = start + beat * interval_s
        await asyncio.sleep(due - loop.time())
        on_beat(loop.time() - due)
        passed = math.floor((loop.time() - start) / interval_s + 1e-6)  # a beat on its instant has passed
        beat = max(beat, passed) + 1
