"""Trusts as the clouds compile them: which tokens or callers get in, as a condition over claims."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from idtrans.algebra import Condition
from idtrans.model.estate import Estate
from idtrans.model.spans import Source
from idtrans.model.values import Reach


class TrustKind(StrEnum):
    """How the trusted party proves itself."""

    WEB_IDENTITY = "web-identity"
    SAML = "saml"
    ACCOUNT = "cross-account"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Note:
    """A remark with a stable code."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Trust:
    """What one target accepts from one issuer or party.

    Statements and bindings that decide together are one trust; credentials that stand alone, as in Azure, are one each.
    """

    cloud: str
    kind: TrustKind
    target: str
    """Canonical id of the role, service account, application or managed identity that is obtained."""
    issuer: str | None
    """Issuer URL as the token's `iss` would say it (with `https://`); `None` without a token issuer."""
    admits: Condition
    """Over claim names as keys (`sub`, `aud`, `repository`, ...), both GCP stages or all AWS statements composed."""
    source: Source
    parties: tuple[str, ...] = ()
    """Canonical ids of the trusted accounts, roles, users or services; empty where an issuer vouches for them."""
    provider_admits: Condition | None = None
    """GCP: the provider's condition alone (stage one)."""
    audiences: tuple[str, ...] = ()
    """Audiences the provider accepts; empty when not known."""
    claims: frozenset[str] | None = None
    """Claims the cloud can test for this issuer; a test on another claim sees it as absent. `None`: all."""
    reach: Reach | None = None
    """Reach that the adapter already knows: trusts without a token issuer."""
    whole_pool: bool = False
    outside_account: str = ""
    external_id: bool | None = None
    """Whether an external id is required; `None` where it has no meaning."""
    notes: tuple[Note, ...] = ()
    further_sources: tuple[Source, ...] = ()
    """Where else it is stated: further statements of one policy."""


class Truster(Protocol):
    """A reader whose documents say who outside can become what: every cloud, and what hands out its credentials."""

    def trusts(self, estate: Estate) -> tuple[Trust, ...]:
        """Every trust: who outside can become which identity."""
        ...
