"""Client methods for consumer groups."""

from py_runtime.stores.redis.client.calls import Caller
from py_runtime.stores.redis.errors import DataError


class StreamGroupMethods(Caller):
    """See the table of commands for what each does; arguments and replies are redis-py's."""

    def xgroup_create(self, name, groupname, id="$", mkstream=False, entries_read=None):
        """True. id: what counts as delivered already; `0` for nothing, `$` for all there is."""
        words = ["MKSTREAM"] if mkstream else []
        return self.execute_command("XGROUP CREATE", name, groupname, id, *words, *_read_words(entries_read))

    def xgroup_setid(self, name, groupname, id, entries_read=None):
        return self.execute_command("XGROUP SETID", name, groupname, id, *_read_words(entries_read))

    def xgroup_destroy(self, name, groupname):
        """True, or False when there was no such group."""
        return self.execute_command("XGROUP DESTROY", name, groupname)

    def xgroup_createconsumer(self, name, groupname, consumername):
        return self.execute_command("XGROUP CREATECONSUMER", name, groupname, consumername)

    def xgroup_delconsumer(self, name, groupname, consumername):
        """How many entries were pending for the consumer; they are pending no more."""
        return self.execute_command("XGROUP DELCONSUMER", name, groupname, consumername)

    def xreadgroup(self, groupname, consumername, streams, count=None, block=None, noack=False):
        """[[stream, [(id, fields), …]], …]; [] when there is nothing.

        streams: name → `>` for what nobody had yet, or an id for what is pending for this consumer above it. block: ms
        to wait, 0 for ever, None: do not. noack: do not wait for XACK.
        """
        words = ["GROUP", groupname, consumername]
        if count is not None:
            if not isinstance(count, int) or count < 1:
                raise DataError("XREADGROUP count must be a positive integer")
            words += ["COUNT", count]
        if block is not None:
            if not isinstance(block, int) or block < 0:
                raise DataError("XREADGROUP block must be a non-negative integer")
            words += ["BLOCK", block]
        if noack:
            words.append("NOACK")
        if not isinstance(streams, dict) or not streams:
            raise DataError("XREADGROUP streams must be a non empty dict")
        return self.execute_command("XREADGROUP", *words, "STREAMS", *streams.keys(), *streams.values())

    def xack(self, name, groupname, *ids):
        return self.execute_command("XACK", name, groupname, *ids)

    def xpending(self, name, groupname):
        """{"pending": count, "min": id, "max": id, "consumers": [{"name": …, "pending": count}, …]}."""
        return self.execute_command("XPENDING", name, groupname)

    def xpending_range(self, name, groupname, min, max, count, consumername=None, idle=None):
        """[{"message_id", "consumer", "time_since_delivered" (ms), "times_delivered"}, …]."""
        if (min, max, count) == (None, None, None):
            if idle is not None or consumername is not None:
                raise DataError(
                    "if XPENDING is provided with idle time or consumername, it must be provided with min, max and "
                    "count parameters"
                )
            return self.xpending(name, groupname)
        if min is None or max is None or count is None:
            raise DataError("XPENDING must be provided with min, max and count parameters, or none of them.")
        words = []
        if idle is not None:
            if int(idle) < 0:
                raise DataError("XPENDING idle must be a integer >= 0")
            words += ["IDLE", idle]
        if int(count) < 0:
            raise DataError("XPENDING count must be a integer >= 0")
        words += [min, max, count]
        if consumername:
            words.append(consumername)
        return self.execute_command("XPENDING", name, groupname, *words, parse_detail=True)

    def xclaim(
        self,
        name,
        groupname,
        consumername,
        min_idle_time,
        message_ids,
        idle=None,
        time=None,
        retrycount=None,
        force=False,
        justid=False,
    ):
        """[(id, fields), …] of what changed hands, or [id, …] with `justid`."""
        if not isinstance(min_idle_time, int) or min_idle_time < 0:
            raise DataError("XCLAIM min_idle_time must be a non negative integer")
        if not isinstance(message_ids, (list, tuple)) or not message_ids:
            raise DataError("XCLAIM message_ids must be a non empty list or tuple of message IDs to claim")
        words = [min_idle_time, *message_ids]
        for option, amount in (("idle", idle), ("time", time), ("retrycount", retrycount)):
            if amount is not None:
                if not isinstance(amount, int):
                    raise DataError(f"XCLAIM {option} must be an integer")
                words += [option.upper(), amount]
        for option, flag in (("force", force), ("justid", justid)):
            if flag:
                if not isinstance(flag, bool):
                    raise DataError(f"XCLAIM {option} must be a boolean")
                words.append(option.upper())
        options = {"parse_justid": True} if justid else {}
        return self.execute_command("XCLAIM", name, groupname, consumername, *words, **options)

    def xautoclaim(self, name, groupname, consumername, min_idle_time, start_id="0-0", count=None, justid=False):
        """[next start, [(id, fields), …], [ids of deleted entries]], or only the ids claimed with `justid`."""
        if int(min_idle_time) < 0:
            raise DataError("XAUTOCLAIM min_idle_time must be a nonnegative integer")
        words = [min_idle_time, start_id]
        if count is not None:
            if int(count) < 0:
                raise DataError("XPENDING count must be a integer >= 0")
            words += ["COUNT", count]
        if justid:
            words.append("JUSTID")
        options = {"parse_justid": True} if justid else {}
        return self.execute_command("XAUTOCLAIM", name, groupname, consumername, *words, **options)

    def xinfo_stream(self, name, full=False):
        """What is known of the stream as a dict; with `full` its groups, consumers and pending entries, too."""
        if full:
            return self.execute_command("XINFO STREAM", name, "FULL", full=True)
        return self.execute_command("XINFO STREAM", name)

    def xinfo_groups(self, name):
        return self.execute_command("XINFO GROUPS", name)

    def xinfo_consumers(self, name, groupname):
        return self.execute_command("XINFO CONSUMERS", name, groupname)


def _read_words(entries_read) -> list:
    return [] if entries_read is None else ["ENTRIESREAD", entries_read]
