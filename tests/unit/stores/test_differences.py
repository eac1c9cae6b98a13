"""Every known difference from the real thing has a test that shows it, or cannot be shown without the real thing.

A new row of a DIFFERENCES table needs a row here: how its sentence begins, and the test. Those without one elsewhere
are shown below.
"""

import re
from pathlib import Path

import pytest

from py_runtime.sim import World
from py_runtime.stores.lua import compile_script
from py_runtime.stores.lua import reference as lua
from py_runtime.stores.redis import ConnectionError, RedisServer, ResponseError
from py_runtime.stores.redis.differences import DIFFERENCES
from py_runtime.stores.redis.execute import execute, new_keyspace
from py_runtime.stores.replies import ErrorReply
from py_runtime.stores.sql import SqlDatabase, SqlError
from py_runtime.stores.sql import reference as sql

TESTS = Path(__file__).resolve().parents[2]
HERE = "unit/stores/test_differences.py"
REDIS = "unit/stores/redis"
LUA = "unit/stores/lua"
SQL = "unit/stores/sql"

SHOWN_BY = {
    "There is no persistence": f"{HERE}::test_commands_for_what_is_not_there_are_unknown",
    "A set and a hash keep": f"{HERE}::test_members_and_fields_keep_the_order_of_adding",
    "SCAN goes through": f"{REDIS}/test_keys.py::test_a_walk_sees_every_key_that_stayed_once_whatever_else_changes",
    "INCRBYFLOAT and HINCRBYFLOAT": f"{HERE}::test_decimals_end_at_4200_digits",
    "A key ends for DBSIZE": f"{HERE}::test_a_lapsed_key_is_not_counted",
    "The client sends incr": f"{HERE}::test_incr_is_sent_as_incr",
    "The client sends nothing again": f"{HERE}::test_a_refused_call_is_sent_once",
    "Replication counts writes": f"{HERE}::test_the_offset_of_a_primary_is_its_number_of_writes",
    "A replica acknowledges each": f"{REDIS}/test_wait.py::test_wait_answers_when_enough_replicas_have_the_last_write",
    "A lapsed key is deleted on": f"{REDIS}/test_replication.py::test_a_replica_hides_what_has_lapsed_and_deletes_it",
    "A plain call has no": f"{HERE}::test_a_plain_call_can_begin_nothing",
    "A pipeline without a transaction": f"{HERE}::test_others_come_in_between_the_commands_of_a_pipeline",
    "Of several patterns": f"{HERE}::test_fitting_patterns_are_served_in_order_of_subscription",
    "Whoever unsubscribes from all": f"{HERE}::test_all_subscriptions_end_in_order_of_subscription",
    "A subscriber that does not read": f"{HERE}::test_a_subscriber_that_does_not_read_keeps_its_connection",
    "For WAIT a client is": f"{REDIS}/test_wait.py::test_wait_asks_for_the_callers_own_last_command",
    "A replica drops a lapsed key": f"{REDIS}/test_replication.py::test_a_replica_drops_what_has_lapsed",
    "REPLICAOF reaches only": f"{REDIS}/test_wait.py::test_refusals",
    "A scenario promotes": f"{REDIS}/test_failover.py::test_what_a_client_meets_at_a_failover",
    "CLUSTER INFO says": f"{REDIS}/test_cluster.py::test_slots_are_shared_evenly_and_every_node_knows_all",
    "Nodes of a cluster": f"{REDIS}/test_promotion.py::test_nodes_of_a_cluster_have_no_replicas",
    # Lua
    "Not there, and refused": f"{LUA}/test_reference.py::test_each_name_that_is_refused_is_refused",
    "RESP3 (redis.setresp(3))": f"{LUA}/test_script.py::test_options_of_the_redis_library_that_are_not_there_say_so",
    "pairs, next and cjson": f"{LUA}/test_script.py::test_pairs_walks_the_array_then_the_names_in_order_of_insertion",
    "# of a table with holes": f"{HERE}::test_the_length_of_a_table_with_holes_is_one_of_its_borders",
    "Tables and functions print": f"{LUA}/test_script.py::test_tables_and_functions_print_numbers_in_order_of_printing",
    "Every NaN prints": f"{LUA}/test_script.py::test_every_not_a_number_prints_the_same",
    "A constant -0": f"{HERE}::test_a_constant_minus_zero_keeps_its_sign",
    "A script ends with BUSY": f"{LUA}/test_limits.py::test_what_a_runaway_script_wrote_stays",
    "Recursion ends": f"{LUA}/test_limits.py::test_endless_recursion_is_a_stack_overflow",
    "Expressions nest": f"{LUA}/test_limits.py::test_too_deep_nesting_does_not_compile",
    "error({}) is": f"{LUA}/test_script.py::test_an_error_table_thrown_without_text_is_an_unknown_error",
    "The table that redis.pcall": f"{HERE}::test_a_caught_error_has_one_field",
    # SQL
    "One table per SELECT": f"{SQL}/test_refusals.py::test_what_is_outside_the_subset_is_named",
    "A subquery runs once": f"{HERE}::test_a_subquery_does_not_see_the_row_around_it",
    "No NUMERIC": f"{HERE}::test_decimals_are_doubles",
    "TIMESTAMP has no time zone": f"{SQL}/test_tables.py::test_text_is_a_timestamp_where_it_is_passed_for_one",
    "A parameter has the type": f"{SQL}/test_tables.py::test_a_parameter_of_the_wrong_type_is_refused_by_name",
    "Text is ordered by": f"{HERE}::test_text_is_ordered_by_code_point",
    "Rows without ORDER BY": f"{SQL}/test_statements.py::test_rows_come_in_insertion_order_without_order_by",
    "A deadlock is found": f"{SQL}/test_transactions.py::test_two_transactions_that_wait_for_each_other_are_a_deadlock",
    "BEGIN inside a transaction": f"{SQL}/test_transactions.py::test_what_does_not_fit_the_state_of_the_transaction",
    "At SERIALIZABLE": f"{HERE}::test_a_condition_without_a_key_reads_the_whole_table",
    "Two results of the same name": f"{HERE}::test_two_results_of_one_name_are_refused",
    "A list may be as long": f"{SQL}/test_refusals.py::test_an_expression_is_nested_so_deep_and_no_deeper",
    "A caller that gives up": f"{SQL}/test_server.py::test_a_caller_that_gives_up_waiting_can_roll_back",
}
SENTENCES = [*DIFFERENCES, *lua.DIFFERENCES, *sql.DIFFERENCES]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_difference_has_a_test(sentence):
    named = [test for beginning, test in SHOWN_BY.items() if sentence.startswith(beginning)]
    assert len(named) == 1, f"name a test that shows it in {HERE}"
    file, _, name = named[0].partition("::")
    assert re.search(rf"^(async )?def {name}", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_no_row_outlives_its_difference():
    assert [beginning for beginning in SHOWN_BY if not any(each.startswith(beginning) for each in SENTENCES)] == []


class Lines:
    """Command lines on one keyspace; replies as they come, errors as their text."""

    def __init__(self) -> None:
        self.db, self.now_us = new_keyspace(), 1_000_000

    def __call__(self, line: str):
        try:
            return execute(self.db, line.encode().split(), self.now_us)
        except ErrorReply as error:
            return error.text


@pytest.fixture
def redis() -> Lines:
    return Lines()


def play(program) -> list[str]:
    """Run a program in a world; gives the texts of the calls that were sent."""
    world = World()
    server = RedisServer(world)
    world.spawn(world.actor("program"), program(server))
    world.run(10_000_000)
    assert [event.fields for event in world.events if event.kind == "task.failed"] == []
    return [event.fields["text"] for event in world.events if event.kind == "call.started"]


@pytest.mark.parametrize("line", ["SAVE", "CONFIG GET maxmemory", "HELLO 3", "ACL LIST", "SELECT 1", "FAILOVER"])
def test_commands_for_what_is_not_there_are_unknown(redis, line):
    assert redis(line).startswith(f"ERR unknown command '{line.split()[0]}'")


def test_members_and_fields_keep_the_order_of_adding(redis):
    redis("SADD s b a")
    redis("HSET h b 1 a 2")
    assert [redis("SMEMBERS s"), redis("HKEYS h")] == [[b"b", b"a"]] * 2


def test_decimals_end_at_4200_digits(redis):
    assert len(redis("INCRBYFLOAT f 1e4199")) == 4199  # the nearest number that 64 bits can hold is a little below
    assert redis("INCRBYFLOAT g 1e4201") == "ERR value is not a valid float"


def test_a_lapsed_key_is_not_counted(redis):
    redis("SET k v PX 10")
    redis.now_us += 11_000
    assert redis("DBSIZE") == 0


def test_incr_is_sent_as_incr():
    async def program(server):
        await server.client().incr("k")
        await server.client().decr("k")

    assert play(program) == ["INCR k", "DECR k"]


def test_a_refused_call_is_sent_once():
    async def program(server):
        server.set_down(True)
        with pytest.raises(ConnectionError):
            await server.client().get("k")

    assert play(program) == ["GET k"]


def test_the_offset_of_a_primary_is_its_number_of_writes():
    world = World()
    primary = RedisServer(world, "a")
    RedisServer(world, "b", replica_of=primary)
    roles = []

    async def program():
        client = primary.client()
        await client.mset({"k": "a long value", "l": "another"})
        await client.get("k")
        await client.delete("k", "l")
        roles.append(await client.role())

    world.spawn(world.actor("program"), program())
    world.run(10_000_000)
    assert [role[:2] for role in roles] == [["master", 2]]


@pytest.mark.parametrize("line", ["MULTI", "WATCH k", "SUBSCRIBE c"])
def test_a_plain_call_can_begin_nothing(line):
    async def program(server):
        with pytest.raises(ResponseError, match=f"^{line.split()[0]} needs a connection of its own"):
            await server.client().execute_command(*line.split())

    play(program)


def test_others_come_in_between_the_commands_of_a_pipeline():
    world = World()
    server = RedisServer(world)
    others = []

    async def pipeline():
        pipe = server.client().pipeline(transaction=False)
        await pipe.incr("n").incr("n").incr("n").execute()

    async def other():
        others.append(await server.client().incr("n"))

    world.spawn(world.actor("pipeline"), pipeline())
    world.spawn(world.actor("other"), other())
    world.run(1_000_000)
    assert others in ([2], [3])  # neither before the pipeline nor behind it


def test_fitting_patterns_are_served_in_order_of_subscription():
    async def program(server):
        async with server.client().pubsub(ignore_subscribe_messages=True) as subscriber:
            for pattern in ("n*", "*s", "ne*"):
                await subscriber.psubscribe(pattern)
                assert await subscriber.get_message(timeout=None) is None  # the confirmation
            await server.client().publish("news", "x")
            got = [await subscriber.get_message(timeout=None) for _ in range(3)]
            assert [message["pattern"] for message in got] == ["n*", "*s", "ne*"]

    play(program)


def test_all_subscriptions_end_in_order_of_subscription():
    async def program(server):
        async with server.client().pubsub() as subscriber:
            await subscriber.subscribe("b", "a", "c")
            await subscriber.unsubscribe()
            got = [await subscriber.get_message(timeout=None) for _ in range(6)]
            assert [message["channel"] for message in got[3:]] == ["b", "a", "c"]

    play(program)


def test_a_subscriber_that_does_not_read_keeps_its_connection():
    async def program(server):
        async with server.client().pubsub(ignore_subscribe_messages=True) as subscriber:
            await subscriber.subscribe("c")
            for _ in range(40):
                await server.client().publish("c", "x" * 2**20)
            await subscriber.get_message()
            assert [len((await subscriber.get_message())["data"]) for _ in range(40)] == [2**20] * 40

    play(program)


def script(text: str):
    """The reply of a script whose commands all fail."""

    def call(argv: list):
        raise ErrorReply("ERR refused")

    return compile_script(text).run(call, [], [])


def test_the_length_of_a_table_with_holes_is_one_of_its_borders():
    length = script("local t = {1, 2, nil, 4} return #t")
    assert length in (2, 4)


def test_a_constant_minus_zero_keeps_its_sign():
    assert script("local zero = 0 return tostring(-0)") == b"-0"


def test_a_caught_error_has_one_field():
    text = "local names = {} for name in pairs(redis.pcall('GET', 'k')) do names[#names + 1] = name end return names"
    assert script(text) == [b"err"]


@pytest.fixture
def database() -> SqlDatabase:
    database = SqlDatabase()
    database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT, number INTEGER)")
    database.execute("INSERT INTO t VALUES (1, 'b', 1), (2, 'B', 2), (3, 'a', 3)")
    return database


