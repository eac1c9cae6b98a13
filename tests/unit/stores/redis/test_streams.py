"""Streams, blocking reads apart (see test_blocking.py); consumer groups are in tests/conformance."""

import pytest

BAD_ID = "ERR Invalid stream ID specified as stream command argument"
SMALL = "ERR The ID specified in XADD is equal or smaller than the target stream top item"


def ids(entries: list) -> list[str]:
    return [entry[0] for entry in entries]


def test_automatic_ids_follow_the_servers_clock_and_never_fall(redis):
    assert [redis("XADD s * f v"), redis("XADD s * f v")] == ["1000000-0", "1000000-1"]
    redis.pass_ms(5)
    assert redis("XADD s * f v") == "1000005-0"
    redis.pass_ms(-1000)  # the clock steps back
    assert redis("XADD s * f v") == "1000005-1"


def test_the_first_automatic_id_at_the_origin_of_time_is_not_zero(redis):
    redis.now_us = 0
    assert redis("XADD s * f v") == "0-1"


@pytest.mark.parametrize(
    ("wanted", "reply"),
    [
        ("5-2", "5-2"),
        ("6", "6-0"),
        ("5-*", "5-2"),
        ("6-*", "6-0"),
        ("5-1", SMALL),
        ("5", SMALL),
        ("4-*", SMALL),
        ("0-0", "ERR The ID specified in XADD must be greater than 0-0"),
        ("abc", BAD_ID),
        ("5-", BAD_ID),
        ("-", BAD_ID),
        ("1-1-1", BAD_ID),
        (str(2**64), BAD_ID),
        ("FOO 5-2", BAD_ID),
    ],
)
def test_explicit_ids_must_grow(redis, wanted, reply):
    redis("XADD s 5-1 f v")
    assert redis(f"XADD s {wanted} f v") == reply


def test_fields_come_in_pairs(redis):
    assert redis("XADD s 1 f v g") == "ERR wrong number of arguments for 'xadd' command"
    assert [redis("XADD s NOMKSTREAM * f v"), redis("EXISTS s")] == [None, 0]
    assert [redis("XADD s 1 f v g w"), redis("XRANGE s - +")] == ["1-0", [["1-0", ["f", "v", "g", "w"]]]]


@pytest.mark.parametrize(
    ("bounds", "found"),
    [
        ("- +", ["1-0", "2-0", "2-1", "3-0"]),
        ("2 2", ["2-0", "2-1"]),
        ("2-1 3", ["2-1", "3-0"]),
        ("(2-0 +", ["2-1", "3-0"]),
        ("- (2-1", ["1-0", "2-0"]),
        ("(2 +", ["2-1", "3-0"]),
        ("3 1", []),
    ],
)
def test_ranges_of_ids(redis, bounds, found):
    for entry_id in ("1-0", "2-0", "2-1", "3-0"):
        redis(f"XADD s {entry_id} f v")
    low, high = bounds.split()
    assert ids(redis(f"XRANGE s {bounds}")) == found
    assert ids(redis(f"XREVRANGE s {high} {low}")) == found[::-1]
    assert ids(redis(f"XRANGE s {bounds} COUNT 1")) == found[:1]
    assert ids(redis(f"XREVRANGE s {high} {low} COUNT 2")) == found[::-1][:2]


def test_range_errors(redis):
    assert redis("XRANGE s x +") == BAD_ID
    assert redis("XRANGE s - + COUNT") == "ERR syntax error"
    assert redis("XRANGE s (18446744073709551615-18446744073709551615 +") == "ERR invalid start ID for the interval"
    assert redis("XRANGE s - (0-0") == "ERR invalid end ID for the interval"
    redis("XADD s 1 f v")
    assert redis("XRANGE s - + COUNT 0") is None


def test_an_emptied_stream_stays_and_remembers_its_last_id(redis):
    redis("XADD s 5 f v")
    assert [redis("XDEL s 5 6"), redis("XLEN s"), redis("EXISTS s"), redis("XADD s 5 f v")] == [1, 0, 1, SMALL]
    assert [redis("XDEL none 5"), redis("XLEN none"), redis("XTRIM none MAXLEN 0")] == [0, 0, 0]


