"""A cluster of several nodes: where a key is served, what the others answer, and where a client sends what."""

import pytest

from py_runtime.sim import DROP, PASS, World
from py_runtime.stores.redis import Cluster, RedisServer, Slots

# Slots: abc 7638 and bar 5061 (first node of two), def 16148, ghi 8695, foo 12182 (second).
NON_LOCAL = "Script attempted to access a non local key in a cluster node"
NO_TARGET = "No targets were found to execute ('PING',) command on"
NO_KEY = (
    "No way to dispatch this command to Redis Cluster. Missing key.\n"
    "You can execute the command by specifying target nodes.\nCommand: ('x',)"
)


class Stage:
    """A world with a cluster; `ask(call)` gives the reply, or the exception's class and text."""

    def __init__(self, nodes: int = 2) -> None:
        self.world = World()
        self.cluster = Cluster(self.world, nodes)
        self.first, self.second = self.cluster.servers[0], self.cluster.servers[-1]
        self.client = self.cluster.client()

    def ask(self, *calls):
        replies = []

        async def program():
            for call in calls:
                try:
                    replies.append(await call())
                except Exception as error:
                    replies.append(f"{type(error).__name__}: {error}")

        self.world.spawn(self.world.actor("asker"), program())
        self.world.run(self.world.now_us + 60_000_000)
        return replies[0] if len(calls) == 1 else replies

    def applied(self) -> list[tuple]:
        """(server, command line) of everything carried out."""
        return [
            (event.actor, event.fields["text"], event.fields.get("error"))
            for event in self.world.events
            if event.kind == "call.applied" and not event.fields["text"].startswith("CLUSTER SLOTS")
        ]


@pytest.fixture
def stage() -> Stage:
    return Stage()


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("GET abc", None),
        ("GET def", "MovedError: 16148 redis-2:6379"),
        ("MSET abc 1 def 2", "ClusterCrossSlotError: Keys in request don't hash to the same slot"),
        ("MSET def 1 abc 2", "ClusterCrossSlotError: Keys in request don't hash to the same slot"),
        ("MSET {abc}1 1 {abc}2 2", True),
        ("EVAL return(1) 1 def", "MovedError: 16148 redis-2:6379"),
        ("CLUSTER KEYSLOT def", 16148),
        ("CLUSTER COUNTKEYSINSLOT 7638", 0),
        ("CLUSTER COUNTKEYSINSLOT 16384", "ResponseError: Invalid slot"),
        ("CLUSTER GETKEYSINSLOT 1 -1", "ResponseError: Invalid slot or number of keys"),
        ("CLUSTER KEYSLOT", "ResponseError: wrong number of arguments for 'cluster|keyslot' command"),
        ("CLUSTER NODES", "ResponseError: unknown subcommand 'NODES'. Try CLUSTER HELP."),
        ("REPLICAOF NO ONE", "ResponseError: REPLICAOF not allowed in cluster mode."),
        ("WAIT 0 0", 0),
    ],
)
def test_one_node_answers(stage, line, reply):
    assert stage.ask(lambda: stage.first.client().execute_command(*line.split())) == reply


@pytest.mark.parametrize(
    ("nodes", "key", "works"),
    [(1, "abc", True), (1, "def", True), (1, "ghi", True), (1, "jkl", True)]
    + [(2, "abc", True), (2, "bar", True), (2, "def", False), (2, "ghi", False), (2, "jkl", False)],
)
@pytest.mark.parametrize("by", ["node", "client"])
def test_an_undeclared_key_works_on_one_node_and_fails_on_two_where_its_slot_is_elsewhere(nodes, key, works, by):
    stage = Stage(nodes)
    script = f"return redis.call('INCR', '{key}')"
    asked = stage.first.client() if by == "node" else stage.client
    reply = stage.ask(lambda: asked.eval(script, 1, "abc"))
    assert reply == 1 if works else reply.startswith(f"ResponseError: {NON_LOCAL} script: ")


def test_slots_are_shared_evenly_and_every_node_knows_all():
    stage = Stage(3)
    expected = {
        (0, 5460): {"primary": ("redis-1", 6379), "replicas": []},
        (5461, 10922): {"primary": ("redis-2", 6379), "replicas": []},
        (10923, 16383): {"primary": ("redis-3", 6379), "replicas": []},
    }
    assert stage.ask(lambda: stage.client.cluster("slots")) == expected
    info = stage.ask(lambda: stage.client.cluster("info"))
    assert (info["cluster_state"], info["cluster_slots_ok"], info["cluster_size"]) == ("ok", "16384", "3")
    ids = [stage.ask(lambda node=node: node.execute_command("CLUSTER MYID")) for node in stage.client.get_nodes()]
    shards = stage.ask(lambda: stage.client.cluster("shards"))
    assert [shard["slots"] for shard in shards] == [[(0, 5460)], [(5461, 10922)], [(10923, 16383)]]
    assert [shard["nodes"][0]["id"] for shard in shards] == ids and len(set(map(len, ids))) == 1


