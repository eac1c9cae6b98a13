"""The completion token: any edited text comes back, and a damaged, foreign or hostile one is refused in a sentence."""

import random
import string
import zlib
from base64 import urlsafe_b64encode
from dataclasses import replace
from zlib import crc32

import pytest

from py_runtime.lab import Variant
from py_runtime.lab.completion import TOKEN_MAX, edition, read_completion, write_completion
from py_runtime.lab.errors import InputError
from py_runtime.lab.programs import SOURCE_MAX

from .toy import CHALLENGES, TASK

REFERENCE = TASK.resource("repairs/reference.py")
TOKEN = write_completion(TASK, {"main.py": REFERENCE})
ANY = random.Random(1)
TEXTS = {
    "one letter": "x",
    "nothing": "",
    "the reference": REFERENCE,
    "tildes and lines": "~\r\n~~\t\n",
    "every script": "π = 'ünï¢ødé 漢字 🙂'\n" * 20,
    "a lone surrogate's neighbours": "\ud7ff\ue000",
    "the longest, by lot": "".join(ANY.choices(string.printable, k=SOURCE_MAX)),
    "the longest, of one letter": "x" * SOURCE_MAX,
}


def packed(texts: bytes, check: bytes | None = None, dictionary: bytes | None = None) -> str:
    """A token made by hand."""
    published = TASK.resource("programs/main.py").encode()
    packer = zlib.compressobj(9, zdict=published if dictionary is None else dictionary)
    data = packer.compress(texts) + packer.flush()
    head = crc32(texts).to_bytes(4, "big") if check is None else check
    return f"olc1~task~{urlsafe_b64encode(head + data).decode().rstrip('=')}"


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_an_edited_text_comes_back(text):
    token = write_completion(TASK, {"main.py": text})
    assert len(token) <= TOKEN_MAX
    assert set(token) <= set(string.ascii_letters + string.digits + "-_~")
    assert read_completion(token, CHALLENGES) == (TASK, {"main.py": text})


def test_the_same_repair_has_the_same_token_and_a_small_one_is_short():
    assert write_completion(TASK, {"main.py": REFERENCE}) == TOKEN
    assert len(TOKEN) < 80


def test_no_edit_has_a_token_too():
    assert read_completion(write_completion(TASK, {}), CHALLENGES) == (TASK, {})


@pytest.mark.parametrize(
    "sources", [{"main.py": "x = 1\n"}, {"second.py": "y = 2\n"}, {"main.py": "", "second.py": "~"}]
)
def test_a_challenge_of_two_programs_keeps_them_apart(sources):
    texts = {"programs/main.py": "first\n", "programs/second.py": "second\n"}
    two = of_texts(texts, variants=(Variant("plain", ("main.py", "second.py"), "holds"),))
    assert read_completion(write_completion(two, sources), {"task": two}) == (two, sources)


class OfTexts(type(TASK)):
    """An experiment whose programs are kept in its texts."""

    def resource(self, path):
        return self._texts["files"][path]


def of_texts(files: dict[str, str], **changes) -> OfTexts:
    return OfTexts(**{**vars(TASK), "_texts": {"files": files}, **changes})


@pytest.mark.parametrize("fold", [lambda token: token, lambda token: f"\n {token[:9]}\r\n  {token[9:]}\t\n"])
def test_a_broken_line_does_no_harm(fold):
    assert read_completion(fold(TOKEN), CHALLENGES)[1] == {"main.py": REFERENCE}


@pytest.mark.parametrize("put", ["A", "_", "!", "=", "~", "", "é"])
def test_a_token_damaged_at_any_place_is_refused_or_says_the_same(put):
    for index in range(len(TOKEN)):
        damaged = TOKEN[:index] + put + TOKEN[index + 1 :]
        try:
            assert read_completion(damaged, CHALLENGES)[1] == {"main.py": REFERENCE}, index
        except InputError as error:
            assert len(str(error)) < 300


@pytest.mark.parametrize("length", range(len(TOKEN)))
def test_a_token_cut_short_is_refused(length):
    with pytest.raises(InputError):
        read_completion(TOKEN[:length], CHALLENGES)


REFUSED = {
    "nothing": ("", "a token reads olc1~"),
    "words": ("I have solved it", "a token reads olc1~"),
    "markup": ("<script>alert(1)</script>", "a token reads olc1~"),
    "another version": (TOKEN.replace("olc1", "olc2"), "a token reads olc1~"),
    "a schedule": ("ol1~task~plain~0_0", "a token reads olc1~"),
    "no such challenge": (TOKEN.replace("task", "nothing"), "unknown experiment 'nothing'"),
    "no challenge": (TOKEN.replace("task", "toy"), "toy is no challenge, so that there are no tokens for it"),
    "a part too many": (TOKEN + "~", "a token reads olc1~"),
    "too long": ("x" * (TOKEN_MAX + 1), "the token is longer than 300,000 characters"),
    "an empty program part": ("olc1~task~", "damaged"),
    "no base64": ("olc1~task~!!!!", "damaged"),
    "another program's dictionary": (packed(b"x", dictionary=b"another text"), "another version of this challenge"),
    "a checksum that is wrong": (packed(b"x", check=b"\0\0\0\0"), "damaged"),
    "bytes that are no text": (packed(b"\xff\xfe"), "damaged"),
    "one program too many": (packed(b"x\0y"), "damaged"),
    "an end that is missing": (packed(b"x = 1\n" * 50)[:-8], "damaged"),
    "a bomb": (packed(b"\0" * 100_000_000), "damaged"),
    "a bomb of text": (packed(b"x" * 100_000_000), "damaged"),
}


@pytest.mark.parametrize(("token", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_token_is_refused_with_a_sentence(token, words):
    with pytest.raises(InputError, match=words):
        read_completion(token, CHALLENGES)


def test_a_token_of_an_earlier_edition_no_longer_fits():
    changed = of_texts({"programs/main.py": TASK.resource("programs/main.py") + "\n"})
    assert edition(changed) != edition(TASK)
    with pytest.raises(InputError, match="another version of this challenge"):
        read_completion(TOKEN, {"task": changed})


def test_a_token_says_nothing_of_another_challenge():
    other = replace(TASK, slug="other")
    assert read_completion(TOKEN.replace("task", "other"), {"other": other})[0] is other, (
        "the same programs, so it fits"
    )
    assert edition(other) == edition(TASK)