@pytest.mark.parametrize(
    ("trim", "left"),
    [
        ("MAXLEN 2", ["4-0", "5-0"]),
        ("MAXLEN = 2", ["4-0", "5-0"]),
        ("MAXLEN ~ 2", ["1-0", "2-0", "3-0", "4-0", "5-0"]),
        ("MINID 4", ["4-0", "5-0"]),
        ("MAXLEN 9", ["1-0", "2-0", "3-0", "4-0", "5-0"]),
        ("MAXLEN 0", []),
    ],
)
def test_trimming(redis, trim, left):
    for number in range(1, 6):
        redis(f"XADD s {number} f v")
    assert redis(f"XTRIM s {trim}") == 5 - len(left)
    assert ids(redis("XRANGE s - +")) == left


def test_an_approximate_trim_drops_whole_hundreds_and_never_too_much(redis):
    for number in range(1, 351):
        redis(f"XADD s {number} f v")
    assert [redis("XTRIM s MAXLEN ~ 220"), redis("XLEN s")] == [100, 250]
    assert redis("XADD s MAXLEN ~ 100 351 f v") == "351-0"
    assert redis("XLEN s") == 151
    assert [redis("XTRIM s MAXLEN ~ 0 LIMIT 60"), redis("XTRIM s MAXLEN ~ 0 LIMIT 100")] == [0, 100]


@pytest.mark.parametrize(
    ("size", "left"),
    [
        (10, 100),  # 100 entries to a node
        (200, 10),  # 19 entries of some 210 bytes are nearly 4096: ten nodes of 19, and 10 entries in the last
        (3000, 1),
    ],
)
def test_a_node_is_full_at_a_hundred_entries_or_4096_bytes(redis, size, left):
    for _ in range(200):
        redis("XADD s * f", b"x" * size)
    redis("XTRIM s MAXLEN ~ 1")
    assert redis("XLEN s") == left


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("MAXLEN -1", "ERR The MAXLEN argument must be >= 0."),
        ("MAXLEN x", "ERR value is not an integer or out of range"),
        ("MAXLEN 1 LIMIT 5", "ERR syntax error, LIMIT cannot be used without the special ~ option"),
        ("LIMIT 5", "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy"),
        ("MAXLEN ~ 1 LIMIT -1", "ERR The LIMIT argument must be >= 0."),
        ("MAXLEN 1 MINID 1", "ERR syntax error, MAXLEN and MINID options at the same time are not compatible"),
        ("MAXLEN 1 FOO", "ERR syntax error"),
    ],
)
def test_trim_options_that_cannot_be(redis, options, text):
    redis("XADD s 1 f v")
    assert redis(f"XTRIM s {options}") == text


def test_a_read_gives_what_lies_above_the_remembered_id(redis):
    redis("XADD a 1 f v")
    redis("XADD a 2 f v")
    redis("XADD b 7 g w")
    assert redis("XREAD STREAMS a b 1 0") == [["a", [["2-0", ["f", "v"]]]], ["b", [["7-0", ["g", "w"]]]]]
    assert redis("XREAD COUNT 1 STREAMS a 0") == [["a", [["1-0", ["f", "v"]]]]]
    assert [redis("XREAD STREAMS a $"), redis("XREAD STREAMS none 0")] == [None, None]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("STREAMS a b 1", "ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified."),
        ("STREAMS a x", BAD_ID),
        (
            "STREAMS a >",
            "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.",
        ),
        ("BLOCK -1 STREAMS a 0", "ERR timeout is negative"),
        ("BLOCK x STREAMS a 0", "ERR timeout is not an integer or out of range"),
        ("COUNT x STREAMS a 0", "ERR value is not an integer or out of range"),
        (
            "GROUP g c STREAMS a 0",
            "ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead.",
        ),
        ("FOO 1 STREAMS a 0", "ERR syntax error"),
    ],
)
def test_reads_that_cannot_be(redis, line, text):
    assert redis(f"XREAD {line}") == text