def test_a_server_alone_in_cluster_mode_knows_itself():
    stage = Stage()
    alone = RedisServer(stage.world, "alone", Slots())
    [[first, last, [host, port, node_id, _]]] = stage.ask(lambda: alone.client().cluster("slots"))
    assert (first, last, host, port, len(node_id)) == (0, 16383, "alone", 6379, 40)


async def _pairs(client):
    return sorted([key async for key in client.scan_iter()])


@pytest.mark.parametrize(
    ("call", "reply"),
    [
        (lambda c: c.get("def"), "d"),
        (lambda c: c.mget("abc", "def"), "RedisClusterException: MGET - all keys must map to the same key slot"),
        (lambda c: c.mget("def", "ghi"), "RedisClusterException: MGET - all keys must map to the same key slot"),
        (lambda c: c.rename("abc", "def"), "RedisClusterException: RENAME - all keys must map to the same key slot"),
        (lambda c: c.eval("", 2, "abc", "def"), "RedisClusterException: EVAL - all keys must map to the same key slot"),
        (lambda c: c.mget_nonatomic("abc", "def", "none"), ["a", "d", None]),
        (lambda c: c.mset_nonatomic({"abc": 1, "def": 2}), [True, True]),
        (lambda c: c.exists("abc", "def", "none"), 2),
        (lambda c: c.delete("abc", "def", "none"), 2),
        (lambda c: c.delete(), 0),
        (lambda c: c.keys("*"), ["abc"]),
        (lambda c: c.dbsize(), 1),
        (lambda c: c.execute_command("DBSIZE", target_nodes="primaries"), 2),
        (lambda c: c.scan(), ({"redis-1:6379": 0, "redis-2:6379": 0}, ["abc", "def"])),
        (_pairs, ["abc", "def"]),
        (lambda c: c.flushall(), {"redis-1:6379": True, "redis-2:6379": True}),
        (lambda c: c.script_load("return 1"), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"),
        (lambda c: c.script_exists("e0e1f9fabfc9d4800c877a703b823ac0578ff8db"), [False]),
        (lambda c: c.register_script("return KEYS[1]")(["def"]), "def"),
        (lambda c: c.cluster_keyslot("def"), 16148),
        (lambda c: c.execute_command("CLUSTER COUNTKEYSINSLOT", 16148), 1),
        (lambda c: c.ping(), True),
        (lambda c: c.execute_command("PING", target_nodes="all"), True),
        (lambda c: c.execute_command("NOPE", "a"), "RedisError: NOPE command doesn't exist in Redis commands"),
        (lambda c: c.execute_command("PING", target_nodes="replicas"), f"RedisClusterException: {NO_TARGET}"),
        (lambda c: c.echo("x"), f"RedisClusterException: {NO_KEY}"),
    ],
)  # fmt: skip
def test_the_clusters_client_answers_as_redis_pys_does(stage, call, reply):
    stage.ask(lambda: stage.client.set("abc", "a"), lambda: stage.client.set("def", "d"))
    assert stage.ask(lambda: call(stage.client)) == reply


def test_a_script_without_keys_runs_on_some_node_and_on_the_same_in_every_run():
    runs = []
    for _ in range(2):
        stage = Stage()
        stage.ask(*[lambda client=stage.client: client.eval("return 1", 0)] * 12)
        runs.append([server for server, _, _ in stage.applied()])
    assert runs[0] == runs[1]
    assert set(runs[0]) == {"redis-1", "redis-2"}


def test_the_client_asks_for_the_slots_once_and_follows_moved_after_a_move():
    stage = Stage()
    client = stage.client
    stage.ask(lambda: client.set("def", "d"), lambda: client.set("abc", "a"))
    stage.cluster.move(range(16000, 16384), stage.first)
    assert stage.ask(lambda: client.get("def"), lambda: client.get("def")) == ["d", "d"]
    assert stage.applied()[2:] == [
        ("redis-2", "GET def", "16148 redis-1:6379"),
        ("redis-1", "GET def", None),
        ("redis-1", "GET def", None),
    ]
    asked = [event for event in stage.world.events if event.fields.get("text") == "CLUSTER SLOTS"]
    assert len([event for event in asked if event.kind == "call.started"]) == 1
    assert client.get_node_from_key("def").name == "redis-1:6379"
    assert stage.cluster.server_of("def") is stage.first
    assert stage.second.snapshot() == {}
    assert stage.ask(lambda: client.cluster("slots")) == {
        (0, 8191): {"primary": ("redis-1", 6379), "replicas": []},
        (8192, 15999): {"primary": ("redis-2", 6379), "replicas": []},
        (16000, 16383): {"primary": ("redis-1", 6379), "replicas": []},
    }


def test_every_fifth_moved_makes_the_client_ask_for_all_slots():
    stage = Stage()
    client = stage.client
    keys = ["def", "ghi", "foo", "jkl", "mno", "zzz"]  # all on the second node
    stage.ask(lambda: client.get("abc"))
    stage.cluster.move(range(8192, 16384), stage.first)
    assert stage.ask(*[lambda key=key: client.get(key) for key in keys]) == [None] * 6
    assert [server for server, _, _ in stage.applied()[1:]] == ["redis-2", "redis-1"] * 5 + ["redis-1"]


def test_moved_keys_are_recorded_for_both_stores():
    stage = Stage()
    stage.ask(lambda: stage.client.set("def", "d", px=500), lambda: stage.client.set("ghi", "g"))
    stage.cluster.move(range(16148, 16149), stage.first)
    key = {"key": "def", "type": "string"}
    moved = [event for event in stage.world.events if event.kind == "mark"]
    assert [(event.actor, event.fields["name"], *event.fields["changes"]) for event in moved] == [
        ("redis-2", "slots-moved", {"store": "redis-2", **key, "value": None}),
        ("redis-1", "slots-moved", {"store": "redis-1", **key, "value": "d", "expires_at_ms": 500}),
    ]


def test_a_command_sent_again_after_a_lost_reply_is_carried_out_twice():
    stage = Stage()
    client = stage.cluster.client(socket_timeout=0.01)
    stage.ask(lambda: client.get("abc"))
    lost = []

    def once(message):
        if message.direction == "reply" and message.text == "INCR abc" and not lost:
            lost.append(message)
            return DROP
        return PASS

    stage.world.network.rule(once)
    assert stage.ask(lambda: client.incr("abc")) == 2


def test_a_node_that_is_down_is_tried_eleven_times_while_the_other_serves():
    stage = Stage()
    stage.ask(lambda: stage.client.get("abc"))
    stage.second.set_down(True)
    replies = stage.ask(lambda: stage.client.get("def"), lambda: stage.client.get("abc"))
    assert replies == ["ConnectionError: Error 111 connecting to redis-2:6379. Connection refused.", None]
    calls = [
        event for event in stage.world.events if event.kind == "call.started" and event.fields["text"] == "GET def"
    ]
    assert len(calls) == 11
    stage.first.set_down(True)
    assert stage.ask(lambda: stage.client.get("abc")) == (
        "RedisClusterException: Redis Cluster cannot be connected. Please provide at least one reachable node: "
        "Error 111 connecting to redis-1:6379. Connection refused."
    )


def test_what_is_published_at_one_node_reaches_those_who_listen_at_any(stage):
    async def program():
        listeners = [stage.second.client().pubsub(), stage.client.pubsub()]
        for listener in listeners:
            await listener.subscribe("abc")
            await listener.get_message(timeout=1)
        assert await stage.first.client().publish("abc", "at-first") == 1
        assert await stage.client.publish("def", "to-nobody") == 0
        return [(await listener.get_message(timeout=1))["data"] for listener in listeners]

    assert stage.ask(program) == ["at-first", "at-first"]


@pytest.mark.parametrize("name", ["pipeline", "transaction", "lock"])
def test_what_the_clusters_client_has_not_is_refused_by_name(stage, name):
    reply = stage.ask(lambda: getattr(stage.client, name)())
    assert reply == f"RedisClusterException: the stand-in's cluster client has no {name}"


@pytest.mark.parametrize("slots", [range(0), range(0, 4, 2), range(-1, 4), range(16380, 16385)])
def test_slots_that_are_none_are_not_moved(stage, slots):
    with pytest.raises(ValueError, match="slots to move are a range"):
        stage.cluster.move(slots, stage.first)


@pytest.mark.parametrize("nodes", [0, 16385])
def test_a_cluster_has_at_least_one_node_and_no_more_than_slots(nodes):
    with pytest.raises(ValueError, match="a cluster has 1 to 16384 nodes"):
        Cluster(World(), nodes)
