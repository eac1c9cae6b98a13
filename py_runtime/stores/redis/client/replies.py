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


def text_of(reply) -> str:
    return reply.decode() if isinstance(reply, bytes) else reply


def _ok(reply, options) -> bool:
    return reply is not None and text_of(reply) == "OK"


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
    return [(member, _score(score, cast)) for member, score in zip(words, words, strict=True)]


def _score(text, cast):
    """What the caller's function makes of a score's text or, where it takes no such text, of the number."""
    try:
        return cast(text)
    except (ValueError, TypeError):
        return cast(float(text))


def _zadd(reply, options):
    if reply is None:
        return None
    return float(reply) if options.get("as_score") else int(reply)


def _entries(reply, options):
    return None if reply is None else [(entry[0], _pairs(entry[1], options)) for entry in reply]


def _claimed(reply, options):
    return reply if options.get("parse_justid") else _entries(reply, options)


def _auto_claimed(reply, options):
    following, claimed, deleted = reply
    return claimed if options.get("parse_justid") else [following, _entries(claimed, options), deleted]


def _pending(reply, options):
    if options.get("parse_detail"):
        names = ("message_id", "consumer", "time_since_delivered", "times_delivered")
        return [dict(zip(names, row, strict=True)) for row in reply]
    count, low, high, owners = reply
    consumers = [{"name": name, "pending": int(pending)} for name, pending in owners or ()]
    return {"pending": count, "min": low, "max": high, "consumers": consumers}


def named(reply, options) -> dict:
    return {text_of(name): value for name, value in _pairs(reply, options).items()}


def _all_named(reply, options) -> list:
    return [named(row, options) for row in reply]


def _stream_info(reply, options) -> dict:
    info = named(reply, options)
    if options.get("full"):
        info["entries"] = dict(_entries(info["entries"], options))
        info["groups"] = _all_named(info["groups"], options)
        for group in info["groups"]:
            group["consumers"] = _all_named(group["consumers"], options)
        return info
    for end in ("first-entry", "last-entry"):
        if info[end] is not None:
            [info[end]] = _entries([info[end]], options)
    return info


def _streams(reply, options) -> list:
    return [] if reply is None else [[name, _entries(entries, options)] for name, entries in reply]


PARSERS = {
    **dict.fromkeys("EXPIRE EXPIREAT PEXPIRE PEXPIREAT PERSIST HEXISTS HMSET MSETNX RENAMENX".split(), _bool),
    **dict.fromkeys("SETEX PSETEX SETNX".split(), _bool),
    **dict.fromkeys(
        [
            "FLUSHALL",
            "FLUSHDB",
            "LTRIM",
            "MSET",
            "QUIT",
            "RENAME",
            "SCRIPT FLUSH",
            "UNWATCH",
            "WATCH",
            "XGROUP CREATE",
            "XGROUP SETID",
        ],
        _ok,
    ),
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
    "XREADGROUP": _streams,
    "XGROUP DESTROY": _bool,
    "XPENDING": _pending,
    "XCLAIM": _claimed,
    "XAUTOCLAIM": _auto_claimed,
    "XINFO STREAM": _stream_info,
    "XINFO GROUPS": _all_named,
    "XINFO CONSUMERS": _all_named,
    "CLUSTER INFO": lambda reply, options: dict(line.split(":") for line in text_of(reply).split("\r\n") if line),
    "SCAN": lambda reply, options: (int(reply[0]), reply[1]),
    "TIME": lambda reply, options: (int(reply[0]), int(reply[1])),
    "PING": lambda reply, options: text_of(reply) == "PONG",
    "RESET": lambda reply, options: text_of(reply),
    "PUBSUB NUMSUB": lambda reply, options: list(zip(reply[::2], reply[1::2], strict=True)),
    "SCRIPT LOAD": lambda reply, options: text_of(reply),
    "SCRIPT EXISTS": lambda reply, options: [bool(known) for known in reply],
}
