"""An error keeps Redis's own text; a note beside it names what was not known, and what is allowed."""

import pytest

from py_runtime.sim import World
from py_runtime.stores import RedisServer


def meet(*words: str) -> tuple[str, list[str], str]:
    """The text, the notes and the traced words of the error that a command line meets."""
    world = World()
    client = RedisServer(world).client()
    met = []

    async def program() -> None:
        try:
            await client.execute_command(*words)
        except Exception as error:
            met.append(error)

    world.spawn(world.actor("worker"), program())
    world.run(1_000_000)
    [error] = met
    traced = next(event.fields["error"] for event in world.events if event.kind == "call.failed")
    world.close()
    return str(error), list(getattr(error, "__notes__", [])), traced


@pytest.mark.parametrize(
    ("words", "text", "named", "allowed"),
    [
        (("SET", "k", "v", "NXX"), "syntax error", "'NXX' is no option of SET", "[NX|XX]"),
        (("SET", "k", "v", "EX", "5", "LATER"), "syntax error", "'LATER'", "KEEPTTL"),
        (("ZADD", "k", "SOON", "1", "m"), "syntax error", "ZADD", "GT|LT"),
        (("SET", "k", "v", "NX", "XX"), "syntax error", "SET takes:", "[NX|XX]"),
        (("GTE", "k"), "unknown command 'GTE', with args beginning with: 'k' ", "there is no 'GTE'", "GET, GETDEL"),
        (("GET",), "wrong number of arguments for 'get' command", "GET takes:", "key"),
    ],
)
def test_the_note_names_the_word_and_what_is_allowed(words, text, named, allowed):
    said, notes, traced = meet(*words)
    assert said == text
    [note] = notes
    assert named in note
    assert allowed in note
    assert traced == f"{text} ({note})"


@pytest.mark.parametrize(
    ("script", "begins", "named"),
    [
        ("return redis.call('GTE', 'k')", "Unknown Redis command called from script", "there is no 'GTE'"),
        ("return redis.call('SET', 'k', 'v', 'NXX')", "syntax error script:", "'NXX' is no option of SET"),
    ],
)
def test_a_command_in_a_script_is_named_too(script, begins, named):
    said, notes, _ = meet("EVAL", script, "0")
    assert said.startswith(begins)
    [note] = notes
    assert named in note


@pytest.mark.parametrize(
    "words",
    [
        ("EVAL", "redis.pcall('GTE'); return redis.call('INCR', 'k', 'x', 'y') and error('mine')", "0"),
        ("EVAL", "redis.pcall('GTE'); error('mine')", "0"),
        ("INCRBY", "k", "many"),
    ],
)
def test_no_note_is_put_where_it_would_mislead(words):
    _, notes, _ = meet(*words)
    assert not any("GTE" in note for note in notes)
