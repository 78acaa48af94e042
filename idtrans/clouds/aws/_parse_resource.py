"""The resource that a resource policy belongs to.

https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from idtrans.clouds.aws._arns import is_account, read_arn
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
}
"""Neutral kind by service and by the first word of the resource part."""
_OTHER: Final = "resource"
_BUCKET: Final = re.compile(r"(arn:[a-z-]+:s3:::[a-z0-9A-Z._-]+)(?:/.*)?", re.DOTALL)
_WORD_END: Final = re.compile(r"[/:]")


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
