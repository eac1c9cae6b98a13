"""Two nodes that share the slots: what each answers for the other's keys, and where a cluster's client sends what.

Slots: abc 7638 and bar 5061 are the first node's; def 16148, ghi 8695, jkl 9808 and foo 12182 the second's.
"""

from hashlib import sha1

import pytest

from py_runtime.stores.redis import key_slot
from tests.conformance.arms.arm import refused

CROSS = "ClusterCrossSlotError: Keys in request don't hash to the same slot"
NON_LOCAL = "Script attempted to access a non local key in a cluster node"


async def outcome(call):
    try:
        return await call
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def asked(line: str) -> list[str]:
    return [word.replace("~", " ") for word in line.split()]


@pytest.mark.parametrize(
    ("line", "slot"),
    [("GET def", 16148), ("SET ghi 1", 8695), ("MGET {foo}1 {foo}2", 12182), ("EVAL return~1 1 jkl", 9808)],
)
async def test_a_node_points_to_the_one_that_serves_the_slot(nodes, cluster_arm, line, slot):
    left, right = nodes
    assert await refused(left.execute_command(*asked(line))) == f"MovedError: {slot} {cluster_arm.address(1)}"
    await right.execute_command(*asked(line))
    assert await refused(right.get("abc")) == f"MovedError: 7638 {cluster_arm.address(0)}"


@pytest.mark.parametrize(
    "line",
    ["MSET abc 1 def 2", "MSET def 1 abc 2", "MGET abc bar", "EVAL return~1 2 abc def", "RENAME abc bar", "DEL abc bar",
     "BLPOP abc def 1", "XREAD STREAMS abc def 0 0", "LMOVE abc bar LEFT LEFT"],
)  # fmt: skip
async def test_keys_of_two_slots_are_refused_also_where_one_node_serves_both(nodes, line):
    for node in nodes:
        assert await refused(node.execute_command(*asked(line))) == CROSS


@pytest.mark.parametrize(
    ("key", "local"), [("abc", True), ("bar", True), ("def", False), ("ghi", False), ("jkl", False)]
)
async def test_a_script_reaches_undeclared_keys_of_its_own_node_only(nodes, key, local):
    script = f"return redis.call('INCR', '{key}')"
    told = f"ResponseError: {NON_LOCAL} script: {sha1(script.encode()).hexdigest()}, on @user_script:1."
    for declared in (["1", "abc"], ["0"]):
        if local:
            assert isinstance(await nodes[0].eval(script, *declared), int)
        else:
            assert await refused(nodes[0].eval(script, *declared)) == told


async def test_a_script_keeps_what_it_wrote_before_it_reached_for_a_key_of_the_other_node(nodes):
    left, right = nodes
    script = "redis.call('SET', KEYS[1], 'kept') return redis.call('INCR', 'def')"
    assert NON_LOCAL in await refused(left.eval(script, 1, "abc"))
    assert await left.get("abc") == "kept"
    assert await left.eval("return redis.pcall('GET', 'def').err", 0) == f"ERR {NON_LOCAL}"
    assert await left.eval("return redis.pcall('MGET', 'abc', 'bar').err", 0) == f"ERR {NON_LOCAL}"
    assert await right.get("def") is None


@pytest.mark.parametrize(
    "key", ["abc", "{abc}x", "a{}b", "{}", "", "a{b", "a{{b}}c", "foo{bar}{zap}", "\u00e9", "123456789"]
)
async def test_the_slot_of_a_key(nodes, key):
    assert await nodes[0].execute_command("CLUSTER KEYSLOT", key) == key_slot(key.encode())


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("CLUSTER COUNTKEYSINSLOT 7638", 2),
        ("CLUSTER COUNTKEYSINSLOT 16384", "ResponseError: Invalid slot"),
        ("CLUSTER COUNTKEYSINSLOT x", "ResponseError: value is not an integer or out of range"),
        ("CLUSTER GETKEYSINSLOT 7638 10", ["abc", "{abc}2"]),
        ("CLUSTER GETKEYSINSLOT 7638 0", []),
        ("CLUSTER GETKEYSINSLOT 7638 -1", "ResponseError: Invalid slot or number of keys"),
        ("CLUSTER KEYSLOT", "ResponseError: wrong number of arguments for 'cluster|keyslot' command"),
        ("CLUSTER NONE", "ResponseError: unknown subcommand 'NONE'. Try CLUSTER HELP."),
        ("REPLICAOF NO ONE", "ResponseError: REPLICAOF not allowed in cluster mode."),
        ("WAIT 0 0", 0),
        ("DBSIZE", 2),
    ],
)
async def test_what_a_node_says(nodes, line, answer):
    await nodes[0].mset({"abc": "1", "{abc}2": "2"})
    name, *words = line.split()
    call = [f"{name} {words[0]}", *words[1:]] if name == "CLUSTER" else [name, *words]
    reply = await outcome(nodes[0].execute_command(*call))
    assert (sorted(reply) if isinstance(reply, list) else reply) == answer


