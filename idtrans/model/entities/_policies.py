"""Policy documents in the AWS policy language, as written."""

from __future__ import annotations

from dataclasses import dataclass

from idtrans.model.spans import Source
from idtrans.model.values import Effect, Layer, Unknown


@dataclass(frozen=True, slots=True)
class ConditionTest:
    """One operator applied to one key, as written."""

    operator: str
    key: str
    values: tuple[str, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class PolicyPrincipal:
    """One entry of a Principal or NotPrincipal element."""

    kind: str
    """`AWS`, `Service`, `Federated`, `CanonicalUser` or `*`."""
    value: str


@dataclass(frozen=True, slots=True)
class PolicyStatement:
    """One statement of a policy document in the AWS policy language, as written and not yet compiled."""

    effect: Effect | Unknown
    source: Source
    sid: str | None = None
    principals: tuple[PolicyPrincipal, ...] | None = None
    not_principals: tuple[PolicyPrincipal, ...] | None = None
    actions: tuple[str, ...] | None = None
    not_actions: tuple[str, ...] | None = None
    resources: tuple[str, ...] | None = None
    not_resources: tuple[str, ...] | None = None
    conditions: tuple[ConditionTest, ...] = ()
    doubts: tuple[str, ...] = ()
    """Reasons why parts of it were not understood. Any doubt makes the statement UNKNOWN, never absent."""


@dataclass(frozen=True, slots=True)
class Policy:
    """One policy document with the role it plays and whom it belongs to."""

    cloud: str
    id: str
    """Managed policy ARN, or `OWNER#layer/NAME` for inline and resource policies."""
    layer: Layer | Unknown
    owner: str | Unknown | None
    """Principal or resource it is a part of; `None` for a managed policy, which `Attachment`s tie to principals."""
    version: str
    statements: tuple[PolicyStatement, ...]
    source: Source
    name: str | None = None
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attachment:
    """A principal carries a managed policy, or a container one that limits what is below it."""

    cloud: str
    policy: str
    principal: str
    layer: Layer
    """`identity` or `boundary`; `scp` or `rcp` on a container."""
    source: Source
