"""Time is an integer of microseconds from 0, the origin of a run. These are the conversions at the edge.

A float of seconds appears only where asyncio's own interface asks for one; it is rounded to the nearest microsecond
at once, so that two routes to the same instant give the same integer.
"""

US_PER_MS = 1_000
US_PER_S = 1_000_000


def us_from_seconds(seconds: float) -> int:
    """Microseconds nearest to `seconds`; an instant or a duration alike."""
    return round(seconds * US_PER_S)


def seconds_from_us(duration_us: int) -> float:
    """Seconds as asyncio wants them."""
    return duration_us / US_PER_S


def us_from_ms(duration_ms: int) -> int:
    """Whole milliseconds as microseconds."""
    return duration_ms * US_PER_MS
