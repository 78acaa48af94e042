"""Planes and uses of actions."""

from __future__ import annotations

import pytest

from idtrans.catalog import UNPROFILED, ActionProfile, action_profile, aws_action, aws_service_actions
from idtrans.model.values import Plane, Use


@pytest.mark.parametrize(
    ("cloud", "action", "plane", "use"),
    [
        ("aws", "s3:GetObject", Plane.DATA, Use.READ),
        ("aws", "S3:getobject", Plane.DATA, Use.READ),
        ("aws", "s3:GetObjectAcl", Plane.CONFIG, Use.READ),
        ("aws", "s3:ListAllMyBuckets", Plane.METADATA, Use.READ),
        ("aws", "iam:PassRole", Plane.ADMIN, Use.USE),
        ("aws", "iam:CreateAccessKey", Plane.SECRET, Use.WRITE),
        ("aws", "secretsmanager:GetSecretValue", Plane.SECRET, Use.READ),
        ("aws", "lambda:GetFunctionConfiguration", Plane.SECRET, Use.READ),
        ("aws", "ec2:DescribeInstances", Plane.METADATA, Use.READ),
        ("gcp", "storage.objects.get", Plane.DATA, Use.READ),
        ("gcp", "storage.buckets.get", Plane.CONFIG, Use.READ),
        ("gcp", "resourcemanager.projects.setIamPolicy", Plane.ADMIN, Use.WRITE),
        ("gcp", "iam.serviceAccounts.getAccessToken", Plane.SECRET, Use.USE),
        ("azure", "data:microsoft.storage/storageaccounts/blobservices/containers/blobs/read", Plane.DATA, Use.READ),
        ("azure", "control:microsoft.storage/storageaccounts/listkeys/action", Plane.SECRET, Use.READ),
        ("azure", "control:microsoft.authorization/roleassignments/write", Plane.ADMIN, Use.WRITE),
    ],
)
def test_profiles(cloud: str, action: str, plane: Plane, use: Use) -> None:
    assert action_profile(cloud, action) == ActionProfile(plane, use)


@pytest.mark.parametrize(("cloud", "action"), [("aws", "nosuch:Thing"), ("gcp", "x.y.frobnicate"), ("vault", "read")])
def test_what_nobody_knows_is_unknown(cloud: str, action: str) -> None:
    assert action_profile(cloud, action) == UNPROFILED


def test_an_action_is_found_in_any_case_with_its_resources() -> None:
    action = aws_action("S3:GETOBJECT")
    assert action is not None
    assert action.name == "s3:GetObject"
    assert "arn:*:s3:::*/*" in action.resources


def test_an_unknown_service_has_no_actions() -> None:
    assert aws_service_actions("nosuch") == ()
    assert aws_action("nosuch:Thing") is None
