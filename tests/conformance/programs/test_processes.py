"""The processes that the other tests rely on: none outlives its test, and one that ends is noticed."""

import os

import pytest

from tests.conformance.programs.processes import nursery

WITHOUT_A_SERVER = {"redis": 1, "program": "counter", "limit": 1, "heartbeat_ms": 1000, "lease_ms": 3000}


def test_a_test_that_fails_leaves_no_process_behind_not_even_a_frozen_one():
    with pytest.raises(AssertionError, match="^as it should$"), nursery() as spawn:
        children = [spawn("slots.holder", name=name, **WITHOUT_A_SERVER) for name in "AB"]
        for child in children:
            child.next("ready")
        children[0].freeze()
        raise AssertionError("as it should")
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(child.pid, 0)


def test_a_process_that_has_ended_is_not_waited_for():
    with nursery() as spawn:
        child = spawn("slots.holder", name="A", **WITHOUT_A_SERVER)
        child.next("ready")
        child.kill()
        with pytest.raises(AssertionError, match="A has ended"):
            child.next("working")
