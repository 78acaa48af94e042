"""Made-up inputs of any size, the same for the same seed: account dumps, asset exports, assignment lists."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

ACCOUNT = "111122223333"
PARTNERS = ("444455556666", "777788889999", "123456789012")
CREATED = "2024-01-01T00:00:00+00:00"
OIDC = f"arn:aws:iam::{ACCOUNT}:oidc-provider/token.actions.githubusercontent.com"
CLAIM = "token.actions.githubusercontent.com"
ORGANIZATION = "organizations/123456789012"
GCP_ROLES = ("roles/storage.objectUser", "roles/storage.objectViewer", "roles/storage.admin", "roles/pubsub.publisher")
ACTIONS = {
    "s3": ("GetObject", "PutObject", "ListBucket", "Get*", "*"),
    "ec2": ("Describe*", "RunInstances", "TerminateInstances", "*"),
    "sqs": ("SendMessage", "ReceiveMessage", "DeleteMessage", "*"),
    "sns": ("Publish", "Subscribe"),
    "dynamodb": ("GetItem", "Query", "PutItem", "*"),
    "lambda": ("InvokeFunction", "Get*", "UpdateFunctionCode"),
    "logs": ("PutLogEvents", "CreateLogStream", "CreateLogGroup"),
    "secretsmanager": ("GetSecretValue", "DescribeSecret"),
    "ssm": ("GetParameter", "GetParametersByPath"),
}
RESOURCES = {
    "s3": "arn:aws:s3:::app-{}/*",
    "ec2": f"arn:aws:ec2:eu-west-1:{ACCOUNT}:instance/i-{{:08}}",
    "sqs": f"arn:aws:sqs:eu-west-1:{ACCOUNT}:queue-{{}}",
    "sns": f"arn:aws:sns:eu-west-1:{ACCOUNT}:topic-{{}}",
    "dynamodb": f"arn:aws:dynamodb:eu-west-1:{ACCOUNT}:table/app-{{}}",
    "lambda": f"arn:aws:lambda:eu-west-1:{ACCOUNT}:function:app-{{}}",
    "logs": f"arn:aws:logs:eu-west-1:{ACCOUNT}:log-group:/app/{{}}:*",
    "secretsmanager": f"arn:aws:secretsmanager:eu-west-1:{ACCOUNT}:secret:app-{{}}-*",
    "ssm": f"arn:aws:ssm:eu-west-1:{ACCOUNT}:parameter/app/{{}}/*",
}


def account_dump(folder: Path, roles: int) -> Path:
    """Write what `aws iam get-account-authorization-details` prints , as indented, for so many roles."""
    path = folder / f"account-{roles}.json"
    if not path.exists():
        path.write_text(json.dumps(_account(roles), indent=4))
    return path


def _account(roles: int) -> dict[str, Any]:
    random = Random(roles)
    policies = [_policy(number, random, roles) for number in range(max(3, roles // 20))]
    return {
        "UserDetailList": [],
        "GroupDetailList": [],
        "RoleDetailList": [_role(number, random, roles, policies) for number in range(roles)],
        "Policies": policies,
    }


def _document(random: Random, roles: int) -> dict[str, Any]:
    return {"Version": "2012-10-17", "Statement": [_statement(random, roles) for _ in range(random.randint(1, 4))]}


def _statement(random: Random, roles: int) -> dict[str, Any]:
    service = random.choice(list(ACTIONS))
    names = random.sample(ACTIONS[service], random.randint(1, min(3, len(ACTIONS[service]))))
    own = [RESOURCES[service].format(random.randint(0, roles)) for _ in range(random.randint(1, 3))]
    found: dict[str, Any] = {
        "Effect": "Allow" if random.random() < 0.94 else "Deny",
        "Action": [f"{service}:{name}" for name in names],
        "Resource": "*" if random.random() < 0.05 else own,
    }
    if random.random() < 0.15:
        found["Condition"] = {"StringEquals": {"aws:PrincipalTag/team": f"t{random.randint(0, 20)}"}}
    return found


def _policy(number: int, random: Random, roles: int) -> dict[str, Any]:
    version = {
        "Document": _document(random, roles),
        "VersionId": "v1",
        "IsDefaultVersion": True,
        "CreateDate": CREATED,
    }
    return {
        "PolicyName": f"shared-{number}",
        "PolicyId": f"ANPA{number:016}",
        "Arn": f"arn:aws:iam::{ACCOUNT}:policy/shared-{number}",
        "Path": "/",
        "DefaultVersionId": "v1",
        "AttachmentCount": 1,
        "IsAttachable": True,
        "CreateDate": CREATED,
        "UpdateDate": CREATED,
        "PolicyVersionList": [version],
    }


def _role(number: int, random: Random, roles: int, policies: list[dict[str, Any]]) -> dict[str, Any]:
    inline = [{"PolicyName": "own", "PolicyDocument": _document(random, roles)}] if random.random() < 0.6 else []
    attached = random.sample(policies, random.randint(0, 3))
    return {
        "Path": "/",
        "RoleName": f"role-{number}",
        "RoleId": f"AROA{number:016}",
        "Arn": f"arn:aws:iam::{ACCOUNT}:role/role-{number}",
        "CreateDate": CREATED,
        "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [_trust(random, roles)]},
        "InstanceProfileList": [],
        "RolePolicyList": inline,
        "AttachedManagedPolicies": [{"PolicyName": each["PolicyName"], "PolicyArn": each["Arn"]} for each in attached],
        "RoleLastUsed": {"LastUsedDate": CREATED, "Region": "eu-west-1"},
        "Tags": [{"Key": "team", "Value": f"t{random.randint(0, 20)}"}],
    }


def _trust(random: Random, roles: int) -> dict[str, Any]:
    kind = random.random()
    if kind < 0.9:
        service = {"Service": random.choice(("lambda.amazonaws.com", "ec2.amazonaws.com", "ecs-tasks.amazonaws.com"))}
        root = {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}
        partner = {"AWS": f"arn:aws:iam::{random.choice(PARTNERS)}:root"}
        principal = service if kind < 0.6 else root if kind < 0.85 else partner
        return {"Effect": "Allow", "Principal": principal, "Action": "sts:AssumeRole"}
    tests = {
        "StringEquals": {f"{CLAIM}:aud": "sts.amazonaws.com"},
        "StringLike": {f"{CLAIM}:sub": f"repo:acme/app{random.randint(0, roles)}:*"},
    }
    principal = {"Federated": OIDC}
    return {"Effect": "Allow", "Principal": principal, "Action": "sts:AssumeRoleWithWebIdentity", "Condition": tests}


def asset_export(folder: Path, resources: int) -> Path:
    """Write a Cloud Asset Inventory export of IAM policies as it lands in Cloud Storage, one resource a line."""
    path = folder / f"assets-{resources}.json"
    if not path.exists():
        random = Random(resources)
        with path.open("w") as file:
            for number in range(resources):
                file.write(json.dumps(_asset(number, random, resources), separators=(",", ":")) + "\n")
    return path


def _asset(number: int, random: Random, resources: int) -> dict[str, Any]:
    project = number % 500
    roles = random.sample(GCP_ROLES, random.choice((1, 2, 2, 3, 4)))
    bindings = [_binding(role, random, resources) for role in roles]
    return {
        "name": f"//storage.googleapis.com/team-{project}-bucket-{number}",
        "asset_type": "storage.googleapis.com/Bucket",
        "iam_policy": {"version": 3, "etag": f"BwX{number:09}=", "bindings": bindings},
        "ancestors": [f"projects/{100_000_000_000 + project}", f"folders/{4000 + project % 40}", ORGANIZATION],
        "update_time": "2026-01-05T09:12:33.481516Z",
    }


def _binding(role: str, random: Random, resources: int) -> dict[str, Any]:
    names = (random.randint(0, resources // 10) for _ in range(random.choice((1, 1, 2, 3, 5))))
    members = [
        f"user:first.last{name}@corp.example.com"
        if name % 3
        else f"serviceAccount:workload-{name}@team-{name % 500}.iam.gserviceaccount.com"
        for name in names
    ]
    found: dict[str, Any] = {"role": role, "members": members}
    if random.random() < 0.08:
        found["condition"] = {"title": "limited", "expression": random.choice(gcp_conditions())}
    return found


@cache
def gcp_conditions() -> tuple[str, ...]:
    """Return the twenty conditions that stand in the bindings."""
    dates = (f'request.time < timestamp("2027-{month:02}-01T00:00:00Z")' for month in range(1, 11))
    kind = 'resource.type == "storage.googleapis.com/Object"'
    names = (
        f'{kind} && resource.name.startsWith("projects/_/buckets/logs-{each}/objects/public/")' for each in range(10)
    )
    return (*dates, *names)


def assignment_list(folder: Path, assignments: int) -> Path:
    """Write what `az role assignment list --all` prints, as indented."""
    path = folder / f"assignments-{assignments}.json"
    if not path.exists():
        path.write_text(json.dumps([_assignment(number, assignments) for number in range(assignments)], indent=2))
    return path


def _assignment(number: int, assignments: int) -> dict[str, Any]:
    subscription = f"/subscriptions/00000000-0000-0000-0000-{number % 40:012}"
    name, role = _azure_roles()[number % len(_azure_roles())]
    creator = f"30000000-0000-0000-0000-{number % 100:012}"
    group = f"group-{number % 997}"
    return {
        "condition": None,
        "conditionVersion": None,
        "createdBy": creator,
        "createdOn": "2025-11-04T10:21:07.194523+00:00",
        "delegatedManagedIdentityResourceId": None,
        "description": None,
        "id": f"{subscription}/resourceGroups/{group}/providers/Microsoft.Authorization/roleAssignments/"
        f"10000000-0000-0000-0000-{number:012}",
        "name": f"10000000-0000-0000-0000-{number:012}",
        "principalId": f"20000000-0000-0000-0000-{number * 7 % assignments:012}",
        "principalName": f"40000000-0000-0000-0000-{number * 7 % assignments:012}",
        "principalType": "ServicePrincipal",
        "resourceGroup": group,
        "roleDefinitionId": f"{subscription}/providers/Microsoft.Authorization/roleDefinitions/{role}",
        "roleDefinitionName": name,
        "scope": f"{subscription}/resourceGroups/{group}",
        "type": "Microsoft.Authorization/roleAssignments",
        "updatedBy": creator,
        "updatedOn": "2025-11-04T10:21:07.194523+00:00",
    }


@cache
def _azure_roles() -> tuple[tuple[str, str], ...]:
    return (
        ("Reader", "acdd72a7-3385-48ef-bd42-f606fba81ae7"),
        ("Contributor", "b24988ac-6180-42a0-ab88-20f7382dd24c"),
        ("Storage Blob Data Reader", "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"),
    )
