"""The async client of a cluster: which node gets a command, as `redis.asyncio.cluster.RedisCluster` chooses it.

Decides the node by the slot of the keys, follows MOVED, and sends again after a broken connection. What a command is
and what becomes of its reply is left to one plain client per node. Not here: pipelines, and reading from replicas.
"""

import asyncio
from typing import TYPE_CHECKING

from py_runtime.sim import Stream
from py_runtime.stores.redis.client import CommandMethods
from py_runtime.stores.redis.client.calls import command_line, encode, words_of
from py_runtime.stores.redis.client.cluster_nodes import ClusterNode, ClusterNodes, shards_reply, slots_reply
from py_runtime.stores.redis.client.scripts import AsyncScript
from py_runtime.stores.redis.errors import (
    ClusterDownError,
    ClusterError,
    ConnectionError,
    MovedError,
    RedisClusterException,
    RedisError,
    SlotNotCoveredError,
    TimeoutError,
)
from py_runtime.stores.redis.slots import SLOT_COUNT, key_slot
from py_runtime.stores.redis.table import COMMANDS

if TYPE_CHECKING:
    from py_runtime.stores.redis.server import RedisServer

# What redis-py sends to its default node, and to that one only: KEYS and DBSIZE too.
_DEFAULT_NODE = frozenset(
    "TIME,PING,KEYS,DBSIZE,WAIT,CLUSTER KEYSLOT,CLUSTER SLOTS,CLUSTER SHARDS,CLUSTER INFO".split(",")
)
_SLOT_NUMBER = frozenset(("CLUSTER COUNTKEYSINSLOT", "CLUSTER GETKEYSINSLOT"))
_EVERY_NODE = frozenset(("FLUSHALL", "FLUSHDB", "SCAN", "SCRIPT LOAD", "SCRIPT EXISTS", "SCRIPT FLUSH"))
_MERGED = {  # what becomes of the replies of several nodes, by node; of others the mapping itself
    "SCAN": lambda replies: (
        {name: cursor for name, (cursor, _) in replies.items()},
        [key for _, keys in replies.values() for key in keys],
    ),
    "SCRIPT LOAD": lambda replies: list(replies.values())[-1],
    "SCRIPT EXISTS": lambda replies: [all(known) for known in zip(*replies.values(), strict=True)],
    "SCRIPT FLUSH": lambda replies: all(replies.values()),
    "KEYS": lambda replies: list(dict.fromkeys(key for keys in replies.values() for key in keys)),
    "PING": lambda replies: all(replies.values()),
    "DBSIZE": lambda replies: sum(replies.values()),
    "WAIT": lambda replies: sum(replies.values()),
}
_PARSED = {"CLUSTER SLOTS": slots_reply, "CLUSTER SHARDS": shards_reply}
_RETRIES = 10  # redis-py's default
_REDIRECTIONS = 16  # as many as redis-py follows for one call
_DOWN_SLEEP_S = 0.25
_NO_KEY = (
    "No way to dispatch this command to Redis Cluster. Missing key.\nYou can execute the command by specifying target "
    "nodes.\nCommand: {}"
)


