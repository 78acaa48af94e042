from __future__ import annotations

import pytest

from idtrans.algebra import ALWAYS
from idtrans.clouds.aws import CLOUD
from idtrans.model.documents import Unsupported
from idtrans.model.entities import Policy, PrincipalKind
from idtrans.model.estate import Estate
from idtrans.model.values import UNKNOWN, Layer, Plane
from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    APP,
    BUCKET,
    HERE,
    NOW,
    allow,
    attached,
    boundary,
    deny,
    estate,
    identity,
    lower,
    managed,
    person,
    resource,
    trust,
)

OBJECTS = f"{BUCKET}/*"


def policies(*statements, owner=ANA):
    return [entity for entity in identity(owner, *statements) if isinstance(entity, Policy)]


@pytest.mark.parametrize(
    ("statements", "plane", "owner_like", "read_only"),
    [
        ([allow("*")], Plane.ADMIN, True, False),
        ([allow("*", None, NotResource="arn:aws:s3:::hr-data/*")], Plane.ADMIN, True, False),
        ([allow(None, NotAction="s3:GetObject")], Plane.ADMIN, True, False),
        ([allow(None, NotAction=["iam:*", "organizations:*"])], Plane.ADMIN, False, False),
        ([allow("iam:*")], Plane.ADMIN, True, False),
        ([allow("iam:PutUserPolicy")], Plane.ADMIN, True, False),
        ([allow("iam:PutUserPolicy", ANA)], Plane.ADMIN, False, False),
        ([allow("*"), deny("iam:*")], Plane.ADMIN, False, False),
        ([allow("*"), deny("iam:*", ANA)], Plane.ADMIN, True, False),
        ([allow("s3:GetObject", OBJECTS)], Plane.DATA, False, True),
        ([allow(["s3:GetObject", "s3:PutObject"], OBJECTS)], Plane.DATA, False, False),
        ([allow("iam:ListRoles")], Plane.METADATA, False, True),
        ([allow("none:Such")], UNKNOWN, False, UNKNOWN),
        ([allow("none:Such"), allow("*")], Plane.ADMIN, True, False),
        ([allow("GetObject")], UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_how_dangerous_a_policy_is(statements, plane, owner_like, read_only):
    [fact] = CLOUD.grants(estate(policies(*statements)))
    assert (plane, owner_like, read_only) == (fact.plane, fact.owner_like, fact.read_only)
    assert (ANA, PrincipalKind.USER) == (fact.subject, fact.principal_kind)


def test_scopes_levels_and_conditions_of_grants():
    mfa = {"Bool": {"aws:MultiFactorAuthPresent": "true"}}
    world = estate(
        policies(allow("s3:GetObject", [OBJECTS, BUCKET], Condition=mfa)),
        policies(allow("s3:GetObject", Condition=mfa), allow("s3:ListBucket"), owner=APP),
    )
    found = {fact.subject: (fact.scope, fact.scope_level, fact.conditional) for fact in CLOUD.grants(world)}
    assert {ANA: (f"{OBJECTS} {BUCKET}", "resource", True), APP: ("*", "account", False)} == found


def test_managed_policies_are_granted_by_name():
    group = f"arn:aws:iam::{ACCOUNT}:group/g"
    own = f"arn:aws:iam::{ACCOUNT}:policy/team/p"
    world = estate(
        person(ANA),
        managed(own, allow("s3:GetObject", OBJECTS)),
        attached(own, ANA),
        attached(own, ANA, Layer.BOUNDARY),
        attached("arn:aws:iam::aws:policy/AdministratorAccess", group),
        attached("arn:aws:iam::aws:policy/Unheard", "odd"),
    )
    found = [(fact.subject, fact.principal_kind.value, fact.role, fact.owner_like) for fact in CLOUD.grants(world)]
    expected = [
        (ANA, "user", "p", False),
        (group, "group", "AdministratorAccess", True),
        ("odd", "unknown", "Unheard", UNKNOWN),
    ]
    assert expected == found


def test_a_policy_that_only_denies_and_other_layers_grant_nothing():
    world = estate(
        policies(deny("*")),
        boundary(ANA, allow("*")),
        resource(BUCKET, allow("s3:*", Principal="*")),
        trust(allow("sts:AssumeRole", None, Principal="*")),
    )
    assert () == CLOUD.grants(world)


ASKED = ("s3:GetObject", "s3:PutObject", "s3:ListBucket", "sns:Publish")


def held(world, principal=ANA):
    return {
        holding.scope: (tuple(filter(holding.permissions.matches, ASKED)), holding.condition_text)
        for holding in CLOUD.holdings(principal, world)
    }


def test_what_is_held_by_scope_and_useful_there():
    world = estate(identity(ANA, allow(["s3:GetObject", "s3:ListBucket"], [BUCKET, OBJECTS, "arn:aws:s3:::b*"])))
    expected = {
        BUCKET: (("s3:ListBucket",), None),
        OBJECTS: (("s3:GetObject",), None),
        "arn:aws:s3:::b*": (("s3:GetObject", "s3:ListBucket"), None),
    }
    assert expected == held(world)


def test_what_is_useless_on_a_scope_is_not_held():
    assert {} == held(estate(identity(ANA, allow("s3:GetObject", BUCKET))))


def test_denies_and_boundaries_are_taken_off_where_that_is_certain():
    world = estate(
        identity(ANA, allow("s3:*", OBJECTS), allow("sns:*"), deny("s3:Put*", f"{BUCKET}/*")),
        boundary(ANA, allow("s3:*"), allow("sns:*", Condition={"Bool": {"a:b": "true"}})),
    )
    assert {OBJECTS: (("s3:GetObject",), None)} == held(world)
    assert () == CLOUD.doubts(ANA, world)


def test_denies_that_are_understood_are_no_doubts():
    world = estate(
        identity(
            ANA,
            allow("s3:*", OBJECTS),
            deny("s3:Get*", f"{BUCKET}/secret/*"),
            deny("s3:*", "arn:aws:s3:::other/*"),
            deny("s3:*", Condition={"Bool": {"aws:SecureTransport": "false"}}),
            deny("s3:*", None, NotResource="arn:aws:s3:::${aws:username}/*"),
        )
    )
    assert () == CLOUD.doubts(ANA, world)
    found = [(each.name.split(" of ")[0], each.denied.scope) for each in CLOUD.denials(ANA, world)]
    assert [
        ("statement 2", f"{BUCKET}/secret/*"),
        ("statement 3", "arn:aws:s3:::other/*"),
        ("statement 5", "*"),
    ] == found


def test_conditions_and_exclusions_are_told_in_words():
    world = estate(
        identity(
            ANA,
            allow("s3:GetObject", OBJECTS, Condition={"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}),
            allow("sns:*", None, NotResource=["arn:aws:sns:*:*:a", "arn:aws:sns:*:*:${aws:username}"]),
        )
    )
    expected = {
        OBJECTS: (("s3:GetObject",), "IpAddress aws:SourceIp 10.0.0.0/8"),
        "*": (("sns:Publish",), "resource is not arn:aws:sns:*:*:a | arn:aws:sns:*:*:${aws:username}"),
    }
    assert expected == held(world)
    assert ALWAYS not in [holding.condition for holding in CLOUD.holdings(ANA, world)]


def test_documents_resource_policies_and_strangers_hold_what_they_state():
    assert {OBJECTS: (("s3:GetObject",), None)} == held(estate(lower(allow("s3:GetObject", OBJECTS))), "policy:#1")
    assert () == CLOUD.doubts("policy:#1", estate(lower(allow("s3:GetObject", OBJECTS))))
    world = estate(
        person(ANA),
        resource(
            BUCKET,
            allow("s3:GetObject", OBJECTS, Principal={"AWS": ANA}),
            allow("s3:PutObject", OBJECTS, Principal="*"),
        ),
    )
    assert {OBJECTS: (("s3:GetObject",), None)} == held(world)
    assert {OBJECTS: (("s3:PutObject",), None)} == held(world, "anonymous")


def test_doubts_name_what_was_not_understood():
    [policy] = policies(allow("GetObject"))
    said = Unsupported("something odd", HERE, "aws", ANA)
    world = Estate((policy,), NOW, (said, Unsupported("elsewhere", HERE)))
    reasons = [doubt.reason for doubt in CLOUD.doubts(ANA, world)]
    assert "`GetObject` is no action" in reasons[0]
    assert ["something odd"] == reasons[1:]
