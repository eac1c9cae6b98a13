"""Where a program defines what an error names, for errors that no line of it was on the way of."""

import pytest

from py_runtime.lab.definitions import definitions, like, named_in

TEXT = '''\
LIMIT = 2
LIMIT = max(other for other in (1, 3))


class Quota:
    """A class."""

    @property
    def free(self):
        return LIMIT

    async def take(self, task):
        def inner(more):
            unseen = more
        inner(1)


async def run(quota): ...
'''


def caught(call) -> BaseException:
    with pytest.raises(Exception) as error:
        call()
    return error.value


def test_names_are_those_that_python_gives_them():
    assert definitions(TEXT) == {
        "LIMIT": 2,
        "Quota": 5,
        "Quota.free": 9,
        "Quota.take": 12,
        "Quota.take.<locals>.inner": 13,
        "run": 18,
    }


@pytest.mark.parametrize("text", ["def (", "x = '\0'", "(" * 5_000])
def test_a_text_that_cannot_be_read_defines_nothing(text):
    assert definitions(text) == {}


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("Quota(1)", "Quota"),
        ("Quota().take()", "Quota.take"),
        ("Quota().take(1, 2)", "Quota.take"),
        ("Quota().take(1, task=2)", "Quota.take"),
        ("Quota().take(other=2)", "Quota.take"),
        ("run()", "run"),
        ("Quota().give()", "Quota"),
        ("Quota.give()", "Quota"),
        ("run.quota", "function"),
        ("1 + ''", None),
        ("{}[3]", None),
    ],
)
def test_an_error_names_what_was_called_or_what_lacks_an_attribute(call, name):
    namespace: dict = {}
    exec(TEXT, namespace)
    assert named_in(caught(lambda: eval(call, namespace))) == name


def test_an_error_of_the_programs_own_making_names_nothing():
    class Own(TypeError):
        def __str__(self):
            raise RuntimeError

    assert named_in(Own("run() takes nothing")) is None
    assert named_in(AttributeError("no obj")) == "NoneType"


@pytest.mark.parametrize(
    ("name", "meant"), [("run", ("run", 18)), ("Qouta", ("Quota", 5)), ("follow", None), ("take", None)]
)
def test_what_may_have_been_meant_is_near_and_at_the_top_level(name, meant):
    assert like(name, TEXT) == meant