async def test_every_node_tells_who_serves_what(nodes, cluster_arm):
    left, right = [cluster_arm.address(node).rsplit(":", 1) for node in (0, 1)]
    ids = [await node.execute_command("CLUSTER MYID") for node in nodes]
    for node in nodes:
        assert await node.execute_command("CLUSTER SLOTS") == [
            [0, 8191, [left[0], int(left[1]), ids[0], []]],
            [8192, 16383, [right[0], int(right[1]), ids[1], []]],
        ]
        told = await node.execute_command("CLUSTER INFO")
        names = ("cluster_state", "cluster_slots_ok", "cluster_known_nodes", "cluster_size")
        assert [told[name] for name in names] == ["ok", "16384", "2", "2"]
    assert [len(each) for each in ids] == [40, 40] and ids[0] != ids[1]


async def test_a_server_without_cluster_mode_has_no_slots(redis):
    for line in ("KEYSLOT k", "SLOTS", "SHARDS", "MYID", "INFO", "COUNTKEYSINSLOT 1", "GETKEYSINSLOT 1 1"):
        name, *words = line.split()
        call = redis.execute_command(f"CLUSTER {name}", *words)
        assert await refused(call) == "ResponseError: This instance has cluster support disabled"
    assert await redis.mset({"abc": 1, "def": 2}) is True


async def test_what_is_published_at_one_node_reaches_those_who_listen_at_the_other(nodes):
    left, right = nodes
    pubsub = right.pubsub()
    await pubsub.subscribe("abc")
    assert (await pubsub.get_message(timeout=5))["type"] == "subscribe"
    assert await left.publish("abc", "m") == 0
    assert (await pubsub.get_message(timeout=5))["data"] == "m"
    await pubsub.aclose()


IN_PIPELINE = "{}: Command # {} ({}) of pipeline caused error: {}"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["SET abc 1", "SET {abc}2 2"], [True, True]),
        (["SET abc 1", "SET bar 2"], CROSS),
        (["SET abc 1", "SET def 2"], IN_PIPELINE.format("MovedError", 2, "SET def 2", "('16148 ADDRESS',)")),
        (
            ["MSET abc 1 bar 2", "SET abc 1"],
            IN_PIPELINE.format(
                "ClusterCrossSlotError", 1, "MSET abc 1 bar 2", '("Keys in request don\'t hash to the same slot",)'
            ),
        ),
    ],
)
async def test_a_transaction_stays_in_one_slot(nodes, cluster_arm, lines, told):
    async with nodes[0].pipeline() as pipe:
        for line in lines:
            pipe.execute_command(*asked(line))
        reply = await outcome(pipe.execute())
    done = isinstance(told, list)
    assert reply == (told if done else told.replace("ADDRESS", cluster_arm.address(1)))
    assert await nodes[0].get("abc") == ("1" if done else None)


# The cluster's client


ONE_SLOT = "RedisClusterException: {} - all keys must map to the same key slot"
NO_KEY = (
    "RedisClusterException: No way to dispatch this command to Redis Cluster. Missing key.\n"
    "You can execute the command by specifying target nodes.\nCommand: {}"
)
WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value"
SHA = sha1(b"return 1").hexdigest()


