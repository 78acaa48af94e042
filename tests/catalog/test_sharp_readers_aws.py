"""Policies of AWS that are called readers, and what they give."""

from __future__ import annotations

import tomllib

import pytest

from idtrans.algebra import glob
from idtrans.catalog import aws_action, false_reader_by_pattern, managed_policy
from idtrans.model.data import rules_dir
from idtrans.model.values import Effect

SHARP = {
    "AWSLambda_ReadOnlyAccess",
    "AWSSecretsManagerClientReadOnlyAccess",
    # It reads the configuration of the functions that streams of tables call.
    "AmazonDynamoDBReadOnlyAccess",
    "AmazonSSMReadOnlyAccess",
    "ReadOnlyAccess",
    "SecurityAudit",
}
FINE = {
    "AWSBillingReadOnlyAccess",
    "AWSCloudFormationReadOnlyAccess",
    "AmazonEC2ReadOnlyAccess",
    "AmazonRDSReadOnlyAccess",
    "AmazonS3ReadOnlyAccess",
    "AmazonSQSReadOnlyAccess",
    "AmazonVPCReadOnlyAccess",
    "CloudWatchLogsReadOnlyAccess",
    "IAMReadOnlyAccess",
    "ViewOnlyAccess",
}


def gives_more(name: str) -> bool:
    with (rules_dir() / "managed-policies" / f"{name}.toml").open("rb") as file:
        policy = managed_policy(tomllib.load(file)["arn"])
    assert policy is not None
    allows = [statement for statement in policy.statements if statement.effect is Effect.ALLOW]
    return false_reader_by_pattern(
        "aws", name, (glob(action, fold=True) for statement in allows for action in statement.actions or ())
    )


@pytest.mark.parametrize("name", sorted(SHARP))
def test_managed_policies_that_give_more_than_reading(name):
    assert gives_more(name)


@pytest.mark.parametrize("name", sorted(FINE))
def test_managed_policies_that_read(name):
    assert not gives_more(name)


@pytest.mark.parametrize(
    ("name", "pattern", "expected"),
    [
        ("TeamReadOnly", "secretsmanager:Get*", True),
        ("TeamReadOnly", "SECRETSMANAGER:getsecretvalue", True),
        ("team-viewer", "sqs:*", True),
        ("auditors", "sts:AssumeRole", True),
        ("TeamReadOnly", "secretsmanager:Describe*", False),
        ("TeamReadOnly", "s3:GetObject", False),
        # It promises nothing.
        ("SecretsManagerReadWrite", "secretsmanager:*", False),
        ("deployers", "secretsmanager:GetSecretValue", False),
    ],
)
def test_a_name_and_a_pattern(name, pattern, expected):
    assert expected == false_reader_by_pattern("aws", name, [glob(pattern, fold=True)])


def test_every_sharp_action_is_one_of_the_vendor():
    with (rules_dir() / "sharp-readers.toml").open("rb") as file:
        sharp = tomllib.load(file)["aws"]["sharp"]

    assert [] == [name for name in sharp if aws_action(name) is None]
