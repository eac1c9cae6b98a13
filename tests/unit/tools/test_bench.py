"""`make bench` measures what it can, and says what it could not."""

import subprocess
import sys

import pytest

from tools import bench, bench_stores


def test_without_fakeredis_the_stand_in_is_measured_alone(monkeypatch, capsys):
    def refuse(folder, lock):
        raise subprocess.CalledProcessError(1, ["pip"])

    monkeypatch.setattr(bench, "make_environment", refuse)
    assert bench.bench_python() == sys.executable
    assert "fakeredis could not be installed" in capsys.readouterr().out


@pytest.mark.parametrize("program", bench_stores.PROGRAMS, ids=lambda program: program.__name__)
def test_a_measured_program_ends_and_counts_its_calls(program):
    calls, seconds = bench_stores.on_stand_in(program, 3)
    assert calls % 3 == 0
    assert seconds > 0


def test_every_lease_that_is_acquired_sweeps_one_that_has_lapsed():
    assert bench_stores.LEASE_MS / bench_stores.EVERY_MS < bench_stores.LIMIT
