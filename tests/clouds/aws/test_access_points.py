"""Access points of S3: what the point allows, the bucket behind it must allow too."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    BUCKET,
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
from tests.clouds.aws.replies import entities, reasons

POINT = f"arn:aws:s3:eu-west-1:{ACCOUNT}:accesspoint/ap"
KEY = f"{POINT}/object/a/b"
BO = f"arn:aws:iam::{OTHER}:user/bo"
GET = "s3:GetObject"
PEOPLE = [*account(ACCOUNT), *person(ANA), *person(BO), *identity(BO, allow("s3:*"))]
GRANT = allow(GET, f"{POINT}/object/*", Principal={"AWS": [ANA, BO]})
BLOCK = {"BlockPublicAcls": False}


def described(**more: Any) -> list[Any]:
    name = BUCKET.rpartition(":")[2]
    reply = {"Name": "ap", "Bucket": name, "AccessPointArn": POINT, "NetworkOrigin": "Internet", **more}
    return entities({**reply, "PublicAccessBlockConfiguration": BLOCK})


def delegated(key: str, value: str) -> dict[str, Any]:
    return allow("*", [BUCKET, f"{BUCKET}/*"], Principal={"AWS": "*"}, Condition={"StringEquals": {key: value}})


def world(*groups: list[Any], holds: tuple[Any, ...] = ()) -> Any:
    return estate(PEOPLE, identity(ANA, *holds), resource(POINT, GRANT), *groups)


def test_a_policy_of_a_point_alone_leaves_open_what_the_bucket_says() -> None:
    assert "unknown" == outcome(estate(resource(POINT, GRANT)), ANA, GET, KEY, closed=False)
    assert "unknown" == outcome(world(), ANA, GET, KEY, closed=False)
    assert "unknown" == outcome(world(described()), ANA, GET, KEY, closed=False)


@pytest.mark.parametrize(
    ("expected", "statement"),
    [
        ("allow", delegated("s3:DataAccessPointAccount", ACCOUNT)),
        ("allow", delegated("s3:DataAccessPointArn", POINT)),
        ("allow", delegated("s3:AccessPointNetworkOrigin", "Internet")),
        ("implicit-deny", delegated("s3:DataAccessPointAccount", OTHER)),
        ("implicit-deny", delegated("s3:DataAccessPointArn", f"{POINT}2")),
        ("implicit-deny", delegated("s3:AccessPointNetworkOrigin", "VPC")),
        ("allow", allow(GET, f"{BUCKET}/a/*", Principal={"AWS": [ANA, BO]})),
        ("allow", allow(GET, f"{BUCKET}/*", Principal="*")),
        ("allow", allow(GET, "*", Principal="*")),
        ("allow", allow(GET, f"{BUCKET[:-1]}*", Principal="*")),
        ("allow", allow(GET, NotResource=f"{BUCKET}/b/*", resource=None, Principal="*")),
        ("implicit-deny", allow(GET, NotResource=f"{BUCKET}/a/*", resource=None, Principal="*")),
        ("implicit-deny", allow(GET, f"{BUCKET}/b/*", Principal={"AWS": [ANA, BO]})),
        ("implicit-deny", allow("s3:PutObject", f"{BUCKET}/*", Principal="*")),
        ("implicit-deny", allow(GET, BUCKET, Principal="*")),
        ("implicit-deny", allow(GET, f"{BUCKET}/*", Principal={"AWS": f"arn:aws:iam::{OTHER}:user/other"})),
    ],
)
def test_the_policy_of_the_bucket_consents(expected: str, statement: dict[str, Any]) -> None:
    found = world(described(), resource(BUCKET, statement))
    assert [expected, expected] == [outcome(found, who, GET, KEY) for who in (ANA, BO)]


@pytest.mark.parametrize(
    ("expected", "holds"),
    [
        ("allow", (allow("s3:*"),)),
        ("allow", (allow(GET, f"{BUCKET}/*"),)),
        ("implicit-deny", (allow(GET, "arn:aws:s3:::another/*"),)),
        ("implicit-deny", (allow(GET, f"{POINT}/object/*"),)),
        ("explicit-deny", (allow("s3:*"), deny(GET, f"{BUCKET}/a/*"))),
    ],
)
def test_identity_policies_speak_of_the_bucket_in_its_own_account(expected: str, holds: tuple[Any, ...]) -> None:
    found = world(described(), resource(BUCKET, allow(GET, f"{BUCKET}/zzz", Principal={"AWS": BO})), holds=holds)
    answer = outcome(found, ANA, GET, KEY)
    assert expected.partition("-")[2] == answer.partition("-")[2]
    assert "implicit-deny" == outcome(found, BO, GET, KEY)


def test_a_deny_of_the_bucket_counts_through_its_points() -> None:
    closed = deny(
        GET, f"{BUCKET}/*", Principal="*", Condition={"StringNotEquals": {"s3:AccessPointNetworkOrigin": "VPC"}}
    )
    bucket = resource(BUCKET, delegated("s3:DataAccessPointAccount", ACCOUNT), closed)
    assert "deny" in outcome(world(described(), bucket), ANA, GET, KEY)
    net = described(NetworkOrigin="VPC", VpcConfiguration={"VpcId": "vpc-1"})
    assert "allow" == outcome(world(net, bucket), ANA, GET, KEY, **{"aws:SourceVpc": "vpc-1"})


@pytest.mark.parametrize(
    ("expected", "context"),
    [
        ("allow", {"aws:SourceVpc": "vpc-1"}),
        ("implicit-deny", {"aws:SourceVpc": "vpc-2"}),
        ("implicit-deny", {}),
        ("conditional", {"closed": False}),
    ],
)
def test_a_point_of_a_network_is_used_from_it(expected: str, context: dict[str, Any]) -> None:
    net = described(NetworkOrigin="VPC", VpcConfiguration={"VpcId": "vpc-1"})
    found = world(net, resource(BUCKET, delegated("s3:DataAccessPointAccount", ACCOUNT)))
    assert expected == outcome(found, ANA, GET, KEY, **context)


def test_a_network_that_is_not_told_is_not_known() -> None:
    found = world(described(NetworkOrigin="VPC"), resource(BUCKET, delegated("s3:DataAccessPointAccount", ACCOUNT)))
    assert "unknown" == outcome(found, ANA, GET, KEY, closed=False)


def test_a_pattern_that_cannot_be_told_of_the_point_is_not_known() -> None:
    odd = allow(GET, "arn:aws:s3:::example-*/b", Principal="*")
    assert "unknown" == outcome(world(described(), resource(BUCKET, odd)), ANA, GET, KEY, closed=False)


def test_the_point_itself_and_the_bucket_go_on_as_before() -> None:
    found = world(described(), holds=(allow("s3:*"),))
    assert "allow" == outcome(found, ANA, "s3:GetAccessPoint", POINT)
    assert "allow" == outcome(found, ANA, GET, f"{BUCKET}/a")
    named = estate(PEOPLE, identity(ANA, allow(GET, f"{POINT}/object/*")))
    assert "unknown" == outcome(named, ANA, GET, KEY, closed=False)
    assert "implicit-deny" == outcome(named, ANA, GET, f"{BUCKET}/a")


def test_a_list_of_points_is_read() -> None:
    listed = {"Name": "ap", "Bucket": "example-data", "AccessPointArn": POINT, "NetworkOrigin": "Internet"}
    content = {"AccessPointList": [listed, None, {"Name": "x"}]}
    assert 2 == len(reasons(content))
    found = world(entities(content), resource(BUCKET, delegated("s3:DataAccessPointAccount", ACCOUNT)))
    assert "allow" == outcome(found, ANA, GET, KEY)
