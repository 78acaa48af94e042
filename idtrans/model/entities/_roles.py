"""Roles, who holds them where, and the rules and boundaries around them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from idtrans.model.spans import Source
from idtrans.model.values import Effect, Unknown


@dataclass(frozen=True, slots=True)
class PermissionBlock:
    """One permission object of a role: what it gives, minus what it leaves out, per plane."""

    actions: tuple[str, ...] = ()
    not_actions: tuple[str, ...] = ()
    data_actions: tuple[str, ...] = ()
    not_data_actions: tuple[str, ...] = ()
    condition: str | None = None


@dataclass(frozen=True, slots=True)
class RoleDefinition:
    """A role of GCP or Azure: a named list of permissions."""

    cloud: str
    id: str
    """`roles/x`, `projects/p/roles/x`, `organizations/n/roles/x`; Azure: the lower-cased GUID."""
    name: str
    blocks: tuple[PermissionBlock, ...]
    source: Source
    custom: bool = False
    complete: bool = True
    """False when the list is known to leave permissions out: what it does not list is UNKNOWN, not denied."""
    lacks: tuple[str, ...] = ()
    """Permissions that an incomplete role is known not to hold."""
    scopes: tuple[str, ...] = ()
    """Where it may be assigned."""


class BindingState(StrEnum):
    """Whether a binding is in force."""

    ACTIVE = "active"
    ELIGIBLE = "eligible"


@dataclass(frozen=True, slots=True)
class RoleBinding:
    """Members hold a role at a scope: a GCP binding or an Azure role assignment."""

    cloud: str
    id: str
    role: str
    members: tuple[str, ...]
    scope: str | Unknown
    source: Source
    condition: str | None = None
    condition_version: str | None = None
    state: BindingState = BindingState.ACTIVE
    role_name: str | None = None
    doubts: tuple[str, ...] = ()
    starts: datetime | None = None
    """First moment in force; `None`: always has been."""
    ends: datetime | None = None
    """First moment no longer in force; `None`: it does not end by itself."""


@dataclass(frozen=True, slots=True)
class AccessRule:
    """One rule that names principals and permissions directly, without a role: GCP deny policies, access policies."""

    cloud: str
    id: str
    effect: Effect
    layer: str
    """What kind of policy it stands in, as shown to people, such as `deny policy`."""
    scope: str | Unknown
    principals: tuple[str, ...]
    permissions: tuple[str, ...]
    """Permissions and groups of permissions, in the spelling of the policy."""
    source: Source
    excluded_principals: tuple[str, ...] = ()
    excluded_permissions: tuple[str, ...] = ()
    condition: str | None = None
    doubts: tuple[str, ...] = ()
    """Reasons why parts of it were not understood. Any doubt makes the rule UNKNOWN, never absent."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """A GCP principal access boundary policy: the resources that its principals are eligible to access."""

    cloud: str
    id: str
    resources: tuple[str, ...]
    version: str | None
    """Enforcement version, which decides what permissions it can block; `None` when it is not stated."""
    source: Source
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BoundaryBinding:
    """A boundary applies to the principals of a set."""

    cloud: str
    id: str
    boundary: str
    """Id of the boundary."""
    principals: str
    """Canonical id of the principal set."""
    source: Source
    condition: str | None = None
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DenyAssignment:
    """Members may not use some permissions at a scope, whatever their roles give."""

    cloud: str
    id: str
    name: str
    blocks: tuple[PermissionBlock, ...]
    members: tuple[str, ...]
    excluded: tuple[str, ...]
    """Who is spared although it is, or is in, a member."""
    scope: str | Unknown
    source: Source
    inherited: bool = True
    """Whether it reaches what lies below its scope."""
    condition: str | None = None
    condition_version: str | None = None
    doubts: tuple[str, ...] = ()
    """Reasons why parts of it were not understood. Any doubt makes it UNKNOWN, never absent."""
