"""The reader as the scheduler: a run halted before a step, and what could happen next.

A game is a schedule and a step: the choices and faults so far, and how far the run has gone. Nothing is kept between
two requests; each repeats the run from its start, which takes milliseconds, and every move that is open is answered as
the schedule and step that it leads to. So a page can keep a game, undo a move and fork its history, and knows no
schedule's inside. Decides which moves there are; where a run halts is sim/halt.py's.

A move lets a lane take its next step, or sets a fault to strike at the next opportunity of its target: a turn of an
actor or a message of a service (sim/strikes.py). A reader may spend as many faults in a game as a search may in one
run, or as many as the request says, and a claim counts as fallen where a search would count it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from py_runtime.sim import US_PER_MS, Fault, RunEnd, Schedule, Strikes, World
from py_runtime.sim.halt import STEP, UNTIL, Halt, HaltGuide
from py_runtime.sim.preview import Next
from py_runtime.sim.strikes import AT_TURNS

from .address import parse_address, write_address
from .declare import Experiment, Setting
from .errors import InputError, one_of
from .explore import FAULTS_MAX, case_of
from .judging import claims_judged
from .parameters import read_limit
from .report import Report
from .run import NO_ERROR, READABLE, find_experiment, read_setting, report_of, run_once, running
from .stage import Stage, check_sources

STEPS_MAX = 2_000_000  # as many as a run may take


@dataclass(frozen=True)
class Game:
    """What is played: an experiment's variant with its parameters, the reader's edits, and which claims count.

    faults: those that a reader may spend, in the order in which a schedule counts them; faults_max: how many of them.
    """

    experiment: Experiment
    setting: Setting
    sources: Mapping[str, str]
    faults: tuple[Fault, ...]
    faults_max: int
    judged: frozenset[str]

    def address(self, schedule: Schedule) -> str:
        """The printable text of a schedule of this game."""
        return write_address(self.experiment, self.setting, schedule)


def steer(
    experiments: Mapping[str, Experiment], request: Mapping[str, Any], sources: Mapping[str, str]
) -> dict[str, Any]:
    """Answer a request for one state of a game: {"report": …, "turn": …}.

    request: `experiment`, `variant` and, of the parameters, those that are not to be a search's own begin a game; a
    `schedule` (an address) goes on with one, and names the parameters. `steps`: halt before this step. `until`: "step",
    "choice" (the next step with a choice from there on) or "end". `case`, `faults_max`: as in a search. Raises
    InputError.
    """
    game, schedule = _read(experiments, request, sources)
    steps = read_limit("steps", request.get("steps", 0), 0, STEPS_MAX)
    until = request.get("until", STEP)
    if until not in UNTIL:
        raise one_of("until", until, UNTIL)
    return _turn(game, schedule, steps, until)


def _read(
    experiments: Mapping[str, Experiment], request: Mapping[str, Any], sources: Mapping[str, str]
) -> tuple[Game, Schedule]:
    experiment = find_experiment(experiments, request.get("experiment"))
    variant, text = request.get("variant"), request.get("schedule")
    case = case_of(experiment, variant, request.get("case"))
    exploration = experiment.exploration
    if text is None:
        given = request.get("parameters") or {}
        if not isinstance(given, dict):
            raise InputError("parameters must map names to values")
        setting = read_setting(experiment, variant, {**exploration.parameters, **case.parameters, **given})
        schedule = Schedule()
    else:
        if not isinstance(text, str):
            raise InputError("schedule must be a text")
        address = parse_address(text, experiments)
        if (address.experiment, address.variant) != (experiment.slug, variant):
            raise InputError(
                f"the schedule is one of {address.experiment} / {address.variant}, and this game is one of "
                f"{experiment.slug} / {variant}"
            )
        setting, schedule = read_setting(experiment, variant, address.parameters), address.schedule
    check_sources(experiment, setting.variant, dict(sources))
    faults = tuple(exploration.faults(setting))
    asked = read_limit("faults_max", request.get("faults_max", exploration.faults_max), 0, FAULTS_MAX)
    faults_max = asked if faults else 0
    if len(schedule.strikes) > faults_max:
        most = f"{faults_max} fault" + "s" * (faults_max != 1)
        raise InputError(f"a game may spend {most}, and the schedule spends {len(schedule.strikes)}")
    not_judged = (*exploration.not_judged, *case.not_judged)
    judged = frozenset(each.id for each in claims_judged(experiment, setting.variant, not_judged))
    return Game(experiment, setting, sources, faults, faults_max, judged | {NO_ERROR, READABLE}), schedule


def _turn(game: Game, schedule: Schedule, steps: int, until: str) -> dict[str, Any]:
    experiment, setting = game.experiment, game.setting
    world = World(seed=schedule.seed)
    guide = HaltGuide(world, schedule.deviations, steps, until)
    stage = Stage(experiment, setting, world, dict(game.sources))
    with running(world, game.sources):
        strikes = Strikes(world, game.faults, schedule.strikes)
        experiment.scenario(stage)
        end = world.run(experiment.until_us(setting))
        played = Schedule(schedule.seed, dict(world.loop.deviations), strikes.struck)
        if guide.halt is None:
            return _over(game, guide, end, played, schedule)
        # What the end of a run tells of, such as tasks whose failure nobody has seen, has not happened yet.
        del world.trace.events[guide.halt.events :]
        report = replace(report_of(experiment, setting, world, stage, end), schedule=game.address(played))
        open_moves = _Moves(game, world, strikes, replace(played, strikes=schedule.strikes), guide.halt)
        return _answer(game, guide, report, open_moves.played, open_moves.as_json())


def _over(game: Game, guide: HaltGuide, end: RunEnd, played: Schedule, asked: Schedule) -> dict[str, Any]:
    """The game has come to the end of its run, which is shown as any other of that schedule is."""
    if guide.unused:
        raise InputError("the schedule lists choices that this run never came to; it belongs to another program")
    report = run_once(game.experiment, game.setting.variant, game.setting.values, schedule=played, sources=game.sources)
    missed = [number for number, opportunity in asked.strikes if (number, opportunity) not in played.strikes]
    turn = {"over": True, "step": end.steps, "at_us": end.at_us, "choices": [], "faults": [], "missed": missed}
    return _answer(game, guide, report, played, turn)


def _answer(game: Game, guide: HaltGuide, report: Report, played: Schedule, turn: Mapping[str, Any]) -> dict[str, Any]:
    violated = [claim.id for claim in report.claims if claim.holds is False and claim.id in game.judged]
    shared = {
        "schedule": game.address(played),
        "deviations": len(played.deviations),
        "spent": len(played.strikes),
        "faults_max": game.faults_max,
        "violated": violated,
        "points": guide.points,
    }
    return {"report": report.as_json(), "turn": {**turn, **shared}}


class _Moves:
    """What is open where a run halts. played: its choices, and its faults, those included that have not struck yet."""

    def __init__(self, game: Game, world: World, strikes: Strikes, played: Schedule, halt: Halt) -> None:
        self._game = game
        self._world = world
        self._met = strikes.met
        self._armed = [strike for strike in strikes.chosen if strike not in strikes.struck]
        self._halt = halt
        self.played = played

    def as_json(self) -> dict[str, Any]:
        """The moves in the wire format: each with the state that it leads to."""
        halt = self._halt
        return {
            "over": False,
            "step": halt.step,
            "at_us": halt.at_us,
            "choices": [self._choice(index, coming) for index, coming in enumerate(halt.enabled)],
            "faults": [self._fault(number, fault) for number, fault in self._numbered() if self._may_strike(fault)],
            "missed": [],
        }

    def _numbered(self) -> Iterator[tuple[int, Fault]]:
        return enumerate(self._game.faults, start=1)

    def _choice(self, index: int, coming: Next) -> dict[str, Any]:
        """A lane that may go, what it would do, and the faults that would strike it first."""
        deviations = {**self.played.deviations, self._world.loop.choice_points: index} if index else None
        leads = replace(self.played, deviations=deviations) if deviations else self.played
        line = None if coming.line is None else {"file": coming.line[0], "line": coming.line[1]}
        return {
            "lane": coming.lane,
            "kind": coming.kind,
            "actor": coming.actor,
            "other": coming.other,
            "text": coming.text,
            "line": line,
            "faults": [
                self._described(number, fault)
                for number, fault in self._numbered()
                if self._meets(number, fault, coming)
            ],
            "to": self._state(leads, self._halt.step + 1),
        }

    def _meets(self, number: int, fault: Fault, coming: Next) -> bool:
        """Whether a fault that was set strikes this very step."""
        armed = (number, self._met[number - 1]) in self._armed
        return armed and fault.kind in AT_TURNS and fault.target == coming.lane and fault.from_us <= self._halt.at_us

    def _may_strike(self, fault: Fault) -> bool:
        """Whether an opportunity of the fault can still come, as far as can be told."""
        if fault.until_us is not None and self._halt.at_us >= fault.until_us:
            return False
        target = self._world.actors.get(fault.target)
        if target is None or not target.dead:
            ended = target is not None and target.started and not target.main_tasks and not target.items
            return not (ended and fault.kind in AT_TURNS)
        return False

    def _fault(self, number: int, fault: Fault) -> dict[str, Any]:
        strike = (number, self._met[number - 1])
        armed, spent = strike in self._armed, len(self.played.strikes)
        leads = None
        if not armed and spent < self._game.faults_max:
            strikes = tuple(sorted((*self.played.strikes, strike)))
            leads = self._state(replace(self.played, strikes=strikes), self._halt.step)
        return {**self._described(number, fault), "armed": armed, "to": leads}

    def _described(self, number: int, fault: Fault) -> dict[str, Any]:
        return {
            "number": number,
            "kind": fault.kind,
            "target": fault.target,
            "amount_ms": fault.amount_us // US_PER_MS,
            "writes": fault.writes,
            "from_ms": fault.from_us // US_PER_MS if fault.from_us > self._halt.at_us else None,
        }

    def _state(self, schedule: Schedule, steps: int) -> dict[str, Any]:
        return {"schedule": self._game.address(schedule), "steps": steps}
