"""Replies of the AWS command line that the sample estate has no file of, to be damaged like its files are."""

from __future__ import annotations

import json
from typing import Any

from idtrans.model.documents import Document, Format, Hints
from idtrans.model.spans import Place

_PLACE = "eu-west-1:111122223333"
_KEY = f"arn:aws:kms:{_PLACE}:key/1234"
_ORGANIZATION = "arn:aws:organizations::111122223333"
_TEXT = json.dumps(
    {"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": f"arn:aws:logs:{_PLACE}:g:*"}]}
)
_GRANT = {
    "KeyId": _KEY,
    "GrantId": "g1",
    "GranteePrincipal": "arn:aws:iam::444455556666:role/r",
    "RetiringPrincipal": "arn:aws:iam::444455556666:role/q",
    "Operations": ["Decrypt", "DescribeKey", "CreateGrant"],
    "Constraints": {"EncryptionContextEquals": {"a": "b"}, "SourceArn": _KEY},
}
_IAM = "arn:aws:iam::111122223333"
_POLICY_OF_ONE = {"PolicyName": "p", "PolicyArn": f"{_IAM}:policy/p"}
_TEMPLATE = {"R": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": _TEXT}}}
_PLANNED = {"root_module": {"resources": [{"address": "aws_iam_role.r", "type": "aws_iam_role", "values": {}}]}}
_REPLIES: tuple[Any, ...] = (
    {"Users": [{"UserName": "ana", "Arn": f"{_IAM}:user/ana"}], "IsTruncated": False},
    {"Group": {"GroupName": "g", "Arn": f"{_IAM}:group/g"}, "Users": [{"UserName": "ana", "Arn": f"{_IAM}:user/ana"}]},
    {"UserName": "ana", "AttachedPolicies": [_POLICY_OF_ONE]},
    {"RoleName": "r", "PolicyNames": ["p"]},
    {"PolicyArn": f"{_IAM}:policy/p", "PolicyUsers": [{"UserName": "ana"}], "PolicyRoles": [{"RoleName": "r"}]},
    {"Policies": [{"PolicyName": "p", "Arn": f"{_IAM}:policy/p", "DefaultVersionId": "v1"}]},
    {"AccessPointList": [{"Name": "ap", "Bucket": "b", "AccessPointArn": f"arn:aws:s3:{_PLACE}:accesspoint/ap"}]},
    {"AWSTemplateFormatVersion": "2010-09-09", "Resources": _TEMPLATE},
    {"format_version": "1.2", "planned_values": _PLANNED, "resource_changes": []},
    {"Grants": [_GRANT], "Truncated": False},
    {"AccountIds": ["all"], "AccountSharingInfoList": [{"AccountId": "all"}]},
    {"Images": [{"ImageId": "ami-1", "OwnerId": "111122223333", "Public": True}]},
    {"SnapshotId": "snap-1", "CreateVolumePermissions": [{"Group": "all"}, {"UserId": "444455556666"}]},
    {"resourcePolicies": [{"policyName": "p", "policyDocument": _TEXT}]},
    {"ResourcePolicies": [{"PolicyName": "p", "PolicyDocument": _TEXT}]},
    {"Policies": {"partners": _TEXT}},
    {"policies": [_TEXT]},
    {"items": [{"id": "a1", "createdDate": 1, "policy": _TEXT}]},
    {"Policy": {"Established": {"Policy": _TEXT}, "Proposed": {"Policy": _TEXT}}},
    {"ResourcePolicy": {"ResourceArn": _KEY, "Policy": _TEXT}},
    {
        "ResourcePolicy": {
            "ResourcePolicySummary": {"Arn": f"{_ORGANIZATION}:resourcepolicy/o-a/rp-1"},
            "Content": _TEXT,
        }
    },
    {"DelegatedAdministrators": [{"Id": "444455556666", "Arn": f"{_ORGANIZATION}:account/o-a/444455556666"}]},
    {"Policy": {"PolicySummary": {"Id": "p-1", "Name": "tags", "Type": "TAG_POLICY"}, "Content": "{}"}},
    {
        "Name": "ap",
        "AccessPointArn": f"arn:aws:s3:{_PLACE}:accesspoint/ap",
        "PublicAccessBlockConfiguration": {"RestrictPublicBuckets": True},
    },
)


def aws_replies() -> list[Document]:
    """Return the replies, each as a file that names its account and a resource."""
    hints = Hints(account="111122223333", resource=f"arn:aws:ssm:{_PLACE}:document/d")
    return [
        Document(Place(f"reply-{number}.json"), Format.JSON, content, hints) for number, content in enumerate(_REPLIES)
    ]
