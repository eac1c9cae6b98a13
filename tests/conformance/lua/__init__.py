"""Lua scripts on the stand-in and on redis-server: the same text, the same reply, the same keyspace.

rules/         tables of rules, a file per topic: one script pins one rule
test_rules.py  each rule on both sides
generator.py   scripts drawn at random   (programs.py: whole programs)
agreement.py   both sides run what was drawn; what differs is made short
sides.py       the two sides, and how a reply and a keyspace are written down

A rule is (name, script, reply) or (name, script, reply, keyspace): the script runs with KEYS = {'k1', 'k2'} and ARGV =
{'a1', 'a2', '3'} on an empty server. Replies are written as Python values, `+text` for a status and `-text` for an
error; without a keyspace nothing may be left. All were recorded from redis-server 7.0.15.
"""
