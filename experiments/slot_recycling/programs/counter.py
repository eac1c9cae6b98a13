"""A global limit as one anonymous number: INCR on the way in, DECR on the way out."""

KEY = "llm:inflight"


class Quota:
    def __init__(self, redis, limit, settings):
        self._redis = redis
        self._limit = limit

    async def acquire(self, task_id):
        count = await self._redis.incr(KEY)
        if count > self._limit:
            await self._redis.decr(KEY)
            return False
        return True

    async def release(self, task_id):
        await self._redis.decr(KEY)


async def run_task(quota, task_id, work):
    """Run `work` in a slot; returns whether there was one."""
    if not await quota.acquire(task_id):
        return False
    try:
        await work()
    finally:
        await quota.release(task_id)  # after an error, after a cancel; never after the process was killed
    return True
