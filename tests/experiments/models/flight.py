"""A flight with a leader, followers, a lease, and one fault that befalls A. Lengths in ms.

Every caller is a generator that yields what it waits for: ("at", instant), or ("news", instant, publishes seen so far),
which ends early when somebody publishes. What a caller does between two waits happens at once.
"""

from heapq import heappop, heappush

NEVER = 10**12
BLIND = ("no-reread", "blind-takeover")  # followers that do not look again after their delay


class Flight:
    def __init__(self, variant: str, p: dict, order: int = 1) -> None:
        self.variant, self.p, self.order = variant, p, order
        self.now = self.made = 0
        self.events: list = []
        self.sleepers: dict = {}  # caller → number of the event it waits for
        self.listeners: list = []
        self.token, self.lease_until, self.sequence, self.result = None, 0, 0, None
        self.calls = self.refused = 0
        self.doubtful = self.tied = False
        self.deciding: dict = {}  # instant → the caller that decides there whether to take over
        self.publishes: list = []

    def run(self) -> dict:
        p = self.p
        names = [chr(ord("A") + index) for index in range(p["followers"] + 1)]
        self.seen = dict.fromkeys(names)
        for index, name in enumerate(names):
            self.wait(name, self.caller(name, 500 if index == 0 else p["jitter_ms"][index - 1]), index * 10)
        while self.events:
            when, _, number, name, process = heappop(self.events)
            if when > p["until_ms"]:
                break
            if self.sleepers.get(name) != number or (name == "A" and self.crashed(when)):
                continue
            self.now = when
            self.listeners = [each for each in self.listeners if each[0] != name]
            self.step(name, process)
        return {"upstream_calls": self.calls, "tokens_issued": self.sequence, "publishes": self.publishes,
                "refused_writes": self.refused, "result_token_seen_by": self.seen}  # fmt: skip

    def crashed(self, when: int) -> bool:
        return self.p["fault"] == "crash" and when >= self.p["fault_at_ms"]

    def wait(self, name: str, process, when: int) -> None:
        fault_at = self.p["fault_at_ms"]
        if name == "A" and self.p["fault"] == "pause" and fault_at <= when < fault_at + self.p["pause_ms"]:
            when = fault_at + self.p["pause_ms"]
        self.made += 1
        self.sleepers[name] = self.made
        heappush(self.events, (when, self.order * self.made, self.made, name, process))

    def step(self, name: str, process) -> None:
        wish = next(process, None)
        if wish is None:
            self.sleepers.pop(name)
            return
        if wish[0] == "news" and len(self.publishes) > wish[2]:
            self.wait(name, process, self.now)
            return
        self.wait(name, process, wish[1])
        if wish[0] == "news":
            self.listeners.append((name, process))

    def caller(self, name: str, jitter: int):
        while True:
            news, expected = len(self.publishes), self.token
            if self.result is not None:
                break
            if self.lease_until > self.now:
                yield "news", self.lease_until, news
                continue
            if expected is not None:
                yield "at", self.now + jitter
                self.tied |= self.deciding.setdefault(self.now, name) != name
                if self.variant not in BLIND:
                    news, expected = len(self.publishes), self.token
                    if self.result is not None or self.lease_until > self.now:
                        continue
            self.sequence += 1
            mine = self.sequence
            if self.may_take_over(expected):
                self.token, self.lease_until = mine, self.now + self.p["lease_ms"]
                published = yield from self.lead(name, mine)
                if published:
                    self.seen[name] = mine
                    return
            else:
                yield "news", self.now + self.p["heartbeat_ms"], news
        self.seen[name] = self.result

    def may_take_over(self, expected) -> bool:
        if self.result is not None:
            return False
        return self.variant == "blind-takeover" or (self.token == expected and self.lease_until <= self.now)

    def lead(self, name: str, mine: int):
        p = self.p
        self.calls += 1
        ready = self.now + p["upstream_ms"]
        if name == "A" and p["fault"] == "hang" and ready >= p["fault_at_ms"]:
            ready = NEVER
        beat = self.now + p["heartbeat_ms"]
        while True:
            yield "at", min(ready, beat)
            replaced = self.token != mine
            # Both fell into a pause, the answer first: whether the renewal is still sent and answered before the
            # leader gives up depends on how many messages a script's first use takes.
            self.doubtful |= replaced and ready < beat <= self.now
            if beat <= self.now:
                beat = self.now + p["heartbeat_ms"]
                if not replaced:
                    self.lease_until = self.now + p["lease_ms"]
                self.refused += replaced
            elif ready > self.now:
                continue
            if ready <= self.now:
                if replaced and self.variant != "unchecked-publish":
                    self.refused += 1
                    return False
                self.result = mine
                self.publishes.append([mine, self.now])
                for listener in self.listeners:
                    self.wait(*listener, self.now)
                self.listeners = []
                return True
            if replaced:
                return False


def flight(variant: str, p: dict, order: int = 1) -> dict | None:
    """The readings of a run; refused_writes is left out where it is not decided by the rules.

    None where two callers decide at one instant. Not for `key-expiry-is-lease`, whose record vanishes.
    """
    model = Flight(variant, p, order)
    readings = model.run()
    if model.tied:
        return None
    if model.doubtful:
        del readings["refused_writes"]
    return readings
