"""The command line: exit status, one sentence for a mistake, the shape of --json, and pipes that close early."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import run_once
from py_runtime.lab.cli import main
from py_runtime.lab.completion import write_completion

from .toy import CHALLENGES, TABLE, TASK, TOY

ROOT = Path(__file__).parents[3]


def call(capsys, *arguments, table=TABLE):
    """(exit status, output, errors)."""
    status = main(table, arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def as_json(capsys, *arguments):
    status, out, err = call(capsys, *arguments)
    assert (status, err) == (0, "")
    return json.loads(out)


def test_run_prints_one_json_object_with_the_documented_keys(capsys):
    printed = as_json(capsys, "run", "toy", "--json")
    documented = "experiment variant parameters seed outcome digest schedule events readings claims"
    assert set(documented.split()) <= set(printed)
    assert (printed["experiment"], printed["variant"], printed["seed"], printed["events"]) == ("toy", "plain", 0, 5)
    assert printed["readings"] == {"steps": 3, "last": 2}
    assert [set(claim) >= {"id", "text", "holds", "observed"} for claim in printed["claims"]] == [True] * 3
    assert printed["digest"] == run_once(TOY, "plain").digest


def test_set_takes_names_and_values_in_any_order(capsys):
    printed = as_json(capsys, "run", "toy", "--set", "count=5", "--json", "--set", "sizes=1,2,3", "--set=mood=noisy")
    assert printed["parameters"] == {"count": 5, "mood": "noisy", "sizes": [1, 2, 3]}
    assert as_json(capsys, "run", "--json", "toy", "--variant", "other", "--seed", "7")["variant"] == "other"


def test_replay_gives_the_run_again(capsys):
    printed = as_json(capsys, "run", "toy", "--set", "count=5", "--seed", "3", "--json")
    assert as_json(capsys, "replay", printed["schedule"], "--json") == printed


def test_list_names_everything(capsys):
    assert [each["slug"] for each in as_json(capsys, "list", "--json")["experiments"]] == ["toy"]
    _, out, _ = call(capsys, "list")
    for words in ("toy: Does it count?", "plain", "expected to hold", "expected to break", "3 steps (0 to 1000)",
                  "quiet (quiet | noisy)", "1, 2 things (0 to 9)"):  # fmt: skip
        assert words in out


def test_a_run_reads_well_in_a_terminal(capsys):
    status, out, _ = call(capsys, "run", "toy", "--set", "count=1")
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "toy / plain: Plain"
    assert lines[1].startswith("holds within bounds. One run to 10 ms of virtual time:")
    assert "  steps                   1 step" in lines
    assert "  last                    0" in lines
    assert "  in-order: holds. Numbers never fall." in lines
    assert lines[-1] == "  schedule  ol1~toy~plain~0_0~count.1"
    _, empty, _ = call(capsys, "run", "toy", "--set", "count=0")
    assert "  last                    -\n" in empty


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_every_published_run_reads_well_in_a_terminal(capsys, experiment):
    for variant in experiment.variants:
        status, out, err = call(capsys, "run", experiment.slug, "--variant", variant.id, table=EXPERIMENTS)
        assert (status, err) == (0, "")
        assert not [word for word in ("None", "True", "False", "{", "[") if word in out]


def program(tmp_path, name):
    file = tmp_path / "main.py"
    file.write_text(TASK.resource(TASK.challenge.repair(name)))
    return str(file)


CHECK_KEYS = {"id", "label", "status", "why", "searched", "outcome", "runs", "cut", "violated", "schedule"}


def test_check_says_by_its_status_whether_a_repair_passed_and_prints_a_token_that_verify_takes(capsys, tmp_path):
    status, out, err = call(capsys, "check", "task", program(tmp_path, "reference"), "--json", table=CHALLENGES)
    printed = json.loads(out)
    assert (status, err) == (0, "")
    assert set(printed) == {"version", "experiment", "title", "solved", "runs", "checks", "token"}
    assert printed["solved"] and [set(check) for check in printed["checks"]] == [CHECK_KEYS] * 3
    status, out, err = call(capsys, "verify", printed["token"], "--json", table=CHALLENGES)
    assert (status, json.loads(out), err) == (0, printed, "")


def test_a_repair_that_fails_gets_status_1_and_no_token(capsys, tmp_path):
    status, out, err = call(capsys, "check", "task", program(tmp_path, "idle"), "--json", table=CHALLENGES)
    printed = json.loads(out)
    assert (status, err, printed["solved"], printed["token"]) == (1, "", False, None)
    token = write_completion(TASK, {"main.py": TASK.resource("repairs/idle.py")})
    status, out, _ = call(capsys, "verify", token, "--json", table=CHALLENGES)
    assert (status, json.loads(out)) == (1, printed), "a token is no proof before its checks were made"


def test_checks_read_well_in_a_terminal(capsys, tmp_path):
    status, out, err = call(capsys, "check", "task", program(tmp_path, "backwards"), table=CHALLENGES)
    assert (status, err) == (1, "")
    assert out.splitlines() == [
        "task: Toy",
        "not solved",
        "",
        "  failed  Every order: counterexample found (2 runs)",
        "          Numbers fall.",
        "          violated  in-order: Numbers never fall.",
        "          schedule  ol1~task~plain~0_0~mood.noisy",
        "  passed  Twenty steps: holds within bounds (all 1 run)",
        "  passed  Some steps: holds within bounds (all 1 run)",
    ]
    _, out, _ = call(capsys, "check", "task", program(tmp_path, "reference"), table=CHALLENGES)
    assert out.splitlines()[1] == "solved: every check was passed"
    assert out.splitlines()[-1].startswith("  token   olc1~task~")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "task"], "program"),
        (["check", "toy", "FILE"], "unknown challenge 'toy'; there are: task"),
        (["check", "nothing", "FILE"], "unknown experiment 'nothing'"),
        (["check", "task", "no-such-file.py"], "no-such-file.py cannot be read"),
        (["check", "task", "BINARY"], "cannot be read"),
        (["check", "task", "BROKEN"], "line 1: invalid syntax"),
        (["verify"], "token"),
        (["verify", "hello"], "a token reads olc1~CHALLENGE~PROGRAM"),
        (["verify", "olc1~task~AAAA"], "the token is damaged"),
    ],
)
def test_what_cannot_be_checked_gets_status_2_and_one_sentence(capsys, tmp_path, arguments, words):
    files = {"FILE": b"x = 1", "BINARY": b"\xff\xfe\x00", "BROKEN": b"def x(:"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    arguments = [str(tmp_path / each) if each in files else each for each in arguments]
    status, out, err = call(capsys, *arguments, table=CHALLENGES)
    assert (status, out) == (2, "")
    assert words in err
    assert err.startswith("experiments: ") and err.count("\n") == 1


MISTAKES = [
    ([], "required"),
    (["frobnicate"], "frobnicate"),
    (["run"], "slug"),
    (["run", "nothing"], "unknown experiment 'nothing'; there are: toy"),
    (["run", "toy", "extra"], "extra"),
    (["run", "toy", "--variant", "nothing"], "unknown variant 'nothing'; there are: plain, other"),
    (["run", "toy", "--var", "plain"], "--var"),
    (["run", "toy", "--frob"], "--frob"),
    (["run", "toy", "--variant"], "--variant"),
    (["run", "toy", "--set"], "--set"),
    (["run", "toy", "--set", "count"], "--set takes NAME=VALUE, got 'count'"),
    (["run", "toy", "--set", "=3"], "unknown parameter ''"),
    (["run", "toy", "--set", "cuont=3"], "unknown parameter 'cuont'; there are: count, mood, sizes"),
    (["run", "toy", "--set", "count=x"], "count must be a whole number from 0 to 1000 (steps), got 'x'"),
    (["run", "toy", "--set", "count=1=2"], "got '1=2'"),
    (["run", "toy", "--set", "count=1", "--set", "count=2"], "--set names count twice"),
    (["run", "toy", "--set", "count=99"], "count must not be 99 here"),
    (["run", "toy", "--seed", "-1"], "seed"),
    (["run", "toy", "--seed", "x"], "seed must be a whole number"),
    (["run", "toy", "--variant", "a\nb"], "unknown variant"),
    (["replay"], "schedule"),
    (["replay", ""], "a schedule reads ol1~"),
    (["replay", "ol1~toy~plain~0_0~count.x"], "count must be a whole number"),
    (["list", "--frob"], "--frob"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES, ids=[" ".join(a) or "nothing" for a, _ in MISTAKES])
def test_a_mistake_gets_status_2_and_one_sentence(capsys, arguments, words):
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.startswith("experiments: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def in_a_shell(command, **environment):
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], cwd=ROOT, capture_output=True, text=True, timeout=60,
        env={**os.environ, "LAB": sys.executable, **environment},
    )  # fmt: skip


@pytest.mark.parametrize("arguments", ["list --json", "run request-merging", "run slot-recycling --json"])
def test_a_reader_that_leaves_early_is_no_error(arguments):
    ran = in_a_shell(f'"$LAB" -m experiments {arguments} | head -c 1')
    assert (ran.returncode, ran.stderr) == (0, "")
    closed = in_a_shell(f'"$LAB" -m experiments {arguments} | true')
    assert (closed.returncode, closed.stderr) == (0, "")


def test_a_terminal_without_the_characters_still_gets_the_report():
    ran = in_a_shell('"$LAB" -m experiments list && "$LAB" -m experiments list --json', PYTHONIOENCODING="ascii")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_json_is_the_same_object_in_any_encoding():
    command = '"$LAB" -m experiments run request-merging --json'
    plain, ascii_only = in_a_shell(command), in_a_shell(command, PYTHONIOENCODING="ascii")
    assert json.loads(plain.stdout) == json.loads(ascii_only.stdout)


def test_help_is_printed_and_is_no_error(capsys):
    with pytest.raises(SystemExit) as left:
        main(TABLE, ["run", "--help"])
    assert left.value.code == 0
    assert "NAME=VALUE" in capsys.readouterr().out
