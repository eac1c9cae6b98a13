"""Heartbeats in real time: what a busy event loop does to its own timers, measured on a real loop.

Decides what is measured and how; the numbers are the machine's, so no run equals another. Knows nothing of browsers:
it is handed a clock and the work. The clock is any callable that gives milliseconds as a float and does not go back;
the loop is whichever runs the coroutine. Nothing here sleeps by blocking: in a browser `time.sleep` may give way to the
event loop, and the stall would be hidden by the very call that should cause it.
"""

import asyncio
import json
from dataclasses import asdict, dataclass

TIMERS = ("sleep-loop", "phase-keeping")


@dataclass(frozen=True)
class Measurement:
    """One live run. Times are milliseconds from its start."""

    beats_theoretical: int
    beats_actual: int
    delay_ms_max: float
    beats_ms: list
    work_started_ms: float
    work_ended_ms: float


def busy(clock_ms, duration_ms):
    """The work: keep this thread busy for `duration_ms` on `clock_ms`. Returns the number of turns it took."""
    end_ms = clock_ms() + duration_ms
    turns = 0
    while clock_ms() < end_ms:
        turns += 1
    return turns


async def measure(clock_ms, work, interval_ms, window_ms, block_at_ms, timer="sleep-loop", on_beat=None):
    """Count heartbeats for `window_ms` while `work()` is called once, at `block_at_ms`. Returns a `Measurement`.

    `work` either does its job before it returns (then this loop stalls for as long) or returns an awaitable (then it is
    done elsewhere). A heartbeat is due `interval_ms` after the previous one ran ("sleep-loop", as `asyncio.sleep` in a
    loop does), or at the next multiple of `interval_ms` ("phase-keeping", as a browser's interval timer does); its
    delay is how late it ran. `on_beat()`, if given, is called at each. Raises ValueError for an unknown timer or a time
    that is not positive.
    """
    if timer not in TIMERS:
        raise ValueError(f"timer is {timer!r}; it is one of {', '.join(TIMERS)}")
    if not (interval_ms > 0 and window_ms > 0 and block_at_ms >= 0):
        raise ValueError("interval_ms and window_ms must be above 0, and block_at_ms not below it")
    start_ms = clock_ms()
    heart = Heart(lambda: clock_ms() - start_ms, interval_ms, window_ms, timer, on_beat)
    beating = asyncio.ensure_future(heart.beat())
    await asyncio.sleep(block_at_ms / 1000)
    work_started_ms = heart.now_ms()
    outcome = work()
    if hasattr(outcome, "__await__"):
        await outcome
    work_ended_ms = heart.now_ms()
    await beating
    return Measurement(
        beats_theoretical=int(window_ms // interval_ms),
        beats_actual=len(heart.beats_ms),
        delay_ms_max=heart.delay_ms_max,
        beats_ms=heart.beats_ms,
        work_started_ms=work_started_ms,
        work_ended_ms=work_ended_ms,
    )


async def measure_text(clock_ms, work, on_beat, request):
    """`measure` with its parameters from a JSON object's text, and its result as JSON text: the form workers exchange.

    `work` is called with the duration that the request gives; None means that the work is done on this very loop.
    """
    fields = json.loads(request)
    block_ms = fields["block_ms"]
    result = await measure(
        clock_ms,
        (lambda: busy(clock_ms, block_ms)) if work is None else (lambda: work(block_ms)),
        fields["interval_ms"],
        fields["window_ms"],
        fields["block_at_ms"],
        fields["timer"],
        on_beat,
    )
    return json.dumps(asdict(result))


class Heart:
    """Beats on the running event loop until the window is over, and remembers when."""

    def __init__(self, now_ms, interval_ms, window_ms, timer, on_beat=None):
        self.now_ms = now_ms
        self.interval_ms = interval_ms
        self.window_ms = window_ms
        self.timer = timer
        self.on_beat = on_beat or (lambda: None)
        self.beats_ms = []
        self.delay_ms_max = 0.0

    async def beat(self):
        due_ms = self.interval_ms
        while due_ms <= self.window_ms:
            await asyncio.sleep(max(0.0, due_ms - self.now_ms()) / 1000)
            ran_ms = self.now_ms()
            if ran_ms < due_ms:  # timers of some browsers fire a millisecond early; no beat counts before its time
                continue
            # A beat that was due in the window but ran after it is a beat missed; its delay is real all the same.
            self.delay_ms_max = max(self.delay_ms_max, ran_ms - due_ms)
            if ran_ms <= self.window_ms + self.interval_ms / 2:
                self.beats_ms.append(ran_ms)
                self.on_beat()
            due_ms = self.due_after(ran_ms)

    def due_after(self, ran_ms):
        """When the next beat is due, if one ran at `ran_ms`."""
        if self.timer == "sleep-loop":
            return ran_ms + self.interval_ms
        return (ran_ms // self.interval_ms + 1) * self.interval_ms
