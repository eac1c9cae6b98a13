"""Real servers for the conformance tests: each on a free loopback port, in a temporary folder, keeping nothing.

find.py      where a server's programs are, and the one line that says what to install
process.py   one server process: started, waited for, stopped whatever happens to the test run
redis.py     redis-server: a single one, a primary with a replica, a cluster of two nodes
link.py      the connection between primary and replica, which can be held up and cut
postgres.py  PostgreSQL
resp.py      Redis's wire format on a bare socket, for setting up and for comparing replies byte for byte
"""
