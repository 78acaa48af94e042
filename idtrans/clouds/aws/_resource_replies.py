"""Replies that hold the policy of a resource, one a row: where the policy stands, and where the ARN of its owner.

https://docs.aws.amazon.com/cli/latest/reference/
"""

from __future__ import annotations

from collections.abc import Iterator
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
    """Keys that lead to the policy."""
    owner: tuple[str, ...] = ()
    """Keys that lead to the ARN of the resource; empty when the reply does not have it."""
    beside: tuple[str, ...] = ()
    """Keys, one of which must stand beside the first key of the policy, where that key is too common a word."""


RESOURCE_REPLIES: Final = (
    ResourceReply("sqs get-queue-attributes", ("Attributes", "Policy"), ("Attributes", "QueueArn")),
    ResourceReply("sns get-topic-attributes", ("Attributes", "Policy"), ("Attributes", "TopicArn")),
    ResourceReply("secretsmanager get-resource-policy", ("ResourcePolicy",), ("ARN",)),
    ResourceReply("ecr get-repository-policy", ("policyText",), (), ("registryId", "repositoryName")),
    ResourceReply("efs describe-file-system-policy", ("Policy",), (), ("FileSystemId",)),
    ResourceReply("backup get-backup-vault-access-policy", ("Policy",), ("BackupVaultArn",), ("BackupVaultName",)),
    ResourceReply("events describe-event-bus", ("Policy",), ("Arn",), ("Arn",)),
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
_LISTS: Final = {
    "GetResourcePoliciesResponseList": ResourceReply("glue get-resource-policies", ("PolicyInJson",)),
    "DomainStatusList": ResourceReply("opensearch describe-domains", ("AccessPolicies",), ("ARN",)),
}
"""Lists of such replies, by the key that holds them."""
REPLY_SIGNS: Final = frozenset({*_LISTS, *(row.policy[0] for row in RESOURCE_REPLIES)})
"""Keys, one of which every such reply has."""


@dataclass(frozen=True, slots=True)
class Held:
    """A policy in a reply."""

    value: Json
    place: tuple[str | int, ...]
    owner: str | None


def held(content: dict[str, Json]) -> Iterator[Held]:
    """Yield what may be policies of resources in a reply, with their owners, the most specific reading first."""
    for key, row in _LISTS.items():
        items = content.get(key)
        for number, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, dict):
                yield from _held(item, row, (key, number))
    for row in RESOURCE_REPLIES:
        if not row.beside or any(key in content for key in row.beside):
            yield from _held(content, row, ())


def _held(content: dict[str, Json], row: ResourceReply, place: tuple[str | int, ...]) -> Iterator[Held]:
    value = _below(content, row.policy)
    if value is not None:
        yield Held(value, (*place, *row.policy), name_of(_below(content, row.owner)) if row.owner else None)


def _below(value: Json, keys: tuple[str, ...]) -> Json:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