class RedisCluster(CommandMethods):
    """A client of all nodes; made by a cluster's `client()`. May be shared by several tasks.

    A command of several keys is refused unless all lie in one slot; `delete`, `unlink`, `exists` and `touch` are split
    up by slot, and so are `mget_nonatomic` and `mset_nonatomic`.
    """

    PRIMARIES, REPLICAS, ALL_NODES, RANDOM, DEFAULT_NODE = "primaries", "replicas", "all", "random", "default-node"

    def __init__(self, servers: "list[RedisServer]", decode_responses: bool, socket_timeout: float | None) -> None:
        super().__init__(servers[0], decode_responses, socket_timeout)
        self._servers = servers
        self._nodes = ClusterNodes([(each.name, each.client(decode_responses, socket_timeout)) for each in servers])
        self._dice = Stream(self._world.streams.seed, "cluster client")

    async def initialize(self) -> "RedisCluster":
        """Ask for the slots, unless they are known; every command does so by itself."""
        await self._nodes.learn()
        return self

    async def __aenter__(self) -> "RedisCluster":
        return await self.initialize()

    def get_nodes(self) -> list[ClusterNode]:
        """The nodes that serve slots, as this client knows them."""
        return list(self._nodes.known.values())

    get_primaries = get_nodes

    def get_default_node(self) -> ClusterNode | None:
        """The node that gets commands without keys; None before the slots are known."""
        return next(iter(self._nodes.known.values()), None)

    def get_node(self, host=None, port=None, node_name=None) -> ClusterNode | None:
        return self._nodes.known.get(node_name or f"{host}:{port}")

    def get_node_from_key(self, key) -> ClusterNode:
        """The node that this client would send a command on the key to."""
        return self._nodes.of_slot(self.keyslot(key))

    def keyslot(self, key) -> int:
        """The slot of a key; asks nobody."""
        return key_slot(encode(key))

    def cluster_keyslot(self, key):
        """The slot of a key, asked of a node."""
        return self.execute_command("CLUSTER KEYSLOT", key)

    async def execute_command(self, *args, target_nodes=None, **options):
        """Send a command line to the node of its keys, or to `target_nodes`: a node, a list of them, or a flag.

        Raises RedisClusterException where no node can be told. After a broken connection or a timeout the slots are
        asked for and the command is sent again, up to ten times: it may be carried out more than once.
        """
        name = args[0].upper()
        failed: str | None = None
        retries = 0 if target_nodes and not isinstance(target_nodes, str) else _RETRIES
        while True:
            try:
                await self._nodes.learn(failed)
                nodes = self._nodes_for(name, args) if target_nodes is None else self._named(target_nodes)
                if not nodes:
                    raise RedisClusterException(f"No targets were found to execute {args} command on")
                if len(nodes) == 1 and name not in _EVERY_NODE:
                    reply = await self._send_on(nodes[0], args, options)
                    return _PARSED[name](reply) if name in _PARSED else reply
                replies = await asyncio.gather(*(self._send_on(node, args, options) for node in nodes))
                merge = _MERGED.get(name, dict)
                return merge(dict(zip([node.name for node in nodes], replies, strict=True)))
            except (ConnectionError, TimeoutError, ClusterDownError, SlotNotCoveredError) as error:
                self._nodes.doubt()
                failed = getattr(error, "failed_node", None)
                if not retries:
                    raise
                retries -= 1

    async def _send_on(self, node: ClusterNode, args: tuple, options: dict):
        """Send to one node, and on to where MOVED points."""
        for _ in range(_REDIRECTIONS):
            try:
                return await node.execute_command(*args, **options)
            except MovedError as error:
                await self._nodes.moved(error)
                node = self._nodes.of_slot(self._slot_of(args))
            except (ConnectionError, TimeoutError) as error:
                error.failed_node = node.name
                raise
            except ClusterDownError:
                await asyncio.sleep(_DOWN_SLEEP_S)
                raise
        raise ClusterError("TTL exhausted.")

    def _nodes_for(self, name: str, args: tuple) -> list[ClusterNode]:
        if name in _EVERY_NODE:
            return self.get_primaries()
        if name in _DEFAULT_NODE:
            return [self.get_default_node()]
        return [self._nodes.of_slot(int(args[1]) if name in _SLOT_NUMBER else self._slot_of(args))]

    def _named(self, wanted) -> list[ClusterNode]:
        if isinstance(wanted, dict):
            return list(wanted.values())
        if not isinstance(wanted, str):
            return list(wanted) if isinstance(wanted, list) else [wanted]
        nodes = self.get_nodes()
        if wanted == self.DEFAULT_NODE:
            return nodes[:1]
        if wanted == self.RANDOM:
            return [nodes[self._dice.below(len(nodes))]]
        return nodes if wanted in (self.PRIMARIES, self.ALL_NODES) else []

    def _slot_of(self, args: tuple) -> int:
        name, argv = command_line(args)
        command = COMMANDS.get(argv[0])
        if command is None:
            raise RedisError(f"{name} command doesn't exist in Redis commands")
        if name == "PUBLISH":
            return key_slot(argv[1])  # any node would do; redis-py takes the channel for a key
        keys = command.keys_of(argv) if command.takes(len(argv)) else []
        if not keys:
            if name in ("EVAL", "EVALSHA") and command.takes(len(argv)):
                return self._dice.below(SLOT_COUNT)  # a script without keys may run anywhere
            raise RedisClusterException(_NO_KEY.format(args[1:]))
        slots = {key_slot(key) for key in keys}
        if len(slots) != 1:
            raise RedisClusterException(f"{name} - all keys must map to the same key slot")
        return slots.pop()

    # Methods that differ from those of a single server's client

    def _by_slot(self, keys) -> list[list]:
        groups: dict[int, list] = {}
        for key in keys:
            groups.setdefault(self.keyslot(key), []).append(key)
        return list(groups.values())

    async def _split(self, command: str, keys: tuple) -> int:
        return sum([await self.execute_command(command, *group) for group in self._by_slot(keys)])

    def delete(self, *names):
        return self._split("DEL", names)

    def unlink(self, *names):
        return self._split("UNLINK", names)

    def exists(self, *names):
        return self._split("EXISTS", names)

    def touch(self, *args):
        return self._split("TOUCH", args)

    async def mget_nonatomic(self, keys, *args):
        """The values in the order of the keys, by one MGET per slot: other calls may come in between."""
        names = words_of(keys, args)
        values: dict = {}
        for group in self._by_slot(names):
            values.update(zip(group, await self.mget(group), strict=True))
        return [values[name] for name in names]

    async def mset_nonatomic(self, mapping):
        """One MSET per slot; gives the answer to each."""
        return [await self.mset({name: mapping[name] for name in group}) for group in self._by_slot(mapping)]

    async def scan_iter(self, match=None, count=None, _type=None):
        """All keys of all nodes, node by node."""
        await self.initialize()
        for node in self.get_primaries():
            async for key in node.client.scan_iter(match, count, _type):
                yield key

    def register_script(self, script) -> AsyncScript:
        for server in self._servers:
            server.learn_script(encode(script))
        return AsyncScript(self, script)

    def pipeline(self, *args, **options):
        raise _has_no("pipeline")

    def transaction(self, *args, **options):
        raise _has_no("transaction")

    def pubsub(self, **options):
        """A subscriber at the first node: what is published at any node reaches all."""
        return self._servers[0].client(self._decode_responses, self._socket_timeout).pubsub(**options)

    def lock(self, *args, **options):
        raise _has_no("lock")


def _has_no(name: str) -> RedisClusterException:
    return RedisClusterException(f"the stand-in's cluster client has no {name}")
