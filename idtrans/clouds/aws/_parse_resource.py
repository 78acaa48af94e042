"""The resource that a resource policy belongs to.

https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from idtrans.clouds.aws._arns import is_account, read_arn
from idtrans.clouds.aws._compile import EVERYTHING
from idtrans.clouds.aws._parse_state import CLOUD, Parsing, account_id
from idtrans.model.entities import PolicyStatement, Resource
from idtrans.model.spans import Source

_KINDS: Final = {
    ("s3", ""): "bucket",
    ("s3", "accesspoint"): "access-point",
    ("s3express", "bucket"): "bucket",
    ("kms", "key"): "key",
    ("sqs", ""): "queue",
    ("sns", ""): "topic",
    ("secretsmanager", "secret"): "secret",
    ("lambda", "function"): "function",
    ("lambda", "layer"): "function-layer",
    ("ecr", "repository"): "container-repository",
    ("dynamodb", "table"): "table",
    ("kinesis", "stream"): "stream",
    ("events", "event-bus"): "event-bus",
    ("elasticfilesystem", "file-system"): "file-system",
    ("backup", "backup-vault"): "backup-vault",
    ("es", "domain"): "search-domain",
    ("execute-api", ""): "api",
    ("iam", "role"): "role",
    ("glue", "catalog"): "data-catalog",
    ("ec2", "vpc-endpoint"): "vpc-endpoint",
    ("codeartifact", "domain"): "artifact-domain",
    ("logs", ""): "log-groups",
    ("logs", "log-group"): "log-group",
    ("ses", "identity"): "mail-identity",
    ("mediastore", "container"): "media-container",
    ("acm-pca", "certificate-authority"): "certificate-authority",
    ("ssm", "parameter"): "parameter",
    ("s3tables", "bucket"): "table-bucket",
}
"""Neutral kind by service and by the first word of the resource part."""
_OTHER: Final = "resource"
_BUCKET: Final = re.compile(r"(arn:[a-z-]+:s3:::[a-z0-9A-Z._-]+)(?:/.*)?", re.DOTALL)
_WORD_END: Final = re.compile(r"[/:]")
_REGION: Final = re.compile(r"[a-z0-9-]*")
"""Empty where a service knows none, as for access points of many regions."""
_WILD: Final = re.compile(r"[*?$]")


def resource_of(parsing: Parsing, arn: str, source: Source) -> Resource:
    """Return the resource of an ARN. The account is the ARN's own, or the one that the user named."""
    read = read_arn(arn)
    kind, name = _OTHER, arn
    if read is not None:
        word, *rest = _WORD_END.split(read.resource, maxsplit=1)
        kind = _KINDS.get((read.service, word if rest else "")) or _KINDS.get((read.service, ""), _OTHER)
        name = rest[0] if rest else word
    hinted = parsing.hints.account
    container = account_id(arn) or (hinted if hinted is not None and is_account(hinted) else None)
    return Resource(CLOUD, arn, kind, source, container, name)


_OWNERS: Final = {
    "backup": re.compile(r"backup-vault:[\w-]+"),
    "codeartifact": re.compile(r"(?:domain|repository)/[\w./-]+"),
    "dynamodb": re.compile(r"table/[\w.-]+"),
    "elasticfilesystem": re.compile(r"file-system/[\w-]+"),
    "es": re.compile(r"domain/[\w-]+"),
    "events": re.compile(r"event-bus/[\w./-]+"),
    "execute-api": re.compile(r"[\w-]+"),
    "kinesis": re.compile(r"stream/[\w.-]+"),
    "kms": re.compile(r"key/[\w-]+"),
    "lambda": re.compile(r"(?:function:[\w-]+|layer:[\w-]+:[0-9]+)"),
    "mediastore": re.compile(r"container/[\w-]+"),
    "s3": re.compile(r"accesspoint/[\w.-]+"),
    "s3express": re.compile(r"bucket/[\w.-]+"),
    "s3tables": re.compile(r"bucket/[\w-]+"),
    "secretsmanager": re.compile(r"secret:[\w/+=.@-]+"),
    "sns": re.compile(r"[\w.-]+"),
    "sqs": re.compile(r"[\w.-]+"),
    "vpc-lattice": re.compile(r"(?:service|servicenetwork)/[\w-]+"),
}
"""What of the resource part of an ARN is the owner of a policy, by service; what follows lies in it."""
_AFTER_OWNER: Final = ("", "/", ":")


def only_owner(statements: Iterable[PolicyStatement]) -> str | None:
    """Return the resource that every `Resource` of a policy is, or lies in; `None` when there is no such resource."""
    listed = list(statements)
    bucket = only_bucket(listed)
    if bucket is not None:
        return bucket
    found: set[str | None] = set()
    for statement in listed:
        if statement.not_resources is not None or not statement.resources:
            return None
        found.update(map(_owner_of, statement.resources))
    return found.pop() if len(found) == 1 else None


def _owner_of(resource: str) -> str | None:
    """Return the owner that an ARN pattern names in full: account and region too."""
    arn = read_arn(resource)
    if arn is None or not is_account(arn.account) or not _REGION.fullmatch(arn.region):
        return None
    start = f"arn:{arn.partition}:{arn.service}:{arn.region}:{arn.account}:"
    if arn.service == "glue":
        # The policy of the catalogue is the only one of the service.
        # https://docs.aws.amazon.com/glue/latest/dg/security_iam_service-with-iam.html
        return f"{start}catalog"
    if arn.service == "logs":
        # Policies of CloudWatch Logs belong to the account and the region, and speak of its log groups.
        # https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutResourcePolicy.html
        return f"{start}{EVERYTHING}"
    pattern = _OWNERS.get(arn.service)
    if pattern is None:
        return None if _WILD.search(resource) else resource
    match = pattern.match(arn.resource)
    if match is None or arn.resource[match.end() : match.end() + 1] not in _AFTER_OWNER:
        return None
    return start + match[0]


def only_bucket(statements: Iterable[PolicyStatement]) -> str | None:
    """Return the bucket that every `Resource` of a policy names, `None` when there is no such bucket."""
    found: set[str | None] = set()
    for statement in statements:
        if statement.not_resources is not None or not statement.resources:
            return None
        for resource in statement.resources:
            match = _BUCKET.fullmatch(resource)
            found.add(match[1] if match else None)
    return found.pop() if len(found) == 1 else None
