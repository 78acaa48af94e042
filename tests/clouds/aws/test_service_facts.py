"""What AWS decides itself: its own resources, its own policies, what everybody may do."""

from __future__ import annotations

import pytest

from idtrans.algebra import Status, difference
from idtrans.clouds.aws import CLOUD
from idtrans.model.values import Layer
from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    OBJECT,
    allow,
    ask,
    attached,
    boundary,
    deny,
    estate,
    identity,
    lower,
    managed,
    of,
    outcome,
    person,
)

ADMIN = "arn:aws:iam::aws:policy/AdministratorAccess"
READ_ONLY = "arn:aws:iam::aws:policy/ReadOnlyAccess"
ROOT = f"arn:aws:iam::{ACCOUNT}:root"
RESERVED = f"arn:aws:iam::{ACCOUNT}:role/aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_Admin_0123456789abcdef"
LINKED = f"arn:aws:iam::{ACCOUNT}:role/aws-service-role/ecs.amazonaws.com/AWSServiceRoleForECS"
PLAIN = f"arn:aws:iam::{ACCOUNT}:role/AWSServiceRoleForNothing"
ALIAS = f"arn:aws:kms:eu-west-1:{ACCOUNT}:alias/"


@pytest.mark.parametrize("principal", [ANA, ROOT])
@pytest.mark.parametrize(
    ("action", "target", "expected"),
    [
        ("iam:PutRolePolicy", RESERVED, "implicit-deny"),
        ("iam:UpdateAssumeRolePolicy", RESERVED, "implicit-deny"),
        ("IAM:deleterole", RESERVED, "implicit-deny"),
        ("iam:GetRole", RESERVED, "allow"),
        ("iam:AttachRolePolicy", LINKED, "implicit-deny"),
        ("iam:DeleteServiceLinkedRole", LINKED, "allow"),
        ("iam:UpdateRoleDescription", LINKED, "allow"),
        ("iam:AttachRolePolicy", PLAIN, "allow"),
        ("iam:CreatePolicyVersion", ADMIN, "implicit-deny"),
        ("iam:GetPolicyVersion", ADMIN, "allow"),
        ("iam:CreatePolicyVersion", f"arn:aws:iam::{ACCOUNT}:policy/own", "allow"),
        ("kms:DeleteAlias", f"{ALIAS}aws/s3", "implicit-deny"),
        ("kms:ScheduleKeyDeletion", f"{ALIAS}aws/s3", "implicit-deny"),
        ("kms:DescribeKey", f"{ALIAS}aws/s3", "allow"),
        ("kms:DeleteAlias", f"{ALIAS}own", "allow"),
    ],
)
def test_what_aws_owns_is_changed_by_nobody_else(principal, action, target, expected) -> None:
    assert expected == outcome(estate(person(ANA), attached(ADMIN, ANA)), principal, action, target)


def test_the_reason_says_whose_it_is() -> None:
    found = ask(estate(person(ANA), attached(ADMIN, ANA)), ANA, "iam:DeletePolicy", ADMIN)
    assert [("managed policies of AWS are changed by AWS alone", "rules/service-facts/aws.toml#/never/2")] == [
        (reason.statement, str(reason.source)) for reason in found.reasons
    ]


@pytest.mark.parametrize(
    "world",
    [
        estate(person(ANA)),
        estate(person(ANA), identity(ANA, deny("*"))),
        estate(person(ANA), identity(ANA, allow("s3:*")), boundary(ANA, allow("s3:*"))),
        estate(person(ANA), lower(deny("sts:*"), layer=Layer.SCP)),
    ],
)
def test_everybody_may_ask_who_they_are(world) -> None:
    assert "allow" == outcome(world, ANA, "sts:GetCallerIdentity", "*")


def test_the_anonymous_are_nobody() -> None:
    assert "implicit-deny" == outcome(estate(person(ANA)), "anonymous", "sts:GetCallerIdentity", "*")


def test_facts_make_no_difference_between_estates() -> None:
    before, after = (estate(person(ANA), identity(ANA, allow(action))) for action in (["iam:*", "s3:*"], "iam:*"))
    assert Status.EMPTY is difference(of(ANA, after), of(ANA, before), domain=CLOUD.domain(after)).status
    back = difference(of(ANA, before), of(ANA, after), domain=CLOUD.domain(after))
    assert back.witness is not None
    assert back.witness.action.startswith("s3:")


def test_what_is_never_possible_is_no_new_access() -> None:
    before = estate(person(ANA))
    after = estate(person(ANA), identity(ANA, allow("iam:DeletePolicy", ADMIN)))
    assert Status.EMPTY is difference(of(ANA, after), of(ANA, before), domain=CLOUD.domain(after)).status


def test_a_policy_of_aws_is_known_without_its_document() -> None:
    world = estate(person(ANA), attached(READ_ONLY, ANA))
    found = ask(world, ANA, "s3:GetObject", OBJECT)
    assert "allow" == found.outcome.value
    assert "rules/managed-policies/ReadOnlyAccess.toml" == found.reasons[0].source.path
    assert "implicit-deny" == outcome(world, ANA, "secretsmanager:GetSecretValue", "*")
    assert () == CLOUD.doubts(ANA, world)


def test_its_document_wins_over_what_is_known() -> None:
    world = estate(person(ANA), managed(READ_ONLY, allow("sqs:*")), attached(READ_ONLY, ANA))
    assert "allow" == outcome(world, ANA, "sqs:SendMessage", "*")
    assert "implicit-deny" == outcome(world, ANA, "s3:GetObject", OBJECT)


def test_a_known_boundary_limits() -> None:
    world = estate(person(ANA), attached(ADMIN, ANA), attached(READ_ONLY, ANA, Layer.BOUNDARY))
    assert "allow" == outcome(world, ANA, "s3:GetObject", OBJECT)
    assert "implicit-deny" == outcome(world, ANA, "s3:PutObject", OBJECT)


def test_a_policy_that_nobody_knows_is_unknown_and_says_how_to_supply_it() -> None:
    world = estate(person(ANA), attached("arn:aws:iam::aws:policy/Unheard", ANA))
    assert "unknown" == outcome(world, ANA, "s3:GetObject", OBJECT)
    [doubt] = CLOUD.doubts(ANA, world)
    assert "aws iam get-policy-version" in doubt.reason


def test_grants_of_known_policies_are_told_with_their_plane() -> None:
    [fact] = CLOUD.grants(estate(person(ANA), attached(READ_ONLY, ANA)))
    assert ("ReadOnlyAccess", "test.json") == (fact.role, fact.source.path)
