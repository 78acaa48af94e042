from __future__ import annotations

from itertools import product

import pytest

from idtrans.algebra import Truth

TRUE, FALSE, UNKNOWN = Truth.TRUE, Truth.FALSE, Truth.UNKNOWN


@pytest.mark.parametrize(
    ("one", "two", "both", "either"),
    [
        (TRUE, TRUE, TRUE, TRUE),
        (TRUE, FALSE, FALSE, TRUE),
        (FALSE, FALSE, FALSE, FALSE),
        (UNKNOWN, TRUE, UNKNOWN, TRUE),
        (UNKNOWN, FALSE, FALSE, UNKNOWN),
        (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_tables(one, two, both, either):
    assert (both, both) == (one & two, two & one)
    assert (either, either) == (one | two, two | one)


def test_negation_and_its_laws():
    assert (FALSE, TRUE, UNKNOWN) == (~TRUE, ~FALSE, ~UNKNOWN)
    for one, two in product(Truth, repeat=2):
        assert ~(one & two) is ~one | ~two
        assert ~(one | two) is ~one & ~two


def test_of_takes_any_value():
    assert (TRUE, FALSE, FALSE) == (Truth.of("a"), Truth.of(""), Truth.of(value=False))


def test_it_refuses_to_be_a_bool():
    with pytest.raises(TypeError, match="three values"):
        bool(UNKNOWN)
