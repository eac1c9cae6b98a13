"""The job's row decides who owns it. Every change of owner or state is one conditional UPDATE: one row hit, or lost."""

from dataclasses import dataclass

CREATE_TABLE = """
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  input TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued',
  owner TEXT,
  claimed_at INTEGER,
  epoch INTEGER NOT NULL DEFAULT 0,
  token TEXT,
  execution_id TEXT,
  execution_started_at INTEGER,
  result TEXT
)
"""

PERSIST = "INSERT INTO jobs (id, input) VALUES (:id, :input)"

CLAIM = """
UPDATE jobs SET owner = :worker, claimed_at = :now, epoch = epoch + 1, token = :token
WHERE id = :id AND state = 'queued' AND owner IS NULL AND claimed_at IS NULL
  AND execution_id IS NULL AND execution_started_at IS NULL
RETURNING epoch, input
"""

START = """
UPDATE jobs SET state = 'running', execution_id = :execution, execution_started_at = :now
WHERE id = :id AND state = 'queued' AND owner = :worker AND claimed_at IS NOT NULL
  AND epoch = :epoch AND token = :token
  AND execution_id IS NULL AND execution_started_at IS NULL
"""

# The epoch stays: it counts ownerships, and the next claim must get a higher one.
RELEASE = """
UPDATE jobs SET owner = NULL, claimed_at = NULL, token = NULL
WHERE id = :id AND state = 'queued' AND owner = :worker AND epoch = :epoch AND token = :token
  AND execution_id IS NULL AND execution_started_at IS NULL
"""

FINISH = """
UPDATE jobs SET state = 'done', result = :result
WHERE id = :id AND state = 'running' AND execution_id = :execution AND epoch = :epoch AND token = :token
"""


@dataclass(frozen=True)
class Claim:
    """What a successful claim gives its owner; every later write must show it."""

    job_id: str
    worker: str
    epoch: int
    token: str
    input: str

    @property
    def execution(self):
        return f"{self.job_id}/{self.epoch}"


class Jobs:
    def __init__(self, database, now):
        self._database = database
        self._now = now

    async def create_table(self):
        await self._database.execute(CREATE_TABLE)

    async def persist(self, job_id, input):
        await self._database.execute(PERSIST, {"id": job_id, "input": input})

    async def claim(self, job_id, worker, token):
        """The claim, or None where this worker was not the one."""
        values = {"id": job_id, "worker": worker, "token": token, "now": self._now()}
        row = await self._database.fetch_one(CLAIM, values)
        return row and Claim(job_id, worker, row["epoch"], token, row["input"])

    async def start(self, claim):
        """Rows hit: 1, the execution may begin; 0, the job belongs to somebody else."""
        values = {"id": claim.job_id, "worker": claim.worker, "epoch": claim.epoch, "token": claim.token}
        answer = await self._database.execute(START, {**values, "execution": claim.execution, "now": self._now()})
        return answer.row_count

    async def release(self, job_id):
        """Take back a claim that has not started; returns the rows hit."""
        row = await self._database.fetch_one("SELECT owner, epoch, token FROM jobs WHERE id = :id", {"id": job_id})
        values = {"id": job_id, "worker": row["owner"], "epoch": row["epoch"], "token": row["token"]}
        return (await self._database.execute(RELEASE, values)).row_count

    async def finish(self, claim, result):
        """Rows hit: 0 means that this execution is not the job's any more."""
        values = {"id": claim.job_id, "execution": claim.execution, "epoch": claim.epoch, "token": claim.token}
        return (await self._database.execute(FINISH, {**values, "result": result})).row_count
