"""What deny policies take from a principal, for translation.

https://cloud.google.com/iam/docs/deny-overview
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from idtrans.algebra import NEVER, NO_TEXT, STAR, Condition, all_of, opaques, pieces, prefix
from idtrans.clouds.gcp._guards import (
    BOUNDARY_LAYER,
    applies,
    bounds_of,
    rule_actions,
    rule_condition,
    rule_name,
)
from idtrans.clouds.gcp._identities import identities
from idtrans.clouds.gcp._index import Index, index_of
from idtrans.clouds.gcp._names import full_name, scope_name
from idtrans.clouds.gcp._parse_rules import DENY_LAYER
from idtrans.model.entities import AccessRule
from idtrans.model.estate import Estate
from idtrans.model.values import Effect
from idtrans.ports import Denial, Holding, Overlap

_POOLS: Final = prefix("iam.googleapis.com/work")
"""Permissions that roles write with the name of their service, as deny policies do."""
_OTHERWISE: Final = (pieces((STAR, ".googleapis.com/", STAR)) - _POOLS) | prefix("iam.work")
"""Spellings of permissions that no role has."""


def denials(principal: str, estate: Estate) -> tuple[Denial, ...]:
    """Return what deny policies deny to a principal, where they are understood in full."""
    index = index_of(estate)
    mine = identities(principal, index)
    return tuple(
        found
        for rule in index.rules
        if rule.effect is Effect.DENY and _clear(rule, mine)
        for found in _of(rule, principal, mine)
    )


def limits(principal: str, index: Index) -> tuple[str, ...]:
    """Return in words what may take away from what a principal is granted, and is none of `denials`."""
    mine = identities(principal, index)
    rules = (rule for rule in index.rules if rule.effect is Effect.DENY and applies(rule, mine) != NEVER)
    denies = (f"{rule.layer} {rule_name(rule)}" for rule in rules if not _clear(rule, mine))
    bounds = (f"{BOUNDARY_LAYER} {bound.boundary.id}" for bound in bounds_of(principal, index))
    return tuple(dict.fromkeys((*denies, *bounds)))


def overlap(denied: str, held: str, estate: Estate) -> Overlap:
    """Return what a container has in common with the scope of a binding."""
    index = index_of(estate)
    outer, inner = index.scope(scope_name(denied)), index.scope(scope_name(held))
    if index.covered(outer).matches(index.text(inner)):
        return Overlap.WHOLE
    if index.covered(inner).matches(index.text(outer)):
        return Overlap.PART
    perhaps = index.maybe_covered(outer)
    return Overlap.UNKNOWN if perhaps is not None and perhaps.matches(index.text(inner)) else Overlap.NOTHING


def _clear(rule: AccessRule, mine: Mapping[str, Condition]) -> bool:
    """Tell whether it is known whom a rule is about, where, when and what it denies."""
    if rule.layer != DENY_LAYER or rule.doubts or not isinstance(rule.scope, str):
        return False
    conditions = (applies(rule, mine), rule_condition(rule), *(what for _, what in rule_actions(rule)))
    return not any(map(opaques, conditions))


def _of(rule: AccessRule, principal: str, mine: Mapping[str, Condition]) -> Iterator[Denial]:
    limit = all_of(applies(rule, mine), rule_condition(rule))
    if limit == NEVER or not isinstance(rule.scope, str):
        return
    scope = full_name(rule.scope)
    for named, what in rule_actions(rule):
        permissions = named - _OTHERWISE
        if permissions != NO_TEXT:
            held = Holding(
                principal, permissions, scope, all_of(limit, what), rule.source, condition_text=rule.condition
            )
            yield Denial(rule_name(rule), held)
