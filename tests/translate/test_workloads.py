"""Identities of workloads: an execution role, a service account and a managed identity stand for each other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from idtrans import api
from idtrans.api import clouds
from idtrans.model.artifacts import ArtifactFormat
from idtrans.model.documents import Hints
from idtrans.model.intents import Names
from idtrans.model.values import Verdict
from idtrans.ports import Workload, WorkloadKind
from idtrans.report import artifacts
from idtrans.translate import IdMap, Pair, translate
from tests.translate.conftest import ACCOUNT, BUCKET, SUBSCRIPTION

ROLE = "arn:aws:iam::111122223333:role/fn"
JOB = "serviceAccount:job@acme.iam.gserviceaccount.com"
ROLES = f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions"
IDENTITY = "dddddddd-0000-4000-8000-000000000004"


def execution_role(*services: str, action: str = "s3:GetObject", resource: str = "arn:aws:s3:::data/*") -> Any:
    trust = {"Effect": "Allow", "Principal": {"Service": list(services)}, "Action": "sts:AssumeRole"}
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": action, "Resource": resource}]}
    role = {
        "Arn": ROLE,
        "RoleName": "fn",
        "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [trust]},
        "RolePolicyList": [{"PolicyName": "p", "PolicyDocument": policy}],
        "AttachedManagedPolicies": [],
    }
    return {"RoleDetailList": [role], "UserDetailList": [], "GroupDetailList": [], "Policies": []}


def estate(content: Any, **hints: Any) -> Any:
    return api.load(["-"], stdin=json.dumps(content).encode(), hints=Hints(**hints))


def say(source: str, target: str, given: Any, **options: Any) -> Any:
    [found] = translate(clouds()[source], clouds()[target], given, **options)
    return found


def script(found: Any) -> list[str]:
    [text] = artifacts(found.emission, ArtifactFormat.CLI)
    return [line for line in text.content.splitlines() if not line.startswith("#")]


def terraform(found: Any) -> str:
    [text] = artifacts(found.emission, ArtifactFormat.TERRAFORM)
    return text.content


def service_account() -> Any:
    bound = {"role": "roles/storage.objectViewer", "members": [JOB]}
    return estate({"version": 1, "etag": "x", "bindings": [bound]}, resource=BUCKET, scope=BUCKET)


def managed_identity() -> Any:
    scope = f"{ACCOUNT}/blobServices/default/containers/data"
    assignment = {
        "id": f"{scope}/providers/Microsoft.Authorization/roleAssignments/1",
        "principalId": IDENTITY,
        "principalType": "ServicePrincipal",
        "roleDefinitionId": f"{ROLES}/2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
        "scope": scope,
    }
    return estate([assignment])


@pytest.mark.parametrize(
    ("service", "gcp", "azure"),
    [
        ("lambda.amazonaws.com", "gcloud functions deploy", "az functionapp identity assign"),
        ("ec2.amazonaws.com", "gcloud compute instances set-service-account", "az vm identity assign"),
        ("ecs-tasks.amazonaws.com", "gcloud run jobs update", "az containerapp identity assign"),
    ],
)
def test_an_execution_role_elsewhere(service, gcp, azure):
    given = estate(execution_role(service))

    lines = script(say("aws", "gcp", given))
    assert lines[0].startswith("gcloud iam service-accounts create fn-translated ")
    assert "add-iam-policy-binding gs://data" in lines[1]
    assert "serviceAccount:fn-translated@<GCP_PROJECT_ID>.iam.gserviceaccount.com" in lines[1]
    assert lines[2].startswith(gcp)
    lines = script(say("aws", "azure", given))
    assert lines[0].startswith("az identity create --name fn-translated ")
    assert "az identity show" in lines[1]
    assert "--assignee-principal-type ServicePrincipal" in lines[2]
    assert lines[3].startswith(azure)


def test_a_role_of_several_services_runs_all_of_them():
    lines = script(say("aws", "gcp", estate(execution_role("lambda.amazonaws.com", "ecs-tasks.amazonaws.com"))))

    assert ["functions deploy", "run jobs update"] == [
        " ".join(line.split()[1 : 3 + (" jobs " in line)]) for line in lines[2:]
    ]


@pytest.mark.parametrize(
    ("action", "resource", "expected"),
    [
        (
            "ecr:BatchGetImage",
            "arn:aws:ecr:eu-west-1:111122223333:repository/app",
            "artifacts repositories add-iam-policy-binding",
        ),
        ("glue:GetTables", "*", "add-iam-policy-binding"),
    ],
)
def test_other_resources_of_workloads(action, resource, expected):
    pull = ["ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer", "ecr:BatchCheckLayerAvailability"]
    actions: Any = pull if action.startswith("ecr:") else action
    found = say("aws", "gcp", estate(execution_role("lambda.amazonaws.com", action=actions, resource=resource)))

    if found.emission.natives:
        assert any(expected in line for line in script(found)), found.reasons
    else:
        assert Verdict.REFUSED == found.verdict


def test_terraform_says_what_comes_first():
    text = terraform(say("aws", "gcp", estate(execution_role("lambda.amazonaws.com"))))
    assert "member = google_service_account.fn_translated.member" in text
    text = terraform(say("aws", "azure", estate(execution_role("lambda.amazonaws.com"))))
    assert "principal_id       = azurerm_user_assigned_identity.fn_translated.principal_id" in text
    text = terraform(say("gcp", "aws", service_account()))
    assert "role       = aws_iam_role.job_translated_role.name" in text
    assert "assume_role_policy = jsonencode(" in text


def test_a_service_account_elsewhere():
    given = service_account()

    lines = script(say("gcp", "aws", given, names=Names({"aws-service-principal": "lambda.amazonaws.com"})))
    assert lines[0].startswith("aws iam create-role --role-name job-translated-role ")
    assert '"Service":["lambda.amazonaws.com"]' in lines[0]
    assert "attach-role-policy --role-name job-translated-role" in lines[2]
    assert script(say("gcp", "azure", given))[0].startswith("az identity create --name job-translated ")


def test_a_managed_identity_elsewhere():
    given = managed_identity()

    assert script(say("azure", "aws", given))[0].startswith("aws iam create-role ")
    assert script(say("azure", "gcp", given))[0].startswith("gcloud iam service-accounts create ")


@pytest.mark.parametrize("target", ["aws", "gcp", "azure"])
def test_what_is_known_of_accounts_and_of_time_is_said(target):
    given = service_account() if target != "gcp" else estate(execution_role("lambda.amazonaws.com"))
    reasons = " | ".join(say("aws" if target == "gcp" else "gcp", target, given).reasons)

    assert "to be tried again" in reasons
    assert "stands for the" in reasons
    assert "map the principal" not in reasons


def test_a_principal_of_the_map_is_not_created():
    mapping = IdMap(principals=(Pair(ROLE, "user:ana@b.example"),))
    found = say("aws", "gcp", estate(execution_role("lambda.amazonaws.com")), mapping=mapping)

    assert all("service-accounts create" not in line for line in script(found))
    assert {"user:ana@b.example"} == {grant.principal for grant in found.grants}


def test_a_role_that_no_workload_runs_as_is_none(speak):
    statement = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::data/*"}

    assert "<GCP_PRINCIPAL>" in speak.aws("gcp", statement).placeholders


def test_a_refused_translation_creates_nothing():
    found = say("aws", "gcp", estate(execution_role("lambda.amazonaws.com", action="odd:Thing")))

    assert (Verdict.REFUSED, (), ()) == (found.verdict, found.emission.natives, found.emission.commands)


@pytest.mark.parametrize("cloud", ["aws", "gcp", "azure"])
@pytest.mark.parametrize("name", ["x", "9 lives", "a" * 200, "ünïcode", "'; rm -rf ~ #"])
def test_names_are_made_to_fit(cloud, name):
    written: Any = clouds()[cloud]
    made = written.emit_identity(Workload(tuple(WorkloadKind)), name, Names())

    assert made.created.commands
    assert 3 <= len(made.attached.commands)
    assert "rm -rf" not in made.principal
