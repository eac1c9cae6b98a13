"""The values a column can hold, how they are written as text, and how text becomes one of them.

Decides the set of types, their names and ranges, and the text forms. Does not know which conversions a statement may
use: assignment and casts are in `conversions.py`. NULL is `None`; integers are `int`, text is `str`, and a point in
time is a `Timestamp`: whole microseconds since 1970-01-01, which is also the origin of virtual time.
"""

import math
import re

from py_runtime.stores.sql.errors import SqlError

INTEGER, BIGINT, REAL, DOUBLE = "integer", "bigint", "real", "double precision"
TEXT, BOOLEAN, TIMESTAMP, INTERVAL = "text", "boolean", "timestamp", "interval"
UNKNOWN = "unknown"
"""The type of a quoted literal and of NULL until their surroundings settle it, as in PostgreSQL."""

TYPE_NAMES = {
    "INTEGER": INTEGER,
    "INT": INTEGER,
    "BIGINT": BIGINT,
    "TEXT": TEXT,
    "VARCHAR": TEXT,
    "BOOLEAN": BOOLEAN,
    "BOOL": BOOLEAN,
    "REAL": REAL,
    "DOUBLE PRECISION": DOUBLE,
    "TIMESTAMP": TIMESTAMP,
    "INTERVAL": INTERVAL,
}
"""How a type may be written in a statement; VARCHAR may take a length. An INTERVAL cannot be stored in a column."""

RESULT_NAMES = {
    INTEGER: "int4",
    BIGINT: "int8",
    TEXT: "text",
    BOOLEAN: "bool",
    REAL: "float4",
    DOUBLE: "float8",
    TIMESTAMP: "timestamp",
    INTERVAL: "interval",
}
"""PostgreSQL's own names of the types, which it gives to a column of results that has no other name."""

NUMERIC_RANK = {INTEGER: 0, BIGINT: 1, REAL: 2, DOUBLE: 3}
INTEGER_LIMITS = {INTEGER: 2**31, BIGINT: 2**63}

_TRUE_WORDS = ("t", "true", "yes", "on", "1")
_FALSE_WORDS = ("f", "false", "no", "off", "0")
_DAY_US = 86_400_000_000
_UNITS_US = {
    "microsecond": 1,
    "millisecond": 1_000,
    "ms": 1_000,
    "second": 1_000_000,
    "sec": 1_000_000,
    "s": 1_000_000,
    "minute": 60_000_000,
    "min": 60_000_000,
    "hour": 3_600_000_000,
    "day": _DAY_US,
}
_TIMESTAMP_FORM = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?")
_INTERVAL_PART = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*([a-z]+)\s*")


class Timestamp(int):
    """A point in time, in microseconds since 1970-01-01 00:00:00."""

    __slots__ = ()


class Interval(int):
    """A length of time, in microseconds."""

    __slots__ = ()


def type_of(name: str, value: object) -> str:
    """Return the type of a parameter's value. Raises SqlError for a Python type that has no column type."""
    if value is None:
        return UNKNOWN
    if isinstance(value, str):
        refuse_bad_text(value)
    for python_type, type_name in ((bool, BOOLEAN), (Timestamp, TIMESTAMP), (Interval, INTERVAL), (str, TEXT)):
        if isinstance(value, python_type):
            return type_name
    if isinstance(value, int):
        for type_name in (INTEGER, BIGINT):
            if in_range(value, type_name):
                return type_name
        raise SqlError(f"parameter :{name} is out of range for type bigint", sqlstate="22003")
    if isinstance(value, float):
        if not math.isfinite(value):
            raise SqlError(f"parameter :{name} is {value}; numbers must be finite", sqlstate="22003")
        return DOUBLE
    allowed = "None, bool, int, float and str"
    raise SqlError(f"parameter :{name} is a {type(value).__name__}; allowed are {allowed}", sqlstate="42804")


def refuse_bad_text(text: str) -> None:
    """Raise SqlError for text that cannot be kept: PostgreSQL has neither the character 0 nor half characters."""
    if "\0" in text:
        raise SqlError("PostgreSQL text fields cannot contain NUL (0x00) bytes", sqlstate="22021")
    if not text.isascii() and (half := re.search("[\ud800-\udfff]", text)):
        message = f'invalid byte sequence for encoding "UTF8": half a character, U+{ord(half[0]):04X}'
        raise SqlError(message, sqlstate="22021")


def in_range(value: int, type_name: str) -> bool:
    """Say whether an integer fits INTEGER or BIGINT."""
    limit = INTEGER_LIMITS[type_name]
    return -limit <= value < limit


def plain(value: object) -> object:
    """Return a value as rows and the trace show it: JSON's own types, times as text."""
    return to_text(value) if isinstance(value, (Timestamp, Interval)) else value


