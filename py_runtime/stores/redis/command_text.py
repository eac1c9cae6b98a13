"""A command line as one would type it in redis-cli, for the trace.

Decides quoting, and how long values and script texts are cut. A script is named by its first comment line, else by
the first 12 hex digits of its SHA-1. Knows no command but the three that carry scripts.
"""

from collections.abc import Mapping
from hashlib import sha1

from py_runtime.stores.redis.views import text

ARGUMENT_MAX = 60
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.:/+*=<>()[]{}@#$%^&|~?!,;")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def script_sha(script: bytes) -> bytes:
    """The name EVALSHA knows a script by."""
    return sha1(script, usedforsecurity=False).hexdigest().encode()


def script_label(script: bytes) -> str:
    """The text of a script's first comment line, if that is where it begins; else 12 hex digits."""
    first = script.lstrip().partition(b"\n")[0].strip()
    label = text(first.lstrip(b"-")).strip() if first.startswith(b"--") and not first.startswith(b"--[[") else ""
    return label[:ARGUMENT_MAX] or script_sha(script)[:12].decode()


def command_text(argv: list[bytes], labels: Mapping[bytes, str]) -> str:
    """The command line; `labels` names the scripts known so far by SHA-1."""
    name = argv[0]
    parts = [text(name)]
    shown = argv[1:]
    if shown and name in (b"EVAL", b"EVALSHA", b"SCRIPT"):
        at = 1 if name == b"SCRIPT" else 0
        if name == b"EVALSHA":
            parts.append(labels.get(shown[0].lower()) or text(shown[0][:12]) + "…")
            shown = shown[1:]
        elif name == b"EVAL" or (len(shown) == 2 and shown[0].upper() == b"LOAD"):
            parts.extend(text(word) for word in shown[:at])
            parts.append(script_label(shown[at]))
            shown = shown[at + 1 :]
    parts.extend([_argument(word) for word in shown])
    return " ".join(parts)


def _argument(word: bytes) -> str:
    if word and len(word) <= ARGUMENT_MAX and _PLAIN.issuperset(word):
        return word.decode("ascii")
    written = text(word)
    cut = len(written) > ARGUMENT_MAX
    if cut:
        written = written[:ARGUMENT_MAX]
    if written.isprintable() and written and not any(sign in written for sign in " \"'\\"):
        return written + "…" if cut else written
    quoted = "".join(_ESCAPES.get(sign, sign) for sign in written)
    return f'"{quoted}…"' if cut else f'"{quoted}"'
