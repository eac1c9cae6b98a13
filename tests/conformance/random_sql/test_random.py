"""Random statements, random faults in them, random transactions on several connections: answers as of the real ones.

A few seconds' worth of what `make conformance-soak` compares at length.
"""

from tests.conformance.random_sql import compare, interleaved, malformed
from tests.conformance.random_sql.databases import Postgres, Sqlite
from tests.conformance.servers import postgres

SEED = 1


def test_random_statements_agree_with_sqlite():
    compared = compare.compare(Sqlite(), 1_500, SEED)
    assert not compared.differences, str(compared)
    assert compared.counts.total() >= 1_500


def test_random_statements_agree_with_postgresql(postgres_server):
    compared = compare.compare(Postgres(postgres.address(postgres_server)), 1_500, SEED)
    assert not compared.differences, str(compared)
    assert compared.counts.total() >= 1_500


def test_random_interleavings_of_transactions_agree_with_postgresql(postgres_server):
    compared = interleaved.compare(postgres.address(postgres_server), 500, SEED)
    assert not compared.differences, str(compared)
    assert compared.counts.total() >= 500


def test_what_postgresql_refuses_is_refused(postgres_server):
    compared = malformed.compare(Postgres(postgres.address(postgres_server)), 600, SEED)
    assert not compared.differences, str(compared)
    assert compared.counts["malformed taken by both"] > 10
