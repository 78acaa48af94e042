"""Tags and source identities of sessions: permissions of their own, which trust policies must give, too."""

from __future__ import annotations

import pytest

from idtrans.access import can
from idtrans.clouds.aws import CLOUD
from idtrans.ports import Query
from tests.clouds.aws.builders import ACCOUNT, ANA, OTHER, allow, deny, estate, identity, person, trust

DEPLOY = f"arn:aws:iam::{ACCOUNT}:role/deploy"
BO = f"arn:aws:iam::{OTHER}:user/bo"
FEDERATED = f"federated:arn:aws:iam::{ACCOUNT}:oidc-provider/token.example.com"
ASSUME, TAG, SOURCE = "sts:AssumeRole", "sts:TagSession", "sts:SetSourceIdentity"
WEB = "sts:AssumeRoleWithWebIdentity"
ONE_TAG = {"aws:RequestTag/team": ("data",), "aws:TagKeys": ("team",)}
NAMED, SET_BEFORE = {"sts:SourceIdentity": ("ana",)}, {"aws:SourceIdentity": ("ana",)}


def trusting(principal, *actions, **elements):
    return trust(allow(list(actions), None, Principal={"AWS": principal}, **elements))


def answer(groups, action, context=None, principal=ANA):
    query = Query(principal, action, DEPLOY, context or {}, closed=True)
    return can(CLOUD, estate(person(ANA), person(BO), *groups), query)


MAY_ASSUME, MAY_ALL = identity(ANA, allow(ASSUME)), identity(ANA, allow("sts:*"))
EXTERNAL = {"Condition": {"StringEquals": {"aws:RequestTag/team": "ops"}}}


@pytest.mark.parametrize(
    ("groups", "context", "expected"),
    [
        # What is named by itself needs nothing else; a trust in the account leaves it to identity policies.
        ([trusting(ANA, ASSUME)], {}, "allow"),
        ([trusting(ANA, ASSUME)], ONE_TAG, "implicit-deny"),
        ([trusting(ANA, ASSUME), MAY_ALL], ONE_TAG, "implicit-deny"),
        ([trusting(ANA, ASSUME, TAG)], ONE_TAG, "allow"),
        ([trusting(ANA, "sts:*")], ONE_TAG, "allow"),
        ([trusting(ANA, TAG)], ONE_TAG, "implicit-deny"),
        ([trusting(ANA, ASSUME), trusting(ANA, TAG, **EXTERNAL)], ONE_TAG, "implicit-deny"),
        ([trusting(ACCOUNT, ASSUME, TAG), MAY_ASSUME], {}, "allow"),
        ([trusting(ACCOUNT, ASSUME, TAG), MAY_ASSUME], ONE_TAG, "implicit-deny"),
        ([trusting(ACCOUNT, ASSUME, TAG), MAY_ALL], ONE_TAG, "allow"),
        ([trusting(ANA, ASSUME, TAG), identity(ANA, deny(TAG))], ONE_TAG, "explicit-deny"),
        ([trusting(ANA, ASSUME, TAG), identity(ANA, deny(TAG))], {}, "allow"),
        ([trusting(ANA, ASSUME)], {"sts:TransitiveTagKeys": ("team",)}, "implicit-deny"),
        # A source identity, set now or carried along a chain of roles.
        ([trusting(ANA, ASSUME)], NAMED, "implicit-deny"),
        ([trusting(ANA, ASSUME, SOURCE)], NAMED, "allow"),
        ([trusting(ANA, ASSUME)], SET_BEFORE, "implicit-deny"),
        ([trusting(ANA, ASSUME, SOURCE)], SET_BEFORE, "allow"),
        ([trusting(ANA, ASSUME, SOURCE)], {**NAMED, **ONE_TAG}, "implicit-deny"),
        ([trusting(ANA, ASSUME, SOURCE, TAG)], {**NAMED, **ONE_TAG}, "allow"),
        # Keys without values ask for nothing.
        ([trusting(ANA, ASSUME)], {"aws:TagKeys": ()}, "allow"),
        # A statement that nobody understood may deny the tags.
        (
            [trusting(ANA, ASSUME, TAG), identity(ANA, deny(TAG, Condition={"What": {"a": "b"}}))],
            ONE_TAG,
            "unknown",
        ),
    ],
)
def test_assuming_a_role_needs_what_it_asks_for(groups, context, expected):
    assert expected == answer(groups, ASSUME, context).outcome.value


@pytest.mark.parametrize(
    ("groups", "action", "expected"),
    [
        ([trusting(ANA, ASSUME), MAY_ALL], TAG, "implicit-deny"),
        ([trusting(ANA, ASSUME), MAY_ALL], SOURCE, "implicit-deny"),
        ([trusting(ANA, TAG)], TAG, "allow"),
        ([trusting(ACCOUNT, SOURCE), MAY_ALL], SOURCE, "allow"),
        ([trusting(ACCOUNT, SOURCE)], SOURCE, "implicit-deny"),
        ([trusting(ANA, ASSUME), identity(ANA, allow("iam:*"))], "iam:GetRole", "allow"),
    ],
)
def test_the_permissions_themselves_need_the_trust_policy(groups, action, expected):
    assert expected == answer(groups, action).outcome.value


@pytest.mark.parametrize(
    ("actions", "context", "expected"),
    [
        ([WEB], {}, "allow"),
        ([WEB], ONE_TAG, "implicit-deny"),
        ([WEB, TAG], ONE_TAG, "allow"),
        ([WEB], NAMED, "implicit-deny"),
        ([WEB, SOURCE], NAMED, "allow"),
    ],
)
def test_tokens_may_carry_tags_as_well(actions, context, expected):
    groups = [trust(allow(actions, None, Principal={"Federated": FEDERATED.removeprefix("federated:")}))]
    assert expected == answer(groups, WEB, context, FEDERATED).outcome.value


def test_across_accounts_both_sides_allow_the_tags():
    for statements, expected in (([ASSUME], "implicit-deny"), ([ASSUME, TAG], "allow")):
        groups = [trusting(BO, ASSUME, TAG), identity(BO, allow(statements))]
        assert expected == answer(groups, ASSUME, ONE_TAG, BO).outcome.value


def test_a_federation_token_with_tags_needs_the_tags_allowed():
    for actions, expected in (("sts:GetFederationToken", "implicit-deny"), ("sts:*", "allow")):
        world = estate(identity(ANA, allow(actions)))
        target = f"arn:aws:sts::{ACCOUNT}:federated-user/x"
        query = Query(ANA, "sts:GetFederationToken", target, {**ONE_TAG, **NAMED}, closed=True)
        assert expected == can(CLOUD, world, query).outcome.value


def test_other_requests_need_no_more_for_their_tags():
    world = estate(identity(ANA, allow("ec2:CreateTags")))
    query = Query(ANA, "ec2:CreateTags", f"arn:aws:ec2:eu-west-1:{ACCOUNT}:instance/i-1", ONE_TAG, closed=True)
    assert "allow" == can(CLOUD, world, query).outcome.value


def test_the_reasons_say_what_is_missing():
    refused = answer([trusting(ANA, ASSUME)], ASSUME, ONE_TAG)
    assert any("sts:TagSession, which passing session tags needs" in reason.statement for reason in refused.reasons)
    allowed = answer([trusting(ANA, ASSUME), trusting(ANA, TAG)], ASSUME, ONE_TAG)
    assert ["(sts:TagSession)"] == [
        reason.statement.rpartition(" ")[2] for reason in allowed.reasons if "(" in reason.statement
    ]
