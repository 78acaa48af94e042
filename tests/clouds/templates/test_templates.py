"""Plans and templates: they are recognised, and what in them is about access is named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from idtrans.api import load
from idtrans.clouds.templates import READER
from idtrans.model.documents import Document, Format, Hints
from idtrans.model.errors import InternalError
from idtrans.model.spans import Place
from idtrans.model.values import Layer

SCHEMA = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"
TRUST = {"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sts:AssumeRole"}]}


def tf(kind: str, name: str = "r", /, **values: Any) -> dict[str, Any]:
    return {"address": f"{kind}.{name}", "mode": "managed", "type": kind, "name": name, "values": values}


def changed(kind: str, *actions: str, **after: Any) -> dict[str, Any]:
    return {"address": f"{kind}.r", "type": kind, "change": {"actions": list(actions), "after": after or None}}


def plan(*resources: Any, **more: Any) -> dict[str, Any]:
    return {"format_version": "1.2", "planned_values": {"root_module": {"resources": list(resources)}}, **more}


def cfn(kind: Any, **properties: Any) -> dict[str, Any]:
    return {"Resources": {"R": {"Type": kind, "Properties": properties}}}


def arm(*resources: Any) -> dict[str, Any]:
    return {"$schema": SCHEMA, "contentVersion": "1.0.0.0", "resources": list(resources)}


def document(content: Any, hints: Hints | None = None) -> Document:
    return Document(Place("t.json"), Format.JSON, content, hints or Hints())


def notes(content: Any) -> list[tuple[str, str, str | None]]:
    shape = READER.recognise(document(content))
    assert shape is not None
    return [(each.source.pointer, each.reason, each.cloud) for each in READER.parse(document(content), shape)]


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("templates.terraform-plan", plan()),
        ("templates.terraform-plan", {"format_version": "1.0", "values": {}}),
        ("templates.terraform-plan", {"format_version": "1.0", "resource_changes": None}),
        ("templates.terraform-state", {"version": 4, "terraform_version": "1.9.0", "resources": []}),
        ("templates.cloudformation", cfn("AWS::IAM::Role")),
        ("templates.cloudformation", cfn("Custom::Thing")),
        ("templates.cloudformation", {"AWSTemplateFormatVersion": "2010-09-09", "Resources": None}),
        ("templates.cloudformation", {"TemplateBody": cfn("AWS::IAM::Role"), "StagesAvailable": []}),
        ("templates.cloudformation", {"TemplateBody": "Resources: {}", "StagesAvailable": []}),
        ("templates.resource-manager", arm()),
        (None, {"Resources": {"R": {"Type": "thing"}}}),
        (None, {"Resources": [], "Statement": []}),
        (None, {"format_version": "1.0"}),
        (None, {"resources": []}),
        (None, {"$schema": "https://example.com/schema.json"}),
        (None, [plan()]),
        (None, None),
    ],
)
def test_shapes(expected, content) -> None:
    assert expected == READER.recognise(document(content))


@pytest.mark.parametrize(
    ("expected", "hints"),
    [
        ("templates.cloudformation", Hints()),
        ("templates.cloudformation", Hints(kind="templates.cloudformation")),
        (None, Hints(kind="aws.policy")),
        (None, Hints(cloud="aws")),
        (None, Hints(layer=Layer.SCP)),
    ],
)
def test_what_the_user_says_decides(expected, hints) -> None:
    assert expected == READER.recognise(document(cfn("AWS::IAM::Role"), hints))


@pytest.mark.parametrize(
    ("cloud", "kind", "values"),
    [
        ("aws", "aws_iam_role", {}),
        ("aws", "aws_s3_bucket_policy", {}),
        ("aws", "aws_lambda_permission", {}),
        ("aws", "aws_kms_grant", {}),
        ("aws", "aws_organizations_policy_attachment", {}),
        ("aws", "aws_ssoadmin_account_assignment", {}),
        ("aws", "aws_vpc_endpoint", {}),
        ("aws", "aws_sqs_queue", {"policy": "{}"}),
        ("gcp", "google_project_iam_member", {}),
        ("gcp", "google_storage_bucket_iam_binding", {}),
        ("gcp", "google_service_account_key", {}),
        ("gcp", "google_storage_bucket_acl", {}),
        ("azure", "azurerm_role_assignment", {}),
        ("azure", "azurerm_user_assigned_identity", {}),
        ("azure", "azuread_application_federated_identity_credential", {}),
        (None, "vault_policy", {}),
    ],
)
def test_what_terraform_plans_about_access_is_named(cloud, kind, values) -> None:
    reason = f"`{kind}` `{kind}.r` of a Terraform plan is about access and is not read"
    assert [("/planned_values/root_module/resources/0", reason, cloud)] == notes(plan(tf(kind, **values)))


@pytest.mark.parametrize("content", [plan(), plan(tf("aws_vpc")), plan(tf("aws_sqs_queue", policy=None))])
def test_a_plan_without_access_is_no_clean_estate_either(content) -> None:
    [(pointer, reason, cloud)] = notes(content)
    assert ("", None) == (pointer, cloud)
    assert reason.startswith("a Terraform plan is not read; none of its ")


def test_changes_modules_and_earlier_states_are_looked_at_and_one_address_is_told_once() -> None:
    role, inner = tf("aws_iam_role"), tf("aws_iam_user", "inner")
    content = plan(
        role,
        {**tf("aws_iam_policy_document"), "mode": "data"},
        resource_changes=[changed("aws_iam_role", "create"), changed("aws_iam_group", "delete"), changed("aws_vpc")],
        prior_state={"values": {"root_module": {"resources": [tf("aws_iam_policy", "old")]}}},
    )
    content["planned_values"]["root_module"]["child_modules"] = [{"child_modules": [{"resources": [inner]}]}]
    assert [
        "/resource_changes/0",
        "/resource_changes/1",
        "/planned_values/root_module/child_modules/0/child_modules/0/resources/0",
        "/prior_state/values/root_module/resources/0",
    ] == [pointer for pointer, _, _ in notes(content)]


def test_a_state_is_read_by_type_and_name() -> None:
    role = {"mode": "managed", "module": "module.m", "type": "aws_iam_role", "name": "r", "instances": [None]}
    topic = {"type": "aws_sns_topic", "name": "t", "instances": [{"attributes": {"policy": "{}"}}]}
    content = {"version": 4, "terraform_version": "1.9.0", "resources": [role, topic, {"type": "aws_vpc", "name": "v"}]}
    assert ["`module.m.aws_iam_role.r`", "`aws_sns_topic.t`"] == [reason.split()[1] for _, reason, _ in notes(content)]


@pytest.mark.parametrize(
    ("kind", "properties"),
    [
        ("AWS::IAM::Role", {"AssumeRolePolicyDocument": TRUST}),
        ("AWS::IAM::ManagedPolicy", {}),
        ("AWS::S3::BucketPolicy", {}),
        ("AWS::S3::AccessPoint", {}),
        ("AWS::KMS::Key", {}),
        ("AWS::Lambda::Permission", {}),
        ("AWS::EC2::VPCEndpoint", {}),
        ("AWS::SNS::TopicPolicy", {}),
        ("AWS::Organizations::Policy", {}),
        ("AWS::CloudFormation::Stack", {}),
        ("AWS::Serverless::Function", {}),
        ("AWS::ECR::Repository", {"RepositoryPolicyText": {}, "PolicyText": "x"}),
        ("AWS::S3::Bucket", {"PublicAccessBlockConfiguration": {"BlockPublicAcls": False}}),
        ("Custom::Anything", {}),
    ],
)
def test_what_a_template_states_about_access_is_named(kind, properties) -> None:
    reason = f"`{kind}` `R` of a CloudFormation template is about access and is not read"
    assert [("/Resources/R", reason, "aws")] == notes(cfn(kind, **properties))
    assert [("/TemplateBody/Resources/R", reason, "aws")] == notes({"TemplateBody": cfn(kind, **properties)})


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("", cfn("AWS::EC2::VPC", CidrBlock="10.0.0.0/8")),
        ("/Transform", {**cfn("AWS::EC2::VPC"), "Transform": "AWS::Serverless-2016-10-31"}),
        ("/Resources/S", {"Resources": {"R": {"Type": "AWS::EC2::VPC"}, "S": None}}),
        ("/Resources/R", {"AWSTemplateFormatVersion": "2010-09-09", **cfn(7)}),
        ("/Resources", {"AWSTemplateFormatVersion": "2010-09-09", "Resources": []}),
        ("/TemplateBody", {"TemplateBody": "Resources: {}", "StagesAvailable": []}),
        ("/planned_values/root_module/resources/0", plan(None)),
        ("/planned_values/root_module/resources/0", plan({"type": ["aws_iam_role"]})),
        ("/planned_values/root_module/resources", {**plan(), "planned_values": {"root_module": {"resources": "x"}}}),
        ("/resources/0", arm({"type": "Microsoft.Authorization/roleAssignments", "name": "a"})),
        ("/resources/0/resources/0", arm({"type": "A/b", "resources": [{"type": "A/b/accessPolicies", "name": "c"}]})),
        ("/resources/0", arm({"type": "A/b", "name": "c", "identity": {"type": "SystemAssigned"}})),
        ("/resources/0", arm("x")),
        ("/resources/role", {**arm(), "resources": {"role": {"type": "Microsoft.Authorization/roleDefinitions"}}}),
    ],
)
def test_places_of_what_is_odd_or_nested(expected, content) -> None:
    assert [expected] == [pointer for pointer, _, _ in notes(content)]


def test_deeply_nested_modules_do_not_crash() -> None:
    module: dict[str, Any] = {"resources": [tf("aws_iam_role")]}
    for _ in range(5_000):
        module = {"child_modules": [module]}
    assert 1 == len(notes({"format_version": "1", "planned_values": {"root_module": module}}))


def test_an_unknown_shape_is_an_internal_error() -> None:
    with pytest.raises(InternalError, match="no parser"):
        list(READER.parse(document({}), "templates.other"))


@pytest.mark.parametrize("explicit", ["named", "in a folder"])
@pytest.mark.parametrize("content", [plan(), plan(tf("aws_iam_role")), cfn("AWS::IAM::Role"), arm()], ids=range(4))
def test_none_is_passed_over(tmp_path, explicit, content) -> None:
    (tmp_path / "t.json").write_text(json.dumps(content), "utf-8")
    estate = load([tmp_path / "t.json" if explicit == "named" else tmp_path])
    assert [1, 0] == [len(estate.unsupported), len(estate.errors)]
