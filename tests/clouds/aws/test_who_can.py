"""Who may, asked of all at once, against asking one after the other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from idtrans.access import can, who_can
from idtrans.clouds.aws import CLOUD
from idtrans.model.decisions import Outcome
from idtrans.ports import Query
from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    APP,
    BUCKET,
    OBJECT,
    OTHER,
    SESSION,
    allow,
    boundary,
    deny,
    estate,
    identity,
    person,
    resource,
    trust,
)

BEN = f"arn:aws:iam::{ACCOUNT}:user/ben"
CYD = f"arn:aws:iam::{ACCOUNT}:user/cyd"
STRANGER = f"arn:aws:iam::{OTHER}:role/partner"
WORLD = estate(
    *(person(arn) for arn in (ANA, APP, BEN, CYD)),
    identity(ANA, allow("s3:GetObject", f"{BUCKET}/${{aws:username}}/*"), allow("ec2:*")),
    identity(APP, allow("s3:*", [BUCKET, f"{BUCKET}/*"]), deny("s3:GetObject", f"{BUCKET}/secret")),
    identity(BEN, allow(None, NotAction="iam:*")),
    boundary(BEN, allow("s3:Get*")),
    identity(CYD, allow("s3:GetObject", Condition={"Bool": {"aws:MultiFactorAuthPresent": "true"}})),
    resource(
        BUCKET,
        allow("s3:GetObject", f"{BUCKET}/a", Principal={"AWS": [STRANGER, SESSION]}),
        deny("s3:*", f"{BUCKET}/locked", Principal="*"),
    ),
    trust(allow("sts:AssumeRole", None, Principal={"AWS": [OTHER, CYD]})),
)
QUESTIONS = [
    ("s3:GetObject", OBJECT),
    ("s3:GetObject", f"{BUCKET}/ana/x"),
    ("s3:GetObject", f"{BUCKET}/secret"),
    ("s3:GetObject", f"{BUCKET}/locked"),
    ("s3:GetObject", "*"),
    ("s3:ListAllMyBuckets", "*"),
    ("ec2:RunInstances", "*"),
    ("sts:AssumeRole", f"arn:aws:iam::{ACCOUNT}:role/deploy"),
    ("iam:CreateUser", f"arn:aws:iam::{ACCOUNT}:user/new"),
]


@pytest.mark.parametrize(("action", "target"), QUESTIONS)
@pytest.mark.parametrize("closed", [True, False])
def test_all_at_once_is_one_by_one(action, target, closed) -> None:
    query = Query("", action, target, closed=closed)
    principals = CLOUD.principals(WORLD)
    single = [can(CLOUD, WORLD, replace(query, principal=principal)) for principal in principals]
    answer = who_can(CLOUD, WORLD, query)
    assert [one for one in single if one.outcome in {Outcome.ALLOW, Outcome.CONDITIONAL}] == list(answer.allowed)
    assert [one for one in single if one.outcome is Outcome.UNKNOWN] == list(answer.unknown)
    assert len(principals) == answer.examined