@pytest.mark.parametrize(
    ("call", "reply"),
    [
        (lambda c: c.get("def"), "d"),
        (lambda c: c.mget("abc", "def"), ONE_SLOT.format("MGET")),
        (lambda c: c.mget("def", "ghi"), ONE_SLOT.format("MGET")),
        (lambda c: c.mget("{abc}1", "abc"), [None, "a"]),
        (lambda c: c.mset({"abc": "1", "def": "2"}), ONE_SLOT.format("MSET")),
        (lambda c: c.rename("abc", "def"), ONE_SLOT.format("RENAME")),
        (lambda c: c.blpop(["abc", "def"], 1), ONE_SLOT.format("BLPOP")),
        (lambda c: c.xread({"abc": "0", "def": "0"}), ONE_SLOT.format("XREAD")),
        (lambda c: c.eval("return 1", 2, "abc", "def"), ONE_SLOT.format("EVAL")),
        (lambda c: c.eval("return 1", 0), 1),
        (lambda c: c.mget_nonatomic("def", "none", "abc"), ["d", None, "a"]),
        (lambda c: c.mset_nonatomic({"abc": "1", "def": "2"}), [True, True]),
        (lambda c: c.exists("abc", "def", "none"), 2),
        (lambda c: c.touch("abc", "def"), 2),
        (lambda c: c.delete("abc", "def", "none"), 2),
        (lambda c: c.unlink("abc", "none"), 1),
        (lambda c: c.delete(), 0),
        (lambda c: c.keys("*"), ["abc"]),
        (lambda c: c.dbsize(), 1),
        (lambda c: c.execute_command("DBSIZE", target_nodes="primaries"), 2),
        (lambda c: c.execute_command("DBSIZE", target_nodes="all"), 2),
        (lambda c: c.execute_command("PING", target_nodes="default-node"), True),
        (lambda c: c.execute_command("PING", target_nodes="random"), True),
        (lambda c: c.ping(), True),
        (lambda c: c.wait(0, 10), 0),
        (lambda c: c.script_load("return 1"), SHA),
        (lambda c: c.script_exists(SHA), [False]),
        (lambda c: c.register_script("return KEYS[1]")(["def"]), "def"),
        (lambda c: c.register_script("return 7")(), 7),
        (lambda c: c.script_flush(), True),
        (lambda c: c.evalsha(SHA, 1, "abc"), "NoScriptError: No matching script. Please use EVAL."),
        (lambda c: c.cluster_keyslot("def"), 16148),
        (lambda c: c.execute_command("CLUSTER COUNTKEYSINSLOT", 16148), 1),
        (lambda c: c.execute_command("NOPE", "a"), "RedisError: NOPE command doesn't exist in Redis commands"),
        (lambda c: c.echo("x"), NO_KEY.format("('x',)")),
        (lambda c: c.role(), NO_KEY.format("()")),
        (lambda c: c.execute_command("GET"), NO_KEY.format("()")),
        (lambda c: c.execute_command("WAIT", "x", "0"), "ResponseError: value is not an integer or out of range"),
        (lambda c: c.hget("abc", "f"), f"ResponseError: {WRONG_TYPE}"),
    ],
)  # fmt: skip
async def test_what_the_clusters_client_gives(cluster_arm, call, reply):
    client = cluster_arm.client()
    await client.set("abc", "a")
    await client.set("def", "d")
    assert await outcome(call(client)) == reply


async def test_what_the_clusters_client_gathers_from_every_node(cluster_arm):
    client = cluster_arm.client()
    for key in ("abc", "def", "ghi"):
        await client.set(key, key)
    names = [cluster_arm.address(node) for node in (0, 1)]
    assert [node.name for node in client.get_primaries()] == names
    assert client.get_default_node().name == names[0]
    assert client.get_node_from_key("def").name == names[1]
    assert client.keyslot("def") == 16148
    cursors, keys = await client.scan()
    assert (cursors, sorted(keys)) == (dict.fromkeys(names, 0), ["abc", "def", "ghi"])
    assert sorted([key async for key in client.scan_iter()]) == ["abc", "def", "ghi"]
    node = client.get_node_from_key("def")
    assert await client.execute_command("DBSIZE", target_nodes=node) == 2
    assert await outcome(client.execute_command("GET", "abc", target_nodes=[node])) == "abc"
    assert await outcome(node.execute_command("GET", "abc")) == f"MovedError: 7638 {names[0]}"
    assert await client.flushall() == dict.fromkeys(names, True)
    assert await client.keys("*") == []
    (left, left_port), (right, right_port) = [name.rsplit(":", 1) for name in names]
    assert await client.execute_command("CLUSTER SLOTS") == {
        (0, 8191): {"primary": (left, int(left_port)), "replicas": []},
        (8192, 16383): {"primary": (right, int(right_port)), "replicas": []},
    }
    shards = sorted(await client.execute_command("CLUSTER SHARDS"), key=lambda shard: shard["slots"])
    assert [(shard["slots"], shard["nodes"][0]["port"], shard["nodes"][0]["role"]) for shard in shards] == [
        ([(0, 8191)], int(left_port), "master"),
        ([(8192, 16383)], int(right_port), "master"),
    ]
