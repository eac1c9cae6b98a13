"""The bridge between a page's worker and Python: one JSON text in, one JSON text out, by a plain synchronous call.

Decides what a request may hold and that every mistake comes back as a sentence; it is handed the table of experiments
and knows none by name. What takes many runs is done slice by slice: a request begins such work, "more" goes on with it,
and both say how far it is. Between calls only that work is kept, which any other request ends, and what edited programs
put into shared modules is taken out again, so one bad request cannot spoil the next.
"""

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from py_runtime.sim import describe_error

from .catalogue import catalogue
from .declare import Experiment
from .errors import InputError, ProgramError, one_of
from .modules import Modules
from .parameters import read_limit
from .programs import ALLOWED, SOURCE_MAX
from .report import WIRE_VERSION, Report
from .run import find_experiment, replay, run_once
from .work import Work

SLICE_RUNS_MAX = 10_000  # of one request; a page asks for what takes a fraction of a second


class Bridge:
    """Answers requests of the page. `handle` never raises: an unexpected error becomes kind "internal"."""

    def __init__(self, experiments: Mapping[str, Experiment]) -> None:
        self._experiments = experiments
        self._work: Work | None = None
        self._edited = False  # whether the run or work under way is of an edited program
        self._modules = Modules(ALLOWED)

    def prepare(self) -> None:
        """Import what runs and searches would import by themselves, so that the first one of each comes sooner."""
        list(self._experiments.values())
        for name in ("explore", "steer"):
            import_module(f".{name}", __package__)

    def handle(self, text: str) -> str:
        """Carry out the request in `text`; returns {"ok": true, …} or {"ok": false, "error": {…}}.

        An error holds kind ("input", "program" or "internal"), message (one sentence), and file and line where known.
        """
        try:
            answer = self._answer(_parse(text))
        except InputError as error:
            answer = _failure("input", str(error))
        except ProgramError as error:
            answer = _failure("program", str(error), error.file, error.line)
        except BaseException as error:
            answer = self._unexpected(error)
        if self._edited:
            self._modules.put_back()
        return json.dumps({"version": WIRE_VERSION, **answer}, separators=(",", ":"))

    def _unexpected(self, error: BaseException) -> dict[str, Any]:
        """A page has no keyboard that interrupts Python: only an edited program raises KeyboardInterrupt."""
        if self._edited and isinstance(error, KeyboardInterrupt):
            return _failure("program", f"{describe_error(error)} ended the run, which no program may do")
        return _failure("internal", f"the lab failed: {describe_error(error)}")

    def _answer(self, request: Any) -> dict[str, Any]:
        if not isinstance(request, dict) or request.get("version") != WIRE_VERSION:
            raise InputError(f"a request is a JSON object with version {WIRE_VERSION}")
        kind = request.get("type")
        if kind == "more":
            return {"ok": True, "work": self._go_on(request)}
        self._work = None
        sources = _sources(request)
        self._edited = bool(sources)
        if self._edited:
            self._modules.remember()
        if isinstance(kind, str) and kind in _WORKS:
            self._work = _WORKS[kind](self, request, sources)
            return {"ok": True, "work": self._go_on(request)}
        if kind == "catalogue":
            return {"ok": True, "catalogue": catalogue(self._experiments)}
        if kind == "run":
            return {"ok": True, "report": self._run(request, sources).as_json()}
        if kind == "replay":
            report = replay(self._experiments, _text(request, "schedule"), sources)
            return {"ok": True, "report": report.as_json()}
        if kind == "steer":
            from .steer import steer  # when first asked for, as what searches

            return {"ok": True, **steer(self._experiments, request, sources)}
        raise one_of("request type", kind, sorted([*_WORKS, "catalogue", "more", "replay", "run", "steer"]))

    def _new_search(self, request: Mapping[str, Any], sources: Mapping[str, str]) -> Work:
        from .explore import Search, read_options  # when first asked for: the first run must not wait for it

        experiment = find_experiment(self._experiments, request.get("experiment"))
        options = read_options(_mapping(request, "options") or {})
        return Search(experiment, _text(request, "variant"), _mapping(request, "parameters"), options, sources)

    def _new_examination(self, request: Mapping[str, Any], sources: Mapping[str, str]) -> Work:
        from .completion import read_completion  # when first asked for, as above
        from .examine import Examination

        if request["type"] == "examine":
            return Examination(find_experiment(self._experiments, request.get("experiment")), sources)
        experiment, sources = read_completion(_text(request, "token"), self._experiments)
        self._edited = True
        self._modules.remember()
        return Examination(experiment, sources)

    def _new_outlook(self, request: Mapping[str, Any], sources: Mapping[str, str]) -> Work:
        from .outlook import Outlook, read_outlook_options  # when first asked for, as above

        options = read_outlook_options(_mapping(request, "options") or {})
        return Outlook(self._experiments, _text(request, "schedule"), sources, options)

    def _go_on(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Make the next runs of the work, as many as asked for; how far it is, with the result once it is done."""
        work = self._work
        if work is None:
            raise InputError("no work is under way that could go on")
        work.advance(read_limit("runs", request.get("runs", 1), 1, SLICE_RUNS_MAX))
        state = work.state()
        return {**state, "result": work.result()} if work.done else state

    def _run(self, request: Mapping[str, Any], sources: Mapping[str, str]) -> Report:
        experiment = find_experiment(self._experiments, request.get("experiment"))
        parameters = _mapping(request, "parameters")
        if request.get("schedule") is not None:
            raise InputError("a schedule is replayed by a request of type replay")
        seed = request.get("seed", 0)
        return run_once(experiment, _text(request, "variant"), parameters, seed=seed, sources=sources)


# Request type → what begins its work.
_WORKS: dict[str, Callable[[Bridge, Mapping[str, Any], Mapping[str, str]], Work]] = {
    "examine": Bridge._new_examination,
    "explore": Bridge._new_search,
    "outlook": Bridge._new_outlook,
    "verify": Bridge._new_examination,
}


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError(f"the request cannot be read: {error}") from error
    except RecursionError as error:
        raise InputError("the request cannot be read: it nests too deeply") from error


def _mapping(request: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    value = request.get(name)
    if value is not None and not isinstance(value, dict):
        raise InputError(f"{name} must map names to values")
    return value


def _sources(request: Mapping[str, Any]) -> dict[str, str]:
    sources = request.get("sources")
    if sources is None:
        return {}
    if not isinstance(sources, dict) or not all(isinstance(each, str) for each in sources.values()):
        raise InputError("sources must map program files to texts")
    if any(len(each) > SOURCE_MAX for each in sources.values()):
        raise InputError(f"a program may have at most {SOURCE_MAX:,} characters")
    return sources


def _text(request: Mapping[str, Any], name: str) -> str:
    value = request.get(name)
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text")
    return value


def _failure(kind: str, message: str, file: str | None = None, line: int | None = None) -> dict[str, Any]:
    return {"ok": False, "error": {"kind": kind, "message": message, "file": file, "line": line}}
