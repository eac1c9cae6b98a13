"""The completion token: one short text from which anybody can run a repair again and see that it passes.

olc1~renew-without-resurrecting~q1Yq...
version, experiment, and the repair itself: what differs from the published program costs little, since the text is
compressed with the published one as its dictionary. It says what was repaired, not by whom.

Decides the format and what a text that is none is told. That it passed is not written in it: whoever reads one runs the
checks.
"""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Mapping
from zlib import crc32

from .declare import Experiment
from .errors import InputError
from .programs import SOURCE_MAX
from .run import find_experiment

VERSION = "olc1"
TOKEN_MAX = 300_000  # characters; as long as a repair of the longest text that is read
_END = "\0"  # between the texts of two programs; no program may hold it
_CHECK_BYTES = 4


def write_completion(experiment: Experiment, sources: Mapping[str, str]) -> str:
    """The token of a repair. sources: program file → edited text."""
    published = _published(experiment)
    texts = _END.join(sources.get(file, text) for file, text in published.items()).encode()
    packer = zlib.compressobj(9, zdict=_dictionary(published))
    packed = packer.compress(texts) + packer.flush()
    payload = urlsafe_b64encode(crc32(texts).to_bytes(_CHECK_BYTES, "big") + packed).decode().rstrip("=")
    return f"{VERSION}~{experiment.slug}~{payload}"


def read_completion(text: str, experiments: Mapping[str, Experiment]) -> tuple[Experiment, dict[str, str]]:
    """The experiment and the edited programs; raises InputError for a text that is no token, or no longer fits."""
    token = "".join(text.split())  # a mail program may have broken the line
    if len(token) > TOKEN_MAX:
        raise InputError(f"the token is longer than {TOKEN_MAX:,} characters")
    parts = token.split("~")
    if len(parts) != 3 or parts[0] != VERSION:
        raise InputError(f"a token reads {VERSION}~CHALLENGE~PROGRAM, as the page gives it; got {token[:60]!r}")
    experiment = find_experiment(experiments, parts[1])
    if experiment.challenge is None:
        raise InputError(f"{experiment.slug} is no challenge, so that there are no tokens for it")
    published = _published(experiment)
    texts = _unpack(parts[2], _dictionary(published)).split(_END)
    if len(texts) != len(published):
        raise _unfit()
    edited = zip(published.items(), texts, strict=True)
    return experiment, {file: text for (file, before), text in edited if text != before}


def edition(experiment: Experiment) -> str:
    """Which version of its published programs a challenge has: eight hex digits. A token fits one edition only."""
    return f"{crc32(_dictionary(_published(experiment))):08x}"


def _published(experiment: Experiment) -> dict[str, str]:
    return {file: experiment.resource(f"programs/{file}") for file in experiment.variants[0].programs}


def _dictionary(published: Mapping[str, str]) -> bytes:
    return _END.join(published.values()).encode()


def _unpack(payload: str, dictionary: bytes) -> str:
    """The texts; a token of another version of the program fails here too, since the dictionary has a checksum."""
    try:
        data = urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        unpacker = zlib.decompressobj(zdict=dictionary)
        texts = unpacker.decompress(data[_CHECK_BYTES:], 4 * SOURCE_MAX)
        if unpacker.eof and not unpacker.unused_data and crc32(texts).to_bytes(_CHECK_BYTES, "big") == data[:4]:
            return texts.decode()
    except (Error, ValueError, zlib.error):
        pass
    raise _unfit()


def _unfit() -> InputError:
    return InputError("the token is damaged, or was made for another version of this challenge")
