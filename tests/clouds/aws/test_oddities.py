"""What is odd about a request or about the statements on it, without an answer changing."""

from __future__ import annotations

import pytest

from idtrans.access import can
from idtrans.clouds.aws import CLOUD
from idtrans.clouds.aws._misfits import misfits
from idtrans.model.decisions import Request
from idtrans.model.entities import ConditionTest
from idtrans.ports import Query
from tests.clouds.aws.builders import ACCOUNT, ANA, APP, BUCKET, HERE, OBJECT, allow, deny, estate, identity, person

QUEUE = f"arn:aws:sqs:eu-west-1:{ACCOUNT}:q"


def notes(world, action, resource, principal=ANA):
    return can(CLOUD, world, Query(principal, action, resource, closed=True)).notes


@pytest.mark.parametrize(
    ("pattern", "resource", "crosses"),
    [
        ("arn:aws:sqs:*:q", QUEUE, True),
        ("arn:aws:s3*:data/a", OBJECT.replace("example-data", "data"), True),
        ("arn:aws:sqs:*", QUEUE, False),
        ("arn:aws:sqs:*:*:q", QUEUE, False),
        ("arn:aws:sqs:eu-*:111122223333:q", QUEUE, False),
        ("arn:aws:sqs:eu*1:q", QUEUE, False),
        ("*", QUEUE, False),
    ],
)
def test_a_star_that_would_cross_a_colon_is_remarked(pattern, resource, crosses):
    action = "sqs:SendMessage" if resource == QUEUE else "s3:GetObject"
    for statements in ([allow(action, pattern)], [allow(action), deny(action, pattern)]):
        found = [note for note in notes(estate(identity(ANA, *statements)), action, resource) if "crossing" in note]
        assert crosses is bool(found)
        assert all(note.startswith(f"colon-crossing: `{pattern}` is compared field by field") for note in found)


def test_a_remark_is_about_the_action_and_the_principal():
    crossing = allow("sqs:SendMessage", "arn:aws:sqs:*:q")
    everything_else = {"Effect": "Deny", "NotAction": "sqs:SendMessage", "NotResource": "arn:aws:sqs:*:q"}
    world = estate(identity(ANA, crossing, everything_else), person(APP))
    assert 1 == len(notes(world, "sqs:SendMessage", QUEUE))
    assert 1 == len(notes(world, "sqs:DeleteQueue", QUEUE))
    assert () == notes(world, "sqs:SendMessage", QUEUE, APP)
    assert () == notes(world, "sqs:SendMessage", QUEUE.replace(":q", ":r"))


@pytest.mark.parametrize(
    ("operator", "key", "values", "expected"),
    [
        ("IpAddress", "aws:username", ("10.0.0.0/8",), "`IpAddress` on `aws:username` never matches"),
        ("NotIpAddress", "aws:username", ("10.0.0.0/8",), "`NotIpAddress` on `aws:username` refuses nothing"),
        ("DateLessThan", "aws:username", ("2026-01-01",), "values of the type String"),
        ("NumericEquals", "aws:PrincipalArn", ("5",), "values of the type ARN"),
        ("NumericLessThan", "aws:SecureTransport", ("5",), "values of the type Bool"),
        ("Bool", "aws:MultiFactorAuthAge", ("true",), "values of the type Numeric"),
        ("ArnLike", "aws:SecureTransport", ("arn:aws:s3:::b",), "values of the type Bool"),
        ("ArnLike", "aws:SourceArn", ("example",), "no value is a pattern of ARNs"),
        ("StringEquals", "aws:PrincipalArn", ("arn:aws:iam::*:role/x",), "are plain characters here"),
        ("StringNotEquals", "aws:SourceArn", ("arn:aws:s3:::b?",), "refuses nothing"),
        ("ForAnyValue:StringEquals", "aws:PrincipalArn", ("*",), "are plain characters here"),
        ("StringEquals", "aws:SourceIp", ("10.0.0.0/8",), "a range of addresses is plain text here"),
        # These are fine.
        ("IpAddress", "aws:VpcSourceIp", ("10.0.0.0/8",), None),
        ("StringLike", "aws:SourceIp", ("10.*",), None),
        ("StringEquals", "aws:SourceIp", ("10.0.0.1",), None),
        ("StringEquals", "aws:PrincipalArn", ("arn:aws:iam::111122223333:role/x", "*"), None),
        ("StringLike", "aws:PrincipalArn", ("arn:aws:iam::*:role/x",), None),
        ("StringEquals", "aws:PrincipalArn", ("arn:aws:iam::111122223333:role/${*}",), None),
        ("NumericEquals", "aws:PrincipalTag/level", ("5",), None),
        ("NumericLessThan", "aws:EpochTime", ("5",), None),
        ("DateLessThan", "aws:EpochTime", ("2026-01-01",), None),
        ("Bool", "aws:PrincipalTag/on", ("true",), None),
        ("StringEquals", "aws:SecureTransport", ("true",), None),
        ("ArnEquals", "aws:SourceArn", ("*",), None),
        ("ArnEquals", "aws:PrincipalTag/role", ("arn:aws:iam::*:role/x",), None),
        ("IpAddress", "some:unknown", ("10.0.0.0/8",), None),
        ("Strange", "aws:username", ("x",), None),
        ("StringEquals", "aws:username", (), None),
        ("Null", "aws:username", ("true",), None),
    ],
)
def test_a_test_that_does_not_fit_its_key_is_told(operator, key, values, expected):
    found = misfits([ConditionTest(operator, key, values, HERE)])
    if expected is None:
        assert () == found
    else:
        assert expected in found[0]


def test_a_condition_that_never_matches_is_remarked_for_its_action():
    condition = {"StringEquals": {"aws:SourceIp": "10.0.0.0/8"}}
    world = estate(identity(ANA, allow("s3:*", Condition=condition)))
    [note] = notes(world, "s3:GetObject", OBJECT)
    assert note.startswith("no-match: `StringEquals` on `aws:SourceIp` never matches")
    assert () == notes(world, "sqs:SendMessage", QUEUE)


def test_an_action_that_does_not_exist_is_remarked():
    world = estate(person(ANA))
    [remark] = CLOUD.oddities(Request(ANA, "s3:GetObjct", "*"), world)
    assert remark.endswith("did you mean `s3:GetObject`?")
    assert () == CLOUD.oddities(Request(ANA, "s3:GetObject", BUCKET), world)
