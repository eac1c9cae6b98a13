"""Floor 3: what an experiment is, running one, its report, and the ways in from a terminal and from a page.

declare.py     start here: the declaration of an experiment
stage.py       what a scenario is handed; programs.py: program texts become namespaces; definitions.py: what they define
parameters.py  inputs and their sentences; address.py: a run as one line of text
explore.py     many runs: the search for one that violates a claim; judging.py: which claims a run violates
outlook.py     many runs: from where on one that violates a claim could not be saved
challenge.py   a program to be repaired; examine.py examines a repair, completion.py writes its token
steer.py       the reader as the scheduler: one state of a game, with every move and where it leads
run.py         one run from names to report; report.py, outcome.py: what comes out
log.py         a trace, asked for marks, calls and store contents
catalogue.py   what experiments there are; wire.py: the page's way in; cli.py: the terminal's
live.py        beats in real time, on a real loop

`explore` is imported from its own module: a first run must not wait for it.
"""

from .challenge import Challenge as Challenge
from .challenge import Check as Check
from .declare import ALWAYS as ALWAYS
from .declare import EVENTUALLY as EVENTUALLY
from .declare import SOMETIMES as SOMETIMES
from .declare import Claim as Claim
from .declare import Experiment as Experiment
from .declare import Exploration as Exploration
from .declare import Finding as Finding
from .declare import Offer as Offer
from .declare import Prediction as Prediction
from .declare import Reading as Reading
from .declare import Safeguard as Safeguard
from .declare import Setting as Setting
from .declare import Variant as Variant
from .errors import InputError as InputError
from .errors import ProgramError as ProgramError
from .log import Call as Call
from .log import Log as Log
from .log import moment as moment
from .log import value_at as value_at
from .outcome import Outcome as Outcome
from .parameters import Choice as Choice
from .parameters import Integer as Integer
from .parameters import Integers as Integers
from .parameters import Values as Values
from .report import Report as Report
from .run import replay as replay
from .run import run_once as run_once
from .stage import Stage as Stage
