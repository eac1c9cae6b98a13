"""The stage: what a scenario is handed to set up one run — the world, the setting, and the programs' namespaces."""

from typing import Any

from py_runtime.sim import Place, World, us_from_ms

from .declare import Experiment, Setting
from .definitions import definitions, like, named_in
from .errors import ProgramError, one_of
from .programs import load_program

OUTPUT_LINES_MAX = 1_000  # what a page can show; the rest is counted


class Stage:
    """One run being set up. `program(file)` loads the published text, or the reader's edit of it."""

    def __init__(self, experiment: Experiment, setting: Setting, world: World, sources: dict[str, str]) -> None:
        self.experiment = experiment
        self.setting = setting
        self.world = world
        self.output: list[str] = []
        self.output_lines = 0
        self.edited = bool(sources)
        self._sources = sources
        self._texts: dict[str, str] = {}
        world.definition_of = self._definition_of

    def program(self, file: str, *wanted: str) -> list[Any]:
        """The named classes or functions of a program file; raises ProgramError where one is missing."""
        text = self._sources.get(file)
        if text is None:
            text = self.experiment.resource(f"programs/{file}")
        name = f"{self.experiment.slug}/{file}"
        self._texts[file] = text
        self.world.program_files[name] = file
        namespace = load_program(file, text, name, self.world.loop, self._write)
        missing = [each for each in wanted if not callable(namespace.get(each))]
        if missing:
            raise self._missing(file, missing)
        return [namespace[each] for each in wanted]

    def _missing(self, file: str, names: list[str]) -> ProgramError:
        """The file does not define these classes or functions; with the line that may have been meant to."""
        said = f"{file} must define {', '.join(names)}"
        meant = like(names[0], self._texts[file])
        if meant is None:
            return ProgramError(said, file)
        name, line = meant
        instead = f"makes {name} something that cannot be called" if name in names else f"defines {name}"
        return ProgramError(f"{said}; line {line} {instead}", file, line)

    def _definition_of(self, error: BaseException) -> Place:
        """Where a program defines what was called wrongly, or what lacks what was asked of it."""
        name = named_in(error)
        for file, text in self._texts.items() if name else ():
            line = definitions(text).get(name)
            if line is not None:
                return file, line
        return None, None

    def call_at_ms(self, at_ms: int, function: Any, *arguments: Any) -> None:
        """Call `function` at a whole millisecond of virtual time."""
        self.world.call_at(us_from_ms(at_ms), function, *arguments)

    def _write(self, text: str) -> None:
        if self.world.loop.over:
            return
        self.output_lines += 1
        if self.output_lines <= OUTPUT_LINES_MAX:
            self.output.append(text[:2_000])
            self.world.record("output", None, text=text[:2_000])


def check_sources(experiment: Experiment, variant_id: str, sources: dict[str, str]) -> None:
    """Edited texts may only replace programs of the variant; raises InputError naming a file that is not one."""
    files = experiment.variant(variant_id).programs
    for file in sources:
        if file not in files:
            raise one_of("program file", file, list(files))
