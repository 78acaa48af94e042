"""What documents state, lowered to typed nouns. Readers produce these and nothing else.

Ids are the canonical ids of the cloud they belong to (see `docs/identifiers.md`): AWS ARNs, GCP v1 members and full
resource names, Azure `entra:OBJECT-ID` and lower-cased ARM ids. `cloud` is the name of the reader that produced it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from idtrans.model.spans import Source
from idtrans.model.values import Effect, Layer, Unknown


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
    """A principal carries a managed policy."""

    cloud: str
    policy: str
    principal: str
    layer: Layer
    """`identity` or `boundary`."""
    source: Source


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


@dataclass(frozen=True, slots=True)
class IdentityProvider:
    """A registered outside issuer: an AWS OIDC provider or a GCP workload identity pool provider."""

    cloud: str
    id: str
    issuer: str | None
    """Issuer URL as written; `None` when the kind has none."""
    kind: str
    """`oidc`, `saml`, `aws` or `x509`."""
    source: Source
    audiences: tuple[str, ...] = ()
    mapping: Mapping[str, str] = field(default_factory=dict, hash=False)
    """GCP attribute mapping, target attribute to CEL text."""
    condition: str | None = None
    disabled: bool = False
    pool: str | None = None


@dataclass(frozen=True, slots=True)
class FederatedCredential:
    """An Azure federated identity credential of an application or a managed identity."""

    cloud: str
    id: str
    owner: str | Unknown
    issuer: str
    audiences: tuple[str, ...]
    source: Source
    subject: str | None = None
    expression: str | None = None
    """`claimsMatchingExpression` of a flexible credential."""
    name: str | None = None


class CredentialKind(StrEnum):
    """Kinds of long-lived credentials."""

    AWS_ACCESS_KEY = "aws-access-key"
    AWS_ROOT_ACCESS_KEY = "aws-root-access-key"
    AWS_PASSWORD = "aws-password"  # noqa: S105 - a kind, not a password
    AWS_SIGNING_CERTIFICATE = "aws-signing-certificate"
    GCP_USER_MANAGED_KEY = "gcp-user-managed-key"
    GCP_SYSTEM_MANAGED_KEY = "gcp-system-managed-key"
    ENTRA_CLIENT_SECRET = "entra-client-secret"  # noqa: S105 - a kind, not a password
    ENTRA_CERTIFICATE = "entra-certificate"
    AZURE_STORAGE_SHARED_KEY = "azure-storage-shared-key"


class CredentialStatus(StrEnum):
    """Whether a credential can be used."""

    ACTIVE = "active"
    INACTIVE = "inactive"


@dataclass(frozen=True, slots=True)
class Credential:
    """A long-lived credential and whom it belongs to. Never its secret value."""

    cloud: str
    id: str
    kind: CredentialKind
    owner: str | Unknown
    status: CredentialStatus | Unknown
    source: Source
    created: datetime | Unknown | None = None
    expires: datetime | Unknown | None = None
    """`None`: it never expires."""
    last_used: datetime | Unknown | None = None
    """`None`: never used."""
    name: str | None = None


Entity = (
    Container
    | Principal
    | Membership
    | Resource
    | Policy
    | Attachment
    | RoleDefinition
    | RoleBinding
    | DenyAssignment
    | AccessRule
    | Boundary
    | BoundaryBinding
    | IdentityProvider
    | FederatedCredential
    | Credential
)
"""Everything a reader may produce, beside `Unsupported`."""
