"""An upload handler whose blocking work runs on a pool thread. The call takes just as long; the loop stays free."""

import asyncio
import hashlib


def upload(store, key, payload):
    digest = hashlib.sha256(payload).hexdigest()
    store.put(key, payload)  # a synchronous call: it returns when the store has answered
    return digest


async def handle_upload(store, key, payload):
    return await asyncio.to_thread(upload, store, key, payload)
