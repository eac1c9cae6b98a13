"""Every type of parameter takes what it should, from text or JSON, and refuses the rest in one sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from py_runtime.lab import Choice, InputError, Integer, Integers
from py_runtime.lab.parameters import read_parameters, read_seed

LIMIT = Integer("limit", 10, 1, 100, "slots")
MOOD = Choice("mood", "quiet", ("quiet", "noisy"))
SIZES = Integers("sizes", (1, 2), 0, 9, "ms", 3)
ALL = (LIMIT, MOOD, SIZES)


@pytest.mark.parametrize(("given", "value"), [(7, 7), ("7", 7), (" 7 ", 7), ("+7", 7), ("007", 7), (1, 1), (100, 100)])
def test_an_integer_reads_numbers_and_their_texts(given, value):
    assert LIMIT.read(given) == value


NOT_NUMBERS = ["abc", "", " ", "1.5", 1.5, 7.0, "1e3", True, None, [], {}, "٣", "1_0", "0x7"]


@pytest.mark.parametrize("given", [0, 101, -1, "-1", "1" * 5_000, 10**30, *NOT_NUMBERS])
def test_an_integer_refuses_the_rest_with_its_range(given):
    with pytest.raises(InputError, match=r"^limit must be a whole number from 1 to 100 \(slots\), got '.*'$") as caught:
        LIMIT.read(given)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize("given", ["loud", "Quiet", "", None, 1, ["quiet"], {"quiet": 1}])
def test_a_choice_refuses_other_words_with_the_list(given):
    with pytest.raises(InputError, match="^mood must be one of quiet, noisy, got "):
        MOOD.read(given)


@pytest.mark.parametrize(
    ("given", "values"),
    [("1,2,3", [1, 2, 3]), ("1, 2", [1, 2]), ("4", [4]), ([1, "2"], [1, 2]), ((), []), ([], []), ("", []), (" ", [])],
)
def test_a_list_reads_commas_and_json(given, values):
    assert SIZES.read(given) == values


@pytest.mark.parametrize(
    "given", ["1,,2", "1;2", "10", "1,x", [1, 2, 3, 4], [10], [True], [[1]], 7, 0, None, False, {}, {"a": 1}]
)
def test_a_list_refuses_the_rest_with_form_and_range(given):
    words = r"^sizes must be at most 3 whole numbers from 0 to 9 \(ms\) separated by commas, got "
    with pytest.raises(InputError, match=words):
        SIZES.read(given)


def test_what_is_not_given_takes_its_default_in_the_order_of_declaration():
    values = read_parameters(ALL, {"mood": "noisy"})
    assert list(values.items()) == [("limit", 10), ("mood", "noisy"), ("sizes", [1, 2])]


def test_a_default_may_depend_on_the_other_values_whatever_their_order():
    depends = Integers("delays", (0,), 0, 99, "ms", 5, lambda values: [values["limit"]] * 2)
    assert read_parameters((depends, LIMIT), {"limit": "3"})["delays"] == [3, 3]
    assert read_parameters((depends, LIMIT), {"delays": "1"})["delays"] == [1]


def test_an_unknown_parameter_is_refused_with_the_list():
    with pytest.raises(InputError, match="^unknown parameter 'limitt'; there are: limit, mood, sizes$"):
        read_parameters(ALL, {"limitt": 3})


@pytest.mark.parametrize("given", [0, "0", 4294967295])
def test_seeds_are_32_bits_wide(given):
    assert read_seed(given) == int(given)


@pytest.mark.parametrize("given", [-1, 4294967296, "x", None, 1.0, True])
def test_other_seeds_are_refused(given):
    with pytest.raises(InputError, match="^seed must be a whole number from 0 to 4294967295, got "):
        read_seed(given)


@given(st.one_of(st.text(), st.integers(), st.floats(), st.none(), st.lists(st.integers()), st.binary()))
def test_nothing_but_an_input_error_ever_comes_out(given):
    for parameter in ALL:
        try:
            parameter.read(given)
        except InputError as error:
            assert parameter.name in str(error)
