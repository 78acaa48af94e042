"""Any value may stand anywhere in a document; nothing but entities and notes comes out."""

from __future__ import annotations

import copy
import json
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.clouds.aws._parse import parse
from idtrans.clouds.aws._shapes import recognise
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Entity
from idtrans.model.spans import Place
from idtrans.model.values import Layer

HEAD = "arn:aws:iam::111122223333"
POLICY = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Sid": "a",
            "Effect": "Allow",
            "Principal": {"AWS": ["111122223333"], "Service": "ec2.amazonaws.com"},
            "Action": ["s3:GetObject"],
            "Resource": ["arn:aws:s3:::logs/*"],
            "Condition": {"StringLike": {"aws:PrincipalOrgID": ["o-1"]}},
        }
    ],
}
CARRIED = json.dumps(POLICY)
ROLE: dict[str, Any] = {
    "Arn": f"{HEAD}:role/web",
    "RoleName": "web",
    "RoleId": "AROA1",
    "AssumeRolePolicyDocument": CARRIED,
    "RolePolicyList": [{"PolicyName": "p", "PolicyDocument": POLICY}],
    "AttachedManagedPolicies": [{"PolicyArn": f"{HEAD}:policy/p"}],
    "PermissionsBoundary": {"PermissionsBoundaryArn": f"{HEAD}:policy/p"},
    "InstanceProfileList": [{"Arn": f"{HEAD}:instance-profile/web"}],
    "Tags": [{"Key": "a", "Value": "b"}],
}
DOCUMENTS: dict[str, list[Any]] = {
    "aws.policy": [
        POLICY,
        [{"Policy": CARRIED}, {"Role": ROLE}, {"Roles": [ROLE]}],
        {"PolicyVersion": {"Document": POLICY}},
        {"Policy": {"PolicySummary": {"Type": "SERVICE_CONTROL_POLICY", "Name": "n"}, "Content": CARRIED}},
        {"Attributes": {"Policy": CARRIED, "QueueArn": "arn:aws:sqs:eu-west-1:111122223333:q"}},
        {"RoleName": "r", "PolicyName": "p", "PolicyDocument": POLICY},
    ],
    "aws.account-authorization-details": [
        {
            "UserDetailList": [{"Arn": f"{HEAD}:user/ana", "GroupList": ["g"], "UserPolicyList": []}],
            "GroupDetailList": [{"Arn": f"{HEAD}:group/g", "GroupPolicyList": []}],
            "RoleDetailList": [ROLE],
            "Policies": [
                {
                    "Arn": f"{HEAD}:policy/p",
                    "DefaultVersionId": "v1",
                    "PolicyVersionList": [{"VersionId": "v1", "IsDefaultVersion": True, "Document": POLICY}],
                }
            ],
            "IsTruncated": False,
        }
    ],
    "aws.open-id-connect-providers": [
        {"OpenIDConnectProviderList": [{"Arn": f"{HEAD}:oidc-provider/a.example"}]},
        [{"Arn": f"{HEAD}:oidc-provider/a.example", "Url": "a.example", "ClientIDList": ["x"]}],
    ],
    "aws.credential-report": [
        [
            {
                "user": "ana",
                "arn": f"{HEAD}:user/ana",
                "password_enabled": "true",
                "access_key_1_active": "true",
                "access_key_1_last_rotated": "2022-01-01T00:00:00Z",
                "access_key_1_last_used_date": "N/A",
                "additional_credentials_info": "N/A",
            }
        ],
        {"Content": "dXNlcixhcm4K", "ReportFormat": "text/csv"},
    ],
    "aws.access-keys": [
        {"AccessKeyMetadata": [{"UserName": "a", "AccessKeyId": "K", "Status": "Active", "CreateDate": "2022-01-01"}]}
    ],
}
TEXTS = st.sampled_from(["*", "", "Allow", "${a", "${aws:username}", "arn:aws:iam::1:role", CARRIED, "%7B", "N/A", "{"])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.text(max_size=5)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS | st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
HINTS = st.builds(
    Hints,
    layer=st.none() | st.sampled_from(Layer),
    principal=st.none() | st.sampled_from([f"{HEAD}:role/web", f"{HEAD}:root", "user/ana", "x"]),
    resource=st.none() | st.sampled_from(["arn:aws:s3:::logs", f"{HEAD}:role/web", f"{HEAD}:policy/p", "x"]),
    account=st.none() | st.sampled_from(["111122223333", "x"]),
)


def places(value, path=()):
    yield path
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in below:
        yield from places(item, (*path, key))


def replaced(content, path, value):
    if not path:
        return value
    content = copy.deepcopy(content)
    at = content
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return content


@settings(max_examples=120, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("shape", sorted(DOCUMENTS))
def test_any_value_anywhere(shape, data):
    content = data.draw(st.sampled_from(DOCUMENTS[shape]))
    for _ in range(data.draw(st.integers(1, 3))):
        content = replaced(content, data.draw(st.sampled_from(list(places(content)))), data.draw(VALUES))
    document = Document(Place("p.json"), Format.JSON, content, data.draw(HINTS))
    recognise(document)
    for found in parse(document, shape):
        assert isinstance(found, (*get_args(Entity), Unsupported))
        assert "aws" == found.cloud
        hash(found)
        assert str(found.source)


@pytest.mark.parametrize("shape", sorted(DOCUMENTS))
def test_the_unchanged_documents_are_recognised(shape):
    for content in DOCUMENTS[shape]:
        assert shape == recognise(Document(Place("p.json"), Format.JSON, content))
