"""Time is an integer of microseconds from 0, the origin of a run. These are the conversions at the edge.

A float of seconds appears only where asyncio's own interface asks for one; it is rounded to the nearest microsecond
at once, so that two routes to the same instant give the same integer.
"""

US_PER_MS = 1_000
US_PER_S = 1_000_000
FOREVER_US = 1 << 60  # what an infinite number of seconds becomes: some 36,000 years


def us_from_seconds(seconds: float) -> int:
    """Microseconds nearest to `seconds`; an instant or a duration alike. Infinity is `FOREVER_US`, NaN a ValueError."""
    if -FOREVER_US < seconds < FOREVER_US:
        return round(seconds * US_PER_S)
    if seconds != seconds:
        raise ValueError("a time in seconds must be a number, got NaN")
    return FOREVER_US if seconds > 0 else -FOREVER_US


def require_us(name: str, value: int, minimum: int | None = 0) -> int:
    """`value` as it is, where it is a whole number of microseconds from `minimum` on: time never becomes a float."""
    if not isinstance(value, int):
        raise TypeError(f"{name} must be an integer of microseconds, got {value!r}")
    if minimum is not None and value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}")
    return value


def seconds_from_us(duration_us: int) -> float:
    """Seconds as asyncio wants them."""
    return duration_us / US_PER_S


def us_from_ms(duration_ms: int) -> int:
    """Whole milliseconds as microseconds."""
    return duration_ms * US_PER_MS
