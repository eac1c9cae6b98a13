"""What expressions are worth: NULL's logic, comparison, arithmetic, text, choice, subqueries."""

import pytest

from tests.conformance.sql.stories import ON_POSTGRESQL, values

NULL = "CAST(NULL AS INTEGER)"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (f"{NULL} = {NULL}", None),
        (f"1 <> {NULL}", None),
        ("NULL IS NULL", True),
        ("1 IS NOT NULL", True),
        (f"1 IS DISTINCT FROM {NULL}", True),
        (f"{NULL} IS NOT DISTINCT FROM {NULL}", True),
        (f"1 = 2 AND {NULL} = 1", False),
        (f"1 = 1 AND {NULL} = 1", None),
        (f"1 = 1 OR {NULL} = 1", True),
        (f"1 = 2 OR {NULL} = 1", None),
        (f"NOT ({NULL} = 1)", None),
        (f"({NULL} = 1) IS TRUE", False),
        (f"({NULL} = 1) IS NOT TRUE", True),
        ("NOT 1 = 2 AND 1 = 2 OR 1 = 1", True),
        ("2 IN (1, 2)", True),
        (f"3 IN (1, {NULL})", None),
        (f"1 IN (1, {NULL})", True),
        (f"3 NOT IN (1, {NULL})", None),
        (f"1 NOT IN (1, {NULL})", False),
        ("2 BETWEEN 2 AND 3", True),
        ("2 BETWEEN 3 AND 1", False),
        (f"5 BETWEEN {NULL} AND 3", False),
        (f"2 NOT BETWEEN {NULL} AND 3", None),
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("7 % -3", 1),
        ("2 + 3 * 4 - -1", 15),
        ("- 2 * 3", -6),
        ("10 - 2 - 3", 5),
        (f"1 + {NULL}", None),
        ("'a' || 'b' || 'c'", "abc"),
        ("'n' || 42", "n42"),
        ("'it''s'", "it's"),
        ("'a' < 'b'", True),
        ("'a' < 'B'", False),
        ("'' IS NULL", False),
        ("'job-17' LIKE 'job-%'", True),
        ("'job' LIKE 'j_b'", True),
        ("'jb' LIKE 'j_b'", False),
        ("'a' NOT LIKE '%'", False),
        ("length('abc')", 3),
        ("upper('aB') || lower('aB')", "ABab"),
        ("abs(-3)", 3),
        (f"coalesce({NULL}, {NULL}, 3)", 3),
        ("nullif(2, 2)", None),
        ("nullif(2, 3)", 2),
        ("CASE WHEN 1 = 2 THEN 'a' WHEN 1 = 1 THEN 'b' ELSE 'c' END", "b"),
        ("CASE 3 WHEN 1 THEN 'a' WHEN 3 THEN 'b' END", "b"),
        ("CASE WHEN 1 = 2 THEN 'a' END", None),
        (f"CASE {NULL} WHEN {NULL} THEN 'a' ELSE 'b' END", "b"),
        ("CAST('12' AS INTEGER) + 1", 13),
        ("CAST(12 AS TEXT)", "12"),
        ("(SELECT 1) + 1", 2),
        ("(SELECT 1 WHERE 1 = 2)", None),
        ("EXISTS (SELECT 1 WHERE 1 = 2)", False),
        ("2 IN (SELECT 2)", True),
        ("2 NOT IN (SELECT 1)", True),
        (f"2 IN (SELECT {NULL})", None),
        (f"{NULL} NOT IN (SELECT 1 WHERE 1 = 2)", True),
    ],
)
async def test_an_expression_has_the_value(sql, expression, value):
    assert await values(sql, f"SELECT {expression} AS x") == [(value,)]


