"""`can` and `who_can` over a fake cloud."""

from __future__ import annotations

import pytest

from idtrans.access import can, who_can
from idtrans.algebra import Opaque, Quantifier, Test, exact
from idtrans.model.decisions import Outcome
from idtrans.model.documents import Unsupported
from idtrans.ports import Query
from tests.fakes import FakeCloud, box, estate_of, only, source

MFA = Test("mfa", Quantifier.ONE, exact("true"))


@pytest.mark.parametrize(
    ("boxes", "outcome"),
    [
        ((box("get", "b/*"),), Outcome.ALLOW),
        ((box("put", "b/*"),), Outcome.IMPLICIT_DENY),
        ((box("get", "b/*"), box("*", "b/x", deny=True, name="d")), Outcome.EXPLICIT_DENY),
        ((box("get", "b/*", when=MFA),), Outcome.CONDITIONAL),
        ((box("get", "b/*", when=Opaque("weird")),), Outcome.UNKNOWN),
        ((box("get", "b/*"), box("*", "*", deny=True, when=Opaque("weird"), name="d")), Outcome.UNKNOWN),
        ((), Outcome.IMPLICIT_DENY),
    ],
)
def test_outcomes(boxes: tuple, outcome: Outcome) -> None:
    cloud, estate = FakeCloud(), estate_of("ana")
    cloud.give(estate, "ana", *boxes)
    assert can(only(cloud)["fake"], estate, Query("ana", "get", "b/x")).outcome is outcome


def test_a_condition_is_named_and_met_or_missed_when_the_context_is_closed() -> None:
    cloud, estate = FakeCloud(), estate_of("ana")
    cloud.give(estate, "ana", box("get", "*", when=MFA))
    assert can(only(cloud)["fake"], estate, Query("ana", "get", "b")).condition == "mfa is `true`"
    assert can(only(cloud)["fake"], estate, Query("ana", "get", "b", closed=True)).outcome is Outcome.IMPLICIT_DENY
    assert can(only(cloud)["fake"], estate, Query("ana", "get", "b", {"mfa": ("true",)})).outcome is Outcome.ALLOW


def test_what_was_not_understood_is_noted_once() -> None:
    doubt = Unsupported("no idea what `x` is", source("f.json"))
    cloud, estate = FakeCloud(remarks=(doubt, doubt)), estate_of("ana")
    assert can(only(cloud)["fake"], estate, Query("ana", "get", "b")).notes == (
        "not understood: no idea what `x` is (f.json)",
    )


def test_who_can_keeps_the_unknown_apart() -> None:
    cloud, estate = FakeCloud(), estate_of("ana", "ben", "cyd", "dan")
    cloud.give(estate, "ana", box("get", "*"))
    cloud.give(estate, "ben", box("get", "*", when=MFA))
    cloud.give(estate, "cyd", box("get", "*", when=Opaque("weird")))
    answer = who_can(only(cloud)["fake"], estate, Query("", "get", "b"))
    assert [decision.request.principal for decision in answer.allowed] == ["ana", "ben"]
    assert [decision.request.principal for decision in answer.unknown] == ["cyd"]
    assert answer.examined == 4
