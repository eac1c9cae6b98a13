"""Client methods for strings and counters."""

from py_runtime.stores.redis.client.calls import Caller, expiry_words, refuse_two, whole_ms, whole_seconds, words_of
from py_runtime.stores.redis.errors import DataError


class StringMethods(Caller):
    """See the table of commands for what each does; arguments and replies are redis-py's."""

    def get(self, name):
        return self.execute_command("GET", name)

    def set(
        self,
        name,
        value,
        ex=None,
        px=None,
        nx=False,
        xx=False,
        keepttl=False,
        get=False,
        exat=None,
        pxat=None,
    ):
        """True when set, None when `nx` or `xx` forbade it; the old value with `get`. ex: seconds, px: ms."""
        refuse_two((ex, px, exat, pxat), keepttl, "keepttl")
        if nx and xx:
            raise DataError("``nx`` and ``xx`` are mutually exclusive.")
        words = expiry_words(ex, px, exat, pxat)
        flags = [word for word, on in (("KEEPTTL", keepttl), ("NX", nx), ("XX", xx), ("GET", get)) if on]
        return self.execute_command("SET", name, value, *words, *flags, get=get)

    def setnx(self, name, value):
        return self.execute_command("SETNX", name, value)

    def setex(self, name, time, value):
        return self.execute_command("SETEX", name, whole_seconds(time), value)

    def psetex(self, name, time_ms, value):
        return self.execute_command("PSETEX", name, whole_ms(time_ms), value)

    def getset(self, name, value):
        return self.execute_command("GETSET", name, value)

    def getdel(self, name):
        return self.execute_command("GETDEL", name)

    def getex(self, name, ex=None, px=None, exat=None, pxat=None, persist=False):
        refuse_two((ex, px, exat, pxat), persist, "persist")
        words = expiry_words(ex, px, exat, pxat)
        return self.execute_command("GETEX", name, *words, *(["PERSIST"] if persist else []))

    def append(self, key, value):
        return self.execute_command("APPEND", key, value)

    def strlen(self, name):
        return self.execute_command("STRLEN", name)

    def mget(self, keys, *args):
        names = words_of(keys, args)
        return self.execute_command("MGET", *names, **({} if names else {"when_refused": []}))

    def mset(self, mapping):
        return self.execute_command("MSET", *[word for pair in mapping.items() for word in pair])

    def msetnx(self, mapping):
        return self.execute_command("MSETNX", *[word for pair in mapping.items() for word in pair])

    def incr(self, name, amount=1):
        """Sent as INCR where redis-py sends `INCRBY name 1`: the same effect, and easier to read in a trace."""
        return self.execute_command("INCR", name) if amount == 1 else self.incrby(name, amount)

    def incrby(self, name, amount=1):
        return self.execute_command("INCRBY", name, amount)

    def decr(self, name, amount=1):
        """Sent as DECR where redis-py sends `DECRBY name 1`."""
        return self.execute_command("DECR", name) if amount == 1 else self.decrby(name, amount)

    def decrby(self, name, amount=1):
        return self.execute_command("DECRBY", name, amount)

    def incrbyfloat(self, name, amount=1.0):
        return self.execute_command("INCRBYFLOAT", name, amount)
