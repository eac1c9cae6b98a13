"""The value of a sorted-set key: members with scores, ordered by score, then by the bytes of the member.

Decides order and rank. Knows no command and no text form of scores.
"""

from bisect import bisect_left, insort


class SortedSet:
    """`scores` (member → score) and `order` (a sorted list of `(score, member)`), always in step."""

    __slots__ = ("scores", "order")

    def __init__(self) -> None:
        self.scores: dict[bytes, float] = {}
        self.order: list[tuple[float, bytes]] = []

    def __len__(self) -> int:
        return len(self.order)

    def put(self, member: bytes, score: float) -> None:
        """Add a member or move it to another score."""
        old = self.scores.get(member)
        if old is not None:
            del self.order[bisect_left(self.order, (old, member))]
        self.scores[member] = score
        insort(self.order, (score, member))

    def discard(self, member: bytes) -> bool:
        """Take a member out; False when it was not in."""
        score = self.scores.pop(member, None)
        if score is None:
            return False
        del self.order[bisect_left(self.order, (score, member))]
        return True

    def rank(self, member: bytes) -> int | None:
        """Place from the lowest score, counted from 0; None when the member is not in."""
        score = self.scores.get(member)
        return None if score is None else bisect_left(self.order, (score, member))

    def cut(self, start: int, stop: int) -> list[tuple[float, bytes]]:
        """Take out the places `start` to `stop - 1` and return them, lowest first."""
        taken = self.order[start:stop]
        del self.order[start:stop]
        for _, member in taken:
            del self.scores[member]
        return taken
