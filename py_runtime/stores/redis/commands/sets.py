"""Commands on sets. Members come back in the order of adding (Redis keeps none, except for small sets of integers)."""

from py_runtime.stores.redis.keyspace import Keyspace, Set


def sadd(db: Keyspace, argv: list):
    members = db.find_or_make(argv[1], Set)
    before = len(members)
    for member in argv[2:]:
        members[member] = None
    added = len(members) - before
    if added:
        db.touch(argv[1])
    return added


def srem(db: Keyspace, argv: list):
    members = db.find(argv[1], Set)
    if members is None:
        return 0
    before = len(members)
    for member in argv[2:]:
        members.pop(member, None)
    removed = before - len(members)
    if removed:
        db.shrunk(argv[1], members)
    return removed


def sismember(db: Keyspace, argv: list):
    return int(argv[2] in (db.find(argv[1], Set) or ()))


def scard(db: Keyspace, argv: list):
    return len(db.find(argv[1], Set) or ())


def smembers(db: Keyspace, argv: list):
    return list(db.find(argv[1], Set) or ())
