"""Replies that hold the policy of a resource, one a row: where the policy stands, and where the ARN of its owner.

https://docs.aws.amazon.com/cli/latest/reference/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from idtrans.clouds.aws._parse_values import name_of
from idtrans.model.documents import Json


@dataclass(frozen=True, slots=True)
class ResourceReply:
    """Where a reply holds the policy of a resource."""

    command: str
    """Command of the command line that prints it."""
    policy: tuple[str, ...]
    """Keys that lead to the policy; none when an item of a list is the policy itself."""
    owner: tuple[str, ...] = ()
    """Keys that lead to the ARN of the resource; empty when the reply does not have it."""
    beside: tuple[str, ...] = ()
    """Keys, one of which must stand beside the first key of the policy, where that key is too common a word."""
    each: str | None = None
    """Key of a list, or of an object with names as keys, of which every item is read so."""


RESOURCE_REPLIES: Final = (
    ResourceReply("glue get-resource-policies", ("PolicyInJson",), each="GetResourcePoliciesResponseList"),
    ResourceReply("opensearch describe-domains", ("AccessPolicies",), ("ARN",), each="DomainStatusList"),
    ResourceReply("apigateway get-rest-apis", ("policy",), each="items"),
    ResourceReply("logs describe-resource-policies", ("policyDocument",), ("resourceArn",), each="resourcePolicies"),
    ResourceReply("xray list-resource-policies", ("PolicyDocument",), each="ResourcePolicies"),
    ResourceReply("ssm get-resource-policies", ("Policy",), each="Policies"),
    ResourceReply("ses get-identity-policies", (), each="Policies"),
    ResourceReply("ram get-resource-policies", (), each="policies"),
    ResourceReply("sqs get-queue-attributes", ("Attributes", "Policy"), ("Attributes", "QueueArn")),
    ResourceReply("sns get-topic-attributes", ("Attributes", "Policy"), ("Attributes", "TopicArn")),
    ResourceReply("redshift get-resource-policy", ("ResourcePolicy", "Policy"), ("ResourcePolicy", "ResourceArn")),
    ResourceReply(
        "redshift-serverless get-resource-policy", ("resourcePolicy", "policy"), ("resourcePolicy", "resourceArn")
    ),
    ResourceReply(
        "organizations describe-resource-policy",
        ("ResourcePolicy", "Content"),
        ("ResourcePolicy", "ResourcePolicySummary", "Arn"),
    ),
    ResourceReply("cloudtrail get-resource-policy", ("ResourcePolicy",), ("ResourceArn",)),
    ResourceReply("secretsmanager get-resource-policy", ("ResourcePolicy",), ("ARN",)),
    ResourceReply("s3tables get-table-bucket-policy", ("resourcePolicy",)),
    ResourceReply("ecr get-repository-policy", ("policyText",), (), ("registryId", "repositoryName")),
    ResourceReply("efs describe-file-system-policy", ("Policy",), (), ("FileSystemId",)),
    ResourceReply("backup get-backup-vault-access-policy", ("Policy",), ("BackupVaultArn",), ("BackupVaultName",)),
    ResourceReply("events describe-event-bus", ("Policy",), ("Arn",), ("Arn",)),
    ResourceReply("s3control get-multi-region-access-point-policy", ("Policy", "Established", "Policy")),
    ResourceReply("apigateway get-rest-api", ("policy",), (), ("endpointConfiguration", "apiKeySource", "createdDate")),
    ResourceReply("opensearch describe-domain", ("DomainStatus", "AccessPolicies"), ("DomainStatus", "ARN")),
    ResourceReply("opensearch describe-domain-config", ("DomainConfig", "AccessPolicies", "Options")),
    ResourceReply("glue get-resource-policy", ("PolicyInJson",)),
    ResourceReply("codeartifact get-domain-permissions-policy", ("policy", "document"), ("policy", "resourceArn")),
    ResourceReply("glacier get-vault-access-policy", ("policy", "Policy")),
    ResourceReply("lexv2-models describe-resource-policy", ("policy",), ("resourceArn",), ("resourceArn",)),
    ResourceReply("codebuild get-resource-policy", ("policy",)),
)
"""More specific rows come first: the first that fits counts."""
REPLY_SIGNS: Final = frozenset(row.each or row.policy[0] for row in RESOURCE_REPLIES)
"""Keys, one of which every such reply has."""


@dataclass(frozen=True, slots=True)
class Held:
    """A policy in a reply."""

    value: Json
    place: tuple[str | int, ...]
    owner: str | None


def held(content: dict[str, Json]) -> Iterator[Held]:
    """Yield what are policies of resources in a reply, with their owners, the most specific reading first.

    Of a list that holds a policy every item is yielded, so that a broken one is not passed over.
    """
    for row in RESOURCE_REPLIES:
        if row.each is not None:
            found = [_held(item, row, (row.each, key)) for key, item in _items(content.get(row.each))]
        elif not row.beside or any(key in content for key in row.beside):
            found = [_held(content, row, ())]
        else:
            continue
        if any(is_document(each.value) for each in found):
            yield from (each for each in found if each.value is not None)


def is_document(value: Json) -> bool:
    """Tell whether a value looks like a policy document or the text of one."""
    if isinstance(value, str):
        return value.lstrip("\ufeff \t\r\n")[:3].lower().startswith(("{", "%7b"))
    return isinstance(value, dict) and "Statement" in value


def _items(value: Json) -> Iterable[tuple[str | int, Json]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def _held(content: Json, row: ResourceReply, place: tuple[str | int, ...]) -> Held:
    owner = name_of(_below(content, row.owner)) if row.owner else None
    return Held(_below(content, row.policy), (*place, *row.policy), owner)


def _below(value: Json, keys: tuple[str, ...]) -> Json:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
