"""The stages around allow policies: principal access boundaries, deny policies, and access policies.

A boundary that does not make the resource eligible stops a request, then a deny rule does, and only what passes both
is granted by an allow policy. Deny conditions and conditions of boundaries that cannot be evaluated count as met.
https://cloud.google.com/iam/docs/policy-types
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    NEVER,
    NO_TEXT,
    Access,
    AllOf,
    AnyOf,
    Box,
    Condition,
    Except,
    Gate,
    Language,
    Opaque,
    all_of,
    any_of,
    exact,
    negate,
    union,
)
from idtrans.clouds.gcp._conditions import pair_of, request_pair
from idtrans.clouds.gcp._identities import identities
from idtrans.clouds.gcp._index import Index, remembered
from idtrans.clouds.gcp._members import Member, member
from idtrans.clouds.gcp._names import full_name
from idtrans.clouds.gcp._parse_rules import DENY_LAYER
from idtrans.clouds.gcp._permissions import named
from idtrans.clouds.gcp._places import Part, places
from idtrans.clouds.gcp._request_terms import PrincipalVocabulary
from idtrans.model.entities import AccessRule, Boundary, BoundaryBinding
from idtrans.model.spans import NOWHERE
from idtrans.model.values import Effect

BOUNDARY_LAYER = "principal access boundary"
"""Layer of boundaries, as shown to people."""


def rule_boxes(
    principal: str, index: Index, effect: Effect, rules: Sequence[AccessRule] | None = None
) -> Iterator[Box]:
    """Yield what the rules of an effect say about a principal; all rules, or only the given ones."""
    mine = identities(principal, index)
    for rule in index.rules if rules is None else rules:
        if rule.effect is effect:
            yield from _rule(rule, principal, mine, index)


def _rule(rule: AccessRule, principal: str, mine: Mapping[str, Condition], index: Index) -> Iterator[Box]:
    how = applies(rule, mine)
    if how == NEVER:
        return
    for part in rule_parts(rule, index):
        yield Box(
            effect=rule.effect,
            layer=rule.layer,
            principals=exact(principal),
            actions=part.actions,
            resources=part.resources,
            condition=all_of(how, part.condition),
            name=rule_name(rule),
            source=rule.source,
        )


def rule_parts(rule: AccessRule, index: Index) -> tuple[Part, ...]:
    """Return what a rule says about anybody that it applies to, compiled once."""
    table = remembered(index.estate, "rule-parts", dict[int, tuple[Part, ...]])
    # The index holds every rule as long as the estate lives, so that ids are not used twice.
    found = table.get(id(rule))
    if found is None:
        condition = rule_condition(rule)
        found = table[id(rule)] = tuple(
            Part(actions, resources, all_of(condition, where, what))
            for resources, where in places(rule.scope, index)
            for actions, what in rule_actions(rule)
        )
    return found


def rule_name(rule: AccessRule) -> str:
    """Return a rule in words."""
    policy, _, number = rule.id.rpartition("#")
    place = full_name(rule.scope) if isinstance(rule.scope, str) else "an unknown scope"
    short = (policy or rule.id).rpartition("/")[2]
    return f"rule {int(number) + 1} of {short} on {place}" if number.isdigit() else f"{short} on {place}"


def applies(rule: AccessRule, mine: Mapping[str, Condition]) -> Condition:
    """Return on what condition a rule is about a principal: a rule with doubts could be about anybody."""
    if rule.doubts:
        return all_of(*(Opaque(doubt, "the rule is not understood") for doubt in rule.doubts))
    named_ = any_of(*(mine[each] for each in rule.principals if each in mine))
    spared = any_of(*(mine[each] for each in rule.excluded_principals if each in mine))
    return all_of(named_, negate(spared))


def rule_condition(rule: AccessRule) -> Condition:
    """Return when a rule holds; one with doubts may always."""
    if rule.condition is None or rule.doubts:
        return ALWAYS
    pair = request_pair(rule.condition)
    # A deny rule whose condition fails to evaluate denies; an access policy is left out then.
    return negate(pair.false) if rule.layer == DENY_LAYER else pair.true


def rule_actions(rule: AccessRule) -> Iterator[tuple[Language, Condition]]:
    """Yield the permissions that a rule names, each set with what must be true of it."""
    if rule.doubts:
        yield ANY_TEXT, ALWAYS
        return
    given, spared = named(rule.permissions), named(rule.excluded_permissions)
    sure = given.sure - spared.sure
    if not spared.unsure.is_empty():
        yield sure & spared.unsure, negate(spared.doubt)
    yield sure - spared.unsure, ALWAYS
    if not given.unsure.is_empty():
        yield given.unsure - spared.sure, given.doubt


# -- principal access boundaries --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Bound:
    """A boundary that a principal is, or may be, subject to."""

    boundary: Boundary
    how: Condition


def boundary_gate(principal: str, index: Index) -> Gate | None:
    """Return what the boundaries of a principal let pass, `None` when it has none.

    The first boundary cuts a principal off from everything but its resources; further ones only add resources.
    https://cloud.google.com/iam/docs/principal-access-boundary-policies#evaluation
    """
    bounds = tuple(bounds_of(principal, index))
    if not bounds:
        return None
    parts = [*_unblocked(principal, bounds), *(box for bound in bounds for box in _eligible(principal, bound, index))]
    names = " and ".join(bound.boundary.id for bound in bounds)
    return Gate(f"{BOUNDARY_LAYER} {names}", BOUNDARY_LAYER, AnyOf(tuple(parts)), bounds[0].boundary.source)


def bounds_of(principal: str, index: Index) -> Iterator[_Bound]:
    """Yield the boundaries that a principal is, or may be, subject to."""
    mine, me = identities(principal, index), member(principal)
    by_boundary: dict[str, list[Condition]] = {}
    for binding in index.boundary_bindings:
        how = _bound_by(binding, mine, me)
        if how != NEVER:
            by_boundary.setdefault(binding.boundary, []).append(how)
    for name, ways in by_boundary.items():
        missing = Boundary("", name, (), None, NOWHERE, ("it was not supplied",))
        yield _Bound(index.boundaries.get(name, missing), any_of(*ways))


def _bound_by(binding: BoundaryBinding, mine: Mapping[str, Condition], me: Member) -> Condition:
    if binding.doubts:
        return all_of(*(Opaque(doubt, "the binding is not understood") for doubt in binding.doubts))
    how = mine.get(binding.principals, NEVER)
    if binding.condition is None or how == NEVER:
        return how
    # A condition that fails to evaluate counts as met.
    return all_of(how, negate(pair_of(binding.condition, PrincipalVocabulary(me)).false))


def _unblocked(principal: str, bounds: tuple[_Bound, ...]) -> Iterator[Box]:
    """Yield what passes because no boundary that the principal is subject to can block it."""
    free = negate(any_of(*(bound.how for bound in bounds)))
    if free != NEVER:
        yield _pass(principal, ANY_TEXT, ANY_TEXT, free, "not subject to a boundary")
    versions = {bound.boundary.version for bound in bounds}
    blocked = [blockable(version) for version in versions]
    never = ~union(each.sure | each.unsure for each in blocked)
    yield _pass(principal, never, ANY_TEXT, ALWAYS, "no boundary can block the permission")
    sure = _common(blocked)
    name = "/".join(sorted(version or "not stated" for version in versions))
    doubt = Opaque(f"boundaries of version {name} spare the permission", _reason(versions))
    yield _pass(principal, ~(never | sure), ANY_TEXT, doubt, "a boundary may not block the permission")


def _common(blocked: list[Blockable]) -> Language:
    """Return what all versions surely block."""
    found = blocked[0].sure
    for each in blocked[1:]:
        found &= each.sure
    return found


def _reason(versions: set[str | None]) -> str:
    if len(versions) > 1:
        return "boundaries of several enforcement versions apply, and how they are joined is not documented"
    return "which permissions this enforcement version can block is not known in full"


def _eligible(principal: str, bound: _Bound, index: Index) -> Iterator[Box]:
    boundary = bound.boundary
    for scope in boundary.resources:
        for resources, where in places(index.scope(scope), index):
            yield _pass(
                principal, ANY_TEXT, resources, all_of(bound.how, where), f"{boundary.id} on {full_name(scope)}"
            )
    if boundary.doubts:
        doubts = (Opaque(f"{boundary.id}: {doubt}", "the boundary is not understood") for doubt in boundary.doubts)
        yield _pass(
            principal, ANY_TEXT, ANY_TEXT, all_of(bound.how, *doubts), f"{boundary.id} where it is not understood"
        )


def _pass(principal: str, actions: Language, resources: Language, condition: Condition, name: str) -> Box:
    return Box(Effect.ALLOW, BOUNDARY_LAYER, exact(principal), actions, resources, condition, name)


@dataclass(frozen=True, slots=True)
class Blockable:
    """Permissions that a boundary of some version can block."""

    sure: Language
    unsure: Language


def blockable(version: str | None) -> Blockable:
    """Return what a version can block. A version that is not known may block anything."""
    from idtrans.catalog import boundary_versions

    known = boundary_versions().get(version or "")
    if known is None:
        return Blockable(NO_TEXT, ANY_TEXT)
    spared = named(known.spares).sure
    sure = named(known.blocks).sure - spared
    return Blockable(sure, NO_TEXT if known.complete else ~(sure | spared))


def guarded(granted: Access, principal: str, index: Index, rules: Sequence[AccessRule] | None = None) -> Access:
    """Return what is left of what is granted after deny rules, all or only the given ones, and boundaries."""
    denies = tuple(rule_boxes(principal, index, Effect.DENY, rules))
    access: Access = Except(granted, AnyOf(denies)) if denies else granted
    gate = boundary_gate(principal, index)
    return AllOf((access, gate)) if gate is not None else access
