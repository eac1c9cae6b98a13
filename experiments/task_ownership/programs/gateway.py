"""The gateway keeps the client's socket. It stores what was asked, says that there is work, and passes events back."""

READY = "jobs:ready"


async def submit(job_id, input, jobs, redis, ticks, log):
    await jobs.persist(job_id, input)  # first the row: whoever claims it has nothing else to go by
    log("persisted", job=job_id)
    await ticks.next()
    await redis.zadd(READY, {job_id: ticks.now})
    log("indexed", job=job_id)


async def forward_events(job_id, redis, log):
    stream, position = f"events:{job_id}", "0"  # from the beginning: an event before this call is not lost
    while True:
        [[_, entries]] = await redis.xread({stream: position}, block=0)
        for _, event in entries:
            log("delivered", job=job_id, type=event["type"])
        position = entries[-1][0]


async def release_unstarted(job_id, jobs, redis, ticks, log):
    """What a supervisor does with a claim whose owner has been silent too long."""
    rows = await jobs.release(job_id)
    log("released", job=job_id, rows=rows)
    if rows:
        await redis.zadd(READY, {job_id: ticks.now})
