"""Key patterns as KEYS and SCAN read them: `*`, `?`, `[a-c]`, `[^a]`, and `\\` to take a character literally."""


def glob_match(pattern: bytes, text: bytes) -> bool:
    """Whether the whole text fits the pattern."""
    return pattern == b"*" or _match(pattern, 0, text, 0)


def _match(pattern: bytes, at: int, text: bytes, place: int) -> bool:
    while at < len(pattern):
        sign = pattern[at : at + 1]
        if sign == b"*":
            while pattern[at + 1 : at + 2] == b"*":
                at += 1
            if at + 1 == len(pattern):
                return True
            return any(_match(pattern, at + 1, text, start) for start in range(place, len(text) + 1))
        if place >= len(text):
            return False
        if sign == b"[":
            fits, at = _match_class(pattern, at + 1, text[place])
            if not fits:
                return False
        elif sign != b"?":
            if sign == b"\\" and at + 1 < len(pattern):
                at += 1
            if pattern[at] != text[place]:
                return False
        at += 1
        place += 1
    return place == len(text)


def _match_class(pattern: bytes, at: int, code: int) -> tuple[bool, int]:
    """Match one character against the class that starts at `at`; also the place of its closing bracket."""
    negated = pattern[at : at + 1] == b"^"
    if negated:
        at += 1
    fits = False
    while at < len(pattern) and pattern[at] != 0x5D:
        if pattern[at] == 0x5C and at + 1 < len(pattern):
            at += 1
            fits = fits or pattern[at] == code
        elif pattern[at + 1 : at + 2] == b"-" and at + 2 < len(pattern):
            low, high = sorted((pattern[at], pattern[at + 2]))
            fits = fits or low <= code <= high
            at += 2
        else:
            fits = fits or pattern[at] == code
        at += 1
    return fits != negated, at
