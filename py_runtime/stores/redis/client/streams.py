"""Client methods for streams."""

from py_runtime.stores.redis.client.calls import Caller
from py_runtime.stores.redis.errors import DataError


class StreamMethods(Caller):
    """See the table of commands for what each does; arguments and replies are redis-py's."""

    def xadd(self, name, fields, id="*", maxlen=None, approximate=True, nomkstream=False, minid=None, limit=None):
        """The new entry's id; None when `nomkstream` forbade making the stream."""
        if maxlen is not None and minid is not None:
            raise DataError("Only one of ```maxlen``` or ```minid``` may be specified")
        if maxlen is not None and (not isinstance(maxlen, int) or maxlen < 0):
            raise DataError("XADD maxlen must be non-negative integer")
        if not isinstance(fields, dict) or not fields:
            raise DataError("XADD fields must be a non-empty dict")
        words = _trim_words(maxlen, minid, approximate, limit)
        if nomkstream:
            words.append("NOMKSTREAM")
        return self.execute_command("XADD", name, *words, id, *[word for pair in fields.items() for word in pair])

    def xlen(self, name):
        return self.execute_command("XLEN", name)

    def xrange(self, name, min="-", max="+", count=None):
        return self.execute_command("XRANGE", name, min, max, *_count_words("XRANGE", count))

    def xrevrange(self, name, max="+", min="-", count=None):
        return self.execute_command("XREVRANGE", name, max, min, *_count_words("XREVRANGE", count))

    def xdel(self, name, *ids):
        return self.execute_command("XDEL", name, *ids)

    def xtrim(self, name, maxlen=None, approximate=True, minid=None, limit=None):
        if maxlen is not None and minid is not None:
            raise DataError("Only one of ``maxlen`` or ``minid`` may be specified")
        if maxlen is None and minid is None:
            raise DataError("One of ``maxlen`` or ``minid`` must be specified")
        return self.execute_command("XTRIM", name, *_trim_words(maxlen, minid, approximate, limit))

    def xread(self, streams, count=None, block=None):
        """[[stream, [(id, fields), …]], …]; [] when there is nothing. block: ms to wait, 0 for ever, None: do not."""
        words = []
        if block is not None:
            if not isinstance(block, int) or block < 0:
                raise DataError("XREAD block must be a non-negative integer")
            words += ["BLOCK", block]
        words += _count_words("XREAD", count)
        if not isinstance(streams, dict) or not streams:
            raise DataError("XREAD streams must be a non empty dict")
        return self.execute_command("XREAD", *words, "STREAMS", *streams.keys(), *streams.values())


def _trim_words(maxlen, minid, approximate: bool, limit) -> list:
    words = []
    if maxlen is not None or minid is not None:
        words.append("MINID" if maxlen is None else "MAXLEN")
        if approximate:
            words.append("~")
        words.append(minid if maxlen is None else maxlen)
    if limit is not None:
        words += ["LIMIT", limit]
    return words


def _count_words(command: str, count) -> list:
    if count is None:
        return []
    if not isinstance(count, int) or count < 1:
        raise DataError(f"{command} count must be a positive integer")
    return ["COUNT", count]
