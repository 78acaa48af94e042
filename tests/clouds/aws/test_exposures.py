from __future__ import annotations

from typing import Any

import pytest

from idtrans.clouds.aws import CLOUD
from idtrans.model.facts import ExposureFact
from idtrans.model.values import UNKNOWN, Layer, Plane, Reach, Use
from tests.clouds.aws.builders import (
    ACCOUNT,
    BUCKET,
    OTHER,
    account,
    allow,
    bucket,
    deny,
    estate,
    lower,
    resource,
)

OUTSIDE = {"StringNotEquals": {"aws:PrincipalOrgID": "o-abcd123456"}}
OBJECTS = f"{BUCKET}/*"


def exposed(*statements: dict[str, Any], **settings: Any) -> tuple[ExposureFact, ...]:
    world = estate(account(ACCOUNT), bucket(BUCKET, ACCOUNT, **settings), resource(BUCKET, *statements))
    return CLOUD.exposures(world)


def reaches(*statements: dict[str, Any], **settings: Any) -> list[Reach]:
    return [fact.reach for fact in exposed(*statements, **settings)]


def public(action: Any = "s3:GetObject", target: Any = OBJECTS, **condition: Any) -> dict[str, Any]:
    more = {"Condition": condition} if condition else {}
    return allow(action, target, Principal="*", **more)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({}, [Reach.ANYONE]),
        ({"StringEquals": {"AWS:sourcevpc": "vpc-0aaa1111"}}, [Reach.TENANT]),
        (
            {
                "StringEquals": {"aws:PrincipalOrgID": "o-abcd123456"},
                "ArnLike": {"aws:PrincipalArn": "arn:aws:iam::*:role/reader-*"},
            },
            [Reach.PLATFORM],
        ),
        ({"StringLike": {"aws:PrincipalOrgPaths": "o-abcd123456/*"}}, [Reach.PLATFORM]),
        ({"StringLike": {"aws:PrincipalOrgID": "o-*"}}, [Reach.ANYONE]),
        ({"StringLike": {"aws:userId": "AROAEXAMPLEID0000001:ci"}}, [Reach.WORKLOAD]),
        ({"StringLike": {"aws:userId": "AROAEXAMPLEID0000001:*"}}, [Reach.ANYONE]),
        ({"IpAddress": {"aws:SourceIp": ["0.0.0.0/1", "128.0.0.0/1"]}}, [Reach.ANYONE]),
        ({"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}, [Reach.TENANT]),
        ({"IpAddress": {"aws:SourceIp": "172.16.0.0/12"}}, [Reach.TENANT]),
        ({"IpAddress": {"aws:SourceIp": "8.0.0.0/7"}}, [Reach.ANYONE]),
        ({"IpAddress": {"aws:SourceIp": "2001:db8::/32"}}, [Reach.TENANT]),
        ({"IpAddress": {"aws:SourceIp": "2000::/3"}}, [Reach.ANYONE]),
        ({"IpAddress": {"aws:SourceIp": "nonsense"}}, [Reach.ANYONE]),
        ({"NotIpAddress": {"aws:SourceIp": "198.51.100.0/24"}}, [Reach.ANYONE]),
        ({"StringEqualsIfExists": {"aws:SourceVpce": "vpce-1"}}, [Reach.ANYONE]),
        ({"StringEquals": {"aws:SourceVpce": "${aws:x}"}}, [Reach.ANYONE]),
        ({"StringEquals": {"some:key": "x"}}, [Reach.ANYONE]),
        ({"What": {"aws:SourceVpce": "vpce-1"}}, [Reach.ANYONE]),
        ({"StringEquals": {"aws:PrincipalAccount": OTHER}}, [Reach.TENANT]),
        ({"StringEquals": {"aws:PrincipalAccount": "x"}}, [Reach.ANYONE]),
        ({"StringEquals": {"aws:PrincipalAccount": ACCOUNT}}, []),
        ({"StringEquals": {"s3:DataAccessPointAccount": ACCOUNT}}, []),
        ({"ArnLike": {"aws:PrincipalArn": f"arn:aws:iam::{ACCOUNT}:role/*"}}, []),
        ({"ArnLike": {"aws:PrincipalArn": f"arn:aws:iam::{OTHER}:role/x"}}, [Reach.WORKLOAD]),
        ({"StringLike": {"aws:PrincipalArn": "nonsense"}}, [Reach.ANYONE]),
    ],
)
def test_how_far_everyone_reaches_under_conditions(condition, expected):
    assert expected == reaches(public(**condition))


