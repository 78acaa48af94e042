"""The adapter: everything that the engines can ask of Google Cloud, each answered by a module of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from idtrans.algebra import Access, Condition, Domain
from idtrans.clouds.gcp import (
    _compile,
    _denials,
    _emit_denials,
    _emit_federation,
    _emit_grants,
    _exposures,
    _grants,
    _ids,
    _impersonations,
    _limits,
    _parse,
    _shapes,
    _trusts,
    _workloads,
)
from idtrans.clouds.gcp._fields import CLOUD_NAME, problem
from idtrans.clouds.gcp._members import ALL_AUTHENTICATED, ALL_USERS
from idtrans.model.artifacts import Emission, Native
from idtrans.model.decisions import Request
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Entity
from idtrans.model.estate import Estate
from idtrans.model.facts import ExposureFact, GrantFact
from idtrans.model.intents import FederationIntent, Names, Scope
from idtrans.model.spans import Place
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


class Gcp:
    """Google Cloud. It has no state: what it derives from an estate is kept in `estate.memo`."""

    @property
    def name(self) -> str:
        """`gcp`."""
        return CLOUD_NAME

    def recognise(self, document: Document) -> str | None:
        """Return the shape of a document, `None` when it is none of this cloud's."""
        return _shapes.recognise(document)

    def parse(self, document: Document, shape: str) -> Iterable[Entity | Unsupported]:
        """Yield what a document states."""
        return _parse.parse(document, shape)

    def owns(self, principal: str) -> bool:
        """Tell whether a principal id has the form of a member."""
        return _ids.owns(principal)

    def principal(self, text: str, estate: Estate) -> str:
        """Return the canonical member. Raises `UsageError` for a bare e-mail address and for other texts."""
        return _ids.principal(text, estate)

    def request(self, query: Query, estate: Estate) -> Request:
        """Return the canonical request. Raises `UsageError`."""
        return _ids.request(query, estate)

    def worlds(self, estate: Estate, queries: Sequence[Query]) -> tuple[Estate, ...]:
        """Return the estate for every query: the documents say where they hang, the rest is not granted."""
        return tuple(estate for _ in queries)

    def shown(self, request: Request) -> Request:
        """Return a request with the plain full name of its resource."""
        return _ids.shown(request)

    def principals(self, estate: Estate) -> tuple[str, ...]:
        """Return every principal that is named, sorted."""
        return _compile.principals(estate)

    def access(self, principal: str, estate: Estate) -> Access:
        """Return everything that a principal may do."""
        return _compile.access(principal, estate)

    def about(self, request: Request, estate: Estate) -> Access:
        """Return what a principal may do, as far as it is about the action and the resource of a request."""
        return _compile.about(request, estate)

    def concerned(self, request: Request, estate: Estate) -> tuple[str, ...]:
        """Return the principals that could hold anything about the action and the resource of a request."""
        return _compile.concerned(request, estate)

    def domain(self, estate: Estate) -> Domain:
        """Return what the symbolic search may assume."""
        return _compile.domain(estate)

    def is_everybody(self, principal: str) -> bool:
        """Tell whether an id is `allUsers` or `allAuthenticatedUsers`."""
        return principal in (ALL_USERS, ALL_AUTHENTICATED)

    def holdings(self, principal: str, estate: Estate) -> tuple[Holding, ...]:
        """Return what a principal holds, by scope."""
        return _compile.holdings(principal, estate)

    def denials(self, principal: str, estate: Estate) -> tuple[Denial, ...]:
        """Return what deny policies deny to a principal."""
        return _denials.denials(principal, estate)

    def doubts(self, principal: str, estate: Estate) -> tuple[Unsupported, ...]:
        """Return what was not understood and could change a principal's access."""
        return (*_compile.doubts(principal, estate), *_pool_doubts(principal, estate))

    def trusts(self, estate: Estate) -> tuple[Trust, ...]:
        """Return every trust of a workload identity pool."""
        return _trusts.trusts(estate)

    def impersonations(self, estate: Estate) -> tuple[Impersonation, ...]:
        """Return every permission that lets a principal become a service account."""
        return _impersonations.impersonations(estate)

    def exposures(self, estate: Estate) -> tuple[ExposureFact, ...]:
        """Return what `allUsers` and `allAuthenticatedUsers` can reach."""
        return _exposures.exposures(estate)

    def grants(self, estate: Estate) -> tuple[GrantFact, ...]:
        """Return every member of every binding."""
        return _grants.grants(estate)

    def limit(self, holding: Holding, permission: str, variant: str | None) -> Condition:  # noqa: ARG002 - the protocol's signature
        """Say the condition of a holding in the words that all clouds have in common."""
        return _limits.limit(holding, permission)

    def fit(self, leaf: Condition, permission: str, variant: str | None = None) -> Condition:  # noqa: ARG002 - the protocol's signature
        """Return a leaf of a limit as grants of a permission can carry it, a free symbol where none can."""
        return _limits.fit(leaf, permission)

    def scope(self, text: str, kind: str) -> Scope | None:
        """Read a bucket as an object store, `None` for everything else."""
        return _ids.scope(text, kind)

    def write_scope(self, scope: Scope, names: Names) -> Scope:
        """Return an object store as a bucket."""
        return _ids.write_scope(scope, names)

    def emit_grants(self, plan: GrantPlan) -> Emission:
        """Write bindings. Raises `UsageError` for scopes that no binding can be written on."""
        return _emit_grants.emit_grants(plan)

    def overlap(self, denied: str, held: str, estate: Estate) -> Overlap:
        """Return what two scopes have in common, by what is known of the hierarchy."""
        return _denials.overlap(denied, held, estate)

    def place_denial(self, use: RoleUse, names: Names) -> PlacedDenial:
        """Return what a deny policy is attached to. Raises `UsageError` for permissions that cannot be denied."""
        return _emit_denials.place_denial(use, names)

    def fit_denial(self, leaf: Condition, permission: str) -> Condition:
        """Return a leaf of a limit as deny conditions can carry it: tests of tags."""
        return _emit_denials.fit_denial(leaf, permission)

    def emit_denials(self, plan: GrantPlan) -> Emission:
        """Write deny policies. Raises `UsageError` for principals that they cannot name."""
        return _emit_denials.emit_denials(plan)

    def is_service(self, principal: str) -> bool:  # noqa: ARG002 - the protocol's signature
        """Return that no principal is: services act as service accounts."""
        return False

    def workload(self, principal: str, estate: Estate) -> Workload | None:  # noqa: ARG002 - the protocol's signature
        """Return how workloads use an identity."""
        return _workloads.workload(principal)

    def emit_identity(self, workload: Workload, name: str, names: Names) -> WorkloadIdentity:
        """Write an identity for workloads, and what makes them run as it."""
        return _workloads.emit_identity(workload, name, names)

    def emit_federation(self, intent: FederationIntent, names: Names) -> Emission:
        """Write a pool, a provider and a binding. Raises `UsageError` when that would widen the intent."""
        return _emit_federation.emit_federation(intent, names)

    def reread(self, natives: Sequence[Native]) -> Iterator[Entity | Unsupported]:
        """Parse what was emitted."""
        for native in natives:
            place = Place(f"emitted:{native.name}.json")
            yield from _parse.parse(Document(place, Format.JSON, native.content, Hints(kind=native.kind)), native.kind)


def _pool_doubts(principal: str, estate: Estate) -> Iterator[Unsupported]:
    for pool, binding in _trusts.unprovided_pools(principal, estate):
        yield problem(f"the providers of the pool `{pool}` were not supplied", binding.source, principal)
