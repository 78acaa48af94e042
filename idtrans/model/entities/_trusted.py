"""What lets outsiders in and what proves an identity: providers, federated credentials, long-lived credentials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from idtrans.model.spans import Source
from idtrans.model.values import Unknown


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
    GCP_HMAC_KEY = "gcp-hmac-key"
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
