"""A worker that takes jobs from anyone: it looks at the index, tries to claim, and runs what it won."""

READY = "jobs:ready"  # sorted set of candidates; a hint, never the fact of ownership


async def run_worker(name, jobs, redis, ticks, new_token, run, log):
    while True:
        await ticks.between()  # look between two ticks, act on the next
        candidates = await redis.zrange(READY, 0, 0)
        if not candidates:
            continue
        job_id = candidates[0]

        await ticks.next()
        claim = await jobs.claim(job_id, name, new_token())
        log("claim", worker=name, job=job_id, rows=1 if claim else 0, epoch=claim and claim.epoch)
        if claim is None:
            continue
        await redis.zrem(READY, job_id)

        await ticks.next()
        rows = await jobs.start(claim)
        log("started", worker=name, job=job_id, rows=rows, epoch=claim.epoch)
        if rows == 0:
            continue  # no clean-up: this job is somebody else's, and not ours to touch

        result = await run(claim.input)
        if await jobs.finish(claim, result):
            log("ended", worker=name, job=job_id)
            await redis.xadd(f"events:{job_id}", {"type": "done", "epoch": claim.epoch, "result": result})
