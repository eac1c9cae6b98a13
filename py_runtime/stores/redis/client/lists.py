"""Client methods for sets and lists."""

from py_runtime.stores.redis.client.calls import Caller, words_of


class SetMethods(Caller):
    """See the table of commands for what each does; arguments and replies are redis-py's."""

    def sadd(self, name, *values):
        return self.execute_command("SADD", name, *values)

    def srem(self, name, *values):
        return self.execute_command("SREM", name, *values)

    def sismember(self, name, value):
        return self.execute_command("SISMEMBER", name, value)

    def scard(self, name):
        return self.execute_command("SCARD", name)

    def smembers(self, name):
        """A set, which here is walked in sorted order."""
        return self.execute_command("SMEMBERS", name)


class ListMethods(Caller):
    """See the table of commands for what each does; arguments and replies are redis-py's."""

    def lpush(self, name, *values):
        return self.execute_command("LPUSH", name, *values)

    def rpush(self, name, *values):
        return self.execute_command("RPUSH", name, *values)

    def lpop(self, name, count=None):
        return self.execute_command("LPOP", name, *([] if count is None else [count]))

    def rpop(self, name, count=None):
        return self.execute_command("RPOP", name, *([] if count is None else [count]))

    def llen(self, name):
        return self.execute_command("LLEN", name)

    def lindex(self, name, index):
        return self.execute_command("LINDEX", name, index)

    def lrange(self, name, start, end):
        return self.execute_command("LRANGE", name, start, end)

    def ltrim(self, name, start, end):
        return self.execute_command("LTRIM", name, start, end)

    def lrem(self, name, count, value):
        return self.execute_command("LREM", name, count, value)

    def lmove(self, first_list, second_list, src="LEFT", dest="RIGHT"):
        return self.execute_command("LMOVE", first_list, second_list, src, dest)

    def blpop(self, keys, timeout=0):
        """(key, element), or None after `timeout` seconds; 0 waits for ever."""
        return self.execute_command("BLPOP", *words_of(keys), timeout or 0)

    def brpop(self, keys, timeout=0):
        """(key, element), or None after `timeout` seconds; 0 waits for ever."""
        return self.execute_command("BRPOP", *words_of(keys), timeout or 0)
