"""The facts that audit rules select, declared once. Engines fill them; a rule is a threshold and words.

A field's type decides which conditions a rule may put on it; a value that is `UNKNOWN` sends the pair of rule and fact
to `not_evaluated`. Fact kinds are the `kind` of each class; `FACT_KINDS` lists them for the rule loader and the docs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from idtrans.model.entities import CredentialKind, CredentialStatus, PrincipalKind
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Plane, Reach, Unknown, Use


@dataclass(frozen=True, slots=True)
class CredentialFact:
    """A long-lived credential, with its ages in days at the time of the audit."""

    kind: ClassVar[str] = "credential"
    cloud: str
    subject: str
    """Id of the owner."""
    source: Source
    credential: str
    """Id of the credential (never its secret)."""
    credential_kind: CredentialKind
    status: CredentialStatus | Unknown
    age_days: int | Unknown
    expires_in_days: int | Unknown
    """Days until it expires; negative once expired."""
    never_expires: bool | Unknown
    idle_days: int | Unknown
    """Days since the last use, or since creation when it was never used."""


@dataclass(frozen=True, slots=True)
class TrustFact:
    """What a trust lets in, as the federation engine computed it."""

    kind: ClassVar[str] = "trust"
    cloud: str
    subject: str
    """Id of the role, service account, application or identity that can be assumed."""
    source: Source
    trust_kind: str
    """`web-identity`, `cross-account`, `service`, `saml` or `credential`."""
    issuer_kind: str
    """Kind of the issuer, such as `github`; `none` for trusts without a token issuer."""
    issuer: str
    tenancy: str
    """`shared`, `tenant`, `private` or `none`."""
    reach: Reach
    provider_reach: Reach | Unknown
    pinned_by: str
    """`ids`, `names`, `mixed` or `none`."""
    pinning: str
    """How the tenant is tied down: `fixed`, `prefix` (an open end strangers can register) or `open`."""
    tests_subject: bool | Unknown
    """Whether anything restricts the subject (or an equal claim) at all."""
    whole_pool: bool
    """Whether the binding names a whole workload identity pool."""
    external_id: bool | Unknown
    """Whether a cross-account trust asks for an external id."""
    outside_account: str
    """Account of another organisation that may assume, or the empty string."""
    example: str
    """A token's subject that gets in, of a stranger when a stranger gets in."""
    notes: tuple[str, ...]
    """Stable note codes."""
    party: str = ""
    """Trusted services, accounts or identities, in the cloud's spelling; empty where an issuer vouches for them."""
    only_reads: bool = False
    """Whether grants of what is obtained were supplied and none of them does more than read."""


@dataclass(frozen=True, slots=True)
class ExposureFact:
    """Somebody outside the owner can reach a resource."""

    kind: ClassVar[str] = "exposure"
    cloud: str
    subject: str
    """Id of the resource."""
    source: Source
    resource_kind: str
    reach: Reach
    principal: str
    """Who gets in, in the cloud's spelling."""
    through: str
    """What opens it: `policy`, `binding`, `setting` or `acl`."""
    grants: str
    """Role or actions that are open, as written."""
    plane: Plane | Unknown
    """Most dangerous plane that is open."""
    use: Use | Unknown
    conditional: bool
    names_outsider: bool | Unknown = UNKNOWN
    """Whether an account or an identity of another owner is named, and not only a route such as a network endpoint."""


@dataclass(frozen=True, slots=True)
class GrantFact:
    """A principal holds a role or policy at a scope."""

    kind: ClassVar[str] = "grant"
    cloud: str
    subject: str
    """Id of the principal."""
    source: Source
    principal_kind: PrincipalKind
    role: str
    """Role or policy name, as people know it."""
    scope: str
    scope_level: str
    """`root`, `organization`, `folder`, `project`, `account`, `management-group`, `subscription`, `resource-group`,
    `resource`."""
    plane: Plane | Unknown
    """Most dangerous plane of the permissions."""
    owner_like: bool | Unknown
    """Whether it gives everything, or can give itself everything."""
    conditional: bool
    read_only: bool | Unknown
    false_reader: bool = False
    """Whether the name of the role promises reading, and it exports data, mints credentials or runs something."""
    takes_over: bool | Unknown = False
    """Whether it is owner-like, or lets its holder act as the service accounts of a whole container."""
    notes: tuple[str, ...] = ()
    """Stable codes of remarks."""


@dataclass(frozen=True, slots=True)
class GuardrailFact:
    """A deny of an organisation that decides which tokens may be used."""

    kind: ClassVar[str] = "guardrail"
    cloud: str
    subject: str
    """Name of the policy, or its id."""
    source: Source
    layer: str
    """`rcp` or `scp`."""
    statement: str
    """Id of the statement."""
    issuer: str
    """Issuers whose claims it looks at, without their scheme."""
    notes: tuple[str, ...]
    """Stable codes of what is wrong with it: `GUARD_INVERTED`, `GUARD_KEY_NEVER_PRESENT`, `GUARD_SKIPS_ABSENT`."""


Fact = CredentialFact | TrustFact | ExposureFact | GrantFact | GuardrailFact
"""Everything a rule can select."""

FACT_KINDS: dict[str, type[Fact]] = {
    kind.kind: kind for kind in (CredentialFact, ExposureFact, GrantFact, GuardrailFact, TrustFact)
}
"""Fact classes by the name that rules use in `select`."""
