"""Equal requests at a fixed gap before a cache, a single flight with a cache, and one without; lengths in µs."""


def merging(variant: str, requests: int, gap: int, upstream: int):
    """(upstream calls, instant of the last answer, sum of all waits).

    An arrival on the very instant of a completion comes before it here; a test leaves such parameters out.
    """
    calls, waits, last = 0, 0, 0
    flight_ends = -1
    cached_from = None
    for number in range(requests):
        at = number * gap
        if variant != "merged-without-cache" and cached_from is not None and at > cached_from:
            answered = at
        elif variant == "plain":
            calls += 1
            answered = at + upstream
        else:
            if at > flight_ends:
                calls += 1
                flight_ends = at + upstream
            answered = flight_ends
        if cached_from is None:
            cached_from = answered
        waits += answered - at
        last = max(last, answered)
    return calls, last, waits


def tied(requests: int, gap: int, upstream: int) -> bool:
    """Whether an arrival falls on the instant of a completion."""
    return 0 < gap and upstream % gap == 0 and upstream // gap < requests
