"""May this principal do this? The cloud's adapter compiles, the algebra decides."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast

from idtrans.access._screen import access_about, possible
from idtrans.algebra import decide
from idtrans.model.decisions import Decision, Outcome, WhoCan
from idtrans.model.spans import NOWHERE
from idtrans.model.values import Effect, Layer
from idtrans.ports import Query, Remarking

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.algebra import Access
    from idtrans.model.decisions import Request
    from idtrans.model.documents import Unsupported
    from idtrans.model.estate import Estate
    from idtrans.model.spans import Source
    from idtrans.ports import Cloud

_Remarked: TypeAlias = "dict[tuple[str, int], tuple[str, Source]]"
"""Remarks by reason and source; the source is kept, so that its id is not used twice."""

_LIMITS = frozenset({Layer.BOUNDARY, Layer.SESSION, Layer.SCP, Layer.RCP, Layer.ENDPOINT})
"""Layers of policies that grant nothing: what they allow is what they let through."""
_MAY = (Outcome.ALLOW, Outcome.CONDITIONAL)


def can(cloud: Cloud, estate: Estate, query: Query) -> Decision:
    """Return the decision on one request, shown in the vendor's words.

    What was not understood about the principal stands in the notes; where it could change the answer, the compiled
    access holds it as an opaque condition, so the outcome is `unknown`.

    Raises:
        UsageError: the principal, action or resource cannot be read.
    """
    return _can(cloud, estate, query, {})


def _can(cloud: Cloud, estate: Estate, query: Query, remarked: _Remarked) -> Decision:
    request = cloud.request(query, estate)
    decision = decide(needed_for(cloud, access_about(cloud, request, estate), request), request)
    doubts = (_remark(doubt, remarked) for doubt in cloud.doubts(request.principal, estate))
    notes = (*stand_in(request), *_odd(cloud, request, estate), *decision.notes, *doubts)
    return _granted(replace(decision, request=cloud.shown(request), notes=_unique(notes)))


def _granted(decision: Decision) -> Decision:
    """Return a decision that does not take a policy that only limits what others grant for a grant."""
    allows = {reason.layer for reason in decision.reasons if reason.effect is Effect.ALLOW}
    if decision.outcome not in _MAY or not allows or not allows <= _LIMITS:
        return decision
    listed = ", ".join(sorted(allows))
    note = f"a policy of the layer `{listed}` limits what other policies grant, and grants nothing to anybody"
    condition = "another policy grants it"
    if decision.condition is not None:
        condition = f"{condition}, and {decision.condition}"
    return replace(decision, outcome=Outcome.UNKNOWN, condition=condition, notes=(note, *decision.notes))


def needed_for(cloud: Cloud, access: Access, request: Request) -> Access:
    """Return access in which a request also needs whatever else it asks for."""
    return cast("Remarking", cloud).with_needs(access, request) if _remarks_on(type(cloud)) else access


def _odd(cloud: Cloud, request: Request, estate: Estate) -> tuple[str, ...]:
    return cast("Remarking", cloud).oddities(request, estate) if _remarks_on(type(cloud)) else ()


@lru_cache(maxsize=16)
def _remarks_on(kind: type) -> bool:
    """Tell whether a kind of cloud remarks on requests: to ask an object takes as long as to decide a request."""
    return issubclass(kind, Remarking)


def stand_in(request: Request) -> tuple[str, ...]:
    """Return which resource the answer is about, where the one that was asked for stands for some resource."""
    if request.asked is None:
        return ()
    return (f"`{request.asked}` stands for some resource, here `{request.resource}`",)


def who_can(cloud: Cloud, estate: Estate, query: Query) -> WhoCan:
    """Return every principal that may do the action to the resource; the query's principal is not read.

    Raises:
        UsageError: the action or resource cannot be read.
    """
    principals = cloud.principals(estate)
    asked: Iterable[str] = ()
    if principals:
        asked = possible(cloud, cloud.request(replace(query, principal=principals[0]), estate), estate)
    remarked: _Remarked = {}
    rest = (query.action, query.resource, query.context, query.closed, query.plane, query.facts)
    decisions = [_can(cloud, estate, Query(principal, *rest), remarked) for principal in asked]
    return WhoCan(
        action=query.action,
        resource=query.resource,
        allowed=tuple(decision for decision in decisions if decision.outcome in _MAY),
        unknown=tuple(decision for decision in decisions if decision.outcome is Outcome.UNKNOWN),
        examined=len(principals),
    )


def remarks(doubts: Iterable[Unsupported]) -> tuple[str, ...]:
    """Return what was not understood, in words."""
    remarked: _Remarked = {}
    return tuple(_remark(doubt, remarked) for doubt in doubts)


def _remark(doubt: Unsupported, remarked: _Remarked) -> str:
    """Return a doubt in words: principals share most of theirs, and lines of a file take long to find."""
    key = (doubt.reason, id(doubt.source))
    if key not in remarked:
        place = "" if doubt.source == NOWHERE else f" ({doubt.source})"
        remarked[key] = (f"not understood: {doubt.reason}{place}", doubt.source)
    return remarked[key][0]


def _unique(notes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(notes))