@pytest.mark.parametrize(
    ("principal", "condition", "expected"),
    [
        ({"AWS": "*"}, {}, [Reach.ANYONE]),
        ({"AWS": ACCOUNT}, {}, []),
        ({"AWS": OTHER}, {}, [Reach.TENANT]),
        ({"AWS": f"arn:aws-us-gov:iam::{OTHER}:root"}, {}, [Reach.TENANT]),
        ({"AWS": f"arn:aws:iam::{OTHER}:user/x"}, {}, [Reach.WORKLOAD]),
        ({"AWS": "AROAEXAMPLEID0000001"}, {}, []),
        ({"CanonicalUser": "a" * 64}, {}, [Reach.UNKNOWN]),
        ({"AWS": "who"}, {}, [Reach.UNKNOWN]),
        ({"Federated": "graph.facebook.com"}, {}, [Reach.ANYONE]),
        ({"Federated": f"arn:aws:iam::{ACCOUNT}:saml-provider/idp"}, {}, []),
        ({"Service": "logging.s3.amazonaws.com"}, {}, [Reach.PLATFORM]),
        ({"Service": "ec2.amazonaws.com"}, {}, []),
        ({"Service": "ses.amazonaws.com"}, {"StringEquals": {"AWS:SourceAccount": ACCOUNT}}, []),
        ({"Service": "sns.amazonaws.com"}, {"ArnEquals": {"aws:SourceArn": "arn:aws:s3:::some-bucket"}}, []),
        ({"Service": "sns.amazonaws.com"}, {"StringEquals": {"aws:SourceAccount": OTHER}}, [Reach.TENANT]),
    ],
)
def test_who_is_an_outsider(principal, condition, expected):
    more = {"Condition": condition} if condition else {}
    assert expected == reaches(allow("s3:GetObject", OBJECTS, Principal=principal, **more))


def test_all_but_some_is_everyone():
    assert [Reach.ANYONE] == reaches(allow("s3:PutObject", OBJECTS, NotPrincipal={"AWS": ACCOUNT}))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (deny("s3:*", [BUCKET, OBJECTS], Principal="*"), []),
        (deny("s3:Get*", OBJECTS, Principal="*"), []),
        (deny("s3:Put*", OBJECTS, Principal="*"), [(Reach.ANYONE, False)]),
        (deny("s3:*", f"{BUCKET}/secret/*", Principal="*"), [(Reach.ANYONE, False)]),
        (deny("s3:*", OBJECTS, Principal={"AWS": OTHER}), [(Reach.ANYONE, False)]),
        (
            deny("s3:*", OBJECTS, Principal="*", Condition=OUTSIDE),
            [(Reach.PLATFORM, True)],
        ),
        (
            deny("s3:*", OBJECTS, Principal="*", Condition={"StringNotEquals": {"aws:PrincipalAccount": ACCOUNT}}),
            [],
        ),
        (
            deny("s3:Put*", OBJECTS, Principal="*", Condition=OUTSIDE),
            [(Reach.ANYONE, False)],
        ),
        (
            deny("s3:*", OBJECTS, Principal="*", Condition={"Bool": {"aws:SecureTransport": "false"}}),
            [(Reach.ANYONE, False)],
        ),
        (deny("s3:*", OBJECTS, Principal="*", Condition={"What": {"a:b": "c"}}), [(Reach.ANYONE, True)]),
    ],
)
def test_denies_close_what_they_surely_cover(statement, expected):
    assert expected == [(fact.reach, fact.conditional) for fact in exposed(public(), statement)]


def test_only_an_allow_opens_anything():
    assert [] == reaches(deny("*", OBJECTS, Principal="*", Condition={"StringNotEquals": {"aws:RequestedRegion": "x"}}))


def test_a_bucket_that_restricts_public_policies_is_not_public():
    assert [] == reaches(public(), RestrictPublicBuckets=True)
    assert [Reach.ANYONE] == reaches(public(), RestrictPublicBuckets=False)
    assert [Reach.TENANT] == reaches(
        allow("s3:GetObject", OBJECTS, Principal={"AWS": OTHER}), RestrictPublicBuckets=True
    )


@pytest.mark.parametrize(
    ("action", "plane", "use"),
    [
        ("s3:Get*", Plane.DATA, Use.READ),
        ("s3:P*", Plane.ADMIN, Use.WRITE),
        ("s3:GetObject", Plane.DATA, Use.READ),
        ("s3:PutObject", Plane.DATA, Use.WRITE),
        ("*", Plane.ADMIN, Use.WRITE),
        ("*:Get*", Plane.ADMIN, Use.WRITE),
        ("none:Such", UNKNOWN, UNKNOWN),
    ],
)
def test_what_is_open_is_told_by_plane_and_use(action, plane, use):
    [fact] = exposed(public(action))
    assert use == fact.use
    if action != "s3:Get*":
        assert plane == fact.plane
    assert action == fact.grants


def test_a_complement_of_actions_is_the_worst():
    [fact] = exposed(allow(None, OBJECTS, Principal="*", NotAction="s3:GetObject"))
    assert (Plane.ADMIN, Use.WRITE, "not s3:GetObject") == (fact.plane, fact.use, fact.grants)


def test_an_unreadable_statement_is_of_unknown_reach():
    [fact] = exposed(allow("GetObject", OBJECTS, Principal="*"))
    assert (Reach.UNKNOWN, UNKNOWN, UNKNOWN) == (fact.reach, fact.plane, fact.use)


def test_without_any_account_nobody_can_be_told_to_be_outside():
    statements = [allow("s3:GetObject", OBJECTS, Principal={"AWS": OTHER}), public()]
    facts = CLOUD.exposures(estate(resource(BUCKET, *statements, account=None)))
    assert [Reach.UNKNOWN, Reach.ANYONE] == [fact.reach for fact in facts]
    assert {("bucket", BUCKET)} == {(fact.resource_kind, fact.subject) for fact in facts}


def test_a_policy_of_an_unknown_resource_is_told_by_its_id():
    [fact] = CLOUD.exposures(estate(lower(allow("kms:Decrypt", Principal="*"), layer=Layer.RESOURCE)))
    assert (Reach.ANYONE, "resource") == (fact.reach, fact.resource_kind)
