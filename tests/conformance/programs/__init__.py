"""The experiments' own programs in several real processes, on redis-server and PostgreSQL.

test_claims.py    two processes race for a job; a frozen owner writes too late
test_slots.py     the holder of a slot is killed
test_flights.py   the leader of a flight is killed, or frozen
processes.py      a process as the tests see it: orders in, events out, frozen, killed, always reaped
child.py          what runs in such a process   (roles/: what it may be)
redis_client.py, postgres_client.py   the clients that programs are handed, in place of the stand-ins'

Nothing is timed: a test gives orders and waits for states, each with a deadline that only a failure reaches.
"""
