"""A program's text becomes a run or one sentence with file and line; nothing it does reaches outside."""

import gc
import sys

import pytest

from py_runtime.lab import ProgramError
from py_runtime.lab.programs import ALLOWED, INSTEAD

from .support import HEAD, claims, observed, run_text, run_toy


def refusal(text):
    with pytest.raises(ProgramError) as caught:
        run_text(text)
    return caught.value


@pytest.mark.parametrize("module", sorted(ALLOWED))
def test_allowed_modules_can_be_imported(module):
    text = f"from __future__ import annotations\n{HEAD}" if module == "__future__" else f"import {module}\n{HEAD}"
    assert run_text(f"{text}    mark('step', number=0)\n").readings["steps"] == 1


@pytest.mark.parametrize("module", sorted(INSTEAD))
def test_modules_that_lead_outside_are_refused_with_what_to_use_instead(module):
    error = refusal(f"\nimport {module}\n")
    assert str(error) == (
        f"main.py failed while loading: EscapeError: import {module} reaches outside the simulation; {INSTEAD[module]}."
    )
    assert (error.file, error.line) == ("main.py", 2)


@pytest.mark.parametrize("statement", ["import numpy", "from urllib.request import urlopen", "import py_runtime.sim"])
def test_other_modules_are_refused_with_the_list_of_allowed_ones(statement):
    message = str(refusal(statement))
    assert "a program may import: abc, asyncio, base64" in message
    assert statement.split()[1] in message


def test_a_relative_import_is_refused():
    assert "reaches outside the simulation" in str(refusal("from . import other"))


@pytest.mark.parametrize("call", ["open('/etc/hosts')", "input()", "breakpoint()", "exit()", "quit()", "help()"])
def test_doors_of_the_builtins_are_closed(call):
    report = run_toy(call)
    assert report.outcome == "escaped"
    assert f"{call.partition('(')[0]}() reaches outside" in observed(report, "no-program-error")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("def broken(:\n    pass\n", 1, "main.py, line 1: "),
        ("x = 1\n  y = 2\n", 2, "main.py, line 2: unexpected indent"),
        ("async def main(mark, count):\n    return 'open\n", 2, "main.py, line 2: unterminated string"),
        ("x = 1\n\n1 / 0\n", 3, "main.py failed while loading: ZeroDivisionError: division by zero"),
        ("def f():\n    raise ValueError('no')\nf()\n", 2, "main.py failed while loading: ValueError: no"),
        ("raise SystemExit(3)\n", 1, "main.py failed while loading: SystemExit: 3"),
        ("def f():\n    f()\nf()\n", 2, "main.py failed while loading: RecursionError"),
        ("x = 1\n", None, "main.py must define main"),
        ("x = 1\nmain = 3\n", 2, "main.py must define main; line 2 makes main something that cannot be called"),
        ("async def main(mark, count):\n    pass\n\nmain = 3\n", 4, "main.py must define main; line 4 makes main"),
        ("\nasync def mian(mark, count):\n    pass\n", 2, "main.py must define main; line 2 defines mian"),
        ("for main in ():\n    pass\n", 1, "main.py must define main; line 1 makes main something"),
        ("\x00", None, "main.py"),
        ("\ud800", None, "main.py cannot be compiled"),
        ("(" * 500, 1, "main.py, line 1: too many nested parentheses"),
    ],
)
def test_a_text_that_cannot_be_used_is_refused_with_file_and_line(text, line, words):
    error = refusal(text)
    assert words in str(error)
    assert error.file == "main.py"
    assert line is None or error.line == line
    assert "None" not in str(error)


@pytest.mark.parametrize("signature", ["main()", "main(mark)", "main(mark, count, more)"])
def test_a_wrong_signature_is_refused_with_pythons_own_words(signature):
    error = refusal(f"x = 1\nasync def {signature}:\n    pass\n")
    assert str(error).startswith("the scenario cannot use the edited program: main.py, line 2: TypeError: main() ")
    assert (error.file, error.line) == ("main.py", 2)


def test_a_function_that_is_no_coroutine_fails_as_a_task():
    report = run_text("def main(mark, count):\n    return 7\n")
    assert claims(report)["no-program-error"] is False
    assert "TypeError" in observed(report, "no-program-error")


def test_what_a_program_prints_is_in_the_output_and_in_the_trace():
    report = run_toy("print('a', 1, sep='-')", "print()", "await asyncio.sleep(0.002)", "print('b', end='')")
    assert report.output == ["a-1", "", "b"]
    printed = [(event.at_us, event.actor, event.fields["text"]) for event in report.trace if event.kind == "output"]
    assert printed == [(0, "counter", "a-1"), (0, "counter", ""), (2_000, "counter", "b")]


def test_a_flood_of_prints_is_cut_and_counted():
    report = run_toy("for number in range(10_000):", "    print(number)")
    assert len(report.output) == 1_001
    assert report.output[-1] == "… and 9,000 more lines"
    assert sum(event.kind == "output" for event in report.trace) == 1_000


def test_a_very_long_line_is_cut():
    assert len(run_toy("print('x' * 1_000_000)").output[0]) == 2_000


def test_printing_while_loading_is_kept_too():
    assert run_text(f"print('loading')\n{HEAD}    pass\n").output == ["loading"]


def test_recursion_without_end_is_an_error_of_the_task():
    report = run_toy("def dig():", "    return dig()", "dig()")
    assert "RecursionError" in observed(report, "no-program-error")


def test_a_system_exit_ends_its_task_and_not_the_lab():
    assert observed(run_toy("raise SystemExit(3)"), "no-program-error") == "counter: main.py, line 5: SystemExit: 3"


@pytest.mark.filterwarnings("ignore")  # a coroutine that was refused is never awaited
def test_a_loop_of_ones_own_is_refused_in_a_task_and_at_the_top_level():
    in_task = run_toy("asyncio.run(asyncio.sleep(1))")
    assert "asyncio.run() cannot be called from a running event loop" in observed(in_task, "no-program-error")
    message = str(refusal("import asyncio\nasyncio.run(asyncio.sleep(1000))\n"))
    assert "asyncio.run() cannot be called from a running event loop" in message
    message = str(refusal("import asyncio\nasyncio.new_event_loop().run_until_complete(asyncio.sleep(1000))\n"))
    assert "while another loop is running" in message
    gc.collect()  # of what was refused, so that its warnings come here


def test_a_pool_thread_spends_no_real_time():
    report = run_toy("await asyncio.to_thread(len, 'abc')", "mark('step', number=0)", count=1)
    assert report.outcome == "holds within bounds"


def test_dataclasses_find_their_module_while_a_program_loads():
    text = (
        "from __future__ import annotations\nimport dataclasses\n\n"
        "@dataclasses.dataclass\nclass Item:\n    name: str\n\n"
        "async def main(mark, count):\n    mark('step', number=len(Item('abc').name))\n"
    )
    assert run_text(text, count=1).readings == {"steps": 1, "last": 3}
    assert not [name for name in sys.modules if name.startswith("program:")]


def test_one_programs_changes_to_its_builtins_do_not_reach_the_next():
    run_text(f"__builtins__['len'] = None\n{HEAD}    pass\n")
    assert run_toy("mark('step', number=len('ab'))", count=1).readings["last"] == 2
    assert len("ab") == 2
