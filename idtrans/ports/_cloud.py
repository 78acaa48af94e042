"""Cloud: a reader that also compiles entities to access and emits intents. Engines know clouds only through it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from idtrans.algebra import ALWAYS, Access, Condition, Domain, Language
from idtrans.model.artifacts import Emission, Native
from idtrans.model.decisions import Request
from idtrans.model.documents import Unsupported
from idtrans.model.entities import Entity
from idtrans.model.estate import Estate
from idtrans.model.facts import ExposureFact, GrantFact, GuardrailFact
from idtrans.model.intents import FederationIntent, Names, Scope
from idtrans.model.spans import Source
from idtrans.ports._reader import Reader
from idtrans.ports._trust import Trust


@dataclass(frozen=True, slots=True)
class Query:
    """A request as a person writes it, before the adapter makes it canonical."""

    principal: str
    action: str
    resource: str
    context: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    closed: bool = False
    """Whether keys that are not given are absent (else: unknown)."""
    plane: str | None = None
    """`control` or `data`, where an operation exists on both."""
    facts: Mapping[str, str | bool] = field(default_factory=dict, hash=False)
    """What is known of the request beside its keys, by name: `resource_account`, `management_account` (an account, or
    whether it is the caller's), `service_linked_role`, `organization` (of the caller, `False`: none) and `session`."""


@dataclass(frozen=True, slots=True)
class Holding:
    """Permissions a principal holds on a scope, before any capability is recognised in them."""

    principal: str
    permissions: Language
    """Permission names in the cloud's canonical spelling (the action dimension of `Access`)."""
    scope: str
    """Scope as written: an ARN pattern, a full resource name, an ARM id."""
    condition: Condition
    source: Source
    role: str | None = None
    """Role that carries them, where the cloud has roles."""
    condition_text: str | None = None
    """Condition as written; `None` for always."""
    unsure: tuple[str, ...] = ()
    """What may take a part of it away and is not taken into account, such as conditional denies, in words."""
    unlisted: tuple[str, ...] = ()
    """What is written there and no list of permissions has, so that nothing is known of it, in words."""


@dataclass(frozen=True, slots=True)
class RoleUse:
    """One role or permission list that realises part of an intent at one scope of the target cloud."""

    scope: Scope
    capabilities: tuple[str, ...]
    permissions: tuple[str, ...]
    """Permissions the capabilities need there, canonical spelling."""
    role: str | None
    """Predefined role to use; `None`: write a custom role (or plain statements, where the cloud has no roles)."""
    condition: str | None = None
    """Condition in the target's own language, from the capability table."""
    limit: Condition = ALWAYS
    """Condition in the words that all clouds have in common, made to fit."""


@dataclass(frozen=True, slots=True)
class GrantPlan:
    """What is to be written in the target cloud for one principal."""

    principal: str
    """Principal in the target's spelling, or a placeholder."""
    uses: tuple[RoleUse, ...]
    name: str
    """Base name for what is created."""


class Cloud(Reader, Protocol):
    """One cloud. Adapters are stateless; what they derive from an estate they keep in `estate.memo`."""

    # -- identifiers and requests ---------------------------------------------------------------------------------

    def owns(self, principal: str) -> bool:
        """Whether a principal id has this cloud's form, such as `arn:...`, `user:...` or `entra:...`."""
        ...

    def principal(self, text: str, estate: Estate) -> str:
        """Return the canonical id of a principal, aliases resolved. Raises `UsageError` when it is ambiguous."""
        ...

    def request(self, query: Query, estate: Estate) -> Request:
        """Return the canonical request: spelled, with ancestors and derived keys. Raises `UsageError`."""
        ...

    def worlds(self, estate: Estate, queries: Sequence[Query]) -> tuple[Estate, ...]:
        """Return for each query the estate that it is asked of when nothing exists but what is stated.

        What the facts of a query say holds there; an identity without policies holds nothing; a policy that does not
        say whose it is belongs to the principal, or the resource, of each query. Queries share estates where they can.
        Raises `UsageError` for facts that cannot hold.
        """
        ...

    def shown(self, request: Request) -> Request:
        """Return a request as people of this cloud write it (the inverse of `request`, for witnesses)."""
        ...

    # -- compile --------------------------------------------------------------------------------------------------

    def principals(self, estate: Estate) -> tuple[str, ...]:
        """Canonical ids of every principal that holds, or could hold, access. Sorted."""
        ...

    def access(self, principal: str, estate: Estate) -> Access:
        """Everything a principal may do: direct, by groups, by public grants, minus what is denied."""
        ...

    def domain(self, estate: Estate) -> Domain:
        """What the symbolic search must know of this cloud's keys and actions."""
        ...

    def holdings(self, principal: str, estate: Estate) -> tuple[Holding, ...]:
        """What a principal holds, by scope, for translation.

        Denies that touch it and are not taken into account are named in `unsure` and in `doubts`.
        """
        ...

    def doubts(self, principal: str, estate: Estate) -> tuple[Unsupported, ...]:
        """What was not understood and could change this principal's access."""
        ...

    def trusts(self, estate: Estate) -> tuple[Trust, ...]:
        """Every trust: who outside can become which identity."""
        ...

    def exposures(self, estate: Estate) -> tuple[ExposureFact, ...]:
        """Every resource that outsiders can reach."""
        ...

    def grants(self, estate: Estate) -> tuple[GrantFact, ...]:
        """Every grant of a role or policy to a principal."""
        ...

    # -- limits ---------------------------------------------------------------------------------------------------

    def limit(self, holding: Holding, permission: str, variant: str | None) -> Condition:
        """Say the condition of a holding in the words that all clouds have in common, for requests for one permission.

        `variant` is the sub-operation, where a capability is one of several that a permission gives. What there is no
        common word for is a free symbol.
        """
        ...

    def fit(self, leaf: Condition, permission: str, variant: str | None = None) -> Condition:
        """Return a leaf of a limit as grants of a permission can carry it; a free symbol with the reason if none can.

        `variant` is the sub-operation, where a capability is one of several that a permission gives. ALWAYS where every
        request fulfils it.
        """
        ...

    # -- emit -----------------------------------------------------------------------------------------------------

    def scope(self, text: str, kind: str) -> Scope | None:
        """Read a scope of the cloud as a neutral scope of a kind (`object-store`), `None` when it is not one."""
        ...

    def write_scope(self, scope: Scope, names: Names) -> Scope:
        """Return the scope as this cloud writes it, with placeholders for what is not given."""
        ...

    def emit_grants(self, plan: GrantPlan) -> Emission:
        """Write a plan as native documents, commands and Terraform blocks."""
        ...

    def emit_federation(self, intent: FederationIntent, names: Names) -> Emission:
        """Write a federation intent. Raises `UsageError` when the cloud cannot say it without widening."""
        ...

    def reread(self, natives: Sequence[Native]) -> Iterable[Entity | Unsupported]:
        """Parse emitted natives with this cloud's own reader, placeholders taken as plain names."""
        ...


@runtime_checkable
class Granting(Protocol):
    """A source that says who holds what, and what stands open: every cloud."""

    def exposures(self, estate: Estate) -> tuple[ExposureFact, ...]:
        """Every resource that outsiders can reach."""
        ...

    def grants(self, estate: Estate) -> tuple[GrantFact, ...]:
        """Every grant of a role or policy to a principal."""
        ...


@runtime_checkable
class Guarding(Protocol):
    """A cloud whose organisations can refuse tokens of issuers, whatever the trusts of their accounts say."""

    def guardrails(self, estate: Estate) -> tuple[GuardrailFact, ...]:
        """Every guardrail that looks at the claims of tokens."""
        ...
