from __future__ import annotations

import pytest

from idtrans.clouds.aws import CLOUD
from idtrans.model.intents import Names, Scope
from idtrans.model.values import Layer
from idtrans.ports import Overlap
from tests.clouds.aws.builders import ACCOUNT, ANA, BUCKET, account, allow, deny, estate, identity, lower, resource

OBJECTS = f"{BUCKET}/*"
READ = allow("s3:GetObject", OBJECTS)
HTTP = {"Bool": {"aws:SecureTransport": "false"}}
TAGGED = {"StringEquals": {"s3:ExistingObjectTag/x": "y"}}


def scp(*statements):
    return lower(*statements, layer=Layer.SCP, scope=ACCOUNT)


@pytest.mark.parametrize(
    ("groups", "unsure"),
    [
        ([identity(ANA, READ)], []),
        ([identity(ANA, READ, deny("s3:GetObject", f"{BUCKET}/x/*"))], []),
        ([identity(ANA, READ, deny("s3:*", "*", Condition=TAGGED))], []),
        ([identity(ANA, READ, deny("s3:*", "*", Condition={"NoSuchOperator": {"x": "y"}}))], ["denies"]),
        ([identity(ANA, READ, deny("s3:PutObject", "*"))], []),
        ([identity(ANA, READ, deny("s3:*", "*", Condition=HTTP))], []),
        (
            [identity(ANA, READ), resource(BUCKET, deny("s3:GetObject", OBJECTS, Principal="*", Condition=TAGGED))],
            [],
        ),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("*"))], []),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("s3:*"))], []),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("ec2:*"))], ["may limit what is held"]),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("*", OBJECTS))], ["may limit what is held"]),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("*"), deny("s3:Get*"))], []),
        (
            [identity(ANA, READ), account(ACCOUNT), scp(allow("*"), deny("s3:Get*", OBJECTS))],
            ["may deny part of what is held"],
        ),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("*"), deny("ec2:*"))], []),
        ([identity(ANA, READ), lower(deny("s3:*"), layer=Layer.SCP)], ["may limit access"]),
    ],
)
def test_what_may_take_away_a_part_is_named(groups, unsure):
    world = estate(*groups)

    for holding in CLOUD.holdings(ANA, world):
        assert bool(unsure) == bool(holding.unsure)
        assert all(any(part in said for said in holding.unsure) for part in unsure), holding.unsure


@pytest.mark.parametrize(
    ("groups", "denied"),
    [
        ([identity(ANA, READ)], []),
        ([identity(ANA, deny("s3:GetObject", OBJECTS))], [(OBJECTS, None)]),
        ([identity(ANA, deny("s3:GetObject", BUCKET))], []),
        ([identity(ANA, deny("s3:*", "*", Condition=HTTP))], []),
        ([identity(ANA, deny("s3:*", "*", Condition={"NoSuchOperator": {"x": "y"}}))], []),
        ([identity(ANA, deny("s3:*", "*", Condition=TAGGED))], [("*", "s3:ExistingObjectTag/x")]),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("*"), deny("s3:Get*"))], [("*", None)]),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("*"), deny("s3:Get*", OBJECTS))], []),
    ],
)
def test_what_is_denied_is_told_where_it_is_understood(groups, denied):
    found = [each.denied for each in CLOUD.denials(ANA, estate(*groups))]

    assert [scope for scope, _ in denied] == [each.scope for each in found]
    for each, (_, text) in zip(found, denied, strict=True):
        assert each.condition_text is None if text is None else text in str(each.condition_text)


@pytest.mark.parametrize(
    ("denied", "held", "expected"),
    [
        ("*", OBJECTS, Overlap.WHOLE),
        (OBJECTS, OBJECTS, Overlap.WHOLE),
        (f"{BUCKET}/x/*", OBJECTS, Overlap.PART),
        ("arn:aws:s3:::*/x", OBJECTS, Overlap.PART),
        (BUCKET, OBJECTS, Overlap.NOTHING),
        ("arn:aws:s3:::other/*", OBJECTS, Overlap.NOTHING),
        ("arn:aws:s3:::${aws:username}/*", OBJECTS, Overlap.UNKNOWN),
    ],
)
def test_what_a_deny_has_in_common_with_a_grant(denied, held, expected):
    assert expected is CLOUD.overlap(denied, held, estate())


def test_an_unconditional_deny_is_taken_into_account():
    world = estate(identity(ANA, allow(["s3:GetObject", "s3:PutObject"], OBJECTS), deny("s3:PutObject", "*")))
    [holding] = CLOUD.holdings(ANA, world)

    assert () == holding.unsure
    assert holding.permissions.matches("s3:GetObject")
    assert not holding.permissions.matches("s3:PutObject")


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("*", "account", Scope("account", "*")),
        (ACCOUNT, "account", Scope("account", "*", {"account_id": ACCOUNT})),
        (BUCKET, "account", None),
        (BUCKET, "resource", Scope("resource", BUCKET, {"resource": BUCKET})),
        ("*", "resource", None),
        ("*", "object-store", None),
        (BUCKET, "planet", None),
    ],
)
def test_scopes_are_read(text, kind, expected):
    found = CLOUD.scope(text, kind)

    assert expected == found
    assert expected is None or found is None or expected.parts == found.parts


def test_scopes_are_written():
    names = Names({"aws-account-id": ACCOUNT})

    assert "*" == CLOUD.write_scope(Scope("account", "projects/p"), names).native
    written = CLOUD.write_scope(Scope("resource", "//x/y"), names).native
    assert f"arn:aws:<AWS_SERVICE>:<AWS_REGION>:{ACCOUNT}:<AWS_RESOURCE>" == written
