from __future__ import annotations

import pytest

from idtrans.clouds.aws._shapes import recognise
from idtrans.model.documents import Document, Format, Hints
from idtrans.model.spans import Place
from idtrans.model.values import Layer

POLICY = {"Version": "2012-10-17", "Statement": []}
TEXT = '{"Version": "2012-10-17", "Statement": []}'
PROVIDER = "arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com"


def shape(content, **hints):
    return recognise(Document(Place("any-name.txt"), Format.JSON, content, Hints(**hints)))


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("aws.policy", POLICY),
        ("aws.policy", {"Statement": {"Effect": "Allow"}}),
        ("aws.policy", [POLICY, POLICY]),
        ("aws.policy", {"Policy": TEXT}),
        ("aws.policy", {"Policy": "%7B%22Statement%22%3A%5B%5D%7D", "PolicyName": "default"}),
        ("aws.policy", {"Policy": ""}),
        ("aws.policy", {"RoleName": "deploy", "PolicyName": "p", "PolicyDocument": POLICY}),
        ("aws.policy", {"PolicyVersion": {"Document": POLICY, "VersionId": "v1", "IsDefaultVersion": True}}),
        ("aws.policy", {"Policy": {"PolicySummary": {"Type": "SERVICE_CONTROL_POLICY"}, "Content": TEXT}}),
        ("aws.policy", {"Attributes": {"Policy": TEXT, "QueueArn": "arn:aws:sqs:eu-west-1:111122223333:jobs"}}),
        ("aws.policy", {"ARN": "arn:aws:secretsmanager:eu-west-1:111122223333:secret:a", "ResourcePolicy": TEXT}),
        ("aws.policy", {"Role": {"Arn": "a", "AssumeRolePolicyDocument": POLICY}}),
        ("aws.policy", {"Roles": [{"Arn": "a", "AssumeRolePolicyDocument": POLICY}]}),
        ("aws.account-authorization-details", {"UserDetailList": []}),
        ("aws.account-authorization-details", [{"RoleDetailList": []}, {"Policies": []}]),
        ("aws.open-id-connect-providers", {"OpenIDConnectProviderList": [{"Arn": PROVIDER}]}),
        ("aws.open-id-connect-providers", {"Url": "a.example", "ClientIDList": ["x"]}),
        ("aws.open-id-connect-providers", [{"Arn": PROVIDER, "Url": "token.actions.githubusercontent.com"}]),
        ("aws.credential-report", [{"user": "ana", "arn": "a", "access_key_1_active": "false"}]),
        ("aws.credential-report", {"Content": "dXNlcg==", "ReportFormat": "text/csv"}),
        ("aws.access-keys", {"AccessKeyMetadata": []}),
        ("aws.access-keys", [{"AccessKeyMetadata": []}, {"AccessKeyMetadata": []}]),
    ],
)
def test_shapes_are_told_by_content(expected, content):
    assert expected == shape(content)


@pytest.mark.parametrize(
    "content",
    [
        None,
        {},
        [],
        "text",
        7,
        [1, 2],
        {"bindings": [{"role": "roles/viewer", "members": []}]},
        {"Policies": [{"PolicyName": "p"}]},
        {"Policy": {"PolicyName": "p"}},
        {"Policy": "allow everyone"},
        {"Policy": "", "Other": 1},
        {"Roles": [{"RoleName": "x"}]},
        {"Roles": 3},
        {"Role": "x"},
        {"Content": "dXNlcg=="},
        {"user": "ana", "arn": "a"},
        {"Attributes": {"QueueArn": "a"}},
        {"statement": []},
        {"id": "/subscriptions/x", "properties": {"roleDefinitionId": "y"}},
    ],
)
def test_other_documents_are_left_alone(content):
    assert shape(content) is None


@pytest.mark.parametrize(
    ("expected", "content", "hints"),
    [
        (None, POLICY, {"cloud": "gcp"}),
        ("aws.policy", POLICY, {"cloud": "aws"}),
        (None, None, {"layer": Layer.SCP}),
        ("aws.policy", {}, {"cloud": "aws", "layer": Layer.IDENTITY}),
        ("aws.account-authorization-details", {"UserDetailList": []}, {"layer": Layer.IDENTITY}),
        (None, None, {"cloud": "aws"}),
        (None, POLICY, {"kind": "gcp.iam-policy"}),
        ("aws.policy", {}, {"kind": "aws.trust-policy"}),
        ("aws.policy", {}, {"kind": "bucket-policy"}),
        ("aws.access-keys", {}, {"kind": "access-keys"}),
        ("aws.open-id-connect-providers", {}, {"kind": "aws.open-id-connect-provider"}),
    ],
)
def test_hints_decide_before_content(expected, content, hints):
    assert expected == shape(content, **hints)
