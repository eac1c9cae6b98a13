"""One schedule, one outlook: in every CPython here and under other hash seeds."""

import sys

import pytest

from .outlooks import outlooks
from .test_digests import OTHERS, printed_in

TOLD = "from tests.determinism.outlooks import outlooks as told"


def test_what_is_drawn_is_drawn_from():
    shares = [(point["fails"], point["runs"]) for outlook in outlooks() for point in outlook["points"]]
    assert any(0 < fails < runs for fails, runs in shares)


@pytest.mark.parametrize("hash_seed", ["1", "77"])
def test_fresh_processes_under_other_hash_seeds_draw_the_same(hash_seed):
    assert printed_in(sys.executable, hash_seed, TOLD) == outlooks()


@pytest.mark.parametrize("version", sorted(OTHERS) or [pytest.param("none", marks=pytest.mark.skip("one Python here"))])
def test_other_pythons_draw_the_same(version):
    assert printed_in(OTHERS[version], "5", TOLD) == outlooks()
