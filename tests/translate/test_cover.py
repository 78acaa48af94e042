from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.model.values import UNKNOWN, Plane
from idtrans.translate import _cover
from idtrans.translate._cover import Bearer, cost, cover

A, B, C = "abc"


def bearer(role: str, covers: str, **excess: Plane) -> Bearer:
    return Bearer(role, frozenset(covers), excess)


@pytest.mark.parametrize(
    ("needed", "bearers", "expected"),
    [
        ("", [], []),
        ("a", [], []),
        ("a", [bearer("r", "b")], []),
        ("a", [bearer("r", "a")], ["r"]),
        ("ab", [bearer("r", "a"), bearer("s", "b")], ["r", "s"]),
        ("ab", [bearer("r", "a"), bearer("s", "b"), bearer("t", "ab")], ["t"]),
        ("ab", [bearer("r", "a"), bearer("s", "b"), bearer("t", "ab", x=Plane.METADATA)], ["r", "s"]),
        ("a", [bearer("r", "a", x=Plane.SECRET), bearer("s", "a", x=Plane.METADATA, y=Plane.METADATA)], ["s"]),
        ("a", [bearer("r", "a", x=Plane.ADMIN), bearer("s", "a", **dict.fromkeys("pqrstuvw", Plane.DATA))], ["s"]),
        ("a", [bearer("r", "a", x=Plane.DATA), bearer("s", "a", x=Plane.CONFIG, y=Plane.CONFIG)], ["s"]),
        ("a", [bearer("r", "a"), bearer("s", "a")], ["r"]),
        ("ab", [bearer("r", "a")], ["r"]),
        (
            "ab",
            [bearer("r", "a", x=Plane.DATA), bearer("s", "b", x=Plane.DATA), bearer("t", "ab", y=Plane.DATA)],
            ["t"],
        ),
    ],
)
def test_the_cheapest_roles(needed, bearers, expected):
    assert expected == [each.role for each in cover(frozenset(needed), bearers).bearers]


def test_what_is_not_known_costs_as_much_as_data():
    assert (0, 0, 1, 0, 0, 1) == cost([Bearer("r", frozenset(), {"x": UNKNOWN})])
    assert (1, 1, 2, 1, 1, 1) == cost(
        [
            bearer(
                "r",
                "",
                a=Plane.SECRET,
                b=Plane.EXECUTE,
                c=Plane.CRYPTO,
                d=Plane.DATA,
                e=Plane.CONFIG,
                f=Plane.METADATA,
            )
        ]
    )


def test_past_the_limit_some_cover_is_found(monkeypatch):
    monkeypatch.setattr(_cover, "NODE_LIMIT", 1)
    bearers = [bearer(f"r{n}", f"{A}{B}{C}"[n] + "abc"[(n + 1) % 3], **{f"x{n}": Plane.DATA}) for n in range(3)]

    found = cover(frozenset("abc"), bearers)
    assert not found.complete
    assert frozenset("abc") == frozenset(chain.from_iterable(each.covers for each in found.bearers))


def test_as_much_as_has_to_be_is_searched():
    found = cover(frozenset("ab"), [bearer("r", "a"), bearer("s", "b"), bearer("t", "ab")])
    assert (True, 2) == (found.complete, found.nodes)


BEARERS = st.lists(
    st.builds(
        Bearer,
        st.text("rs", min_size=3, max_size=6),
        st.frozensets(st.sampled_from("abcd"), max_size=3),
        st.dictionaries(st.sampled_from("wxyz"), st.sampled_from([Plane.DATA, Plane.CONFIG, Plane.ADMIN]), max_size=2),
    ),
    max_size=5,
    unique_by=lambda each: each.role,
)


@settings(max_examples=60, deadline=None)
@given(BEARERS)
def test_no_cover_is_cheaper(bearers):
    needed = frozenset("abcd")
    coverable = needed & frozenset(chain.from_iterable(each.covers for each in bearers))
    subsets = chain.from_iterable(combinations(bearers, size) for size in range(len(bearers) + 1))
    costs = [
        cost(each) for each in subsets if coverable <= frozenset(chain.from_iterable(role.covers for role in each))
    ]

    found = cover(needed, bearers)
    assert found.complete
    assert coverable <= frozenset(chain.from_iterable(each.covers for each in found.bearers))
    # A permission has one plane in life; here it may have two, and the last one counts.
    if len({(name, plane) for each in bearers for name, plane in each.excess.items()}) == len(
        {name for each in bearers for name in each.excess}
    ):
        assert min(costs) == cost(found.bearers)
