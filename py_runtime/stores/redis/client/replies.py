"""What becomes of each command's reply in the client: the Python values that redis-py gives under RESP2.

`PARSERS[name](reply, options)` gets the reply after decoding; commands without a row give it as it is.
"""


class Members(set):
    """A set of members that is walked in sorted order, since the order of a plain set differs between runs."""

    def __iter__(self):
        return iter(sorted(super().__iter__()))

    def pop(self):
        member = next(iter(self))
        self.discard(member)
        return member


def _text(reply) -> str:
    return reply.decode() if isinstance(reply, bytes) else reply


def _ok(reply, options) -> bool:
    return reply is not None and _text(reply) == "OK"


def _bool(reply, options) -> bool:
    return bool(reply)


def _float(reply, options) -> float | None:
    return None if reply is None else float(reply)


def _set_reply(reply, options):
    return reply if options.get("get") else reply and _ok(reply, options)


def _pairs(reply, options) -> dict:
    words = iter(reply or ())
    return dict(zip(words, words, strict=True))


def _scored(reply, options):
    if not reply or not options.get("withscores"):
        return reply
    cast = options.get("score_cast_func", float)
    words = iter(reply)
    return [(member, cast(score)) for member, score in zip(words, words, strict=True)]


def _zadd(reply, options):
    if reply is None:
        return None
    return float(reply) if options.get("as_score") else int(reply)


def _entries(reply, options):
    return None if reply is None else [(entry[0], _pairs(entry[1], options)) for entry in reply]


def _streams(reply, options) -> list:
    return [] if reply is None else [[name, _entries(entries, options)] for name, entries in reply]


PARSERS = {
    **dict.fromkeys("EXPIRE EXPIREAT PEXPIRE PEXPIREAT PERSIST HEXISTS HMSET MSETNX RENAMENX".split(), _bool),
    **dict.fromkeys("SETEX PSETEX SETNX".split(), _bool),
    **dict.fromkeys(["FLUSHALL", "FLUSHDB", "LTRIM", "MSET", "RENAME", "SCRIPT FLUSH"], _ok),
    **dict.fromkeys("INCRBYFLOAT HINCRBYFLOAT ZINCRBY ZSCORE".split(), _float),
    **dict.fromkeys("ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZPOPMIN ZPOPMAX".split(), _scored),
    **dict.fromkeys("XRANGE XREVRANGE".split(), _entries),
    **dict.fromkeys("BLPOP BRPOP".split(), lambda reply, options: tuple(reply) if reply else None),
    "SET": _set_reply,
    "HGETALL": _pairs,
    "SMEMBERS": lambda reply, options: Members(reply or ()),
    "ZADD": _zadd,
    "ZMSCORE": lambda reply, options: [_float(score, options) for score in reply],
    "XREAD": _streams,
    "SCAN": lambda reply, options: (int(reply[0]), reply[1]),
    "TIME": lambda reply, options: (int(reply[0]), int(reply[1])),
    "PING": lambda reply, options: _text(reply) == "PONG",
    "SCRIPT LOAD": lambda reply, options: _text(reply),
    "SCRIPT EXISTS": lambda reply, options: [bool(known) for known in reply],
}
