"""Random SQL on the stand-in, on SQLite and on PostgreSQL.

expressions.py    values and conditions of a wanted type
statements.py     a table and a sequence of statements on it, on one connection
databases.py      the three databases behind one method, and when two replies agree
compare.py        runs such sequences on two databases; of each difference the shortest sequence
malformed.py      statements with one token spoilt, on the stand-in and on PostgreSQL
interleaved.py    short transactions on several connections, step by step, on the stand-in and on PostgreSQL
sessions.py       the connections it needs, and the moment at which one of them waits
"""