def to_text(value: object) -> str:
    """Write a value (not NULL) the way a cast to text does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Timestamp):
        return _timestamp_text(value)
    if isinstance(value, Interval):
        return _interval_text(value)
    if isinstance(value, float):
        whole = value.is_integer()
        if whole and 1e15 <= abs(value) < 1e16:
            digits = str(abs(int(value))).rstrip("0")
            return f"{'-' if value < 0 else ''}{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e+15"
        return repr(value).removesuffix(".0") if whole else repr(value)
    return str(value)


def output_text(value: object) -> str:
    """Write a value (not NULL) the way PostgreSQL prints it, where a truth value is one letter."""
    if isinstance(value, bool):
        return "t" if value else "f"
    return to_text(value)


def literal_text(value: object) -> str:
    """Write a value as it would stand in a statement: text in quotes, nothing as NULL."""
    if value is None:
        return "NULL"
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(literal_text(item) for item in value) + ")"
    if not isinstance(value, (bool, int, float, str)):
        return f"<{type(value).__name__}>"
    if isinstance(value, (str, Timestamp, Interval)):
        return "'" + plain(value).replace("'", "''") + "'"
    return to_text(value)


def from_text(text: str, type_name: str) -> object:
    """Read `text` as a value of `type_name`. Raises SqlError in PostgreSQL's words when it is not one."""
    stripped = text.strip()
    if type_name in (TEXT, UNKNOWN):
        return text
    if type_name in INTEGER_LIMITS and re.fullmatch(r"[+-]?\d+", stripped, re.ASCII):
        if not in_range(int(stripped), type_name):
            raise SqlError(f'value "{text}" is out of range for type {type_name}', sqlstate="22003")
        return int(stripped)
    if type_name in (REAL, DOUBLE) and re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", stripped, re.ASCII | re.I):
        return float(stripped)
    if type_name == BOOLEAN and stripped.lower() in _TRUE_WORDS + _FALSE_WORDS:
        return stripped.lower() in _TRUE_WORDS
    time = {TIMESTAMP: _timestamp, INTERVAL: _interval}.get(type_name, lambda _text: None)(stripped)
    if time is None:
        raise SqlError(f'invalid input syntax for type {type_name}: "{text}"', sqlstate="22P02")
    return time


def _timestamp(text: str) -> Timestamp | None:
    match = _TIMESTAMP_FORM.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    micro = int((match[7] or "0").ljust(6, "0"))
    days = _days_from_date(year, month, day)
    if hour > 23 or minute > 59 or second > 59 or _date_from_days(days) != (year, month, day):
        raise SqlError(f'date/time field value out of range: "{text}"', sqlstate="22008")
    return Timestamp(days * _DAY_US + ((hour * 60 + minute) * 60 + second) * 1_000_000 + micro)


def _timestamp_text(value: int) -> str:
    days, rest = divmod(int(value), _DAY_US)
    year, month, day = _date_from_days(days)
    return f"{year:04d}-{month:02d}-{day:02d} {_clock_text(rest)}"


def _interval(text: str) -> Interval | None:
    total, position = 0.0, 0
    while match := _INTERVAL_PART.match(text.lower(), position):
        unit = match[2] if match[2] in _UNITS_US else match[2].removesuffix("s")
        if unit not in _UNITS_US:
            return None
        total += float(match[1]) * _UNITS_US[unit]
        position = match.end()
    return Interval(round(total)) if position and position == len(text) else None


def _interval_text(value: int) -> str:
    days, rest = divmod(abs(int(value)), _DAY_US)
    sign = "-" if value < 0 else ""
    named = f"{sign}{days} day{'' if days == 1 else 's'}" if days else ""
    return " ".join(part for part in (named, sign + _clock_text(rest) if rest or not days else "") if part)


def _clock_text(rest_us: int) -> str:
    seconds, micro = divmod(rest_us, 1_000_000)
    fraction = f".{micro:06d}".rstrip("0") if micro else ""
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{fraction}"


def _days_from_date(year: int, month: int, day: int) -> int:
    """Count days since 1970-01-01 in the Gregorian calendar, with the year taken to begin in March."""
    shifted_year = year - (month <= 2)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    leap_days = shifted_year // 4 - shifted_year // 100 + shifted_year // 400
    return shifted_year * 365 + leap_days + day_of_year - 719_468


def _date_from_days(days: int) -> tuple[int, int, int]:
    """Undo `_days_from_date`: guess a year that is not too late, then walk to the right one."""
    year = 1970 + days // (365 if days < 0 else 366)
    while _days_from_date(year + 1, 1, 1) <= days:
        year += 1
    month = 12
    while _days_from_date(year, month, 1) > days:
        month -= 1
    return year, month, days - _days_from_date(year, month, 1) + 1
