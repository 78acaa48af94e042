from __future__ import annotations

import pytest

from idtrans.clouds.aws import CLOUD
from idtrans.model.intents import Names, Scope
from idtrans.model.values import Layer
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
        ([identity(ANA, READ, deny("s3:GetObject", f"{BUCKET}/x/*"))], ["denies part of what is held"]),
        ([identity(ANA, READ, deny("s3:*", "*", Condition=TAGGED))], ["denies part of what is held"]),
        ([identity(ANA, READ, deny("s3:PutObject", "*"))], []),
        ([identity(ANA, READ, deny("s3:*", "*", Condition=HTTP))], []),
        (
            [identity(ANA, READ), resource(BUCKET, deny("s3:GetObject", OBJECTS, Principal="*", Condition=TAGGED))],
            ["denies"],
        ),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("*"))], []),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("s3:*"))], []),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("ec2:*"))], ["may limit what is held"]),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("*", OBJECTS))], ["may limit what is held"]),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("*"), deny("s3:Get*"))], ["may deny part of what is held"]),
        ([identity(ANA, READ), account(ACCOUNT), scp(allow("*"), deny("ec2:*"))], []),
        ([identity(ANA, READ), lower(deny("s3:*"), layer=Layer.SCP)], ["may limit access"]),
    ],
)
def test_what_may_take_away_a_part_is_named(groups, unsure):
    world = estate(*groups)

    for holding in CLOUD.holdings(ANA, world):
        assert bool(unsure) == bool(holding.unsure)
        assert all(any(part in said for said in holding.unsure) for part in unsure), holding.unsure


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
