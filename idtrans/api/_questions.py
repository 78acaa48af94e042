"""Questions about what an estate grants: may this principal, who may, what changed, and the graph of it all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from idtrans.api._clouds import cloud_of, clouds, trusters
from idtrans.api._paths import ways
from idtrans.api._unread import doubted, doubted_diff
from idtrans.documents import paused_gc
from idtrans.model.answers import GraphCount
from idtrans.model.decisions import WhoCan
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from idtrans.graph import PermissionGraph
    from idtrans.model.decisions import Decision
    from idtrans.model.diffs import DiffReport
    from idtrans.model.estate import Estate
    from idtrans.ports import Cloud, Query


def can(
    estate: Estate,
    principal: str,
    action: str,
    resource: str,
    *,
    context: Mapping[str, str | Sequence[str]] | None = None,
    closed: bool = False,
    plane: str | None = None,
) -> Decision:
    """Return whether a principal may do an action to a resource, and what decides it.

    Context keys that are not given are unknown, and absent with `closed`; a key has one value or several. `plane` is
    `control` or `data`, where an operation exists on both.

    Raises:
        UsageError: the principal, action or resource is not written as its cloud does.
    """
    from idtrans import access

    query = _query(principal, action, resource, context, closed=closed, plane=plane)
    return doubted(access.can(cloud_of(principal, estate), estate, query), estate)


def who_can(
    estate: Estate,
    action: str,
    resource: str,
    *,
    context: Mapping[str, str | Sequence[str]] | None = None,
    closed: bool = False,
    plane: str | None = None,
    chains: bool = True,
) -> WhoCan:
    """Return every principal of the estate that may do an action to a resource, and through what.

    With `chains`, also who can become one of them: by assuming, impersonating, federating or membership, link by link.

    Raises:
        UsageError: no cloud of the estate writes an action and a resource in this way.
    """
    from idtrans import access

    query = _query("", action, resource, context, closed=closed, plane=plane)
    with paused_gc():
        answers = [access.who_can(cloud, estate, query) for cloud in _clouds_asked(estate, query)]
    answer = WhoCan(
        action,
        resource,
        allowed=tuple(decision for answer in answers for decision in answer.allowed),
        unknown=tuple(decision for answer in answers for decision in answer.unknown),
        examined=sum(answer.examined for answer in answers),
    )
    return _chained(answer, estate) if chains and answer.allowed else answer


def _chained(answer: WhoCan, estate: Estate) -> WhoCan:
    """Return an answer with who can become one of those that may."""
    from idtrans import access

    found = access.chains(answer, ways(estate))
    return replace(answer, chains=found.chains, not_walked=found.not_walked)


def _query(
    principal: str,
    action: str,
    resource: str,
    context: Mapping[str, str | Sequence[str]] | None,
    *,
    closed: bool,
    plane: str | None,
) -> Query:
    from idtrans.ports import Query

    keys = {key: (given,) if isinstance(given, str) else tuple(given) for key, given in (context or {}).items()}
    return Query(principal, action, resource, keys, closed, plane)


def _clouds_asked(estate: Estate, query: Query) -> list[Cloud]:
    """Return the clouds of the estate that can read a request, as tried with one of their own principals."""
    asked: list[Cloud] = []
    refusals: list[UsageError] = []
    for cloud in (cloud for name, cloud in clouds().items() if name in estate.clouds):
        for principal in cloud.principals(estate)[:1]:
            try:
                cloud.request(replace(query, principal=principal), estate)
            except UsageError as refusal:
                refusals.append(refusal)
            else:
                asked.append(cloud)
    if not asked and len(refusals) == 1:
        raise refusals[0]
    if not asked and refusals:
        ways = "; ".join(dict.fromkeys(refusal.advice for refusal in refusals if refusal.advice))
        raise UsageError(f"no cloud of this input reads `{query.action}` on `{query.resource}`", advice=ways)
    return asked


def diff(old: Estate, new: Estate) -> DiffReport:
    """Return what NEW grants that OLD does not, what it no longer grants, each with a request that shows it."""
    from idtrans.diff import diff as compare

    names = {*old.clouds, *new.clouds}
    with paused_gc():
        report = compare(old, new, {name: cloud for name, cloud in clouds().items() if name in names})
    return doubted_diff(report, old, new)


def graph(estate: Estate) -> PermissionGraph:
    """Return the permission graph of an estate."""
    from idtrans.graph import build

    return build(estate, clouds(), trusters())


def export_graph(estate: Estate, form: str) -> str:
    """Return the permission graph as text: `json`, `graphml`, `mermaid` or `dot`.

    Raises:
        UsageError: there is no format of that name.
    """
    from idtrans.graph import export

    return export(graph(estate), form)


def count_graph(estate: Estate) -> GraphCount:
    """Return how many nodes and edges of each kind the graph of an estate has."""
    built = graph(estate)
    return GraphCount(_count(node.kind for node in built.nodes()), _count(edge.kind for edge in built.edges()))


def _count(kinds: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for kind in kinds:
        counts[kind] = counts.get(kind, 0) + 1
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
