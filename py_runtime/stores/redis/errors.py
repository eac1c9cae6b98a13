"""The exceptions a client raises, named and related as in redis-py, and which of them an error reply becomes.

`ConnectionError` and `TimeoutError` are indefinite: the command may have been carried out. `ResponseError` and its
kinds are definite: the server refused (a script's writes before its error stay all the same). `DataError` means that
nothing was sent.
"""


class RedisError(Exception):
    """Whatever can go wrong in a call."""


class ConnectionError(RedisError):
    """The server cannot be reached, or the connection broke during the call."""


class TimeoutError(RedisError):
    """No answer within the client's `socket_timeout`."""


class ResponseError(RedisError):
    """The server answered with an error."""


class DataError(RedisError):
    """An argument that cannot be sent, or options that exclude each other."""


class WatchError(RedisError):
    """A watched key has changed, or the connection that watched it is gone: nothing of the transaction was done."""


class PubSubError(RedisError):
    """A subscription was used in a way that cannot work."""


class ExecAbortError(ResponseError):
    """EXEC did nothing, because a command could not be queued."""


class NoScriptError(ResponseError):
    """EVALSHA of a script that the server does not know."""


class ReadOnlyError(ResponseError):
    """A write to a replica."""


class ClusterError(RedisError):
    """Something that only happens in cluster mode."""


class ClusterDownError(ClusterError, ResponseError):
    """The key's slot is not served."""


class ClusterCrossSlotError(ResponseError):
    """The keys of one command lie in two slots."""


class AskError(ResponseError):
    """The slot is with another node: `slot_id`, and that node's `host`, `port` and both as `node_addr`."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        slot, address = text.split(" ")
        host, port = address.rsplit(":", 1)
        self.slot_id = int(slot)
        self.node_addr = self.host, self.port = host, int(port)


class MovedError(AskError):
    """It is there for good. The only kind there is here; in redis-py it is a kind of AskError, too."""


class RedisClusterException(Exception):
    """A cluster's client cannot tell where to send a command, or reaches no node. As in redis-py, no `RedisError`."""


class SlotNotCoveredError(RedisClusterException):
    """The client knows no node for the slot."""


_BY_PREFIX = {
    "ERR": ResponseError,
    "EXECABORT": ExecAbortError,
    "NOSCRIPT": NoScriptError,
    "READONLY": ReadOnlyError,
    "CLUSTERDOWN": ClusterDownError,
    "CROSSSLOT": ClusterCrossSlotError,
    "MOVED": MovedError,
}


def response_error(text: str) -> ResponseError:
    """The exception for an error reply; prefixes with a class of their own are left out of its text, as in redis-py."""
    prefix, _, rest = text.partition(" ")
    kind = _BY_PREFIX.get(prefix)
    return ResponseError(text) if kind is None else kind(rest)
