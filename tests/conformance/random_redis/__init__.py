"""Random command lines for stand-in and redis-server, and the comparison of every reply.

grammar.py    the option texts of the table of commands, read as a grammar: a new row is drawn from at once
values.py     what is drawn for each kind of argument, good and bad
sequences.py  command lines and pauses of one sequence
pair.py       one sequence carried out on both sides, at the same instants
compare.py    many sequences; the shortest that differs
waiting.py    clients that block while one writes
connections.py  clients that publish, subscribe, watch and queue: a Hypothesis state machine
"""
