"""Running an experiment once: from names and texts to a report.

Decides what counts as input that is refused, which outcome word a run gets, and in what sentence its end is told. All
views of the report are functions of the log, so an equal schedule gives an equal report.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from py_runtime.sim import (
    FULL,
    LIVELOCK,
    QUIET,
    STEPS,
    US_PER_MS,
    Bounds,
    DivergenceError,
    FifoScheduler,
    RunEnd,
    Schedule,
    Scheduler,
    ScriptedScheduler,
    SeededScheduler,
    Stream,
    Strikes,
    World,
    describe_error,
)
from py_runtime.sim.engine import PRUNED

from .address import parse_address, write_address
from .declare import ALWAYS, SOMETIMES, Claim, Experiment, Finding, Setting
from .errors import InputError, ProgramError, one_of
from .log import Log
from .outcome import Outcome
from .parameters import read_parameters, read_seed
from .report import CheckedClaim, Report, pack_lanes
from .stage import OUTPUT_LINES_MAX, Stage, check_sources

CUT = (STEPS, FULL, LIVELOCK, PRUNED)  # reasons for which a run ended before its time: there is little to judge

# What every experiment claims, whatever it declares: listed where it does not hold.
NO_ERROR = "no-program-error"
READABLE = "store-readable"
_ALWAYS_CLAIMED = {
    NO_ERROR: "No task ends with an error that nobody handles.",
    READABLE: "What the program leaves in the stores has the form that the readings expect.",
}


def always_claimed(claim_id: str) -> str | None:
    """The text of a claim that is made of every experiment; None for a claim of one."""
    return _ALWAYS_CLAIMED.get(claim_id)


def find_experiment(experiments: Mapping[str, Experiment], slug: Any) -> Experiment:
    """The experiment of that name; raises InputError that lists those there are."""
    if not isinstance(slug, str) or slug not in experiments:
        raise one_of("experiment", slug, list(experiments))
    return experiments[slug]


def run_once(
    experiment: Experiment,
    variant: str,
    parameters: Mapping[str, Any] | None = None,
    seed: Any = 0,
    schedule: Schedule | None = None,
    sources: Mapping[str, str] | None = None,
    bounds: Bounds | None = None,
) -> Report:
    """Run one variant under one schedule.

    parameters: name → value, as JSON or text; the rest are defaults. seed: 0 takes simultaneous steps first in, first
    out; any other draws their order. schedule: replay this one instead. sources: program file → edited text.
    Raises InputError for illegal input and ProgramError for a program that cannot be loaded.
    """
    setting = read_setting(experiment, variant, parameters)
    edited = dict(sources or {})
    check_sources(experiment, variant, edited)
    seed = read_seed(seed if schedule is None else schedule.seed)
    scheduler = _scheduler(seed, schedule)
    world = World(seed=seed, scheduler=scheduler, bounds=bounds)
    stage = Stage(experiment, setting, world, edited)
    with running(world, edited):
        if schedule is not None and schedule.strikes:
            Strikes(world, experiment.exploration.faults(setting), schedule.strikes)
        experiment.scenario(stage)
        end = world.run(experiment.until_us(setting))
        if end.reason not in CUT:
            _refuse_unused(scheduler, world)
        return report_of(experiment, setting, world, stage, end)


def read_setting(experiment: Experiment, variant: Any, parameters: Mapping[str, Any] | None) -> Setting:
    """The variant with all parameters; raises InputError for a name or value that is not legal."""
    if not isinstance(variant, str) or experiment.variant(variant) is None:
        raise one_of("variant", variant, [each.id for each in experiment.variants])
    setting = Setting(variant, read_parameters(experiment.parameters, parameters or {}))
    if experiment.check:
        experiment.check(setting)
    return setting


@contextmanager
def running(world: World, edited: Mapping[str, str]) -> Iterator[None]:
    """Run a world inside this, which closes it. What the scenario raises is the program's fault once that was edited,
    and a choice or fault that does not exist is the schedule's."""
    try:
        yield
    except DivergenceError as error:
        raise InputError(str(error)) from error
    except (InputError, ProgramError):
        raise
    except Exception as error:
        if not edited:
            raise
        raise _program_error(error, world) from error
    finally:
        world.close()


