"""The history of a game: undo, redo, forks, and where a moment of the past is. Pure; no page is drawn."""

import pytest

HISTORY = """(m, moves) => {
  const turn = (name, step) => ({ schedule: name, step, over: false, points: [] });
  const state = (name, step) => ({ turn: turn(name, step), made: { kind: "lane" }, fallen: [] });
  const game = new m.Game(state("s", 0));
  const names = (line) => line.map(({ turn }) => turn.schedule).join("");
  for (const [what, given, step] of moves) {
    if (what === "play") game.play(state(given, step ?? game.state.turn.step + 1));
    else game[what](given);
  }
  return [names(game.line), game.at, game.left.map(names), game.canUndo, game.canRedo];
}"""

CASES = {
    "moves follow each other": ([["play", "a"], ["play", "b"]], ["sab", 2, [], True, False]),
    "undo keeps what came after": ([["play", "a"], ["play", "b"], ["goTo", 1]], ["sab", 1, [], True, True]),
    "the same move again is a redo": (
        [["play", "a"], ["play", "b"], ["goTo", 0], ["play", "a"]], ["sab", 1, [], True, True],
    ),
    "another move forks": (
        [["play", "a"], ["play", "b"], ["goTo", 1], ["play", "c"]], ["sac", 2, ["sab"], True, False],
    ),
    "the last line left stands first": (
        [["play", "a"], ["goTo", 0], ["play", "b"], ["goTo", 0], ["play", "c"]], ["sc", 1, ["sb", "sa"], True, False],
    ),
    "a line left is taken up at its end, and the other left": (
        [["play", "a"], ["play", "b"], ["goTo", 1], ["play", "c"], ["takeUp", 0]], ["sab", 2, ["sac"], True, False],
    ),
    "playing what a line left was leaves nothing of it": (
        [["play", "a"], ["goTo", 0], ["play", "b"], ["goTo", 0], ["play", "a"]], ["sa", 1, ["sb"], True, False],
    ),
    "a line that only begins another is not kept": (
        [["play", "a"], ["play", "b"], ["goTo", 0], ["play", "c"], ["goTo", 0], ["play", "a"], ["takeUp", 1]],
        ["sab", 2, ["sc"], True, False],
    ),
    "no place outside the line": ([["play", "a"], ["goTo", -3]], ["sa", 0, [], False, True]),
    "nor beyond it": ([["play", "a"], ["goTo", 9]], ["sa", 1, [], True, False]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_history_of_a_game(modules, case):
    moves, expected = CASES[case]
    assert modules("panel/game.js", HISTORY, moves) == expected


def test_a_state_that_was_passed_by_splits_the_move_and_forks_nothing(modules):
    found = modules(
        "panel/game.js",
        """(m) => {
          const state = (step, made) => ({ turn: { schedule: "s", step, over: false, points: [] }, made, fallen: [] });
          const game = new m.Game(state(0, { kind: "start" }));
          game.play(state(9, { kind: "on", steps: 9 }));
          game.passBy(1, state(4, { kind: "on", steps: 0 }));
          return [game.line.map(({ turn, made }) => [turn.step, made.steps ?? 0]), game.at, game.left.length];
        }""",
    )
    assert found == [[[0, 0], [4, 4], [9, 5]], 1, 0]


# Trace: event 0 at step 0, events 1 to 3 at step 2, event 4 at step 5; the states of the line stand before these steps.
LINE = [0, 2, 2, 6]
POINTS = [[0, 0], [1, 1], [3, 4], [6, 5]]
PLACES = {-1: (0, 0, True), 0: (1, 1, False), 1: (1, 1, False), 2: (1, 1, False), 3: (3, 3, False), 4: (3, 6, True)}


@pytest.mark.parametrize("position", PLACES)
def test_a_position_is_the_first_step_after_its_event(modules, position):
    found = modules(
        "panel/game.js",
        """(m, line, points, position) => {
          const place = m.placeAt(line.map((step) => ({ turn: { step, points } })), position);
          return [place.index, place.step, place.exact];
        }""",
        LINE,
        POINTS,
        position,
    )
    assert tuple(found) == PLACES[position]


SIZES = [
    ((1, 0, 26), (1, 0, 27), "smaller"),
    ((1, 9, 99), (2, 0, 1), "smaller"),
    ((1, 2, 9), (1, 1, 99), "larger"),
    ((0, 0, 5), (0, 0, 5), "equal"),
    ((2, 0, 1), (1, 5, 50), "larger"),
]


@pytest.mark.parametrize(("labs", "readers", "answer"), SIZES)
def test_fewer_faults_count_before_deviations_and_these_before_steps(modules, labs, readers, answer):
    given = [dict(zip(("faults", "deviations", "steps"), size, strict=True)) for size in (labs, readers)]
    assert modules("panel/steer-sizes.js", "(m, labs, readers) => m.simpler(labs, readers)", *given) == answer


@pytest.mark.parametrize(
    ("schedule", "size"),
    [
        ("ol1~demo~counter~0_0", {"faults": 0, "deviations": 0, "steps": 7}),
        ("ol1~demo~counter~0_3.1-12.2-x2.1-x4.3~limit.1", {"faults": 2, "deviations": 2, "steps": 7}),
    ],
)
def test_faults_and_deviations_are_read_from_a_schedule(modules, schedule, size):
    found = {"schedule": schedule, "steps": 7}
    assert modules("panel/steer-sizes.js", "(m, found) => m.sizeOf(found)", found) == size
