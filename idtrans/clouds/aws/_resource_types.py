"""Which actions can be about what an ARN names, and which of Amazon S3 are about the bucket or its objects.

A grant of an action on the ARN of something that it is never about gives nothing: an object action on a bucket, a
bucket action on objects, an action of another service, or one that takes no resource at all.
https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from idtrans.algebra import NO_TEXT, Language, glob, one_of
from idtrans.catalog import aws_action, aws_actions, aws_service_actions, aws_services
from idtrans.clouds.aws._arns import read_arn

if TYPE_CHECKING:
    from collections.abc import Iterable


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
    # A star also stands for a slash and what follows it, so that the end of a key may be meant.
    return None if "*" in arn.resource else Part.BUCKET


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


def useless_on(scope: str, actions: Language) -> Language:
    """Return those of some actions that cannot be about what an ARN pattern names; what is not known may be."""
    arn = read_arn(scope)
    if arn is None or arn.service.lower() not in aws_services():
        return NO_TEXT
    part = part_of(scope)
    useless = NO_TEXT if part is None else _useless(part)
    own = glob(f"{arn.service}:*", fold=True)
    service = arn.service.lower()
    useless |= _idle(aws_service_actions(service), service)
    if actions.issubset(own):
        return useless
    forms = actions.forms()
    if forms is None or forms.negated or forms.patterns:
        return useless | _idle_anywhere(service)
    return useless | _idle(forms.words, service)


def _idle(actions: Iterable[str], service: str) -> Language:
    """Return the known actions among some that are about nothing that a service names."""
    return one_of((name for name in actions if _is_idle(name, service)), fold=True)


def _is_idle(action: str, service: str) -> bool:
    known = aws_action(action)
    return known is not None and not any(map((service, "*").__contains__, _services_of(known.resources)))


def _services_of(patterns: Iterable[str]) -> Iterable[str]:
    return (arn.service for pattern in patterns if (arn := read_arn(pattern)) is not None)


@cache
def _idle_anywhere(service: str) -> Language:
    return _idle(aws_actions(), service)


@cache
def _useless(part: Part) -> Language:
    return one_of((name for name in aws_service_actions("s3") if part not in parts_of_action(name)), fold=True)


def foreign_to(resource: str) -> Language:
    """Return the actions that can be about neither a bucket nor its objects, when the resource is a bucket."""
    return NO_TEXT if part_of(resource) is None else _foreign()


@cache
def _foreign() -> Language:
    return one_of((name for name in aws_service_actions("s3") if not parts_of_action(name)), fold=True)
