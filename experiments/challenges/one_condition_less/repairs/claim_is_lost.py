"""Wrong: a start that hits no row is looked into, but a claim that hits none is believed to be lost.

The table `jobs` is there: id, input, state ('queued', 'running', 'done' or 'failed'), owner (the name of a worker),
claimed_at (seconds, by the database's clock), epoch (0 at first), token, execution_id, execution_started_at, result.
Used are `run_job`, once for each attempt of a worker at a job, and `release_silent`, again and again.
"""

CLAIM = """
UPDATE jobs SET owner = :worker, claimed_at = extract(epoch FROM now()), epoch = epoch + 1, token = :token
WHERE id = :id AND state = 'queued' AND owner IS NULL AND claimed_at IS NULL
  AND execution_id IS NULL AND execution_started_at IS NULL
RETURNING epoch, input
"""

START = """
UPDATE jobs SET state = 'running', execution_id = :execution, execution_started_at = extract(epoch FROM now())
WHERE id = :id AND state = 'queued' AND owner = :worker AND epoch = :epoch AND token = :token
  AND execution_id IS NULL AND execution_started_at IS NULL
"""

FINISH = """
UPDATE jobs SET state = 'done', result = :result
WHERE id = :id AND state = 'running' AND execution_id = :execution AND epoch = :epoch AND token = :token
"""

FAIL = """
UPDATE jobs SET state = 'failed', result = :result
WHERE id = :id AND state = 'running' AND execution_id = :execution AND epoch = :epoch AND token = :token
"""

# The epoch stays: it counts claims, and the next one must get a higher one.
RELEASE = """
UPDATE jobs SET owner = NULL, claimed_at = NULL, token = NULL
WHERE state = 'queued' AND claimed_at <= extract(epoch FROM now()) - :grace
  AND execution_id IS NULL AND execution_started_at IS NULL
"""


MY_START = """
SELECT id FROM jobs
WHERE id = :id AND state = 'running' AND execution_id = :execution AND epoch = :epoch AND token = :token
"""


async def write(database, statement, values):
    """Carry out one statement; where no answer comes in time, send it again."""
    while True:
        try:
            return await database.execute(statement, values)
        except TimeoutError:
            continue


async def claim(database, job_id, worker, token):
    """What every later write must show, and the job's input; None where the job is somebody else's."""
    mine = {"id": job_id, "worker": worker, "token": token}
    answer = await write(database, CLAIM, mine)
    if answer.row_count == 0:
        return None
    [row] = answer.rows
    return {**mine, "epoch": row["epoch"], "execution": f"{job_id}/{row['epoch']}"}, row["input"]


async def start(database, mine):
    if (await write(database, START, mine)).row_count == 1:
        return True
    return (await write(database, MY_START, mine)).row_count == 1


async def run_job(database, job_id, worker, token, prepare, work):
    """One attempt: claim the job for `worker`, `await prepare()`, start it, and store what `await work(input)` gives.

    `token` is a text that no other attempt has. Returns without having worked where the job is somebody else's.
    """
    claimed = await claim(database, job_id, worker, token)
    if claimed is None:
        return
    mine, input = claimed
    try:
        await prepare()
        if not await start(database, mine):
            raise RuntimeError("the claim is lost")
        result = await work(input)
        await write(database, FINISH, {**mine, "result": result})
    except Exception as error:
        await write(database, FAIL, {**mine, "result": str(error)})


async def release_silent(database, grace_s):
    """Take back claims that have not come to their start within `grace_s` seconds; others may claim those jobs then."""
    await write(database, RELEASE, {"grace": grace_s})
