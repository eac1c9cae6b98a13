"""Floor 1: deterministic simulation of asyncio programs. Knows no store and no experiment.

world.py       start here: one run, its actors, faults, trace
loop.py        the asyncio event loop on virtual time; refused.py: what it refuses; futures.py: its futures and tasks
lent.py        what a run lends to asyncio; disposal.py: what becomes of unfinished programs
engine.py      the order of steps and the passing of time
lanes.py       what a scheduler chooses between: actors, channels, threads
network.py     calls between actors; request.py: one of them; channel.py, faults.py: messages and what can befall one
offload.py     asyncio.to_thread on a simulated pool
schedulers.py  who goes next; schedule.py: a schedule as text; strikes.py: where a run spends faults
explorer.py    every order of steps and every fault, within bounds; guides.py: one run of it; races.py: which runs are
               equivalent; odometer.py: one run where none is left out; sampling.py: runs by lot; shrink.py: the
               simplest run that still goes wrong
halt.py        a run that stands still before a step; preview.py: what each lane would do there
continuations.py  what could still have become of a run, from each of its positions
chance.py      the only source of chance; clock.py: what an actor believes the time to be
trace.py       what happened, and its digest; bounds.py, errors.py, units.py

What explores is imported from its own modules: one run, which is what a reader waits for first, needs none of it.
"""

from .bounds import Bounds as Bounds
from .chance import Stream as Stream
from .clock import Clock as Clock
from .engine import FULL as FULL
from .engine import LIVELOCK as LIVELOCK
from .engine import QUIET as QUIET
from .engine import STEPS as STEPS
from .engine import UNTIL as UNTIL
from .errors import DivergenceError as DivergenceError
from .errors import EscapeError as EscapeError
from .errors import Place as Place
from .errors import ScheduleError as ScheduleError
from .errors import SimulationError as SimulationError
from .errors import describe_error as describe_error
from .errors import names_of as names_of
from .errors import place_of as place_of
from .faults import DROP as DROP
from .faults import DUPLICATE as DUPLICATE
from .faults import PASS as PASS
from .faults import PUSH as PUSH
from .faults import REPLY as REPLY
from .faults import REQUEST as REQUEST
from .faults import Message as Message
from .faults import Verdict as Verdict
from .faults import delay as delay
from .lanes import Actor as Actor
from .network import Network as Network
from .request import Request as Request
from .schedule import Schedule as Schedule
from .schedule import parse_schedule as parse_schedule
from .schedulers import FifoScheduler as FifoScheduler
from .schedulers import Scheduler as Scheduler
from .schedulers import ScriptedScheduler as ScriptedScheduler
from .schedulers import SeededScheduler as SeededScheduler
from .strikes import Fault as Fault
from .strikes import Strikes as Strikes
from .trace import KINDS as KINDS
from .trace import TraceEvent as TraceEvent
from .trace import trace_digest as trace_digest
from .units import US_PER_MS as US_PER_MS
from .units import US_PER_S as US_PER_S
from .units import us_from_ms as us_from_ms
from .units import us_from_seconds as us_from_seconds
from .world import OUTSIDE as OUTSIDE
from .world import RunEnd as RunEnd
from .world import World as World
