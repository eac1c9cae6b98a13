"""What can be taken out of the off-loaded upload, and what falls without it. Which words say so: `texts`."""

from py_runtime.lab import Safeguard

SAFEGUARDS = (
    Safeguard(
        "thread",
        "offloaded",
        "offloaded.py",
        (("return await asyncio.to_thread(upload, store, key, payload)", "return upload(store, key, payload)"),),
        falls=("every-beat-ran", "beats-on-time"),
    ),
)
