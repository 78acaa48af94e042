"""Public access blocks, ownership controls and access control lists of S3."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.clouds.aws import CLOUD
from idtrans.model.values import Plane, Reach
from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    BUCKET,
    OBJECT,
    OTHER,
    account,
    allow,
    deny,
    estate,
    identity,
    outcome,
    person,
    resource,
)
from tests.clouds.aws.replies import entities, reasons, shape

OWNER, STRANGER = "1" * 64, "7" * 64
BO = f"arn:aws:iam::{OTHER}:user/bo"
GROUPS = "http://acs.amazonaws.com/groups"
EVERYBODY = {"Type": "Group", "URI": f"{GROUPS}/global/AllUsers"}
AUTHENTICATED = {"Type": "Group", "URI": f"{GROUPS}/global/AuthenticatedUsers"}
LOGS = {"Type": "Group", "URI": f"{GROUPS}/s3/LogDelivery"}
OPEN = allow("s3:GetObject", f"{BUCKET}/*", Principal="*")
NAMED = allow("s3:GetObject", f"{BUCKET}/*", Principal={"AWS": BO})


def block(**switches: Any) -> dict[str, Any]:
    names = ("BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets")
    return {"PublicAccessBlockConfiguration": {**dict.fromkeys(names, False), **switches}}


def acl(*grants: tuple[dict[str, Any], str]) -> dict[str, Any]:
    owner = {"Grantee": {"DisplayName": "me", "ID": OWNER, "Type": "CanonicalUser"}, "Permission": "FULL_CONTROL"}
    listed = [{"Grantee": grantee, "Permission": permission} for grantee, permission in grants]
    return {"Owner": {"DisplayName": "me", "ID": OWNER}, "Grants": [owner, *listed]}


PEOPLE = [*person(ANA), *identity(ANA), *person(BO), *identity(BO, allow("s3:*"))]
HOLDS = {"resource": BUCKET, "account": ACCOUNT}


def world(*groups: list[Any]) -> Any:
    return estate(account(ACCOUNT), PEOPLE, *groups)


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("aws.bucket-settings", block()),
        ("aws.bucket-settings", {"PublicAccessBlockConfiguration": {}}),
        ("aws.bucket-settings", {"OwnershipControls": {"Rules": [{"ObjectOwnership": "ObjectWriter"}]}}),
        ("aws.access-control-list", acl((EVERYBODY, "READ"))),
        ("aws.access-control-list", {"Grants": [{"Grantee": EVERYBODY, "Permission": "READ"}]}),
        ("aws.access-control-list", {"Owner": {"ID": OWNER}, "Grants": []}),
        ("aws.key-grants", {"Grants": []}),
        ("aws.key-grants", {"Grants": [{"GrantId": "x", "GranteePrincipal": ANA}]}),
        (None, {"Grants": 3}),
        (None, {"PublicAccessBlockConfiguration": None}),
    ],
)
def test_replies_are_recognised(expected: str | None, content: Any) -> None:
    assert expected == shape(content)


@pytest.mark.parametrize("place", [HOLDS, {"account": ACCOUNT}, {"scope": ACCOUNT}, {"resource": "example-data"}])
@pytest.mark.parametrize(
    ("switch", "expected"), [("RestrictPublicBuckets", "implicit-deny"), ("IgnorePublicAcls", "allow")]
)
def test_a_block_keeps_outsiders_from_a_public_bucket(place: dict[str, str], switch: str, expected: str) -> None:
    found = world(resource(BUCKET, OPEN), entities(block(**{switch: True}), **place))
    assert "allow" == outcome(found, ANA, "s3:GetObject", OBJECT)
    assert expected == outcome(found, "anonymous", "s3:GetObject", OBJECT)
    assert expected == outcome(found, BO, "s3:GetObject", OBJECT)
    assert [Reach.ANYONE] * (expected == "allow") == [fact.reach for fact in CLOUD.exposures(found)]


def test_a_block_closes_what_stands_beside_a_public_statement() -> None:
    closed = entities(block(RestrictPublicBuckets=True), **HOLDS)
    assert "implicit-deny" == outcome(world(resource(BUCKET, OPEN, NAMED), closed), BO, "s3:GetObject", OBJECT)
    assert () == CLOUD.exposures(world(resource(BUCKET, OPEN, NAMED), closed))


def test_a_block_leaves_a_policy_that_is_not_public() -> None:
    closed = entities(block(RestrictPublicBuckets=True), **HOLDS)
    assert "allow" == outcome(world(resource(BUCKET, NAMED), closed), BO, "s3:GetObject", OBJECT)
    fixed = allow(
        "s3:GetObject", f"{BUCKET}/*", Principal="*", Condition={"StringEquals": {"aws:PrincipalAccount": OTHER}}
    )
    assert "allow" == outcome(world(resource(BUCKET, fixed), closed), BO, "s3:GetObject", OBJECT)


def test_a_block_leaves_services_of_aws_and_denies() -> None:
    closed = entities(block(RestrictPublicBuckets=True), **HOLDS)
    logs = allow("s3:PutObject", f"{BUCKET}/*", Principal={"Service": "logging.s3.amazonaws.com"})
    found = world(resource(BUCKET, OPEN, logs, deny("s3:*", f"{BUCKET}/secret", Principal="*")), closed)
    assert "allow" == outcome(found, "service:logging.s3.amazonaws.com", "s3:PutObject", OBJECT)
    assert "explicit-deny" == outcome(found, ANA, "s3:GetObject", f"{BUCKET}/secret")


def test_a_statement_that_was_not_understood_may_make_a_policy_public() -> None:
    closed = entities(block(RestrictPublicBuckets=True), **HOLDS)
    odd = {**OPEN, "Effect": "allow"}
    assert "unknown" == outcome(world(resource(BUCKET, NAMED, odd), closed), BO, "s3:GetObject", OBJECT)


def test_whose_the_bucket_is_may_be_unknown() -> None:
    closed = entities(block(RestrictPublicBuckets=True), resource=BUCKET)
    found = estate(account(ACCOUNT), account(OTHER), PEOPLE, resource(BUCKET, OPEN, account=None), closed)
    assert "unknown" == outcome(found, ANA, "s3:GetObject", OBJECT)
    assert "implicit-deny" == outcome(found, "anonymous", "s3:GetObject", OBJECT)


@pytest.mark.parametrize(
    ("grantee", "permission", "action", "target", "expected"),
    [
        (EVERYBODY, "READ", "s3:ListBucket", BUCKET, ("allow", "allow")),
        (EVERYBODY, "READ", "s3:GetObject", OBJECT, ("implicit-deny", "implicit-deny")),
        (EVERYBODY, "WRITE", "s3:PutObject", OBJECT, ("allow", "allow")),
        (EVERYBODY, "READ_ACP", "s3:GetBucketAcl", BUCKET, ("allow", "allow")),
        (EVERYBODY, "FULL_CONTROL", "s3:PutBucketAcl", BUCKET, ("allow", "allow")),
        (EVERYBODY, "FULL_CONTROL", "s3:PutObject", OBJECT, ("allow", "allow")),
        (AUTHENTICATED, "READ", "s3:ListBucket", BUCKET, ("implicit-deny", "allow")),
        (LOGS, "WRITE", "s3:PutObject", OBJECT, ("implicit-deny", "implicit-deny")),
        ({"Type": "CanonicalUser", "ID": STRANGER}, "READ", "s3:ListBucket", BUCKET, ("implicit-deny", "unknown")),
        ({"Type": "Group", "URI": f"{GROUPS}/other"}, "READ", "s3:ListBucket", BUCKET, ("unknown", "unknown")),
        (EVERYBODY, "EVERYTHING", "s3:ListBucket", BUCKET, ("unknown", "unknown")),
    ],
)
def test_grants_of_a_bucket(
    grantee: dict[str, str], permission: str, action: str, target: str, expected: tuple[str, str]
) -> None:
    found = world(entities(acl((grantee, permission)), **HOLDS))
    assert expected == (outcome(found, "anonymous", action, target), outcome(found, BO, action, target))


@pytest.mark.parametrize(
    ("permission", "action", "expected"),
    [
        ("READ", "s3:GetObject", "allow"),
        ("READ", "s3:PutObjectAcl", "implicit-deny"),
        ("WRITE_ACP", "s3:PutObjectAcl", "allow"),
        ("FULL_CONTROL", "s3:GetObjectAcl", "allow"),
    ],
)
def test_grants_of_an_object(permission: str, action: str, expected: str) -> None:
    found = world(entities(acl((EVERYBODY, permission)), resource=OBJECT, account=ACCOUNT))
    assert expected == outcome(found, "anonymous", action, OBJECT)
    assert "implicit-deny" == outcome(found, "anonymous", action, f"{BUCKET}/b")


@pytest.mark.parametrize(
    "closing",
    [
        entities(block(IgnorePublicAcls=True), **HOLDS),
        entities(block(IgnorePublicAcls=True), account=ACCOUNT),
        entities({"OwnershipControls": {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}}, **HOLDS),
    ],
)
def test_public_grants_that_are_ignored(closing: list[Any]) -> None:
    found = world(entities(acl((EVERYBODY, "READ")), **HOLDS), closing)
    assert "implicit-deny" == outcome(found, "anonymous", "s3:ListBucket", BUCKET)
    assert () == CLOUD.exposures(found)


def test_ownership_that_leaves_lists_in_force() -> None:
    kept = entities({"OwnershipControls": {"Rules": [{"ObjectOwnership": "ObjectWriter"}]}}, **HOLDS)
    found = world(entities(acl((EVERYBODY, "READ")), **HOLDS), kept)
    assert "allow" == outcome(found, "anonymous", "s3:ListBucket", BUCKET)


@pytest.mark.parametrize(
    ("grantee", "expected"),
    [
        (EVERYBODY, [(Reach.ANYONE, "acl", "*", False)]),
        (AUTHENTICATED, [(Reach.ANYONE, "acl", "*", False)]),
        ({"Type": "CanonicalUser", "ID": STRANGER}, [(Reach.UNKNOWN, "acl", f"canonical:{STRANGER}", False)]),
        ({"Type": "CanonicalUser", "ID": OWNER}, []),
        (LOGS, []),
    ],
)
def test_lists_are_exposures(grantee: dict[str, str], expected: list[Any]) -> None:
    found = CLOUD.exposures(world(entities(acl((grantee, "READ")), **HOLDS)))
    assert expected == [(fact.reach, fact.through, fact.principal, fact.conditional) for fact in found]
    assert all((fact.subject, fact.resource_kind) == (BUCKET, "bucket") for fact in found)
    assert all(fact.plane in {Plane.METADATA, Plane.DATA} for fact in found)


@pytest.mark.parametrize(
    ("expected", "content", "hints"),
    [
        ("not known of which bucket or account", block(), {}),
        ("not known of which bucket or account", block(), {"resource": "arn:aws:sqs:eu-west-1:111122223333:jobs"}),
        ("neither true nor false", block(IgnorePublicAcls="yes"), HOLDS),
        ("not known of which bucket", {"OwnershipControls": {}}, {}),
        ("no single ownership", {"OwnershipControls": {"Rules": []}}, HOLDS),
        ("is not an object", {"PublicAccessBlockConfiguration": 3}, {"kind": "public-access-block", **HOLDS}),
        ("not known of which bucket or object", acl(), {}),
        ("is not understood", {"Owner": {"ID": OWNER}, "Grants": [3, {"Grantee": {}, "Permission": "READ"}]}, HOLDS),
        ("is not understood", acl(({"Type": "AmazonCustomerByEmail", "EmailAddress": "a@b.c"}, "READ")), HOLDS),
        ("`Grants` is `3`, not a list", {"Grants": 3}, {"kind": "access-control-list", **HOLDS}),
    ],
)
def test_what_is_not_understood_is_said(expected: str, content: Any, hints: dict[str, str]) -> None:
    assert any(expected in reason for reason in reasons(content, **hints))


def test_a_list_of_an_unknown_bucket_is_not_forgotten() -> None:
    found = world(entities(acl((EVERYBODY, "READ"))))
    assert [Reach.ANYONE] == [fact.reach for fact in CLOUD.exposures(found)]
    assert "unknown" == outcome(found, "anonymous", "s3:ListBucket", BUCKET)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["READ", OWNER, EVERYBODY["URI"], "Group", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["Grantee", "Permission", "URI", "ID", "Type", "Rules"]), inner, max_size=3)
    ),
    max_leaves=10,
)


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(["access-control-list", "bucket-settings"]),
    st.dictionaries(
        st.sampled_from(["Owner", "Grants", "OwnershipControls", "PublicAccessBlockConfiguration"]), VALUES
    ),
)
def test_mutations_never_crash(kind: str, content: dict[str, Any]) -> None:
    found = world(entities(content, kind=kind, **HOLDS))
    assert outcome(found, "anonymous", "s3:ListBucket", BUCKET) in {
        "allow",
        "implicit-deny",
        "explicit-deny",
        "unknown",
    }
    CLOUD.exposures(found)


# -- access points -----------------------------------------------------------------------------------------------------

POINT = f"arn:aws:s3:eu-west-1:{ACCOUNT}:accesspoint/ap"


@pytest.mark.parametrize(("expected", "restricted"), [("unknown", False), ("implicit-deny", True)])
def test_the_block_of_an_access_point_is_about_its_own_policy(expected: str, *, restricted: bool) -> None:
    described = {"Name": "ap", "Bucket": "b", "AccessPointArn": POINT, **block(RestrictPublicBuckets=restricted)}
    assert [] == reasons(described)
    policy = resource(POINT, allow("s3:GetObject", f"{POINT}/object/*", Principal="*"))
    found = world(policy, entities(described))
    assert expected == outcome(found, BO, "s3:GetObject", f"{POINT}/object/a")


def test_the_block_of_an_access_point_closes_no_bucket() -> None:
    described = {"Name": "ap", "Bucket": "b", "AccessPointArn": POINT, **block(RestrictPublicBuckets=True)}
    found = world(resource(BUCKET, OPEN), entities(described))
    assert "allow" == outcome(found, BO, "s3:GetObject", OBJECT)