def _program_error(error: Exception, world: World) -> ProgramError:
    """What the scenario stumbled over; a task of the program that had failed before is more likely to be the cause."""
    file, line = world.place_of(error)
    words = describe_error(error)
    failed = next((event.fields for event in world.events if event.kind == "task.failed"), {})
    if file is None and "line" in failed:
        file, line, words = failed["file"], failed["line"], failed["error"]
    if file is not None:
        words = f"{file}, line {line}: {words}"
    return ProgramError(f"the scenario cannot use the edited program: {words}", file, line)


def _refuse_unused(scheduler: Scheduler, world: World) -> None:
    unused = scheduler.unused if isinstance(scheduler, ScriptedScheduler) else 0
    faults = world.strikes.unused if world.strikes is not None else 0
    if unused or faults:
        count, what = (unused, "choice") if unused else (faults, "fault")
        raise InputError(
            f"the schedule lists {count} {what}{'s' * (count != 1)} that this run never came to; "
            "it belongs to another program"
        )


def replay(experiments: Mapping[str, Experiment], text: str, sources: Mapping[str, str] | None = None) -> Report:
    """Run again what an address names, with the edits it was recorded with, if any.

    Raises InputError where it cannot be read or does not fit.
    """
    address = parse_address(text, experiments)
    experiment = find_experiment(experiments, address.experiment)
    return run_once(experiment, address.variant, address.parameters, schedule=address.schedule, sources=sources)


def _scheduler(seed: int, schedule: Schedule | None) -> Scheduler:
    if schedule is not None:
        return ScriptedScheduler(schedule.deviations)
    return SeededScheduler(Stream(seed, "schedule")) if seed else FifoScheduler()


def report_of(experiment: Experiment, setting: Setting, world: World, stage: Stage, end: RunEnd) -> Report:
    """The report of a run that has ended, or of the beginning of one that was cut short."""
    log = Log(world.events, end.at_us)
    complete = end.reason not in CUT
    readings: dict[str, Any] = {each.name: None for each in experiment.readings}
    claims: list[CheckedClaim] = []
    scene: list[dict[str, Any]] = []
    predictions: list[dict[str, Any]] = []
    try:
        if complete:
            readings = experiment.read(log, setting)
            predictions = _answers(experiment, setting, log, readings)
        claims = _check_claims(experiment, setting, log, readings, end.reason)
        scene = experiment.scene(log, setting)
    except Exception as error:
        if not stage.edited:
            raise
        claims.insert(0, _always_claimed(READABLE, describe_error(error), None))
    failed = next(log.of_kind("task.failed"), None)
    if failed is not None:
        where = f"{failed.fields['file']}, line {failed.fields['line']}: " if "file" in failed.fields else ""
        claims.insert(0, _always_claimed(NO_ERROR, f"{failed.actor}: {where}{failed.fields['error']}", failed.sequence))
    return Report(
        experiment=experiment.slug,
        variant=setting.variant,
        parameters=setting.values,
        seed=world.streams.seed,
        outcome=_outcome(log, end, claims).value,
        ended=_ended(end, len(log), world.bounds, stage),
        digest=world.digest(),
        schedule=write_address(experiment, setting, world.schedule),
        until_us=end.at_us,
        bounds={
            "runs": 1,
            "steps": end.steps,
            "steps_max": world.bounds.steps_max,
            "instant_steps_max": world.bounds.instant_steps_max,
            "events_max": world.bounds.events_max,
            "characters_max": world.bounds.characters_max,
            "choice_points": world.loop.choice_points,
        },
        readings=readings,
        claims=claims,
        lanes=pack_lanes(world.actors, world.events),
        trace=world.events,
        scene=scene,
        output=[*stage.output, *_cut_output(stage)],
        predictions=predictions,
    )


