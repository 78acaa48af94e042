"""Which actions of Amazon S3 are about the bucket, and which about its objects.

A grant of an object action on a bucket ARN gives nothing, nor does a bucket action on object ARNs.
https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from idtrans.algebra import NO_TEXT, Language, one_of
from idtrans.catalog import aws_action, aws_service_actions
from idtrans.clouds.aws._arns import read_arn


class Part(StrEnum):
    """What an action of a bucket is about."""

    BUCKET = "bucket"
    OBJECT = "object"


def part_of(scope: str) -> Part | None:
    """Return what an ARN pattern of Amazon S3 names, `None` when it names both or something else."""
    arn = read_arn(scope)
    if arn is None or arn.service != "s3" or arn.region or arn.account:
        return None
    if "/" in arn.resource:
        return Part.OBJECT
    return None if arn.resource.endswith("*") else Part.BUCKET


def parts_of_action(action: str) -> frozenset[Part]:
    """Return what an action can be about; nothing for one that is about neither or not known."""
    known = aws_action(action)
    patterns = known.resources if known is not None else ()
    return frozenset(found for pattern in patterns if (found := _pattern_part(pattern)) is not None)


def _pattern_part(pattern: str) -> Part | None:
    """Read the ARN pattern of a resource type, such as `arn:*:s3:::*/*` for objects."""
    arn = read_arn(pattern)
    if arn is None or arn.service != "s3" or arn.region or arn.account:
        return None
    return Part.OBJECT if "/" in arn.resource else Part.BUCKET


def useless_on(scope: str) -> Language:
    """Return the actions of Amazon S3 that cannot be about what an ARN pattern names."""
    part = part_of(scope)
    return NO_TEXT if part is None else _useless(part)


@cache
def _useless(part: Part) -> Language:
    return one_of((name for name in aws_service_actions("s3") if part not in parts_of_action(name)), fold=True)


def foreign_to(resource: str) -> Language:
    """Return the actions that can be about neither a bucket nor its objects, when the resource is a bucket."""
    return NO_TEXT if part_of(resource) is None else _foreign()


@cache
def _foreign() -> Language:
    return one_of((name for name in aws_service_actions("s3") if not parts_of_action(name)), fold=True)
