"""Policies of resources and endpoints, as the command line prints them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from idtrans.clouds.aws import CLOUD
from idtrans.model.entities import Policy, Resource
from idtrans.model.values import UNKNOWN, Layer, Reach
from tests.clouds.aws.builders import ACCOUNT, ANA, OTHER, account, allow, estate, identity, outcome, person
from tests.clouds.aws.replies import entities, reasons, shape

PLACE = f"eu-west-1:{ACCOUNT}"
QUEUE, TOPIC = f"arn:aws:sqs:{PLACE}:jobs", f"arn:aws:sns:{PLACE}:news"
FUNCTION, VAULT = f"arn:aws:lambda:{PLACE}:function:f", f"arn:aws:backup:{PLACE}:backup-vault:v"
BUS, DOMAIN = f"arn:aws:events:{PLACE}:event-bus/b", f"arn:aws:es:{PLACE}:domain/d"
FILES, API = f"arn:aws:elasticfilesystem:{PLACE}:file-system/fs-1", f"arn:aws:execute-api:{PLACE}:a1b2c3"
TABLE, STREAM = f"arn:aws:dynamodb:{PLACE}:table/t", f"arn:aws:kinesis:{PLACE}:stream/s"
SECRET, KEY = f"arn:aws:secretsmanager:{PLACE}:secret:s-AbCdEf", f"arn:aws:kms:{PLACE}:key/1234abcd"
CATALOG, REPOSITORY = f"arn:aws:glue:{PLACE}:catalog", f"arn:aws:ecr:{PLACE}:repository/app"
ARTIFACTS, POINT = f"arn:aws:codeartifact:{PLACE}:domain/a", f"arn:aws:s3:{PLACE}:accesspoint/ap"

MANY, LOGS = f"arn:aws:s3::{ACCOUNT}:accesspoint/abc.mrap", f"arn:aws:logs:{PLACE}:*"
GROUP, CHANNEL = f"arn:aws:logs:{PLACE}:log-group:g", f"arn:aws:cloudtrail:{PLACE}:channel/c"
NAMESPACE, SNAPSHOT = f"arn:aws:redshift:{PLACE}:namespace:n", f"arn:aws:redshift-serverless:{PLACE}:snapshot/s"
ORGANIZATION, TABLES = f"arn:aws:organizations::{ACCOUNT}:resourcepolicy/o-a/rp-1", f"arn:aws:s3tables:{PLACE}:bucket/b"
PARAMETER, MAIL = f"arn:aws:ssm:{PLACE}:parameter/p", f"arn:aws:ses:{PLACE}:identity/example.com"
SUBNET, LATTICE = f"arn:aws:ec2:{PLACE}:subnet/subnet-1", f"arn:aws:vpc-lattice:{PLACE}:service/svc-1"
MEDIA, AUTHORITY = f"arn:aws:mediastore:{PLACE}:container/c", f"arn:aws:acm-pca:{PLACE}:certificate-authority/c-1"
CLASSIFIER = f"arn:aws:comprehend:{PLACE}:document-classifier/d"


def text(resource: Any = "*", action: str = "*", **more: Any) -> str:
    statement = {"Effect": "Allow", "Principal": {"AWS": OTHER}, "Action": action, "Resource": resource, **more}
    return json.dumps({"Version": "2012-10-17", "Statement": [{k: v for k, v in statement.items() if v is not None}]})


def escaped(policy: str) -> str:
    return json.dumps(policy)[1:-1]


REPLIES = [
    (QUEUE, {"Attributes": {"Policy": text(), "QueueArn": QUEUE}}),
    (QUEUE, {"Attributes": {"Policy": text(QUEUE)}}),
    (TOPIC, {"Attributes": {"Policy": text(), "TopicArn": TOPIC, "Owner": ACCOUNT}}),
    (SECRET, {"ARN": SECRET, "Name": "s", "ResourcePolicy": text()}),
    (FUNCTION, {"Policy": text(FUNCTION), "RevisionId": "4843f2f6"}),
    (FUNCTION, {"Policy": text(f"{FUNCTION}:live"), "RevisionId": "4843f2f6"}),
    (FILES, {"FileSystemId": "fs-1", "Policy": text(FILES)}),
    (VAULT, {"BackupVaultName": "v", "BackupVaultArn": VAULT, "Policy": text()}),
    (BUS, {"Name": "b", "Arn": BUS, "Policy": text(BUS)}),
    (API, {"id": "a1b2c3", "name": "a", "createdDate": 1, "policy": escaped(text(f"{API}/*/GET/pets"))}),
    (DOMAIN, {"DomainStatus": {"DomainId": "1/d", "ARN": DOMAIN, "AccessPolicies": text(f"{DOMAIN}/*")}}),
    (DOMAIN, {"DomainStatusList": [{"ARN": DOMAIN, "AccessPolicies": text()}]}),
    (DOMAIN, {"DomainConfig": {"AccessPolicies": {"Options": text(f"{DOMAIN}/*"), "Status": {}}}}),
    (CATALOG, {"PolicyInJson": text([CATALOG, f"arn:aws:glue:{PLACE}:database/d"]), "PolicyHash": "x"}),
    (CATALOG, {"GetResourcePoliciesResponseList": [{"PolicyInJson": text(f"arn:aws:glue:{PLACE}:table/d/*")}]}),
    (TABLE, {"Policy": text([TABLE, f"{TABLE}/index/*"]), "RevisionId": "1"}),
    (STREAM, {"Policy": text(STREAM)}),
    (POINT, {"Policy": text(f"{POINT}/object/*")}),
    (ARTIFACTS, {"policy": {"resourceArn": ARTIFACTS, "revision": "r", "document": text()}}),
    (API, {"items": [{"id": "a1b2c3", "name": "a", "createdDate": 1, "policy": text(f"{API}/*")}, {"id": "z"}]}),
    (MANY, {"Policy": {"Established": {"Policy": text(f"{MANY}/object/*")}, "Proposed": {"Policy": text()}}}),
    (LOGS, {"resourcePolicies": [{"policyName": "p", "policyDocument": text(f"{LOGS[:-1]}log-group:/a:*")}]}),
    (GROUP, {"resourcePolicies": [{"policyName": "p", "resourceArn": GROUP, "policyDocument": text()}]}),
    (CHANNEL, {"ResourceArn": CHANNEL, "ResourcePolicy": text()}),
    (NAMESPACE, {"ResourcePolicy": {"ResourceArn": NAMESPACE, "Policy": text()}}),
    (SNAPSHOT, {"resourcePolicy": {"resourceArn": SNAPSHOT, "policy": text()}}),
    (ORGANIZATION, {"ResourcePolicy": {"ResourcePolicySummary": {"Arn": ORGANIZATION}, "Content": text()}}),
    (TABLES, {"resourcePolicy": text([TABLES, f"{TABLES}/table/*"])}),
    (PARAMETER, {"Policies": [{"PolicyId": "p", "PolicyHash": "h", "Policy": text(PARAMETER)}]}),
    (MAIL, {"Policies": {"partners": text(MAIL)}}),
    (SUBNET, {"policies": [text(SUBNET)]}),
    (LATTICE, {"policy": text(f"{LATTICE}/*"), "state": "Active"}),
    (MEDIA, {"Policy": text(f"{MEDIA}/*")}),
    (AUTHORITY, {"Policy": text(AUTHORITY)}),
    (CLASSIFIER, {"ResourcePolicy": text(CLASSIFIER), "PolicyRevisionId": "1"}),
]


@pytest.mark.parametrize(("owner", "content"), REPLIES)
def test_the_owner_is_told_by_the_reply(owner: str, content: Any) -> None:
    assert "aws.policy" == shape(content)
    (policy,) = [found for found in entities(content) if isinstance(found, Policy)]
    assert (owner, Layer.RESOURCE, ()) == (policy.owner, policy.layer, policy.doubts)
    assert [owner] == [found.id for found in entities(content) if isinstance(found, Resource)]
    assert [] == reasons(content)


@pytest.mark.parametrize(
    "content",
    [
        {"Policy": text(), "PolicyName": "default"},
        {"Policy": text([QUEUE, TOPIC])},
        {"FileSystemId": "fs-1", "Policy": text("*")},
        {"policy": {"Policy": text(), "x": 1}},
        {"Policy": text("arn:aws:lambda:*:111122223333:function:f")},
        {"Policy": text(f"arn:aws:acm-pca:{PLACE}:certificate-authority/*")},
        {"ResourcePolicies": [{"PolicyName": "p", "PolicyDocument": text()}]},
    ],
)
def test_an_owner_that_nothing_tells_is_unknown(content: Any) -> None:
    (policy,) = [found for found in entities(content) if isinstance(found, Policy)]
    assert UNKNOWN is policy.owner
    assert any("not known of which resource" in reason for reason in reasons(content))


@pytest.mark.parametrize(
    "content",
    [
        {"resourcePolicies": [{"policyDocument": text(GROUP)}, {"policyDocument": 3}]},
        {"Policies": {"a": text(MAIL), "b": ["x"]}},
        {"policies": [text(SUBNET), "garbage"]},
    ],
)
def test_a_broken_policy_in_a_list_is_said(content: Any) -> None:
    assert [Layer.RESOURCE] == [found.layer for found in entities(content) if isinstance(found, Policy)][:1]
    assert [] != reasons(content)


@pytest.mark.parametrize("content", [{"items": [{"policy": 3}]}, {"Policies": {"a": None}}, {"policies": "x"}])
def test_lists_without_a_policy_are_something_else(content: Any) -> None:
    assert None is shape(content)


def test_a_policy_of_the_account_speaks_of_its_log_groups() -> None:
    group = f"{LOGS[:-1]}log-group:/a:log-stream:s"
    reader = f"arn:aws:iam::{OTHER}:user/bo"
    people = [*person(reader), *identity(reader, allow("logs:*"))]
    content = {"resourcePolicies": [{"policyDocument": text(f"{LOGS[:-1]}log-group:/a:*", "logs:PutLogEvents")}]}
    found = estate(account(ACCOUNT), people, entities(content))
    assert "allow" == outcome(found, reader, "logs:PutLogEvents", group)
    assert "implicit-deny" == outcome(found, reader, "logs:GetLogEvents", group)


def test_a_key_policy_belongs_to_the_key_that_the_user_names() -> None:
    (policy,) = [
        found
        for found in entities({"Policy": text(), "PolicyName": "default"}, resource=KEY)
        if isinstance(found, Policy)
    ]
    assert KEY == policy.owner


REPOSITORY_POLICY = {
    "registryId": ACCOUNT,
    "repositoryName": "app",
    "policyText": text(None, "ecr:BatchGetImage"),
}


def test_a_repository_policy_is_about_the_repository() -> None:
    assert [] == reasons(REPOSITORY_POLICY, resource=REPOSITORY)
    puller = f"arn:aws:iam::{OTHER}:user/bo"
    people = [*person(puller), *identity(puller, allow("ecr:*"))]
    found = estate(account(ACCOUNT), people, entities(REPOSITORY_POLICY, resource=REPOSITORY))
    assert "allow" == outcome(found, puller, "ecr:BatchGetImage", REPOSITORY)
    assert "implicit-deny" == outcome(found, puller, "ecr:PutImage", REPOSITORY)
    alone = estate(account(ACCOUNT), entities(REPOSITORY_POLICY, resource=REPOSITORY))
    assert [(REPOSITORY, Reach.TENANT)] == [(fact.subject, fact.reach) for fact in CLOUD.exposures(alone)]


def test_another_policy_without_resource_is_doubted() -> None:
    content = {"Attributes": {"Policy": text(None, "sqs:SendMessage"), "QueueArn": QUEUE}}
    assert ["neither `Resource` nor `NotResource`"] == reasons(content)
    mixed = {**REPOSITORY_POLICY, "policyText": text(None, "*")}
    assert ["neither `Resource` nor `NotResource`"] == reasons(mixed, resource=REPOSITORY)


def test_the_catalogue_speaks_of_what_lies_in_it() -> None:
    table = f"arn:aws:glue:{PLACE}:table/d/t"
    content = {"PolicyInJson": text([table, CATALOG], "glue:GetTable"), "PolicyHash": "x"}
    reader = f"arn:aws:iam::{OTHER}:user/bo"
    people = [*person(reader), *identity(reader, allow("glue:*"))]
    found = estate(account(ACCOUNT), people, entities(content))
    assert "allow" == outcome(found, reader, "glue:GetTable", table)


@pytest.mark.parametrize("policy", ['{\\"Version\\": \\"2012', '{\\"a\\": \\q}', '{\\"'])
def test_broken_text_is_said(policy: str) -> None:
    content = {"id": "a", "createdDate": 1, "policy": policy}
    assert any("broken JSON" in reason for reason in reasons(content))


# -- endpoints ---------------------------------------------------------------------------------------------------------

ENDPOINT = "vpce-0a1b2c3d4e5f67890"


def endpoints(*policies: Any, **more: Any) -> dict[str, Any]:
    return {
        "VpcEndpoints": [
            {
                "VpcEndpointId": f"{ENDPOINT}{number or ''}",
                "VpcEndpointType": "Gateway",
                "VpcId": "vpc-1",
                "ServiceName": "com.amazonaws.eu-west-1.s3",
                "State": "available",
                "PolicyDocument": policy,
                "OwnerId": ACCOUNT,
                **more,
            }
            for number, policy in enumerate(policies)
        ]
    }


ONLY_S3 = json.dumps({"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:*", "Resource": "*"}]})


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        ({"aws:SourceVpce": ENDPOINT}, "implicit-deny"),
        ({"aws:SourceVpce": "vpce-00000000000000000"}, "allow"),
        ({}, "allow"),
    ],
)
def test_an_endpoint_limits_what_passes_it(context: dict[str, str], expected: str) -> None:
    found = estate(person(ANA), identity(ANA, allow("*")), entities(endpoints(ONLY_S3)))
    assert expected == outcome(found, ANA, "sqs:SendMessage", QUEUE, **context)
    assert "allow" == outcome(found, ANA, "s3:ListAllMyBuckets", "*", **context)


def test_whether_a_request_passes_may_be_unknown() -> None:
    found = estate(person(ANA), identity(ANA, allow("*")), entities(endpoints(ONLY_S3)))
    assert "conditional" == outcome(found, ANA, "sqs:SendMessage", QUEUE, closed=False)


def test_endpoints_carry_their_own_policies() -> None:
    everything = ONLY_S3.replace("s3:*", "*")
    found = estate(person(ANA), identity(ANA, allow("*")), entities(endpoints(everything, ONLY_S3)))
    assert "allow" == outcome(found, ANA, "sqs:SendMessage", QUEUE, **{"aws:SourceVpce": ENDPOINT})
    assert "implicit-deny" == outcome(found, ANA, "sqs:SendMessage", QUEUE, **{"aws:SourceVpce": f"{ENDPOINT}1"})


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("has no `VpcEndpointId`", {"VpcEndpoints": [{}, 3]}),
        ("later pages are missing", {**endpoints(ONLY_S3), "NextToken": "x"}),
        ("broken JSON", endpoints("{")),
        ("is not an object", endpoints([3])),
    ],
)
def test_what_is_wrong_with_endpoints_is_said(expected: str, content: Any) -> None:
    assert any(expected in reason for reason in reasons(content))


@pytest.mark.parametrize(
    ("expected", "more"),
    [
        (f"arn:aws:ec2:eu-west-1:{ACCOUNT}:vpc-endpoint/{ENDPOINT}", {}),
        (f"arn:aws:ec2::{ACCOUNT}:vpc-endpoint/{ENDPOINT}", {"ServiceName": "aws.sagemaker.x"}),
        (f"arn:aws:ec2:eu-west-1::vpc-endpoint/{ENDPOINT}", {"OwnerId": "me"}),
    ],
)
def test_the_arn_of_an_endpoint(expected: str, more: dict[str, str]) -> None:
    found = entities(endpoints(None, **more))
    assert [expected] == [item.id for item in found if isinstance(item, Resource)]
    assert [] == [item for item in found if isinstance(item, Policy)]
