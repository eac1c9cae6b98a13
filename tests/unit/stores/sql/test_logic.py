"""Values, operators and functions: three-valued logic, arithmetic, precedence, as PostgreSQL has them."""

import pytest

from py_runtime.stores.sql import SqlDatabase, SqlError

T, F, N = "true", "false", "null::boolean"
VALUE = {T: True, F: False, N: None}


def value(expression: str, **parameters: object) -> object:
    [row] = SqlDatabase().execute(f"SELECT {expression} AS x", parameters).rows
    return row["x"]


def test_and_is_false_as_soon_as_one_side_is_false():
    table = {(left, right): value(f"{left} AND {right}") for left in VALUE for right in VALUE}
    assert table == {
        (T, T): True, (T, F): False, (T, N): None,
        (F, T): False, (F, F): False, (F, N): False,
        (N, T): None, (N, F): False, (N, N): None,
    }  # fmt: skip


def test_or_is_true_as_soon_as_one_side_is_true():
    table = {(left, right): value(f"{left} OR {right}") for left in VALUE for right in VALUE}
    assert table == {
        (T, T): True, (T, F): True, (T, N): True,
        (F, T): True, (F, F): False, (F, N): None,
        (N, T): True, (N, F): None, (N, N): None,
    }  # fmt: skip


def test_not_unknown_stays_unknown():
    assert [value(f"NOT {each}") for each in VALUE] == [False, True, None]


@pytest.mark.parametrize("operator", ["=", "<>", "!=", "<", "<=", ">", ">="])
def test_every_comparison_with_null_is_unknown(operator):
    assert value(f"1 {operator} NULL") is None
    assert value(f"NULL {operator} NULL") is None
    assert value(f":nothing {operator} 1", nothing=None) is None


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("NULL IS NULL", True),
        ("1 IS NULL", False),
        ("1 IS NOT NULL", True),
        ("true IS TRUE", True),
        ("null::boolean IS NOT TRUE", True),
        ("null::boolean IS UNKNOWN", True),
        ("NULL IS DISTINCT FROM NULL", False),
        ("1 IS DISTINCT FROM NULL", True),
        ("1 IS NOT DISTINCT FROM 1", True),
        ("1 IN (1, NULL)", True),
        ("2 IN (1, NULL)", None),
        ("2 NOT IN (1, NULL)", None),
        ("1 NOT IN (1, NULL)", False),
        ("2 NOT IN (1, 3)", True),
        ("2 BETWEEN 1 AND 3", True),
        ("2 BETWEEN NULL AND 1", False),
        ("2 BETWEEN NULL AND 3", None),
        ("2 NOT BETWEEN 3 AND 4", True),
        ("'queued' LIKE 'qu%d'", True),
        ("'queued' LIKE '_ueue_'", True),
        ("'queued' NOT LIKE 'x%'", True),
        ("'a%' LIKE 'a\\%'", True),
        ("'ab' LIKE 'a\\%'", False),
        ("'a\nb' LIKE 'a_b'", True),
        ("NULL LIKE 'a'", None),
    ],
)
def test_tests_answer_true_false_or_unknown(expression, expected):
    assert value(expression) is expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("7 % -3", 1),
        ("7 / 2.0", 3.5),
        ("1e3", 1000.0),
        ("- - 3", 3),
        ("1 + NULL", None),
        ("1 + '2'", 3),
        ("'a' || 1 + 2", "a3"),
        ("'a' || NULL", None),
        ("true || 'x'", "truex"),
        ("'it''s'", "it's"),
        ("1 = 1 IS NULL", False),
        ("NOT 1 = 2", True),
        ("false AND false OR true", True),
        ("true OR true AND false", True),
        ("coalesce(NULL, 2, 3)", 2),
        ("coalesce(1, 1 / 0)", 1),
        ("nullif(1, 1)", None),
        ("nullif(1, 2)", 1),
        ("greatest(1, NULL, 3)", 3),
        ("least('b', 'a')", "a"),
        ("greatest(NULL, NULL)", None),
        ("abs(-4)", 4),
        ("length('Größe')", 5),
        ("upper('a') || lower('B')", "Ab"),
        ("CASE WHEN 1 = 2 THEN 'a' END", None),
        ("CASE WHEN NULL THEN 'a' ELSE 'b' END", "b"),
        ("CASE 3 WHEN 1 THEN 'a' WHEN 3 THEN 'b' ELSE 'c' END", "b"),
        ("CAST('12' AS INTEGER) + 1", 13),
        ("12::text || 'x'", "12x"),
        ("1.5::integer", 2),
        ("2.5::integer", 3),
        ("2.5::double precision::integer", 2),
        ("true::integer", 1),
        ("'off'::boolean", False),
        ("'2024-02-29 12:00'::timestamp + interval '36 hours'", "2024-03-02 00:00:00"),
        ("timestamp '2024-03-01' - timestamp '2024-02-28 23:59:59.5'", "1 day 00:00:00.5"),
        ("extract(epoch FROM timestamp '1970-01-02')", 86400.0),
        ("timestamp '1969-12-31 23:59:59'", "1969-12-31 23:59:59"),
        ("now()", "1970-01-01 00:00:00"),
    ],
)
def test_expressions_have_postgresqls_values(expression, expected):
    result = value(expression)
    assert (result, type(result)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("1 / 0", "division by zero"),
        ("1 % 0", "division by zero"),
        ("2147483647 + 1", "integer out of range"),
        ("9223372036854775807 + 1", "bigint out of range"),
        ("1e308 * 10", "value out of range: overflow"),
        ("3000000000::integer", "integer out of range"),
    ],
)
def test_what_cannot_be_computed_is_an_error_and_not_null(expression, message):
    with pytest.raises(SqlError) as caught:
        value(expression)
    assert str(caught.value) == message


def test_a_parameter_is_a_value_and_never_text_of_the_statement():
    assert value(":x || '!'", x="'; DROP TABLE jobs; --") == "'; DROP TABLE jobs; --!"


def test_the_right_side_of_and_is_not_looked_at_once_the_left_is_false():
    assert value("1 = 2 AND 1 / 0 = 1") is False
    assert value("1 = 1 OR 1 / 0 = 1") is True
