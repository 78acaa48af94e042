"""A deny that was not understood, in any layer: "yes" becomes unknown, "no" stays what it is."""

from __future__ import annotations

from typing import Any

import pytest

from idtrans.model.values import Layer
from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    APP,
    BUCKET,
    OBJECT,
    SESSION,
    allow,
    boundary,
    deny,
    estate,
    identity,
    lower,
    outcome,
    person,
    resource,
    trust,
)

ENDPOINT = f"arn:aws:ec2:eu-west-1:{ACCOUNT}:vpc-endpoint/vpce-1"
DEPLOY = f"arn:aws:iam::{ACCOUNT}:role/deploy"
ALL, PUBLIC = allow("*"), allow("*", Principal="*")
UNREAD: list[tuple[str, dict[str, Any]]] = [
    ("an unknown operator", {"Condition": {"Foo": {"a": "b"}}}),
    ("an unknown element", {"Foo": "b"}),
    ("a value that is no number", {"Condition": {"NumericEquals": {"s3:max-keys": "ten"}}}),
    ("a name that is no action", {"Action": "s3 GetObject"}),
    ("a variable that does not end", {"Condition": {"StringEquals": {"s3:prefix": "${aws:x"}}}),
]


def policies(layer: Layer, *denies: dict[str, Any]) -> list[Any]:
    """Return what lets two callers in, with denies in one layer."""
    named = [{**each, "Principal": "*"} for each in denies]
    held = [*identity(ANA, ALL), *identity(APP, ALL)]
    found = {
        Layer.IDENTITY: [*identity(ANA, *denies), *identity(APP, *denies)],
        Layer.BOUNDARY: [*boundary(ANA, ALL, *denies), *boundary(APP, ALL, *denies)],
        Layer.SESSION: lower(ALL, *denies, layer=Layer.SESSION, principal=SESSION),
        Layer.SCP: lower(ALL, *denies, layer=Layer.SCP, scope=ACCOUNT),
        Layer.RCP: lower(*named, layer=Layer.RCP, scope=ACCOUNT),
        Layer.ENDPOINT: lower(PUBLIC, *named, layer=Layer.ENDPOINT, resource=ENDPOINT),
        Layer.RESOURCE: resource(BUCKET, *named),
    }
    return [*held, *found[layer]]


LAYERS = [layer for layer in Layer if layer is not Layer.TRUST]
PASSING = {"aws:SourceVpce": "vpce-1"}


@pytest.mark.parametrize(("what", "elements"), UNREAD, ids=[what for what, _ in UNREAD])
@pytest.mark.parametrize("layer", LAYERS)
def test_an_unread_deny_leaves_a_yes_open(layer, what, elements):
    statement = {**deny("s3:*"), **elements}
    for found, expected in (
        (policies(layer), "allow"),
        (policies(layer, statement), "unknown"),
        (policies(layer, statement, deny("s3:*")), "explicit-deny"),
    ):
        assert (what, expected) == (what, outcome(estate(found), SESSION, "s3:GetObject", OBJECT, **PASSING))


@pytest.mark.parametrize("layer", LAYERS)
def test_an_unread_deny_changes_no_no(layer):
    statement = {**deny("s3:*"), "Condition": {"Foo": {"a": "b"}}}
    limits = [entity for entity in policies(layer, statement) if getattr(entity, "layer", None) is not Layer.IDENTITY]
    world = estate(person(ANA), person(APP), identity(APP, allow("ec2:*"), statement), limits)
    assert "implicit-deny" == outcome(world, SESSION, "s3:GetObject", OBJECT, **PASSING)


@pytest.mark.parametrize("layer", LAYERS)
def test_an_unread_deny_about_something_else_leaves_a_yes(layer):
    statement = {**deny("ec2:*"), "Condition": {"Foo": {"a": "b"}}}
    assert "allow" == outcome(estate(policies(layer, statement)), SESSION, "s3:GetObject", OBJECT, **PASSING)


def test_a_trust_policy_with_an_unread_deny():
    unread = deny("sts:AssumeRole", None, Principal="*", Condition={"Foo": {"a": "b"}})
    names_ana = allow("sts:AssumeRole", None, Principal={"AWS": ANA})
    for statements, expected in (([names_ana], "allow"), ([names_ana, unread], "unknown"), ([unread], "implicit-deny")):
        world = estate(person(ANA), trust(*statements, role=DEPLOY))
        assert expected == outcome(world, ANA, "sts:AssumeRole", DEPLOY)
