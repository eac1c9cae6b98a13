"""A replica of which nothing is there but its data: what a server falls back on when it fails over under its own name.

Decides which writes it lacks: always the last so many, however long they have been under way. Knows no server.
"""

from collections import deque
from collections.abc import Iterable

from py_runtime.stores.redis.effects import KeyState


class Standby:
    """Holds the states of all keys as they were `behind` writes ago. states: those at the start, which it does have."""

    def __init__(self, behind: int, states: Iterable[KeyState]) -> None:
        self.behind = behind
        self.start(states)

    def start(self, states: Iterable[KeyState]) -> None:
        """Have these states and no others, and lack nothing."""
        self._held = {state.key: state for state in states}
        self._lacking: deque[tuple[KeyState, ...]] = deque()

    @property
    def lacks(self) -> int:
        """How many writes it lacks now; fewer than `behind` where there were no more."""
        return len(self._lacking)

    def take(self, states: tuple[KeyState, ...]) -> None:
        """One more write, which left keys in these states; none where it changed no data, as PUBLISH."""
        self._lacking.append(states)
        if len(self._lacking) > self.behind:
            self._held.update((state.key, state) for state in self._lacking.popleft())

    def undone(self) -> list[KeyState]:
        """What the keys hold here that the writes it lacks have touched."""
        keys = dict.fromkeys(state.key for states in self._lacking for state in states)
        return [self._held.get(key) or KeyState(key, None, None) for key in keys]
