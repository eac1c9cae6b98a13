"""The two sides a body runs on: a stand-in in a world of virtual time, and a real server in a real asyncio loop.

arm.py         running a body on either side
redis_arms.py  Redis: stand-in and redis-server, single and as a cluster of two
sql_arms.py    SQL: stand-in, SQLite and PostgreSQL, behind one client
"""
