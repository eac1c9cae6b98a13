"""An upload handler whose blocking work runs on the event loop itself. It is `async def`, and never lets go."""

import hashlib


def upload(store, key, payload):
    digest = hashlib.sha256(payload).hexdigest()
    store.put(key, payload)  # a synchronous call: it returns when the store has answered
    return digest


async def handle_upload(store, key, payload):
    return upload(store, key, payload)
