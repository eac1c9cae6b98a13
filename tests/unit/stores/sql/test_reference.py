"""The tables from which the reference page is made: every example runs, and every function is tried."""

import re

import pytest

from py_runtime.stores.sql import SqlDatabase, SqlError
from py_runtime.stores.sql.functions import AGGREGATES, FUNCTIONS
from py_runtime.stores.sql.reference import OPERATORS, STATEMENTS
from py_runtime.stores.sql.values import INTERVAL, TYPE_NAMES

ARGUMENTS = {"value, …": "1, 2", "value, unwanted": "1, 2", "number": "1", "text": "'a'", "value": "1"}


def test_the_statements_examples_run_one_after_another():
    connection = SqlDatabase().connect()
    counts = []
    for form in STATEMENTS:
        if form.example == "ROLLBACK":
            connection.execute("BEGIN")
        counts.append(connection.execute(form.example).row_count)
    assert counts == [0, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize("form", [form for form in OPERATORS if form.example], ids=lambda form: form.form)
def test_each_operators_example_has_a_value(form):
    [row] = SqlDatabase().execute(f"SELECT {form.example} AS x").rows
    assert "x" in row


@pytest.mark.parametrize("name", [*FUNCTIONS, *AGGREGATES])
def test_each_function_can_be_called_as_its_form_says(name):
    form = (FUNCTIONS | AGGREGATES)[name].form
    for call in re.findall(r"\w+\([^)]*\)", form):
        inside = call[len(name) + 1 : -1]
        arguments = "epoch FROM timestamp '1970-01-01'" if name == "extract" else ARGUMENTS.get(inside, inside)
        assert call.startswith(f"{name}(")
        assert len(SqlDatabase().execute(f"SELECT {name}({arguments}) AS x").rows) == 1


@pytest.mark.parametrize("written", [name for name, kind in TYPE_NAMES.items() if kind != INTERVAL])
def test_each_type_can_be_a_columns(written):
    database = SqlDatabase()
    database.execute(f"CREATE TABLE t (a {written})")
    assert database.tables["t"].columns["a"].type == TYPE_NAMES[written]


def test_the_parsers_refusal_lists_the_types_of_the_table():
    with pytest.raises(SqlError, match=", ".join(TYPE_NAMES)):
        SqlDatabase().execute("CREATE TABLE t (a NUMERIC)")
