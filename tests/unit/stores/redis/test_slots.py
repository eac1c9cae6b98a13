"""Cluster slots."""

import pytest

from py_runtime.stores.redis import Slots, key_slot

NON_LOCAL = "ERR Script attempted to access a non local key in a cluster node"
CROSS = "CROSSSLOT Keys in request don't hash to the same slot"


@pytest.mark.parametrize(
    ("key", "slot"),
    [
        ("ai:flight:meta:{abc}", 7638),
        ("ai:flight:result:{abc}", 7638),
        ("abc", 7638),
        ("ai:flight:owner-seq", 4970),
        ("123456789", 12739),
        ("{}x", key_slot(b"{}x")),
        ("", 0),
    ],
)
def test_a_slot_depends_on_the_text_in_braces_only(key, slot):
    assert key_slot(key.encode()) == slot


def test_empty_braces_are_no_tag():
    assert key_slot(b"a{}b") != key_slot(b"c{}b")
    assert key_slot(b"a{x}{y}") == key_slot(b"x")
    assert key_slot(b"a{x") != key_slot(b"x")
    assert key_slot(b"a{{x}}") == key_slot(b"{x")


def test_declared_keys_in_two_slots_are_refused_even_on_one_node(bench):
    redis = bench(Slots())
    assert redis("CLUSTER KEYSLOT abc") == 7638
    assert redis("MSET abc 1 def 2") == CROSS
    assert redis("EVAL 'return 1' 2 abc def") == CROSS
    assert redis("XREAD STREAMS abc def 0 0") == CROSS
    assert redis("MSET {t}a 1 {t}b 2") == "OK"
    assert redis("BLPOP abc def 1") == CROSS


def test_an_undeclared_key_works_only_while_its_slot_is_on_this_node(bench):
    script = "EVAL \"return redis.call('INCR', 'ai:flight:owner-seq')\" 1 abc"
    assert bench(Slots())(script) == 1
    other = bench(Slots(range(5000, 16384)))
    assert other(script).startswith(NON_LOCAL)
    assert other("GET ai:flight:owner-seq") == "CLUSTERDOWN Hash slot not served"
    assert other("SET abc 1") == "OK"


def test_without_cluster_mode_slots_do_not_matter(redis):
    assert redis("MSET abc 1 def 2") == "OK"
