"""Small estates written in the policy language, lowered by the reader."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from idtrans.algebra import decide
from idtrans.clouds.aws import CLOUD
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Attachment, Container, Entity, Membership, Policy, Principal, PrincipalKind, Resource
from idtrans.model.estate import Estate
from idtrans.model.spans import Place, Source
from idtrans.model.values import Layer
from idtrans.ports import Query

if TYPE_CHECKING:
    from idtrans.algebra import Access
    from idtrans.model.decisions import Decision

NOW = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)
ACCOUNT = "111122223333"
OTHER = "444455556666"
ANA = f"arn:aws:iam::{ACCOUNT}:user/ana"
APP = f"arn:aws:iam::{ACCOUNT}:role/app"
SESSION = f"arn:aws:sts::{ACCOUNT}:assumed-role/app/s1"
BUCKET = "arn:aws:s3:::example-data"
OBJECT = f"{BUCKET}/a"
HERE = Source(Place("test.json"))


def allow(action: Any = None, resource: Any = "*", **elements: Any) -> dict[str, Any]:
    return _statement("Allow", action, resource, elements)


def deny(action: Any = None, resource: Any = "*", **elements: Any) -> dict[str, Any]:
    return _statement("Deny", action, resource, elements)


def _statement(effect: str, action: Any, resource: Any, elements: dict[str, Any]) -> dict[str, Any]:
    found = {"Effect": effect, "Action": action, "Resource": resource, **elements}
    return {key: value for key, value in found.items() if value is not None}


def lower(*statements: dict[str, Any], version: str = "2012-10-17", **hints: Any) -> list[Entity]:
    """Read a policy document; what is not understood stays in its statements as doubts."""
    content = {"Version": version, "Statement": list(statements)}
    document = Document(Place("test.json"), Format.JSON, content, Hints(cloud="aws", kind="aws.policy", **hints))
    return [found for found in CLOUD.parse(document, "aws.policy") if not isinstance(found, Unsupported)]


def identity(owner: str, *statements: dict[str, Any], version: str = "2012-10-17") -> list[Entity]:
    return lower(*statements, version=version, layer=Layer.IDENTITY, principal=owner)


def resource(owner: str, *statements: dict[str, Any], account: str | None = ACCOUNT) -> list[Entity]:
    return lower(*statements, layer=Layer.RESOURCE, resource=owner, account=account)


def trust(*statements: dict[str, Any], role: str = f"arn:aws:iam::{ACCOUNT}:role/deploy") -> list[Entity]:
    return lower(*statements, layer=Layer.TRUST, principal=role)


def managed(arn: str, *statements: dict[str, Any]) -> list[Entity]:
    return [replace(found, id=arn, owner=None) for found in lower(*statements) if isinstance(found, Policy)]


def attached(policy: str, principal: str, layer: Layer = Layer.IDENTITY) -> list[Entity]:
    return [Attachment("aws", policy, principal, layer, HERE)]


def boundary(principal: str, *statements: dict[str, Any]) -> list[Entity]:
    return [
        found for found in lower(*statements, layer=Layer.BOUNDARY, principal=principal) if isinstance(found, Policy)
    ]


def person(arn: str, **more: Any) -> list[Entity]:
    kind = PrincipalKind.ROLE if ":role/" in arn else PrincipalKind.USER
    return [Principal("aws", arn, kind, HERE, **more)]


def member(principal: str, group: str) -> list[Entity]:
    return [Membership("aws", principal, group, HERE)]


def account(number: str, parent: str | None = None) -> list[Entity]:
    return [Container("aws", number, "account", HERE, parent=parent)]


def bucket(arn: str, owner: str | None = None, **settings: Any) -> list[Entity]:
    return [Resource("aws", arn, "bucket", HERE, container=owner, settings=settings)]


def estate(*groups: list[Entity]) -> Estate:
    return Estate(tuple(entity for group in groups for entity in group), NOW)


def ask(
    world: Estate, principal: str, action: str, target: str, *, closed: bool = True, **context: str | list[str]
) -> Decision:
    values = {key: tuple([value] if isinstance(value, str) else value) for key, value in context.items()}
    query = Query(principal, action, target, values, closed=closed)
    request = CLOUD.request(query, world)
    return decide(CLOUD.access(request.principal, world), request)


def outcome(world: Estate, principal: str, action: str, target: str, **context: Any) -> str:
    return ask(world, principal, action, target, **context).outcome.value


def of(principal: str, world: Estate) -> Access:
    return CLOUD.access(principal, world)
