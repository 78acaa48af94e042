"""Grants of KMS keys, as `aws kms list-grants` prints them."""

from __future__ import annotations

from typing import Any

import pytest

from idtrans.clouds.aws import CLOUD
from idtrans.model.entities import Policy
from idtrans.model.values import UNKNOWN, Layer, Reach
from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    APP,
    OTHER,
    SESSION,
    account,
    allow,
    boundary,
    deny,
    estate,
    identity,
    outcome,
    person,
    resource,
)
from tests.clouds.aws.replies import entities, reasons, shape

KEY = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/1234abcd"
ROLE = f"arn:aws:iam::{OTHER}:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling"
CONTEXT = "kms:EncryptionContext:department"
KEYS = "kms:EncryptionContextKeys"


def grant(grantee: str = ANA, *operations: str, **more: Any) -> dict[str, Any]:
    return {
        "KeyId": KEY,
        "GrantId": "g1",
        "Name": "",
        "CreationDate": 1.7e9,
        "GranteePrincipal": grantee,
        "IssuingAccount": f"arn:aws:iam::{ACCOUNT}:root",
        "Operations": list(operations or ("Decrypt", "DescribeKey")),
        **more,
    }


def grants(*listed: Any, **more: Any) -> dict[str, Any]:
    return {"Grants": list(listed), "Truncated": False, **more}


def test_a_grant_is_a_policy_of_its_key() -> None:
    assert "aws.key-grants" == shape(grants(grant()))
    (policy,) = [found for found in entities(grants(grant())) if isinstance(found, Policy)]
    assert (KEY, Layer.RESOURCE, f"{KEY}#resource/grant/g1") == (policy.owner, policy.layer, policy.id)
    assert [] == reasons(grants(grant()))


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("aws.key-grants", {"Grants": []}),
        ("aws.key-grants", grants()),
        ("aws.access-control-list", {"Grants": [], "Owner": {"ID": "x"}}),
        (None, {"Grants": 3}),
        (None, {"Grants": [3]}),
    ],
)
def test_shape(expected: str | None, content: Any) -> None:
    assert expected == shape(content)


@pytest.mark.parametrize(
    ("expected", "principal", "operation"),
    [
        ("allow", ANA, "Decrypt"),
        ("allow", ANA, "DescribeKey"),
        ("implicit-deny", ANA, "Encrypt"),
        ("implicit-deny", ANA, "RetireGrant"),
        ("implicit-deny", APP, "Decrypt"),
    ],
)
def test_a_grant_needs_no_identity_policy(expected: str, principal: str, operation: str) -> None:
    nothing = [*identity(ANA, allow("s3:*")), *identity(APP, allow("s3:*"))]
    found = estate(person(ANA), person(APP), nothing, entities(grants(grant())))
    assert expected == outcome(found, principal, f"kms:{operation}", KEY)


def test_a_grant_to_a_role_is_one_to_its_sessions() -> None:
    found = estate(person(APP), identity(APP, allow("s3:*")), entities(grants(grant(APP))))
    assert "allow" == outcome(found, SESSION, "kms:Decrypt", KEY)


def test_a_grant_to_another_account_needs_no_identity_policy_either() -> None:
    people = [*person(ROLE), *identity(ROLE, allow("ec2:*"))]
    found = estate(account(ACCOUNT), people, entities(grants(grant(ROLE))))
    assert "allow" == outcome(found, ROLE, "kms:Decrypt", KEY)
    alone = estate(entities(grants(grant(ROLE))))
    assert "allow" == outcome(alone, ROLE, "kms:Decrypt", KEY)


def test_a_grant_to_an_account_is_up_to_its_policies() -> None:
    bo, cy = f"arn:aws:iam::{OTHER}:user/bo", f"arn:aws:iam::{OTHER}:user/cy"
    people = [*person(bo), *identity(bo, allow("kms:*")), *person(cy), *identity(cy, allow("s3:*"))]
    found = estate(account(ACCOUNT), people, entities(grants(grant(f"arn:aws:iam::{OTHER}:root"))))
    assert "allow" == outcome(found, bo, "kms:Decrypt", KEY)
    assert "implicit-deny" == outcome(found, cy, "kms:Decrypt", KEY)


def test_denies_and_boundaries_hold_for_grants() -> None:
    denied = estate(person(ANA), identity(ANA, deny("kms:*")), entities(grants(grant())))
    assert "explicit-deny" == outcome(denied, ANA, "kms:Decrypt", KEY)
    bounded = estate(person(APP), identity(APP, allow("*")), boundary(APP, allow("s3:*")), entities(grants(grant(APP))))
    assert "implicit-deny" == outcome(bounded, APP, "kms:Decrypt", KEY)


@pytest.mark.parametrize(
    ("expected", "policy"),
    [
        ("allow", []),
        ("allow", resource(KEY, allow("kms:*", Principal={"AWS": ACCOUNT}))),
        ("implicit-deny", resource(KEY, allow("kms:*", Principal={"AWS": APP}))),
    ],
    ids=["not read", "leaves it to the account", "keeps the account out"],
)
def test_a_grant_says_nothing_of_what_the_key_policy_leaves_to_others(expected: str, policy: Any) -> None:
    bo = f"arn:aws:iam::{ACCOUNT}:user/bo"
    found = estate(person(bo), identity(bo, allow("kms:*")), policy, entities(grants(grant())))
    assert expected == outcome(found, bo, "kms:Decrypt", KEY)


