"""AWS behind the port that engines see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from idtrans.algebra import Access, Condition, Domain
from idtrans.clouds.aws import _ids, _limits, _scopes, _workloads
from idtrans.clouds.aws._access import access
from idtrans.clouds.aws._arns import is_account, read_arn
from idtrans.clouds.aws._denials import denials, overlap
from idtrans.clouds.aws._emit_federation import emit_federation
from idtrans.clouds.aws._emit_grants import emit_denials, emit_grants
from idtrans.clouds.aws._exposures import exposures
from idtrans.clouds.aws._grants import grants
from idtrans.clouds.aws._guard_facts import guardrails
from idtrans.clouds.aws._holdings import doubts, holdings
from idtrans.clouds.aws._index import CLOUD, index_of
from idtrans.clouds.aws._keys import domain
from idtrans.clouds.aws._oddities import oddities
from idtrans.clouds.aws._parse import parse
from idtrans.clouds.aws._principals import ANONYMOUS
from idtrans.clouds.aws._reread import reread
from idtrans.clouds.aws._session_requests import with_needs
from idtrans.clouds.aws._shapes import recognise
from idtrans.clouds.aws._trusts import trusts
from idtrans.clouds.aws._worlds import worlds
from idtrans.model.artifacts import Emission, Native
from idtrans.model.decisions import Request
from idtrans.model.documents import Document, Unsupported
from idtrans.model.entities import Entity
from idtrans.model.estate import Estate
from idtrans.model.facts import ExposureFact, GrantFact, GuardrailFact
from idtrans.model.intents import FederationIntent, Names, Scope
from idtrans.ports import (
    Denial,
    GrantPlan,
    Holding,
    Overlap,
    PlacedDenial,
    Query,
    RoleUse,
    Trust,
    Workload,
    WorkloadIdentity,
)


class Aws:
    """The AWS adapter. Stateless; the methods are documented by `idtrans.ports.Cloud` and `idtrans.ports.Reader`."""

    @property
    def name(self) -> str:
        """Name that entities carry."""
        return CLOUD

    def recognise(self, document: Document) -> str | None:
        """Return the shape of an AWS document, `None` for any other."""
        return recognise(document)

    def parse(self, document: Document, shape: str) -> Iterator[Entity | Unsupported]:
        """Yield everything a recognised document states."""
        yield from parse(document, shape)

    def owns(self, principal: str) -> bool:
        """Tell whether an id has the form of an AWS principal."""
        return _ids.owns(principal)

    def principal(self, text: str, estate: Estate) -> str:
        """Return the canonical id of a principal. Raises `UsageError`."""
        return _ids.principal(text, estate)

    def request(self, query: Query, estate: Estate) -> Request:
        """Return the canonical request with all that follows from it. Raises `UsageError`."""
        return _ids.request(query, estate)

    def worlds(self, estate: Estate, queries: Sequence[Query]) -> tuple[Estate, ...]:
        """Return for each query the estate in which its facts hold and nothing unstated exists. Raises `UsageError`."""
        return worlds(estate, queries)

    def shown(self, request: Request) -> Request:
        """Return a request spelled as AWS does."""
        return _ids.shown(request)

    def oddities(self, request: Request, estate: Estate) -> tuple[str, ...]:
        """Return what is odd about a request and the statements on its action."""
        return oddities(request, estate)

    def with_needs(self, access: Access, request: Request) -> Access:
        """Return access in which a request for a session also needs its tags and source identity allowed."""
        return with_needs(access, request)

    def principals(self, estate: Estate) -> tuple[str, ...]:
        """Return every principal that holds access or could."""
        return _ids.principals(estate)

    def access(self, principal: str, estate: Estate) -> Access:
        """Return everything a principal may do."""
        return access(principal, estate)

    def domain(self, estate: Estate) -> Domain:
        """Return what the symbolic search may assume."""
        return domain(estate)

    def is_everybody(self, principal: str) -> bool:
        """Tell whether an id is `anonymous`."""
        return principal == ANONYMOUS

    def holdings(self, principal: str, estate: Estate) -> tuple[Holding, ...]:
        """Return what a principal holds, by scope."""
        return holdings(principal, estate)

    def denials(self, principal: str, estate: Estate) -> tuple[Denial, ...]:
        """Return what policies deny to a principal."""
        return denials(principal, estate)

    def doubts(self, principal: str, estate: Estate) -> tuple[Unsupported, ...]:
        """Return what was not understood and could change a principal's access."""
        return doubts(principal, estate)

    def trusts(self, estate: Estate) -> tuple[Trust, ...]:
        """Return every trust of every role."""
        return trusts(estate)

    def assuming(self, identity: str, estate: Estate) -> tuple[tuple[str, str], ...]:  # noqa: ARG002 - the protocol's signature
        """Return `sts:AssumeRole` on a role; users and root are become with their own credentials alone."""
        arn = read_arn(identity)
        role = arn is not None and arn.service == "iam" and arn.kind == "role"
        return (("sts:AssumeRole", identity),) if role else ()

    def speaks_for(self, party: str, estate: Estate) -> bool:
        """Tell whether a party is a principal of the estate, or an account of which the identities were read."""
        index = index_of(estate)
        return party in index.principals or (is_account(party) and index.read(party))

    def exposures(self, estate: Estate) -> tuple[ExposureFact, ...]:
        """Return every resource that outsiders can reach."""
        return exposures(estate)

    def grants(self, estate: Estate) -> tuple[GrantFact, ...]:
        """Return every identity policy that an identity carries."""
        return grants(estate)

    def guardrails(self, estate: Estate) -> tuple[GuardrailFact, ...]:
        """Return every deny of an organisation that looks at the claims of tokens."""
        return guardrails(estate)

    def limit(self, holding: Holding, permission: str, variant: str | None) -> Condition:  # noqa: ARG002 - the protocol's signature
        """Say the condition of a holding in the words that all clouds have in common."""
        return _limits.limit(holding.condition, permission)

    def fit(self, leaf: Condition, permission: str, variant: str | None = None) -> Condition:  # noqa: ARG002 - the protocol's signature
        """Return a leaf of a limit as grants of a permission can carry it, a free symbol where none can."""
        return _limits.fit(leaf, permission)

    def scope(self, text: str, kind: str) -> Scope | None:
        """Read an ARN pattern as a neutral scope of a kind."""
        return _scopes.scope(text, kind)

    def write_scope(self, scope: Scope, names: Names) -> Scope:
        """Return a neutral scope as AWS writes it."""
        return _scopes.write_scope(scope, names)

    def emit_grants(self, plan: GrantPlan) -> Emission:
        """Write a plan as a policy and its attachment."""
        return emit_grants(plan)

    def overlap(self, denied: str, held: str, estate: Estate) -> Overlap:  # noqa: ARG002 - the protocol's signature
        """Return what two ARN patterns have in common."""
        return overlap(denied, held)

    def place_denial(self, use: RoleUse, names: Names) -> PlacedDenial:  # noqa: ARG002 - the protocol's signature
        """Return the scope itself: a statement can deny wherever one can allow."""
        return PlacedDenial(use.scope)

    def fit_denial(self, leaf: Condition, permission: str) -> Condition:
        """Return a leaf of a limit as statements can carry it."""
        return _limits.fit(leaf, permission)

    def emit_denials(self, plan: GrantPlan) -> Emission:
        """Write a plan as a policy of denies and its attachment."""
        return emit_denials(plan)

    def is_service(self, principal: str) -> bool:
        """Tell whether a principal is a service such as `service:lambda.amazonaws.com`."""
        return principal.startswith("service:")

    def workload(self, principal: str, estate: Estate) -> Workload | None:
        """Return how workloads use an identity."""
        return _workloads.workload(principal, estate)

    def emit_identity(self, workload: Workload, name: str, names: Names) -> WorkloadIdentity:
        """Write an identity for workloads, and what makes them run as it."""
        return _workloads.emit_identity(workload, name, names)

    def emit_federation(self, intent: FederationIntent, names: Names) -> Emission:
        """Write a federation intent as a trust policy and a provider. Raises `UsageError`."""
        return emit_federation(intent, names)

    def reread(self, natives: Sequence[Native]) -> Iterable[Entity | Unsupported]:
        """Parse emitted objects with the reader of this cloud."""
        return reread(natives)
