"""Access points of S3: a request through one needs what its bucket says, too.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-policies.html
https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-vpc.html
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    Access,
    AnyOf,
    Box,
    Condition,
    Except,
    Gate,
    Language,
    Opaque,
    Quantifier,
    Test,
    all_of,
    arn_glob,
    exact,
    glob,
    prefix,
    union,
)
from idtrans.clouds.aws._arns import account_of, read_arn
from idtrans.clouds.aws._compile import Rule, compile_policy
from idtrans.clouds.aws._holders import IDENTITY, documents
from idtrans.clouds.aws._index import parties
from idtrans.clouds.aws._parse_bucket import POINT_BUCKET, POINT_NETWORK, POINT_ORIGIN
from idtrans.clouds.aws._patterns import resource_pattern
from idtrans.model.entities import Policy, PolicyStatement, Resource
from idtrans.model.values import Effect, Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.clouds.aws._holders import Holder
    from idtrans.clouds.aws._index import Index

_WORD: Final = ":accesspoint/"
_POINTS: Final = arn_glob("arn:*:s3:*:*:accesspoint/*")
_ON_POINTS: Final = glob("s3:*AccessPoint*", fold=True) | ~glob("s3:*", fold=True)
"""Actions on the access point itself, which the bucket has no say in."""
_SIDE: Final = "the bucket behind the access point"
_WILD: Final = re.compile(r"[*?$]")


@dataclass(frozen=True, slots=True)
class _Point:
    """One access point and the bucket that it leads to."""

    arn: str
    bucket: str

    @property
    def language(self) -> Language:
        return exact(self.arn) | prefix(f"{self.arn}/")


def is_point(resource: str) -> bool:
    """Tell whether a resource is an access point, or an object that is reached through one."""
    arn = read_arn(resource)
    return arn is not None and (arn.service, arn.kind) == ("s3", "accesspoint")


def point_of(resource: str) -> str:
    """Return the access point of an object that is reached through it."""
    return "/".join(resource.split("/")[:2])


def point_keys(resource: str, index: Index) -> dict[str, tuple[str, ...]]:
    """Return the keys that a request through an access point has, as far as it is known.

    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-policies.html#access-points-condition-keys
    """
    if not is_point(resource):
        return {}
    arn = point_of(resource)
    found: dict[str, tuple[str, ...]] = {"s3:dataaccesspointarn": (arn,)}
    account = account_of(arn)
    if account is not None:
        found["s3:dataaccesspointaccount"] = (account,)
    origin = index.points[arn].settings.get(POINT_ORIGIN) if arn in index.points else None
    return found | ({"s3:accesspointnetworkorigin": (origin,)} if isinstance(origin, str) else {})


def point_gates(holder: Holder, index: Index) -> tuple[Gate, ...]:
    """Return what buckets leave to requests through their access points; nothing where no access point is met."""
    carried = documents(holder, index, IDENTITY)
    if not index.points and not any(map(_names_point, carried)):
        return ()
    points = [point for resource in index.points.values() if (point := _point(resource)) is not None]
    known = union(point.language for point in points)
    parts: list[Access] = [
        Box(Effect.ALLOW, "resource", ANY_TEXT, ANY_TEXT, ~_POINTS, name="other resources"),
        Box(Effect.ALLOW, "resource", ANY_TEXT, _ON_POINTS, _POINTS, name="the access point itself"),
        Box(Effect.ALLOW, "resource", ANY_TEXT, ANY_TEXT, _POINTS - known, _unread("the access point"), _SIDE),
        *(_through(point, holder, carried, index) for point in points),
    ]
    gates = [Gate(_SIDE, "resource", AnyOf(tuple(parts)))]
    nets = [(resource, net) for resource in index.points.values() if (net := _network(resource)) != ALWAYS]
    if nets:
        gates.append(Gate("the network of the access point", "resource", AnyOf(tuple(_networks(nets)))))
    return tuple(gates)


def _unread(what: str) -> Opaque:
    reason = "a request through an access point needs its bucket to allow it, too: the description of the access point "
    reason += "(`aws s3control get-access-point`) or the policy of the bucket was not read"
    return Opaque(f"the bucket behind {what} allows it", reason)


def _names_point(document: Policy | Rule) -> bool:
    statements = document.statements if isinstance(document, Policy) else ()
    return any(_WORD in text for statement in statements for text in statement.resources or ())


def _point(resource: Resource) -> _Point | None:
    bucket = resource.settings.get(POINT_BUCKET)
    arn = read_arn(resource.id)
    if not isinstance(bucket, str) or arn is None:
        return None
    return _Point(resource.id, bucket if bucket.startswith("arn:") else f"arn:{arn.partition}:s3:::{bucket}")


def _network(resource: Resource) -> Condition:
    """Return where requests must come from: from the network that an access point is for, or from anywhere."""
    network = resource.settings.get(POINT_NETWORK)
    if isinstance(network, str):
        return Test("aws:sourcevpc", Quantifier.ONE, exact(network), label="aws:SourceVpc")
    if resource.settings.get(POINT_ORIGIN) == "VPC":
        return Opaque(f"the network of {resource.id} is that of the caller", "its `VpcConfiguration` was not read")
    return ALWAYS


def _networks(nets: list[tuple[Resource, Condition]]) -> Iterator[Box]:
    closed = union(exact(point.id) | prefix(f"{point.id}/") for point, _ in nets)
    yield Box(Effect.ALLOW, "resource", ANY_TEXT, ANY_TEXT, ~closed, name="other resources")
    yield Box(Effect.ALLOW, "resource", ANY_TEXT, _ON_POINTS, closed, name="the access point itself")
    for point, net in nets:
        within = exact(point.id) | prefix(f"{point.id}/")
        yield Box(Effect.ALLOW, "resource", ANY_TEXT, ANY_TEXT, within, net, f"the network of {point.id}")


def _through(point: _Point, holder: Holder, carried: list[Policy | Rule], index: Index) -> Access:
    """Return what a bucket permits through one of its access points.

    In the account of the bucket an identity policy is enough; else its own policy must allow the request.
    """
    account = index.account(point.bucket)
    policies = index.owned.get((point.bucket, Layer.RESOURCE), [])
    boxes = [box for policy in policies for box in _stated(policy, point, holder, index)]
    condition: Condition | None = ALWAYS if account == holder.account else None
    if account is None and holder.account is not None:
        text = f"{point.bucket} is in account {holder.account}"
        condition = Opaque(text, "the account that owns the bucket is not stated")
    for document in carried:
        for rule in (document,) if isinstance(document, Rule) else compile_policy(_moved(document, point)):
            box = rule.box(holder.language)
            if rule.effect is Effect.DENY:
                boxes.append(box)
            elif condition is not None:
                boxes.append(replace(box, condition=all_of(box.condition, condition)))
    if not policies:
        within = _unread(point.arn)
        boxes.append(Box(Effect.ALLOW, "resource", ANY_TEXT, ANY_TEXT, point.language, within, _SIDE))
    allows = tuple(_within(box, point) for box in boxes if box.effect is Effect.ALLOW)
    denies = tuple(_within(box, point) for box in boxes if box.effect is Effect.DENY)
    return Except(AnyOf(allows), AnyOf(denies)) if denies else AnyOf(allows)


def _within(box: Box, point: _Point) -> Box:
    """Return a box as far as it is about requests through an access point."""
    if isinstance(box.resources, Language):
        return replace(box, resources=box.resources & point.language)
    return box


def _stated(policy: Policy, point: _Point, holder: Holder, index: Index) -> Iterator[Box]:
    account = index.account(point.bucket)
    for rule in compile_policy(_moved(policy, point)):
        for whole, _, principals in parties(rule):
            for each, language in index.blocks.parts(whole, principals, policy, account):
                yield each.box(language & holder.language)


def _moved(policy: Policy, point: _Point) -> Policy:
    """Return a policy as it speaks of what is reached through an access point, in place of its bucket."""
    owner = point.arn if policy.owner == point.bucket else policy.owner
    moved = (_moved_statement(statement, policy.version, point) for statement in policy.statements)
    return replace(policy, owner=owner, statements=tuple(each for each in moved if each is not None))


def _moved_statement(statement: PolicyStatement, version: str, point: _Point) -> PolicyStatement | None:
    listed = statement.resources if statement.resources is not None else statement.not_resources
    if statement.doubts or listed is None:
        return statement
    found: list[str] = []
    for text in listed:
        moved = _moved_text(text, version, point)
        if moved is None:
            reason = f"what `{text}` is in the access point `{point.arn}` is not told"
            return replace(statement, doubts=(*statement.doubts, reason))
        found += moved
    if statement.not_resources is not None:
        everything = (point.arn, f"{point.arn}/object/*")
        if not found:
            return replace(statement, not_resources=None, resources=everything)
        return replace(statement, not_resources=tuple(found))
    return replace(statement, resources=tuple(found)) if found else None


def _moved_text(text: str, version: str, point: _Point) -> tuple[str, ...] | None:
    """Return a pattern of buckets and objects as patterns of an access point, `None` where that cannot be said."""
    objects = f"{point.arn}/object/"
    if text == point.bucket:
        return (point.arn,)
    if text.startswith(f"{point.bucket}/"):
        return (objects + text.removeprefix(f"{point.bucket}/"),)
    start = text.rstrip("*")
    if start != text and not _WILD.search(start) and point.bucket.startswith(start):
        return point.arn, f"{objects}*"
    if "$" in text:
        return None
    pattern = resource_pattern(text, version)
    bucket = exact(point.bucket) | prefix(f"{point.bucket}/")
    return () if isinstance(pattern, Language) and (pattern & bucket).is_empty() else None
