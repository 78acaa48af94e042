"""What no document says of a principal may allow or deny anything: no answer is certain that depends on it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from idtrans.clouds.aws import CLOUD
from idtrans.model.entities import Principal
from idtrans.model.values import UNKNOWN, Layer
from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    BUCKET,
    OBJECT,
    OTHER,
    allow,
    ask,
    attached,
    deny,
    estate,
    identity,
    lower,
    managed,
    member,
    outcome,
    person,
    resource,
)

ROOT = f"arn:aws:iam::{ACCOUNT}:root"
BO = f"arn:aws:iam::{OTHER}:user/bo"
TEAM = f"arn:aws:iam::{ACCOUNT}:group/team"
EXTRA = f"arn:aws:iam::{ACCOUNT}:policy/extra"
ALL = allow("*")
MENTIONED = [replace(found, policies=UNKNOWN) for found in person(ANA) if isinstance(found, Principal)]


def scp(*statements):
    return lower(*statements, layer=Layer.SCP, account=ACCOUNT)


OBJECTS = f"{BUCKET}/*"
NAMES_ANA = resource(BUCKET, allow("s3:GetObject", OBJECTS, Principal={"AWS": ANA}))


@pytest.mark.parametrize(
    ("groups", "principal", "expected"),
    [
        ([scp(ALL)], ANA, "unknown"),
        ([scp(ALL, deny("s3:*"))], ANA, "explicit-deny"),
        ([scp(allow("ec2:*"))], ANA, "implicit-deny"),
        ([scp(ALL)], ROOT, "allow"),
        ([scp(ALL, deny("s3:*"))], ROOT, "explicit-deny"),
        ([scp(allow("ec2:*"))], ROOT, "implicit-deny"),
        ([NAMES_ANA], ANA, "allow"),
        ([NAMES_ANA], f"{ANA}-maria", "unknown"),
        ([NAMES_ANA], ROOT, "allow"),
        ([NAMES_ANA], BO, "implicit-deny"),
        ([NAMES_ANA, scp(ALL, deny("s3:*"))], ANA, "explicit-deny"),
        ([NAMES_ANA, scp(allow("ec2:*"))], ANA, "implicit-deny"),
        ([lower(ALL, layer=Layer.BOUNDARY, principal=ANA)], ANA, "unknown"),
        ([lower(allow("ec2:*"), layer=Layer.BOUNDARY, principal=ANA)], ANA, "implicit-deny"),
    ],
)
def test_documents_without_identities(groups, principal, expected):
    assert expected == outcome(estate(*groups), principal, "s3:GetObject", OBJECT)


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ([person(ANA)], "implicit-deny"),
        ([MENTIONED], "unknown"),
        ([MENTIONED, person(ANA)], "implicit-deny"),
        ([person(ANA), MENTIONED], "implicit-deny"),
        ([MENTIONED, identity(ANA, ALL)], "allow"),
        ([person(ANA), member(ANA, TEAM)], "unknown"),
        ([person(ANA), member(ANA, TEAM), person(TEAM)], "implicit-deny"),
        ([person(ANA), member(ANA, TEAM), identity(TEAM, ALL)], "allow"),
        ([identity(ANA, deny("s3:*")), member(ANA, TEAM)], "explicit-deny"),
        ([person(ANA), attached(EXTRA, ANA)], "unknown"),
        ([identity(ANA, ALL), attached(EXTRA, ANA)], "unknown"),
        ([identity(ANA, deny("s3:*")), attached(EXTRA, ANA)], "explicit-deny"),
        ([identity(ANA, ALL), attached(EXTRA, ANA), managed(EXTRA, allow("ec2:*"))], "allow"),
        ([identity(ANA, ALL), attached(EXTRA, ANA), managed(EXTRA, deny("s3:*"))], "explicit-deny"),
    ],
)
def test_what_was_not_read_may_allow_and_deny(groups, expected):
    assert expected == outcome(estate(*groups), ANA, "s3:GetObject", OBJECT)


def test_a_missing_group_is_named():
    decision = ask(estate(person(ANA), member(ANA, TEAM)), ANA, "s3:GetObject", OBJECT)
    assert f"`identity policies of {TEAM}` (not understood)" == decision.condition


ENDPOINT = f"arn:aws:ec2:eu-west-1:{ACCOUNT}:vpc-endpoint/vpce-1"


@pytest.mark.parametrize(
    ("principal", "expected"),
    [
        ({"Principal": "*"}, "explicit-deny"),
        ({"Principal": {"AWS": "*"}}, "explicit-deny"),
        # A resource control policy is for everyone; AWS takes no other.
        ({}, "unknown"),
        ({"Principal": {"AWS": ANA}}, "unknown"),
        ({"Principal": {"AWS": ["*", ANA]}}, "unknown"),
        ({"NotPrincipal": {"AWS": ANA}}, "unknown"),
    ],
)
def test_the_principal_of_a_resource_control_policy(principal, expected):
    rails = lower(deny("s3:*", **principal), layer=Layer.RCP, scope=ACCOUNT)
    assert expected == outcome(estate(identity(ANA, ALL), rails), ANA, "s3:GetObject", OBJECT, **{"aws:x": "1"})


def test_an_endpoint_policy_names_principals():
    for principal, expected in (({"Principal": "*"}, "explicit-deny"), ({}, "unknown")):
        rails = lower(allow("*", Principal="*"), deny("s3:*", **principal), layer=Layer.ENDPOINT, resource=ENDPOINT)
        passing = {"aws:SourceVpce": "vpce-1"}
        assert expected == outcome(estate(identity(ANA, ALL), rails), ANA, "s3:GetObject", OBJECT, **passing)


SPARED = {"AWS": [ANA]}
SPARED_WHOLLY = {"AWS": [ANA, ACCOUNT]}


@pytest.mark.parametrize(
    ("listed", "principal", "expected"),
    [
        (SPARED, "anonymous", "allow"),
        (SPARED, f"{ANA}-maria", "allow"),
        (SPARED, "service:ec2.amazonaws.com", "allow"),
        # A user is surely spared only where its account is listed, too.
        (SPARED, ANA, "unknown"),
        (SPARED_WHOLLY, ANA, "implicit-deny"),
        (SPARED_WHOLLY, f"{ANA}-maria", "allow"),
    ],
)
def test_everyone_else_is_granted_as_everyone_else_is_denied(listed, principal, expected):
    world = estate(
        person(ANA), person(f"{ANA}-maria"), resource(BUCKET, allow("s3:GetObject", OBJECTS, NotPrincipal=listed))
    )
    assert expected == outcome(world, principal, "s3:GetObject", OBJECT)
    opposite = {"allow": "explicit-deny", "implicit-deny": "allow"}.get(expected, expected)
    both = resource(
        BUCKET, deny("s3:GetObject", OBJECTS, NotPrincipal=listed), allow("s3:GetObject", OBJECTS, Principal="*")
    )
    assert opposite == outcome(estate(person(ANA), person(f"{ANA}-maria"), both), principal, "s3:GetObject", OBJECT)


@pytest.mark.parametrize(
    "name", [" s3:GetObject", "s3:GetObject ", "s3:Gét*", "s3", "s3:", ":GetObject", "s3.GetObject", ""]
)
def test_what_is_no_action_may_be_meant_for_any(name):
    for statements in ([ALL, deny(name)], [allow(name)], [ALL, deny(["ec2:*", name])]):
        assert "unknown" == outcome(estate(identity(ANA, *statements)), ANA, "s3:GetObject", OBJECT)


@pytest.mark.parametrize(
    "name", ["vpc-lattice:AssociateViaAWSService-EventsAndStates", "S3:*", "s?:Get*", "*:GetObject", "**"]
)
def test_these_are_actions(name):
    assert "unknown" != outcome(estate(identity(ANA, allow(name))), ANA, "s3:GetObject", OBJECT)


def test_a_pattern_of_services_is_no_principal():
    world = estate(resource(BUCKET, allow("s3:GetObject", OBJECTS, Principal={"Service": "*"})))
    assert "unknown" == outcome(world, "service:ec2.amazonaws.com", "s3:GetObject", OBJECT)


@pytest.mark.parametrize(
    ("expected", "layer"),
    [(True, Layer.IDENTITY), (False, Layer.RESOURCE), (False, Layer.SCP), (False, Layer.BOUNDARY)],
)
def test_a_policy_of_nobody_may_be_the_one_that_is_missing(expected, layer):
    found, *_ = CLOUD.doubts(ANA, estate(lower(allow("s3:*"), layer=layer)))
    assert expected is found.reason.endswith("says who holds a policy such as `policy:#1` (test.json)")
    assert "`aws iam get-account-authorization-details`" in found.reason


def test_a_policy_that_has_a_holder_is_not_missing():
    (found,) = CLOUD.doubts(ANA, estate(identity(BO, allow("s3:*"))))
    assert "policy:#" not in found.reason
    assert () == CLOUD.doubts(BO, estate(identity(BO, allow("s3:*"))))
