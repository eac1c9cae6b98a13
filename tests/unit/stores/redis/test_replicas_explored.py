"""Replication under exploration: what arrives is a step like others, and no order that matters is left out."""

import asyncio

import pytest

from py_runtime.sim import World
from py_runtime.sim.explorer import Judged, explore
from py_runtime.stores.redis import Cluster, RedisServer


def reading_as_the_write_arrives(world, lag_us=500):
    """One client writes at the primary, another reads at the replica at the instant at which the write arrives."""
    primary = RedisServer(world, "a")
    replica = RedisServer(world, "b", replica_of=primary, lag_us=lag_us)
    got = []

    async def writer():
        await asyncio.sleep(0.001)
        await primary.client().set("k", "1")

    async def reader():
        await asyncio.sleep(0.001 + lag_us / 1e6)
        got.append(await replica.client().get("k"))

    world.spawn(world.actor("writer"), writer())
    world.spawn(world.actor("reader"), reader())
    return lambda: (*got, replica.peek("k"))


def promoting_as_the_write_arrives(world):
    """The replica is promoted at that instant, while the writer waits for the acknowledgement."""
    primary = RedisServer(world, "a")
    replica = RedisServer(world, "b", replica_of=primary, lag_us=100)
    got = []

    async def writer():
        await asyncio.sleep(0.001)
        await primary.client().set("k", "1")
        got.append(await primary.client().wait(1, 2))

    async def promoter():
        await asyncio.sleep(0.0011)
        await replica.client().replicaof("NO", "ONE")

    world.spawn(world.actor("writer"), writer())
    world.spawn(world.actor("promoter"), promoter())
    return lambda: (*got, replica.peek("k"))


def listening_at_another_node(world):
    """One client subscribes at a node of a cluster, another publishes at the other node."""
    cluster = Cluster(world, 2)
    got = []

    async def listener():
        pubsub = cluster.servers[1].client().pubsub()
        await pubsub.subscribe("c")
        await pubsub.get_message(timeout=0.01)
        message = await pubsub.get_message(timeout=0.01)
        got.append(message and message["data"])

    async def publisher():
        await cluster.servers[0].client().publish("c", "m")

    world.spawn(world.actor("listener"), listener())
    world.spawn(world.actor("publisher"), publisher())
    return lambda: tuple(got)


def ends_of(setup) -> set:
    """All states in which a run can end."""
    ends = set()

    def run(attempt):
        world = World(tracing=False)
        attempt.attach(world)
        state = setup(world)
        world.run(100_000)
        if not attempt.given_up:
            ends.add(state())
        world.close()
        return Judged()

    assert explore(run).finished
    return ends


@pytest.mark.parametrize(
    ("setup", "ends"),
    [
        (reading_as_the_write_arrives, {("1", "1"), (None, "1")}),
        (lambda world: reading_as_the_write_arrives(world, 0), {("1", "1"), (None, "1")}),
        (listening_at_another_node, {("m",), (None,)}),
        # Acknowledged and kept; arrived, but the link broke before the acknowledgement did; never arrived.
        (promoting_as_the_write_arrives, {(1, "1"), (0, "1"), (0, None)}),
    ],
)
def test_every_way_it_can_end_is_found(setup, ends):
    assert ends_of(setup) == ends