@ON_POSTGRESQL  # SQLite has no booleans, no ::, no such functions, and its own texts for numbers
@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1::text || true::text", "1true"),
        ("'t'::boolean AND 'off'::boolean", False),
        ("true > false", True),
        ("greatest(1, NULL, 3)", 3),
        ("least('b', 'a', NULL)", "a"),
        ("greatest(NULL, NULL)", None),
        ("0.5::double precision::integer", 0),
        ("1.5::double precision::integer", 2),
        ("2.5::integer", 3),
        ("(-2.5)::integer", -3),
        ("1e15::double precision::text", "1e+15"),
        ("123456789012345::double precision::text", "123456789012345"),
        ("0.00001::double precision::text", "1e-05"),
        ("2::double precision::text", "2"),
        ("2147483647::bigint + 1", 2147483648),
        ("'a\\%c' LIKE 'a\\\\\\%c'", True),
        ("'a_c' LIKE 'a\\_c'", True),
        ("'abc' LIKE 'a\\_c'", False),
        ("(TIMESTAMP '2024-02-28' + INTERVAL '1 day')::text", "2024-02-29 00:00:00"),
        ("(TIMESTAMP '2024-03-01' - TIMESTAMP '2024-02-28 12:00')::text", "1 day 12:00:00"),
        ("extract(epoch FROM TIMESTAMP '1970-01-01 00:00:01.5')", 1.5),
        ("1 < 2 IS TRUE", True),
        ("NOT true IS NULL", True),
        ("5 IS NULL = false", True),
        ("'a' LIKE 'a\\'", False),
    ],
)
async def test_an_expression_of_postgresql_has_the_value(sql, expression, value):
    text = f"SELECT {expression} AS x"
    if isinstance(value, str) and value.startswith("syntax error"):
        from tests.conformance.sql.stories import refused

        assert (await refused(sql.execute(text))).startswith(f"ProgrammingError: {value}")
    else:
        assert await values(sql, text) == [(value,)]


@pytest.mark.parametrize(
    "value", [None, 0, -3, 2**31, 2**63 - 1, -(2**63), 0.1, -2.5e300, "", "it's", "%", "ä€😀", ":x"]
)
async def test_a_parameter_comes_back_as_it_was(sql, value):
    await sql.execute("CREATE TABLE t (n BIGINT, r DOUBLE PRECISION, s TEXT)")
    column = {int: "n", float: "r"}.get(type(value), "s")
    await sql.execute(f"INSERT INTO t ({column}) VALUES (:value)", {"value": value, "unused": 1})
    assert await values(sql, f"SELECT {column} FROM t") == [(value,)]


NAMES = [
    ("CASE WHEN true THEN 1 END", "case"),
    ("CASE WHEN true THEN 1 ELSE id END", "id"),
    ("CAST(1 AS TEXT)", "text"),
    ("CAST(id AS TEXT)", "id"),
    ("id::bigint", "id"),
    ("1::varchar", "varchar"),
    ("1::int", "int4"),
    ("true", "?column?"),
    ("INTERVAL '1 s'", "interval"),
    ("(SELECT 1)", "?column?"),
    ("(SELECT 1 AS x)", "x"),
    ("(SELECT CAST(1 AS real))", "float4"),
    ("EXISTS (SELECT 1)", "exists"),
    ("CAST(lower('a') AS text)", "lower"),
    ("CAST(CASE WHEN true THEN 1 END AS text)", "text"),
    ("CAST('1' AS double precision)", "float8"),
    ("CURRENT_TIMESTAMP", "current_timestamp"),
    ("now()", "now"),
    ("-id", "?column?"),
    ("count(*)", "count"),
]


@ON_POSTGRESQL
@pytest.mark.parametrize(("expression", "name"), NAMES)
async def test_a_result_without_a_name_is_called_after_what_it_is(sql, expression, name):
    await sql.execute("CREATE TABLE t (id INTEGER)")
    await sql.execute("INSERT INTO t VALUES (1)")
    group = " GROUP BY id" if expression == "count(*)" else ""
    assert list(await sql.fetch_one(f"SELECT {expression} FROM t{group}")) == [name]
