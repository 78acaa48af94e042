"""Sets of numbers and of times."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idtrans.algebra import Kind, NumberSet, TimeSet
from idtrans.algebra._intervals import EMPTY, FULL
from idtrans.algebra._time import seconds_of
from idtrans.model.errors import DataError

POINTS = ["-1", "-0.5", "0", "0.5", "1", "1.5", "2"]
NOT_NUMBERS = [
    "",
    " 1",
    "1 ",
    "a",
    "1_000",
    "NaN",
    "Infinity",
    "-",
    "1e",
    "1e100",
    "0x10",
    "\N{ARABIC-INDIC DIGIT ONE}",
    "1,5",
    "9" * 101,
]
NOT_TIMES = ["", "now", "2020-13-01", "2020-02-30", "20200101T00", "2020-01-01T25:00Z", "2020-W01-1", "1e5", "1_0"]


@pytest.mark.parametrize(
    ("numbers", "text", "expected"),
    [
        (NumberSet.equal("1"), "1", True),
        (NumberSet.equal("1"), "1.00", True),
        (NumberSet.equal("1"), "+1e0", True),
        (NumberSet.equal("100"), "1E2", True),
        (NumberSet.equal("-0"), "0", True),
        (NumberSet.equal(".5"), "0.5", True),
        (NumberSet.equal("5."), "5", True),
        (NumberSet.equal("1"), "1.0000000000000000000000000000000000000001", False),
        (NumberSet.below("3600"), "3599.9", True),
        (NumberSet.below("3600"), "3600", False),
        (NumberSet.at_most("3600"), "3600", True),
        (NumberSet.above("3600"), "3600", False),
        (NumberSet.above("3600"), "3601", True),
        (NumberSet.at_least("3600"), "3600", True),
        (NumberSet.at_least("3600"), "-3601", False),
        (NumberSet.one_of(["2", "1", "2"]), "2", True),
        (NumberSet.one_of(["2", "1", "2"]), "1.5", False),
        (NumberSet.one_of([]), "0", False),
        (NumberSet.everything(), "-7.25", True),
        (NumberSet.nothing(), "0", False),
    ],
)
def test_numbers(numbers, text, expected):
    assert expected is numbers.matches(text)
    assert expected is not (~numbers).matches(text)


@pytest.mark.parametrize("text", NOT_NUMBERS)
def test_what_is_no_number(text):
    assert not NumberSet.everything().matches(text)
    assert not (~NumberSet.equal("1")).matches(text)
    with pytest.raises(DataError, match="is not a number"):
        NumberSet.below(text)


@pytest.mark.parametrize(
    ("expected", "numbers"),
    [
        (None, NumberSet.nothing()),
        ("0", NumberSet.everything()),
        ("7", NumberSet.equal("7.0")),
        ("3", NumberSet.above("2.5") & NumberSet.below("9")),
        ("3", NumberSet.above("2")),
        ("-3", NumberSet.below("-2")),
        ("1.5", NumberSet.above("1") & NumberSet.below("2")),
        ("-2.5", NumberSet.at_most("-2.5")),
        ("1", NumberSet.at_least("1") - NumberSet.above("1")),
        (None, NumberSet.above("1") & NumberSet.below("1")),
        ("-1", ~NumberSet.at_least("0")),
        ("1", NumberSet.above("0")),
        ("0.5", (NumberSet.at_least("0.5") & NumberSet.below("0.6"))),
    ],
)
def test_number_witness(expected, numbers):
    assert expected == numbers.witness()
    assert (expected is None) is numbers.is_empty()


def test_the_middle_of_very_close_numbers():
    low, high = "9" * 40 + "." + "1" * 50, "9" * 40 + "." + "1" * 49 + "2"
    numbers = NumberSet.above(low) & NumberSet.below(high)
    assert numbers.matches(numbers.witness() or "")


@pytest.mark.parametrize(
    ("expected", "numbers"),
    [
        ("any number", NumberSet.everything()),
        ("nothing", NumberSet.nothing()),
        ("`1`", NumberSet.equal("1.0")),
        ("`1` or `2`", NumberSet.one_of("21")),
        ("not `1`", ~NumberSet.equal("1")),
        ("not (`1` or `2`)", ~NumberSet.one_of("21")),
        ("below `3600`", NumberSet.below("3.6e3")),
        ("at most `3600`", NumberSet.at_most("3600")),
        ("above `1` and below `2`", NumberSet.above("1") & NumberSet.below("2")),
        ("below `0` or at least `1`", NumberSet.below("0") | NumberSet.at_least("1")),
        ("`0` or above `1`", NumberSet.equal("-0") | NumberSet.above("1")),
    ],
)
def test_number_description(expected, numbers):
    assert expected == numbers.describe()
    assert expected == str(numbers)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05+00:00"),
        ("2026-01-02T03:04:05Z", "2026-01-02t04:04:05+01:00"),
        ("2026-01-02T03:04:05Z", "2026-01-02 03:04:05"),
        ("2026-01-02T03:04:05Z", "1767323045"),
        ("2026-01-02T03:04:05.5Z", "1767323045.500"),
        ("2026-01-02", "2026-01-02T00:00:00Z"),
        ("2026-02", "2026-02-01"),
        ("2026", "2026-01-01"),
        ("0", "1970-01-01"),
        ("-1", "1969-12-31T23:59:59Z"),
        ("0001", "0001-01-01T00:00Z"),
    ],
)
def test_spellings_of_one_time(text, same):
    assert TimeSet.equal(text) == TimeSet.equal(same)
    assert TimeSet.equal(text).matches(same)


@pytest.mark.parametrize(
    ("times", "text", "expected"),
    [
        (TimeSet.above("2026-01-01"), "2026-01-01", False),
        (TimeSet.above("2026-01-01"), "2026-01-01T00:00:00.000001Z", True),
        (TimeSet.below("2026-01-01"), "2025-12-31T23:59:59Z", True),
        (TimeSet.below("2026-01-01"), "2026-01-01T00:30:00+01:00", True),
        (TimeSet.at_least("2026-01-01"), "2026", True),
        (TimeSet.at_most("2026-01-01"), "99999999999999", False),
        (TimeSet.everything(), "99999999999999", True),
    ],
)
def test_times(times, text, expected):
    assert expected is times.matches(text)
    assert expected is not (~times).matches(text)


@pytest.mark.parametrize("text", NOT_TIMES)
def test_what_is_no_time(text):
    assert not TimeSet.everything().matches(text)
    assert not (~TimeSet.equal("2026")).matches(text)
    with pytest.raises(DataError, match="is not a time"):
        TimeSet.equal(text)


@pytest.mark.parametrize(
    ("witness", "words", "times"),
    [
        ("2026-01-01T00:00:00Z", "any time", TimeSet.everything()),
        (None, "nothing", TimeSet.nothing()),
        ("2030-05-06T00:00:01Z", "after `2030-05-06T00:00:00Z`", TimeSet.above("2030-05-06")),
        ("2020-01-01T00:00:00Z", "up to `2020-01-01T00:00:00Z`", TimeSet.at_most("2020")),
        (
            "2020-01-01T00:00:00Z",
            "from `2020-01-01T00:00:00Z` and before `2021-01-01T00:00:00Z`",
            TimeSet.at_least("2020") & TimeSet.below("2021"),
        ),
        ("2020-01-01T00:00:00.500000Z", "after `1577836800` and before `1577836801`", None),
        ("99999999999999", "`99999999999999`", TimeSet.equal("99999999999999")),
        ("0.123456789", "`0.123456789`", TimeSet.equal("0.123456789")),
    ],
)
def test_time_witness_and_description(witness, words, times):
    if times is None:
        times = TimeSet.above("1577836800") & TimeSet.below("1577836801")
        words = "after `2020-01-01T00:00:00Z` and before `2020-01-01T00:00:01Z`"
    assert witness == times.witness()
    assert words == times.describe()


def test_kinds_and_values():
    assert [Kind.NUMBER, Kind.TIME] == [NumberSet.nothing().kind, TimeSet.nothing().kind]
    assert 2 == len({NumberSet.equal("1"), TimeSet.equal("1")})
    assert NumberSet.equal("1") == pickle.loads(pickle.dumps(NumberSet.equal("1.0")))  # noqa: S301 - written here
    assert 2 == len({NumberSet.below("1"), NumberSet.below("1.0"), NumberSet.at_most("1")})
    assert Decimal("0.5") == seconds_of(datetime(1970, 1, 1, 0, 0, 0, 500_000, tzinfo=UTC))


def _worlds():
    basic = st.sampled_from(POINTS).flatmap(
        lambda point: st.sampled_from(
            [
                (NumberSet.equal(point), lambda x: x == Decimal(point)),
                (NumberSet.below(point), lambda x: x < Decimal(point)),
                (NumberSet.at_most(point), lambda x: x <= Decimal(point)),
                (NumberSet.above(point), lambda x: x > Decimal(point)),
                (NumberSet.at_least(point), lambda x: x >= Decimal(point)),
            ]
        )
    )

    def combine(pair):
        (one, first), (two, second) = pair
        return [
            (one & two, lambda x: first(x) and second(x)),
            (one | two, lambda x: first(x) or second(x)),
            (one - two, lambda x: first(x) and not second(x)),
            (~one, lambda x: not first(x)),
        ]

    return st.recursive(
        basic, lambda worlds: st.tuples(worlds, worlds).map(combine).flatmap(st.sampled_from), max_leaves=6
    )


@given(_worlds())
def test_number_sets_agree_with_comparisons(world):
    numbers, truth = world
    samples = [Decimal(quarter) / 4 for quarter in range(-8, 13)]
    assert [truth(sample) for sample in samples] == [numbers.matches(str(sample)) for sample in samples]
    witness = numbers.witness()
    assert (witness is None) is (numbers.line == EMPTY) is not any(map(truth, samples))
    assert witness is None or truth(Decimal(witness))
    assert ~~numbers == numbers
    assert (numbers | ~numbers).line == FULL
    assert (numbers & ~numbers).is_empty()
