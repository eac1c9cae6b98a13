"""What a blocking command answers when it has nothing to give yet, and the clients that wait for that to change.

Decides whom a write wakes: for each key, in the order given, in order of arrival. Knows no command and no network; a
waiting call is any object with `cancelled`, `complete(reply)`, `fail(error)` and `call_later(delay_us, function, …)`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from py_runtime.stores.redis.keyspace import Keyspace


@dataclass(frozen=True, slots=True)
class Blocked:
    """In place of a reply: wait for one of `keys`, at most `timeout_us` (None: for ever), then answer nil.

    `serve(db, key)` tries again after a write to `key` and gives the reply, an `ErrorReply` to refuse the call after
    all, or None to go on waiting.
    """

    keys: tuple[bytes, ...]
    timeout_us: int | None
    serve: Callable[[Keyspace, bytes], object]


@dataclass(eq=False, slots=True)
class Waiter:
    """One blocked call."""

    blocked: Blocked
    request: object
    timer: object = None
    done: bool = False


class Waiters:
    """All blocked calls of one server, by key. gives_up(waiter): told of each whose time is over, before its answer."""

    def __init__(self, gives_up: Callable[[Waiter], None]) -> None:
        self._gives_up = gives_up
        self._by_key: dict[bytes, list[Waiter]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_key)

    def __len__(self) -> int:
        waiting = [waiter for waiters in self._by_key.values() for waiter in waiters]
        return len({id(waiter) for waiter in waiting if not self._gone(waiter)})

    def wait_for(self, keys: Iterable[bytes]) -> bool:
        """Whether anyone waits for one of these keys."""
        return any(key in self._by_key for key in keys)

    def add(self, blocked: Blocked, request) -> Waiter:
        """Let a call wait, and answer it with nil when its time is over."""
        waiter = Waiter(blocked, request)
        if blocked.timeout_us is not None:
            waiter.timer = request.call_later(blocked.timeout_us, self._timed_out, waiter)
        for key in dict.fromkeys(blocked.keys):
            self._by_key.setdefault(key, []).append(waiter)
        return waiter

    def served(self, db: Keyspace, keys: Iterable[bytes]) -> Iterator[tuple[Waiter, object]]:
        """Serve whom these keys' new values allow to go on; yields each with its reply, already taken off the lists.

        The caller picks up `db.touched` after each one: what that waiter's command changed.
        """
        for key in keys:
            for waiter in tuple(self._by_key.get(key, ())):
                if self._gone(waiter):
                    self.drop(waiter)
                    continue
                reply = waiter.blocked.serve(db, key)
                if reply is not None:
                    self.drop(waiter)
                    yield waiter, reply

    def drop(self, waiter: Waiter) -> bool:
        """Take a waiter off all lists; False when it was done before."""
        if waiter.done:
            return False
        waiter.done = True
        if waiter.timer is not None:
            waiter.timer.cancel()
        for key in dict.fromkeys(waiter.blocked.keys):
            waiters = self._by_key[key]
            waiters.remove(waiter)
            if not waiters:
                del self._by_key[key]
        return True

    def _timed_out(self, waiter: Waiter) -> None:
        self._gives_up(waiter)
        if self.drop(waiter) and not waiter.request.cancelled:
            waiter.request.complete(None)

    def drop_all(self) -> list[Waiter]:
        """Take everyone off, in order of arrival per key; gives those who still wait."""
        waiting = list(dict.fromkeys(waiter for waiters in self._by_key.values() for waiter in waiters))
        for waiter in waiting:
            self.drop(waiter)
        return [waiter for waiter in waiting if not waiter.request.cancelled]

    @staticmethod
    def _gone(waiter: Waiter) -> bool:
        return waiter.done or waiter.request.cancelled
