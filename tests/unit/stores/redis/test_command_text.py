"""Command lines as the trace shows them."""

import pytest

from py_runtime.stores.redis.command_text import command_text, script_label, script_sha

NAMED = b"-- lease-acquire\n-- KEYS: the quota\nreturn 1"
PLAIN = b"return 1"


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        ([b"INCR", b"llm:inflight"], "INCR llm:inflight"),
        ([b"ZADD", b"llm:leases", b"1000", b"task-1"], "ZADD llm:leases 1000 task-1"),
        ([b"SET", b"k", b"two words"], 'SET k "two words"'),
        ([b"SET", b"k", b""], 'SET k ""'),
        ([b"SET", b"k", b'say "hi"\n'], 'SET k "say \\"hi\\"\\n"'),
        ([b"SET", b"k", "schön".encode()], "SET k schön"),
        ([b"SET", b"k", b"\xff"], 'SET k "\\\\xff"'),
        ([b"SET", b"k", b"x" * 61], "SET k " + "x" * 60 + "…"),
        ([b"EVAL", NAMED, b"1", b"k", b"5"], "EVAL lease-acquire 1 k 5"),
        ([b"EVAL", PLAIN, b"0"], f"EVAL {script_sha(PLAIN)[:12].decode()} 0"),
        ([b"EVALSHA", script_sha(NAMED), b"1", b"k"], "EVALSHA lease-acquire 1 k"),
        ([b"EVALSHA", b"0123456789abcdef", b"0"], "EVALSHA 0123456789ab… 0"),
        ([b"SCRIPT", b"LOAD", NAMED], "SCRIPT LOAD lease-acquire"),
        ([b"SCRIPT", b"FLUSH"], "SCRIPT FLUSH"),
        ([b"PING"], "PING"),
    ],
)
def test_command_lines(argv, text):
    assert command_text(argv, {script_sha(NAMED): script_label(NAMED)}) == text


@pytest.mark.parametrize(
    ("script", "label"),
    [
        (NAMED, "lease-acquire"),
        (b"\n  --- renew \nreturn 1", "renew"),
        (PLAIN, script_sha(PLAIN)[:12].decode()),
        (b"--[[ long ]] return 1", script_sha(b"--[[ long ]] return 1")[:12].decode()),
        (b"--\nreturn 1", script_sha(b"--\nreturn 1")[:12].decode()),
    ],
)
def test_scripts_are_named_by_their_first_comment_line(script, label):
    assert script_label(script) == label
