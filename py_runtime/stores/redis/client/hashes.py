"""Client methods for hashes."""

from py_runtime.stores.redis.client.calls import Caller, words_of
from py_runtime.stores.redis.errors import DataError


class HashMethods(Caller):
    """See the table of commands for what each does; arguments and replies are redis-py's."""

    def hset(self, name, key=None, value=None, mapping=None, items=None):
        """Set one field (`key`, `value`), a `mapping`, or a flat list of `items`; gives how many fields are new."""
        if key is None and not mapping and not items:
            raise DataError("'hset' with no key value pairs")
        words = list(items or ())
        if key is not None:
            words += [key, value]
        for pair in (mapping or {}).items():
            words += pair
        return self.execute_command("HSET", name, *words)

    def hmset(self, name, mapping):
        if not mapping:
            raise DataError("'hmset' with 'mapping' of length 0")
        return self.execute_command("HMSET", name, *[word for pair in mapping.items() for word in pair])

    def hsetnx(self, name, key, value):
        return self.execute_command("HSETNX", name, key, value)

    def hget(self, name, key):
        return self.execute_command("HGET", name, key)

    def hmget(self, name, keys, *args):
        return self.execute_command("HMGET", name, *words_of(keys, args))

    def hgetall(self, name):
        return self.execute_command("HGETALL", name)

    def hdel(self, name, *keys):
        return self.execute_command("HDEL", name, *keys)

    def hincrby(self, name, key, amount=1):
        return self.execute_command("HINCRBY", name, key, amount)

    def hincrbyfloat(self, name, key, amount=1.0):
        return self.execute_command("HINCRBYFLOAT", name, key, amount)

    def hexists(self, name, key):
        return self.execute_command("HEXISTS", name, key)

    def hlen(self, name):
        return self.execute_command("HLEN", name)

    def hkeys(self, name):
        return self.execute_command("HKEYS", name)

    def hvals(self, name):
        return self.execute_command("HVALS", name)