PAIR = {"department": "it"}


@pytest.mark.parametrize(
    ("expected", "constraints", "operation", "context"),
    [
        ("allow", {}, "Decrypt", {}),
        ("implicit-deny", {"EncryptionContextSubset": PAIR}, "Decrypt", {}),
        ("allow", {"EncryptionContextSubset": PAIR}, "Decrypt", {CONTEXT: "it"}),
        ("implicit-deny", {"EncryptionContextSubset": PAIR}, "Decrypt", {CONTEXT: "IT"}),
        ("allow", {"EncryptionContextSubset": PAIR}, "Decrypt", {"KMS:encryptioncontext:Department": "it"}),
        ("allow", {"EncryptionContextSubset": PAIR}, "Decrypt", {CONTEXT: "it", KEYS: ["department", "x"]}),
        ("allow", {"EncryptionContextEquals": PAIR}, "Decrypt", {CONTEXT: "it", KEYS: ["department"]}),
        ("implicit-deny", {"EncryptionContextEquals": PAIR}, "Decrypt", {CONTEXT: "it", KEYS: ["department", "x"]}),
        ("allow", {"EncryptionContextEquals": PAIR}, "DescribeKey", {}),
        ("allow", {"EncryptionContextEquals": PAIR}, "Sign", {}),
        ("implicit-deny", {"EncryptionContextEquals": PAIR}, "CreateGrant", {"kms:GrantOperations": ["Decrypt"]}),
        ("allow", {}, "CreateGrant", {"kms:GrantOperations": ["Decrypt"]}),
        ("implicit-deny", {}, "CreateGrant", {"kms:GrantOperations": ["Encrypt"]}),
        ("implicit-deny", {"SourceArn": KEY}, "DescribeKey", {}),
        ("allow", {"SourceArn": KEY}, "DescribeKey", {"aws:SourceArn": KEY}),
        ("unknown", {"Weather": "fine"}, "Decrypt", {}),
        ("unknown", {"EncryptionContextSubset": {"a": 1}}, "Decrypt", {}),
        ("unknown", {"EncryptionContextSubset": ["a"]}, "Decrypt", {}),
        ("unknown", ["x"], "Decrypt", {}),
        ("allow", None, "Decrypt", {}),
    ],
)
def test_constraints(expected: str, constraints: Any, operation: str, context: dict[str, Any]) -> None:
    listed = grant(ANA, "Decrypt", "DescribeKey", "Sign", "CreateGrant", Constraints=constraints)
    found = estate(person(ANA), identity(ANA, allow("s3:*")), entities(grants(listed)))
    assert expected == outcome(found, ANA, f"kms:{operation}", KEY, **context)


def test_who_may_retire_a_grant() -> None:
    content = grants(grant(ANA, RetiringPrincipal=APP))
    found = estate(person(APP), identity(APP, allow("s3:*")), entities(content))
    assert "allow" == outcome(found, APP, "kms:RetireGrant", KEY)
    assert "implicit-deny" == outcome(found, APP, "kms:Decrypt", KEY)


@pytest.mark.parametrize("field", ["GranteePrincipal", "GranteeServicePrincipal"])
def test_a_service_may_be_the_grantee(field: str) -> None:
    listed = {name: value for name, value in grant().items() if name != "GranteePrincipal"}
    found = estate(account(ACCOUNT), entities(grants({**listed, field: "rds.amazonaws.com"})))
    assert "allow" == outcome(found, "service:rds.amazonaws.com", "kms:Decrypt", KEY)


def test_a_grant_to_a_stranger_is_an_exposure() -> None:
    found = estate(account(ACCOUNT), entities(grants(grant(ROLE))))
    assert [(KEY, ROLE, Reach.WORKLOAD)] == [
        (fact.subject, fact.principal, fact.reach) for fact in CLOUD.exposures(found)
    ]


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("is not an object", grants(grant(), 3)),
        ("it is not known of which key", grants(grant(KeyId=None))),
        ("has no `GranteePrincipal`", grants(grant(GranteePrincipal=None))),
        ("has no `RetiringPrincipal`", grants(grant(RetiringPrincipal=["x"]))),
        ("are no list of names", grants(grant(Operations=None))),
        ("are no list of names", grants(grant(Operations=[]))),
        ("`Fly` of a grant is not known", grants(grant(ANA, "Decrypt", "Fly"))),
        ("`3` of a grant is not known", grants(grant(Operations=[3]))),
        ("constraint `Weather` of a grant is not known", grants(grant(Constraints={"Weather": 1}))),
        ("later pages are missing", grants(grant(), Truncated=True)),
        ("later pages are missing", grants(grant(), NextToken="x")),
    ],
)
def test_what_is_not_understood_is_said(expected: str, content: Any) -> None:
    assert any(expected in reason for reason in reasons(content)), reasons(content)


def test_the_user_may_name_the_key() -> None:
    content = grants(grant(KeyId="1234abcd"))
    (policy,) = [found for found in entities(content) if isinstance(found, Policy)]
    assert UNKNOWN is policy.owner
    (policy,) = [found for found in entities(content, resource=KEY) if isinstance(found, Policy)]
    assert KEY == policy.owner