def _answers(experiment: Experiment, setting: Setting, log: Log, readings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What this run answers to each question that a reader may be asked; an instant that never comes is None."""
    answers = []
    for prediction in experiment.predictions:
        value = prediction.answer(log, setting, readings)
        if prediction.kind == "choice":
            text = experiment.texts()["predictions"][prediction.id]["choices"].get(value, str(value))
        else:
            text = "never" if value is None else f"{value / US_PER_MS:,.10g} ms"
        answers.append({"id": prediction.id, "value": value, "text": text})
    return answers


def _cut_output(stage: Stage) -> list[str]:
    more = stage.output_lines - OUTPUT_LINES_MAX
    return [f"… and {more:,} more lines"] if more > 0 else []


def _check_claims(
    experiment: Experiment, setting: Setting, log: Log, readings: Mapping[str, Any], reason: str
) -> list[CheckedClaim]:
    texts = experiment.texts()["claims"]
    claims = [claim for claim in experiment.claims if not claim.variants or setting.variant in claim.variants]
    if reason in CUT and any(claim.lasting for claim in claims):
        readings = experiment.read(log, setting)  # of the beginning that there is
    checked = []
    for claim in claims:
        if reason in CUT:
            finding = _so_far(setting, log, claim, readings, reason)
        else:
            finding = claim.check(log, setting, readings)
        checked.append(
            CheckedClaim(claim.id, claim.kind, texts[claim.id], finding.holds, finding.observed, finding.position)
        )
    return checked


def _so_far(setting: Setting, log: Log, claim: Claim, readings: Mapping[str, Any], reason: str) -> Finding:
    """What a claim says of the beginning of a run: that it has fallen, where nothing that follows could mend it."""
    if claim.lasting:
        finding = claim.check(log, setting, readings)
        if finding.holds is False:
            return finding
    return Finding(None, "the run is not over" if reason == PRUNED else "the run was cut short")


def _always_claimed(claim_id: str, observed: str, position: int | None) -> CheckedClaim:
    return CheckedClaim(claim_id, ALWAYS, _ALWAYS_CLAIMED[claim_id], False, observed, position)


def _outcome(log: Log, end: RunEnd, claims: list[CheckedClaim]) -> Outcome:
    """The gravest word that fits: leaving the simulation, then a broken claim, then a run that could not finish."""
    if any(event.fields["error"].startswith("EscapeError") for event in log.of_kind("task.failed")):
        return Outcome.ESCAPED
    if any(claim.holds is False and claim.kind != SOMETIMES for claim in claims):
        return Outcome.COUNTEREXAMPLE
    if end.reason == LIVELOCK:
        return Outcome.LIVELOCK
    if end.reason in (STEPS, FULL, PRUNED):
        return Outcome.UNFINISHED
    if end.reason == QUIET and end.waiting:
        return Outcome.DEADLOCK
    if any(claim.holds is False for claim in claims):
        return Outcome.NEVER_REACHED
    return Outcome.HOLDS


def _ended(end: RunEnd, events: int, bounds: Bounds, stage: Stage) -> str:
    """How the run ended, in a sentence for readers."""
    at = f"{end.at_us / 1000:,.0f} ms of virtual time" if end.at_us % 1000 == 0 else f"{end.at_us:,} µs of virtual time"
    full = events >= bounds.events_max
    held = f"{bounds.events_max:,} events" if full else f"{bounds.characters_max:,} characters"
    words = {
        STEPS: f"Stopped after {bounds.steps_max:,} steps, at {at}: the trace up to there is shown.",
        LIVELOCK: f"Stopped at {at}: {bounds.instant_steps_max:,} steps went by and the time did not move.",
        PRUNED: f"Halted after {end.steps:,} steps, at {at}: this run is not over.",
        FULL: f"Stopped when the trace held {held}, at {at}: it is shown up to there.",
    }
    if end.reason in words:
        return words[end.reason]
    if end.reason == QUIET and end.waiting:
        return f"Nothing can happen any more at {at}; still waiting: {', '.join(end.waiting)}."
    return f"One run to {at}: {end.steps:,} steps, {events:,} events."
