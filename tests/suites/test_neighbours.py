"""Neighbours of the labelled cases: each question asked from its other side, as policy unit tests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from idtrans import api

ACCOUNT, OTHER = "111122223333", "444455556666"
ANA, BO = f"arn:aws:iam::{ACCOUNT}:user/ana", f"arn:aws:iam::{OTHER}:user/bo"
APP, SESSION = f"arn:aws:iam::{ACCOUNT}:role/app", f"arn:aws:sts::{ACCOUNT}:assumed-role/app/s1"
LINKED = f"arn:aws:iam::{ACCOUNT}:role/aws-service-role/x.amazonaws.com/AWSServiceRoleForX"
ROOT = f"arn:aws:iam::{ACCOUNT}:root"
INSTANCE = f"arn:aws:ec2:eu-west-1:{ACCOUNT}:instance/i-1"
OBJECTS = "arn:aws:s3:::example-data/*"
TRAIL = "cloudtrail.amazonaws.com"


def doc(*statements: dict[str, Any]) -> dict[str, Any]:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def allow(action: Any, on: Any = "*", **elements: Any) -> dict[str, Any]:
    stated = {"Effect": "Allow", "Action": action, "Resource": on, **elements}
    return {key: value for key, value in stated.items() if value is not None}


def deny(action: Any, on: Any = "*", **elements: Any) -> dict[str, Any]:
    return {**allow(action, on, **elements), "Effect": "Deny"}


def grant(principal: Any, action: str = "s3:GetObject", **condition: Any) -> dict[str, Any]:
    return allow(action, OBJECTS, Principal=principal, **({"Condition": condition} if condition else {}))


S3, EC2, ALL = doc(allow("s3:*")), doc(allow("ec2:*")), doc(allow("*"))
NO_S3 = doc(deny("s3:*"))
HERE = {"resource_account": ACCOUNT}
START = {"action": "ec2:StartInstances", "resource": INSTANCE}
OUTSIDE = doc(deny("s3:*", Principal="*", Condition={"StringNotEqualsIfExists": {"aws:PrincipalOrgID": "o-1"}}))
NOT_SERVICES = deny("s3:*", OBJECTS, Principal="*", Condition={"Bool": {"aws:PrincipalIsAWSService": "false"}})
TEAM = {"StringEquals": {"aws:ResourceTag/team": "${aws:PrincipalTag/Team}"}}
NOT_HERE = {"NotIpAddress": {"aws:SourceIp": "10.0.0.0/8"}, "Bool": {"aws:ViaAWSService": "false"}}
NETWORKS = {"StringNotEquals": {"aws:SourceVpc": "v1", "aws:SourceVpce": "e1"}}

CASES: list[tuple[str, str, dict[str, Any], list[tuple[str, Any]]]] = [
    ("an identity is not enough abroad", "implicit-deny", {"principal": BO, **HERE}, [("identity", S3)]),
    ("a user that a bucket names", "allow", HERE, [("resource", doc(grant({"AWS": ANA})))]),
    ("a role that a bucket names", "allow", {"principal": SESSION, **HERE}, [("resource", doc(grant({"AWS": APP})))]),
    ("an account abroad, and its user", "allow", {"principal": BO, **HERE},
     [("identity", S3), ("resource", doc(grant({"AWS": OTHER})))]),
    ("an account by a key that follows", "allow", {"principal": BO, **HERE},
     [("identity", S3), ("resource", doc(grant("*", StringEquals={"aws:PrincipalAccount": OTHER})))]),
    ("a deleted user abroad", "implicit-deny", {"principal": BO, **HERE},
     [("identity", S3), ("resource", doc(grant({"AWS": "AIDAEXAMPLEDELETED12"})))]),
    ("anyone", "allow", {"anonymous": True, **HERE}, [("resource", doc(grant("*")))]),
    ("anyone of an organisation", "implicit-deny", {"anonymous": True, **HERE},
     [("resource", doc(grant("*", StringEquals={"aws:PrincipalOrgID": "o-1"})))]),
    ("a session policy limits", "implicit-deny", {"principal": SESSION}, [("identity", S3), ("session", EC2)]),
    ("a session policy grants nothing", "implicit-deny", {"principal": SESSION}, [("identity", None), ("session", S3)]),
    ("a session policy limits what the role is given", "implicit-deny", {"principal": SESSION, **HERE},
     [("identity", None), ("session", EC2), ("resource", doc(grant({"AWS": APP})))]),
    ("a session policy leaves what the session is given", "allow", {"principal": SESSION, **HERE},
     [("identity", None), ("session", EC2), ("resource", doc(grant({"AWS": SESSION})))]),
    ("a deny of the session policy", "explicit-deny", {"principal": SESSION, **HERE},
     [("session", NO_S3), ("resource", doc(grant({"AWS": SESSION})))]),
    ("a boundary leaves what the user is given", "allow", HERE,
     [("boundary", EC2), ("resource", doc(grant({"AWS": ANA})))]),
    ("a boundary limits what the account is given", "implicit-deny", HERE,
     [("identity", S3), ("boundary", EC2), ("resource", doc(grant({"AWS": ACCOUNT})))]),
    ("an SCP that allows something else", "implicit-deny", {}, [("identity", S3), ("scp", EC2)]),
    ("an SCP grants nothing", "implicit-deny", {}, [("identity", None), ("scp", ALL)]),
    ("an SCP and a service-linked role", "allow", {"principal": LINKED}, [("identity", S3), ("scp", NO_S3)]),
    ("an SCP and the management account", "allow", {"management_account": ACCOUNT},
     [("identity", S3), ("scp", NO_S3)]),
    ("an SCP and the root user", "explicit-deny", {"principal": ROOT}, [("scp", NO_S3)]),
    ("an RCP and an outsider", "explicit-deny", {"principal": BO, **HERE},
     [("identity", S3), ("resource", doc(grant({"AWS": OTHER}))), ("rcp", OUTSIDE)]),
    ("an RCP and a service without them", "allow", {**START, **HERE},
     [("identity", ALL), ("rcp", doc(deny("*", Principal="*")))]),
    ("an endpoint denies", "explicit-deny", {}, [("identity", S3), ("endpoint", doc(deny("s3:*", Principal="*")))]),
    ("an endpoint allows something else", "implicit-deny", {},
     [("identity", S3), ("endpoint", doc(allow("ec2:*", Principal="*")))]),
    ("a service by its name", "allow", {"principal": TRAIL, "action": "s3:PutObject", **HERE},
     [("resource", doc(grant({"Service": TRAIL}, "s3:PutObject"), NOT_SERVICES))]),
    ("a service is not an account", "implicit-deny", {"principal": TRAIL, **HERE},
     [("resource", doc(grant({"AWS": ACCOUNT})))]),
    ("two keys of a deny must both hold", "allow", {"context": {"aws:SourceVpc": "v1"}},
     [("identity", doc(allow("s3:*"), deny("s3:*", Condition=NETWORKS)))]),
    ("a deny that spares services", "allow", {"context": {"aws:ViaAWSService": "true"}},
     [("identity", doc(allow("s3:*"), deny("*", Condition=NOT_HERE)))]),
    ("a tag key in another case", "allow",
     {**START, "context": {"aws:ResourceTag/Team": "x", "aws:PrincipalTag/team": "x"}},
     [("identity", doc(allow("ec2:*", Condition=TEAM)))]),
    ("a variable without value", "implicit-deny", {**START, "context": {"aws:ResourceTag/team": "x"}},
     [("identity", doc(allow("ec2:*", Condition=TEAM)))]),
    ("an action that NotAction spares", "allow", {"action": "iam:GetUser", "resource": ANA},
     [("identity", doc(allow("*"), deny(None, NotAction=["iam:*", "sts:*"])))]),
    ("one statement without a list", "allow", {}, [("identity", {**S3, "Statement": allow("s3:*")})]),
    ("a policy of AWS", "deny",
     {"action": "iam:CreatePolicyVersion", "resource": "arn:aws:iam::aws:policy/ReadOnlyAccess"}, [("identity", ALL)]),
    ("a key of AWS", "deny",
     {"action": "kms:ScheduleKeyDeletion", "resource": f"arn:aws:kms:eu-west-1:{ACCOUNT}:alias/aws/s3"},
     [("identity", ALL)]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "expected", "request_", "layers"), CASES, ids=[case[0] for case in CASES])
def test_neighbours_of_labelled_cases(name, expected, request_, layers, tmp_path):
    caller = {} if "anonymous" in request_ else {"principal": ANA}
    asked = {"name": name, **caller, "action": "s3:GetObject", "resource": "arn:aws:s3:::example-data/a", **request_}
    documents = [{"inline": document, "layer": layer} for layer, document in layers]
    file = tmp_path / "suite.json"
    file.write_text(json.dumps([{"documents": documents, "cases": [{**asked, "expect": expected}]}]), "utf-8")
    answer = api.run_suites([file])
    assert () == answer.errors
    assert [] == [(result.expected, result.outcome, result.notes) for result in answer.failures]
    assert 1 == len(answer.results)
