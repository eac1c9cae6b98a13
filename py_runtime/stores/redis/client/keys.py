"""Client methods for keys of any type, their expiry, and the server itself."""

from py_runtime.stores.redis.client.calls import Caller, moment, whole_ms, whole_seconds


class KeyMethods(Caller):
    """See the table of commands for what each does; arguments and replies are redis-py's."""

    def delete(self, *names):
        return self.execute_command("DEL", *names)

    def unlink(self, *names):
        return self.execute_command("UNLINK", *names)

    def exists(self, *names):
        return self.execute_command("EXISTS", *names)

    def touch(self, *args):
        return self.execute_command("TOUCH", *args)

    def type(self, name):
        return self.execute_command("TYPE", name)

    def keys(self, pattern="*"):
        return self.execute_command("KEYS", pattern)

    def scan(self, cursor=0, match=None, count=None, _type=None):
        """(next cursor, keys); a next cursor of 0 means that the walk is over."""
        words = [cursor]
        for option, value in (("MATCH", match), ("COUNT", count), ("TYPE", _type)):
            if value is not None:
                words += [option, value]
        return self.execute_command("SCAN", *words)

    async def scan_iter(self, match=None, count=None, _type=None):
        """All keys, batch by batch."""
        cursor = None
        while cursor != 0:
            cursor, keys = await self.scan(cursor or 0, match, count, _type)
            for key in keys:
                yield key

    def dbsize(self):
        return self.execute_command("DBSIZE")

    def flushall(self, asynchronous=False):
        return self.execute_command("FLUSHALL", *(["ASYNC"] if asynchronous else []))

    def flushdb(self, asynchronous=False):
        return self.execute_command("FLUSHDB", *(["ASYNC"] if asynchronous else []))

    def rename(self, src, dst):
        return self.execute_command("RENAME", src, dst)

    def renamenx(self, src, dst):
        return self.execute_command("RENAMENX", src, dst)

    def expire(self, name, time, nx=False, xx=False, gt=False, lt=False):
        return self.execute_command("EXPIRE", name, whole_seconds(time), *_conditions(nx, xx, gt, lt))

    def pexpire(self, name, time, nx=False, xx=False, gt=False, lt=False):
        return self.execute_command("PEXPIRE", name, whole_ms(time), *_conditions(nx, xx, gt, lt))

    def expireat(self, name, when, nx=False, xx=False, gt=False, lt=False):
        """`when` in whole seconds; a number of milliseconds is accepted in silence and ends in some 50,000 years."""
        return self.execute_command("EXPIREAT", name, moment(when, 1), *_conditions(nx, xx, gt, lt))

    def pexpireat(self, name, when, nx=False, xx=False, gt=False, lt=False):
        return self.execute_command("PEXPIREAT", name, moment(when, 1000), *_conditions(nx, xx, gt, lt))

    def ttl(self, name):
        return self.execute_command("TTL", name)

    def pttl(self, name):
        return self.execute_command("PTTL", name)

    def expiretime(self, key):
        return self.execute_command("EXPIRETIME", key)

    def pexpiretime(self, key):
        return self.execute_command("PEXPIRETIME", key)

    def persist(self, name):
        return self.execute_command("PERSIST", name)

    def time(self):
        """(seconds, µs) on the server's clock."""
        return self.execute_command("TIME")

    def ping(self):
        return self.execute_command("PING")

    def echo(self, value):
        return self.execute_command("ECHO", value)

    def role(self):
        return self.execute_command("ROLE")

    def replicaof(self, *args):
        """`host, port`, or `"NO", "ONE"`."""
        return self.execute_command("REPLICAOF", *args)

    def wait(self, num_replicas, timeout):
        """timeout: ms, 0 for ever. Gives how many replicas have this client's last write by then."""
        return self.execute_command("WAIT", num_replicas, timeout)

    def cluster(self, cluster_arg, *args):
        return self.execute_command(f"CLUSTER {cluster_arg.upper()}", *args)


def _conditions(nx: bool, xx: bool, gt: bool, lt: bool) -> list[str]:
    return [word for word, on in (("NX", nx), ("XX", xx), ("GT", gt), ("LT", lt)) if on]
