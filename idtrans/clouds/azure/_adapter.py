"""The Azure adapter: what the rest of idtrans knows of Azure, method by method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure import (
    _access,
    _denies,
    _doubts,
    _emit_federation,
    _emit_grants,
    _emit_names,
    _exposures,
    _grants,
    _holdings,
    _ids,
    _impersonations,
    _limits,
    _parse,
    _reread,
    _shapes,
    _trusts,
    _workloads,
)
from idtrans.clouds.azure._names import NAME
from idtrans.model.artifacts import Emission

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from idtrans.algebra import Access, Condition, Domain
    from idtrans.model.artifacts import Native
    from idtrans.model.decisions import Request
    from idtrans.model.documents import Document, Unsupported
    from idtrans.model.entities import Entity
    from idtrans.model.estate import Estate
    from idtrans.model.facts import ExposureFact, GrantFact
    from idtrans.model.intents import FederationIntent, Names, Scope
    from idtrans.ports import (
        Denial,
        GrantPlan,
        Holding,
        Impersonation,
        Overlap,
        PlacedDenial,
        Query,
        RoleUse,
        Trust,
        Workload,
        WorkloadIdentity,
    )


class Azure:
    """Azure role assignments and Entra identities, behind the `Cloud` protocol. Stateless."""

    @property
    def name(self) -> str:
        """`azure`."""
        return NAME

    def recognise(self, document: Document) -> str | None:
        """Return the shape of a document, such as `azure.role-assignments`, or `None`."""
        return _shapes.recognise(document)

    def parse(self, document: Document, shape: str) -> Iterable[Entity | Unsupported]:
        """Yield everything a recognised document states."""
        return _parse.parse(document, shape)

    def owns(self, principal: str) -> bool:
        """Return whether a principal id is `entra:...`, or the ARM id of a managed identity."""
        return _ids.owns(principal)

    def principal(self, text: str, estate: Estate) -> str:
        """Return `entra:OBJECT-ID`, names looked up. Raises `UsageError` for unknown and ambiguous names."""
        return _ids.principal_id(text, estate)

    def request(self, query: Query, estate: Estate) -> Request:
        """Return the request in lower case, its operation with the plane in front. Raises `UsageError`."""
        return _ids.canonical(query, estate)

    def worlds(self, estate: Estate, queries: Sequence[Query]) -> tuple[Estate, ...]:
        """Return the estate for every query: the documents say where they hang, the rest is not granted."""
        return tuple(estate for _ in queries)

    def shown(self, request: Request) -> Request:
        """Return a request without the plane in front of its operation."""
        return _ids.shown(request)

    def principals(self, estate: Estate) -> tuple[str, ...]:
        """Return every principal that holds or could hold a role, sorted."""
        return _ids.all_principals(estate)

    def access(self, principal: str, estate: Estate) -> Access:
        """Return everything a principal may do: the union of its assignments."""
        return _access.access(principal, estate)

    def about(self, request: Request, estate: Estate) -> Access:
        """Return what a principal may do, as far as it is about the resource of a request."""
        return _access.about(request, estate)

    def concerned(self, request: Request, estate: Estate) -> tuple[str, ...]:
        """Return the principals that could hold anything about the resource of a request."""
        return _access.concerned(request, estate)

    def domain(self, estate: Estate) -> Domain:
        """Return the operations that the estate's roles name."""
        return _access.domain(estate)

    def holdings(self, principal: str, estate: Estate) -> tuple[Holding, ...]:
        """Return what a principal holds, for each plane of each permission object of each assignment."""
        return _holdings.holdings(principal, estate)

    def denials(self, principal: str, estate: Estate) -> tuple[Denial, ...]:
        """Return what deny assignments deny to a principal."""
        return _denies.told(principal, estate)

    def doubts(self, principal: str, estate: Estate) -> tuple[Unsupported, ...]:
        """Return what was not understood and could change the access of a principal."""
        return _doubts.doubts(principal, estate)

    def trusts(self, estate: Estate) -> tuple[Trust, ...]:
        """Return the federated credentials, by identity and issuer."""
        return _trusts.trusts(estate)

    def impersonations(self, estate: Estate) -> tuple[Impersonation, ...]:
        """Return what roles of the directory and permissions of Microsoft Graph let their holders become."""
        return _impersonations.impersonations(estate)

    def exposures(self, estate: Estate) -> tuple[ExposureFact, ...]:
        """Return storage accounts open to anybody and grants to guests."""
        return _exposures.exposures(estate)

    def grants(self, estate: Estate) -> tuple[GrantFact, ...]:
        """Return every active role assignment."""
        return _grants.grants(estate)

    def limit(self, holding: Holding, permission: str, variant: str | None) -> Condition:
        """Say the condition of a holding in the words that all clouds have in common."""
        return _limits.limit(holding, permission, variant)

    def fit(self, leaf: Condition, permission: str, variant: str | None = None) -> Condition:
        """Return a leaf of a limit as grants of a permission can carry it, a free symbol where none can."""
        return _limits.fit(leaf, permission, variant)

    def scope(self, text: str, kind: str) -> Scope | None:
        """Read the ARM id of a storage account or blob container."""
        return _emit_names.read_scope(text, kind)

    def write_scope(self, scope: Scope, names: Names) -> Scope:
        """Return an object store as the ARM id of a container or storage account."""
        return _emit_names.write_scope(scope, names)

    def emit_grants(self, plan: GrantPlan) -> Emission:
        """Write a plan as role assignments, with custom roles where it names none."""
        return _emit_grants.emit_grants(plan)

    def overlap(self, denied: str, held: str, estate: Estate) -> Overlap:
        """Return what two scopes have in common, by what is known of the management groups."""
        return _denies.overlap(denied, held, estate)

    def place_denial(self, use: RoleUse, names: Names) -> PlacedDenial:
        """Raise `UsageError`: nobody but Azure itself creates deny assignments for data and for reading."""
        return _denies.place(use, names)

    def fit_denial(self, leaf: Condition, permission: str) -> Condition:
        """Return a leaf of a limit as it is: nothing is denied."""
        return _limits.fit(leaf, permission)

    def emit_denials(self, plan: GrantPlan) -> Emission:  # noqa: ARG002 - the protocol's signature
        """Return nothing: no denial has a place."""
        return Emission()

    def is_service(self, principal: str) -> bool:  # noqa: ARG002 - the protocol's signature
        """Return that no principal is: services act as service principals."""
        return False

    def workload(self, principal: str, estate: Estate) -> Workload | None:
        """Return how workloads use an identity."""
        return _workloads.workload(principal, estate)

    def emit_identity(self, workload: Workload, name: str, names: Names) -> WorkloadIdentity:
        """Write an identity for workloads, and what makes them run as it."""
        return _workloads.emit_identity(workload, name, names)

    def emit_federation(self, intent: FederationIntent, names: Names) -> Emission:
        """Write a federation intent as federated credentials. Raises `UsageError` when that cannot be."""
        return _emit_federation.emit_federation(intent, names)

    def reread(self, natives: Sequence[Native]) -> Iterable[Entity | Unsupported]:
        """Parse emitted objects."""
        return _reread.reread(natives)


CLOUD: Final = Azure()
"""The adapter."""
