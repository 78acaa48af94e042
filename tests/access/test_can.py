"""`can` and `who_can` over a fake cloud."""

from __future__ import annotations

from dataclasses import replace

import pytest

from idtrans.access import can, who_can
from idtrans.algebra import (
    ALWAYS,
    AllOf,
    AnyOf,
    Condition,
    Except,
    Gate,
    Opaque,
    Quantifier,
    Template,
    Test,
    Variable,
    exact,
    grants,
)
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


HOME = Template(("home/", Variable("user"), "/*"))
STATEMENTS = [
    (box("get", "b/*"),),
    (box("put", "b/*"),),
    (replace(box("get", "b/*"), resources=HOME),),
    (replace(box("get", "b/*"), resources=(HOME, exact("b/x"))),),
    (replace(box("get", "b/*"), resources=replace(HOME, negated=True)),),
    (box("*", "*"), box("get", "b/x", deny=True, name="d")),
    (box("get", "*", when=Opaque("weird")),),
]


@pytest.mark.parametrize("resource", ["b/x", "home/ana/y", "home/eve/y", "other"])
def test_who_can_agrees_with_asking_everybody(resource: str) -> None:
    names = [f"p{number}" for number in range(len(STATEMENTS))]
    cloud, estate = FakeCloud(), estate_of(*names)
    for name, boxes in zip(names, STATEMENTS, strict=True):
        cloud.give(estate, name, *boxes)
    query = Query("", "get", resource, {"user": ("ana",)})
    one_by_one = [can(only(cloud)["fake"], estate, replace(query, principal=name)) for name in names]
    answer = who_can(only(cloud)["fake"], estate, query)
    assert [each for each in one_by_one if each.outcome is Outcome.ALLOW] == list(answer.allowed)
    assert [each for each in one_by_one if each.outcome is Outcome.UNKNOWN] == list(answer.unknown)


@pytest.mark.parametrize(
    ("access", "found"),
    [
        (AllOf(()), None),
        (AnyOf((box("get", "b"), AllOf(()))), None),
        (AnyOf(()), 0),
        (Gate("g", "identity", AllOf((AnyOf((box("get", "b"), box("put", "b"))), box("*", "*")))), 2),
        (Except(box("get", "b"), box("*", "*", deny=True)), 1),
    ],
)
def test_statements_that_grant(access, found) -> None:
    boxes = grants(access)
    assert found == (None if boxes is None else len(boxes))


@pytest.mark.parametrize("layer", ["boundary", "endpoint", "rcp", "scp", "session"])
@pytest.mark.parametrize(
    ("when", "condition"), [(ALWAYS, "another policy grants it"), (MFA, "another policy grants it, and mfa is `true`")]
)
def test_a_policy_that_only_limits_grants_nothing(layer: str, when: Condition, condition: str) -> None:
    cloud, estate = FakeCloud(), estate_of("ana")
    cloud.give(estate, "ana", replace(box("get", "*", when=when), layer=layer))
    found = can(only(cloud)["fake"], estate, Query("ana", "get", "b"))
    assert (Outcome.UNKNOWN, condition) == (found.outcome, found.condition)
    assert f"`{layer}` limits" in found.notes[0]
    answer = who_can(only(cloud)["fake"], estate, Query("", "get", "b"))
    assert ((), 1) == (answer.allowed, len(answer.unknown))


def test_a_limit_beside_a_grant_is_no_doubt() -> None:
    cloud, estate = FakeCloud(), estate_of("ana")
    cloud.give(estate, "ana", box("get", "*"), replace(box("get", "*"), layer="scp"))
    assert Outcome.ALLOW is can(only(cloud)["fake"], estate, Query("ana", "get", "b")).outcome
