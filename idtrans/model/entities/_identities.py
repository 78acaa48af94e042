"""Who acts and what is acted on: containers, principals, memberships, resources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from idtrans.model.spans import Source
from idtrans.model.values import Unknown


class PrincipalKind(StrEnum):
    """What kind of identity a principal is, across clouds."""

    USER = "user"
    GROUP = "group"
    ROLE = "role"
    SERVICE_IDENTITY = "service-identity"
    """Service account, service principal, managed identity."""
    APPLICATION = "application"
    SERVICE = "service"
    """A service of the cloud itself, such as `service:ec2.amazonaws.com`."""
    FEDERATED = "federated"
    """Outside identities reached through a pool, a provider or an issuer."""
    CONTAINER = "container"
    """All identities of an account, project, tenant or domain."""
    PUBLIC = "public"
    """Everybody, or everybody with any account at the cloud."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Container:
    """An organisation, folder, project, account, management group, subscription or resource group."""

    cloud: str
    id: str
    kind: str
    source: Source
    parent: str | None = None
    """Id of the container above; `None` when it is the root or not known."""
    name: str | None = None
    aliases: tuple[str, ...] = ()
    """Other ids of the same thing, such as a project number beside the project id."""
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Tags that conditions can read; what lies below inherits them."""
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Settings that decide access below it, in the words of its reader; absent keys were not stated."""


@dataclass(frozen=True, slots=True)
class Principal:
    """An identity that a document describes or names."""

    cloud: str
    id: str
    kind: PrincipalKind
    source: Source
    container: str | None = None
    """Account, project or tenant that owns the identity."""
    name: str | None = None
    aliases: tuple[str, ...] = ()
    """Other spellings that resolve to this id: user name, app id, unique id."""
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Tags and other facts that conditions can read."""
    policies: Unknown | None = None
    """UNKNOWN where the document names the identity without listing what it holds."""


@dataclass(frozen=True, slots=True)
class Membership:
    """A principal is a member of a group."""

    cloud: str
    member: str
    group: str
    source: Source


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that access is granted on."""

    cloud: str
    id: str
    kind: str
    """Neutral kind: `bucket`, `storage-account`, `key`, `secret`, `dataset`, `service-account`, ..."""
    source: Source
    container: str | None = None
    name: str | None = None
    settings: Mapping[str, str | int | bool | Unknown | None] = field(default_factory=dict, hash=False)
    """Settings that decide access, in the vendor's spelling; absent keys were not stated."""
