"""A worker with a queue in its own memory: what comes in on its socket waits for this worker, whoever else is idle."""

import asyncio


class LocalWorker:
    def __init__(self, name, log):
        self._name = name
        self._log = log
        self._queue = asyncio.Queue()

    async def submit(self, job_id, work):
        await self._queue.put((job_id, work))

    async def run(self):
        while True:
            job_id, work = await self._queue.get()
            self._log("started", worker=self._name, job=job_id, rows=None)
            await work()
            self._log("ended", worker=self._name, job=job_id)
