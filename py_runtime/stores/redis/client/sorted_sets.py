"""Client methods for sorted sets."""

from py_runtime.stores.redis.client.calls import Caller
from py_runtime.stores.redis.errors import DataError


class SortedSetMethods(Caller):
    """See the table of commands for what each does; arguments and replies are redis-py's."""

    def zadd(self, name, mapping, nx=False, xx=False, ch=False, incr=False, gt=False, lt=False):
        """`mapping` is member → score. Gives how many are new, or changed with `ch`; the new score with `incr`."""
        if not mapping:
            raise DataError("ZADD requires at least one element/score pair")
        if nx and xx:
            raise DataError("ZADD allows either 'nx' or 'xx', not both")
        if gt and lt:
            raise DataError("ZADD allows either 'gt' or 'lt', not both")
        if incr and len(mapping) != 1:
            raise DataError("ZADD option 'incr' only works when passing a single element/score pair")
        if nx and (gt or lt):
            raise DataError("Only one of 'nx', 'lt', or 'gr' may be defined.")
        given = (("NX", nx), ("XX", xx), ("CH", ch), ("INCR", incr), ("GT", gt), ("LT", lt))
        words = [word for word, on in given if on]
        for member, score in mapping.items():
            words += [score, member]
        return self.execute_command("ZADD", name, *words, as_score=incr)

    def zincrby(self, name, amount, value):
        return self.execute_command("ZINCRBY", name, amount, value)

    def zrem(self, name, *values):
        return self.execute_command("ZREM", name, *values)

    def zcard(self, name):
        return self.execute_command("ZCARD", name)

    def zcount(self, name, min, max):
        return self.execute_command("ZCOUNT", name, min, max)

    def zlexcount(self, name, min, max):
        return self.execute_command("ZLEXCOUNT", name, min, max)

    def zscore(self, name, value):
        return self.execute_command("ZSCORE", name, value)

    def zmscore(self, key, members):
        if not members:
            raise DataError("ZMSCORE members must be a non-empty list")
        return self.execute_command("ZMSCORE", key, *members)

    def zrank(self, name, value):
        return self.execute_command("ZRANK", name, value)

    def zrevrank(self, name, value):
        return self.execute_command("ZREVRANK", name, value)

    def zpopmin(self, name, count=None):
        return self.execute_command("ZPOPMIN", name, *([] if count is None else [count]), withscores=True)

    def zpopmax(self, name, count=None):
        return self.execute_command("ZPOPMAX", name, *([] if count is None else [count]), withscores=True)

    def zrange(
        self,
        name,
        start,
        end,
        desc=False,
        withscores=False,
        score_cast_func=float,
        byscore=False,
        bylex=False,
        offset=None,
        num=None,
    ):
        """Members from `start` to `end`: places, or scores or texts with `byscore` / `bylex`; pairs with scores."""
        if byscore and bylex:
            raise DataError("``byscore`` and ``bylex`` can not be specified together.")
        if bylex and withscores:
            raise DataError("``withscores`` not supported in combination with ``bylex``.")
        if (offset is None) != (num is None):
            raise DataError("``offset`` and ``num`` must both be specified.")
        limit = _limit(offset, num)
        if desc and not (byscore or bylex or limit):
            return self.zrevrange(name, start, end, withscores, score_cast_func)
        words = [word for word, on in (("BYSCORE", byscore), ("BYLEX", bylex), ("REV", desc)) if on]
        return self._range("ZRANGE", name, start, end, [*words, *limit], withscores, score_cast_func)

    def zrevrange(self, name, start, end, withscores=False, score_cast_func=float):
        return self._range("ZREVRANGE", name, start, end, [], withscores, score_cast_func)

    def zrangebyscore(self, name, min, max, start=None, num=None, withscores=False, score_cast_func=float):
        limit = _limit(start, num)
        return self._range("ZRANGEBYSCORE", name, min, max, limit, withscores, score_cast_func)

    def zrevrangebyscore(self, name, max, min, start=None, num=None, withscores=False, score_cast_func=float):
        limit = _limit(start, num)
        return self._range("ZREVRANGEBYSCORE", name, max, min, limit, withscores, score_cast_func)

    def zrangebylex(self, name, min, max, start=None, num=None):
        return self.execute_command("ZRANGEBYLEX", name, min, max, *_limit(start, num))

    def zrevrangebylex(self, name, max, min, start=None, num=None):
        return self.execute_command("ZREVRANGEBYLEX", name, max, min, *_limit(start, num))

    def zremrangebyscore(self, name, min, max):
        return self.execute_command("ZREMRANGEBYSCORE", name, min, max)

    def zremrangebyrank(self, name, min, max):
        return self.execute_command("ZREMRANGEBYRANK", name, min, max)

    def zremrangebylex(self, name, min, max):
        return self.execute_command("ZREMRANGEBYLEX", name, min, max)

    def _range(self, command, name, first, last, words, withscores, score_cast_func):
        tail = ["WITHSCORES"] if withscores else []
        return self.execute_command(
            command, name, first, last, *words, *tail, withscores=withscores, score_cast_func=score_cast_func
        )


def _limit(start, num) -> list:
    if (start is None) != (num is None):
        raise DataError("``start`` and ``num`` must both be specified")
    return [] if start is None else ["LIMIT", start, num]