def test_a_subquery_does_not_see_the_row_around_it(database):
    with pytest.raises(SqlError):
        database.execute("SELECT id FROM t AS one WHERE EXISTS (SELECT 1 FROM t AS two WHERE two.id > one.id)")


def test_decimals_are_doubles(database):
    [row] = database.execute("SELECT 0.1 + 0.2 AS decimal, avg(id) AS mean FROM t").rows
    assert row == {"decimal": 0.30000000000000004, "mean": 2.0}


def test_text_is_ordered_by_code_point(database):
    rows = database.execute("SELECT text FROM t ORDER BY text").rows
    assert [row["text"] for row in rows] == ["B", "a", "b"]


@pytest.mark.parametrize(("condition", "refused"), [("id = 1", False), ("number = 1", True)])
def test_a_condition_without_a_key_reads_the_whole_table(database, condition, refused):
    first, second = database.connect(), database.connect()
    for connection, other in ((first, 2), (second, 3)):
        connection.execute("BEGIN ISOLATION LEVEL SERIALIZABLE")
        connection.execute(f"SELECT text FROM t WHERE {condition}")
        connection.execute(f"UPDATE t SET number = 9 WHERE id = {other}")
    first.execute("COMMIT")
    if refused:
        with pytest.raises(SqlError, match="could not serialize access"):
            second.execute("COMMIT")
    else:
        second.execute("COMMIT")


def test_two_results_of_one_name_are_refused(database):
    with pytest.raises(SqlError):
        database.execute("SELECT id, number AS id FROM t")
