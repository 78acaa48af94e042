"""Compiling bindings to access.

Allow policies add up: what a principal holds is the union of the bindings of the resource and of everything above it.
https://cloud.google.com/iam/docs/policy-types
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from idtrans.algebra import (
    ALWAYS,
    NOTHING,
    Access,
    AnyOf,
    Box,
    Condition,
    Domain,
    Language,
    Opaque,
    all_of,
    exact,
)
from idtrans.clouds.gcp._asked import asked_of
from idtrans.clouds.gcp._bindings import binding_condition, binding_parts
from idtrans.clouds.gcp._clock import TIME_KEY
from idtrans.clouds.gcp._conditions import clock_keys
from idtrans.clouds.gcp._denials import limits
from idtrans.clouds.gcp._fields import CLOUD_NAME, problem
from idtrans.clouds.gcp._guards import guarded, rule_boxes
from idtrans.clouds.gcp._identities import identities, meant_by
from idtrans.clouds.gcp._index import Index, distinct, index_of, remembered
from idtrans.clouds.gcp._members import ALL_AUTHENTICATED, ALL_USERS, member
from idtrans.clouds.gcp._names import full_name
from idtrans.clouds.gcp._places import Part
from idtrans.clouds.gcp._roles import permissions_of
from idtrans.model.decisions import Request
from idtrans.model.documents import Unsupported
from idtrans.model.entities import Membership, Principal, RoleBinding
from idtrans.model.estate import Estate
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Effect
from idtrans.ports import Holding

_LAYER = "allow policy"
_PUBLIC = (ALL_USERS, ALL_AUTHENTICATED)


@dataclass(frozen=True, slots=True)
class _Hold:
    """A principal holds a binding, as one of its members."""

    binding: RoleBinding
    holder: str
    how: Condition
    """On what condition the principal is that member."""


def principals(estate: Estate) -> tuple[str, ...]:
    """Return every valid principal that is named, bound or not."""
    return remembered(estate, "principals", lambda: _principals(estate))


def _principals(estate: Estate) -> tuple[str, ...]:
    index = index_of(estate)
    named = {*index.named, *(principal.id for principal in estate.of(Principal, CLOUD_NAME))}
    for entry in estate.of(Membership, CLOUD_NAME):
        named |= {entry.member, entry.group}
    found = (member(index.accounts.get(text, text)) for text in named)
    return distinct(each.id for each in found if each.valid and not each.deleted)


def access(principal: str, estate: Estate) -> Access:
    """Return everything that a principal may do. Deleted principals may do nothing."""
    index = index_of(estate)
    every = (
        _box(hold, part, exact(principal))
        for hold in _holds(principal, index, index.by_member)
        for part in binding_parts(hold.binding, index, public=hold.holder in _PUBLIC)
    )
    parts = (*every, *rule_boxes(principal, index, Effect.ALLOW))
    return guarded(AnyOf(parts) if parts else NOTHING, principal, index)


def about(request: Request, estate: Estate) -> Access:
    """Return what of `access` is about the action and the resource of a request: the rest decides nothing."""
    index = index_of(estate)
    asked, principal = asked_of(request, index), request.principal
    every = (
        _box(hold, part, exact(principal))
        for hold in _holds(principal, index, asked.by_member)
        for part in asked.parts(hold.binding, public=hold.holder in _PUBLIC)
    )
    parts = (*every, *rule_boxes(principal, index, Effect.ALLOW, asked.rules))
    return guarded(AnyOf(parts) if parts else NOTHING, principal, index, asked.rules)


def concerned(request: Request, estate: Estate) -> tuple[str, ...]:
    """Return the principals that could hold anything about the action and the resource of a request, in order."""
    index, every = index_of(estate), principals(estate)
    asked = asked_of(request, index)
    giving = [rule for rule in asked.rules if rule.effect is Effect.ALLOW]
    # A rule that is not understood may be about anybody.
    if any(rule.doubts for rule in giving):
        return every
    named = {*asked.by_member, *(each for rule in giving for each in rule.principals)}
    meant = meant_by(named, index)
    if meant is None:
        return tuple(each for each in every if not named.isdisjoint(identities(each, index)))
    known = remembered(estate, "principal-set", lambda: frozenset(every))
    return tuple(sorted(meant & known))


def _holds(principal: str, index: Index, by_member: Mapping[str, tuple[RoleBinding, ...]]) -> Iterator[_Hold]:
    for holder, how in identities(principal, index).items():
        for binding in by_member.get(holder, ()):
            yield _Hold(binding, holder, how)


def _box(hold: _Hold, part: Part, principals_: Language) -> Box:
    return Box(
        effect=Effect.ALLOW,
        layer=_LAYER,
        principals=principals_,
        actions=part.actions,
        resources=part.resources,
        condition=part.condition if hold.how == ALWAYS else all_of(hold.how, part.condition),
        name=_name(hold),
        source=hold.binding.source,
    )


def _name(hold: _Hold) -> str:
    scope = hold.binding.scope
    place = full_name(scope) if isinstance(scope, str) else "an unknown scope"
    return f"{hold.binding.role} for {hold.holder} on {place}"


def holdings(principal: str, estate: Estate) -> tuple[Holding, ...]:
    """Return what a principal holds by itself and through groups and domains, by scope.

    What everybody holds is no holding of a single principal, and neither is what it holds only perhaps.
    """
    index = index_of(estate)
    found = []
    unsure = tuple(f"{each} may deny part of what is held" for each in limits(principal, index))
    own = {
        holder: index.by_member.get(holder, ())
        for holder, how in identities(principal, index).items()
        if how == ALWAYS and (holder not in _PUBLIC or holder == principal)
    }
    for hold in _holds(principal, index, own):
        scope = hold.binding.scope
        if scope is UNKNOWN:
            continue
        held = permissions_of(hold.binding.role, index)
        found.append(
            Holding(
                principal=principal,
                permissions=held.sure,
                scope=full_name(scope),
                condition=binding_condition(hold.binding),
                source=hold.binding.source,
                role=hold.binding.role,
                condition_text=hold.binding.condition,
                unsure=unsure,
            )
        )
    return tuple(found)


def doubts(principal: str, estate: Estate) -> tuple[Unsupported, ...]:
    """Return what was not understood and could change the access of a principal."""
    index = index_of(estate)
    reasons: dict[str, Source] = {}
    for holder, how in identities(principal, index).items():
        held = index.by_member.get(holder, ())
        if held and isinstance(how, Opaque):
            reasons.setdefault(how.reason, held[0].source)
        for reason, source in _holder_doubts(holder, index).items():
            # One group or role that is not known is one doubt, however many bindings name it.
            reasons.setdefault(reason, source)
    unread = _unread(principal, estate)
    said = {each.reason for each in unread}
    own = (problem(reason, source, principal) for reason, source in reasons.items() if reason not in said)
    return (*unread, *own)


def _unread(principal: str, estate: Estate) -> tuple[Unsupported, ...]:
    """Return what documents state that was not understood and is about a principal, or may be about anybody."""
    table = remembered(estate, "unread", lambda: _by_subject(estate))
    own, shared = table.get(principal), table.get(None, {})
    if own is None:
        return tuple(shared)
    return tuple(sorted((*own, *shared), key={**own, **shared}.__getitem__))


def _by_subject(estate: Estate) -> dict[str | None, dict[Unsupported, int]]:
    """Return what was not understood with its position, by the principal that it is about, `None` for anybody."""
    found: dict[str | None, dict[Unsupported, int]] = {}
    for position, entry in enumerate(estate.unsupported):
        if entry.cloud == CLOUD_NAME:
            subject = entry.subject if entry.subject is not None and member(entry.subject).valid else None
            found.setdefault(subject, {}).setdefault(entry, position)
    return found


def _holder_doubts(holder: str, index: Index) -> Mapping[str, Source]:
    """Return what is not known of the bindings of a member, each with the first place, found once."""
    table = remembered(index.estate, "holder-doubts", dict[str, dict[str, Source]])
    found = table.get(holder)
    if found is None:
        found = table[holder] = {}
        for binding in index.by_member.get(holder, ()):
            for reason in _binding_doubts(binding, index):
                found.setdefault(reason, binding.source)
    return found


def _binding_doubts(binding: RoleBinding, index: Index) -> Iterator[str]:
    doubt = permissions_of(binding.role, index).doubt
    if doubt is not None:
        yield doubt
    if binding.scope is UNKNOWN:
        yield f"the scope of the binding of `{binding.role}` was not stated"


def domain(estate: Estate) -> Domain:
    """Return what the symbolic search may assume: the time is always known, permissions come from the roles in use."""
    index = index_of(estate)
    names = {name for binding in index.bindings for name in permissions_of(binding.role, index).names}
    return Domain(required=frozenset({TIME_KEY, *clock_keys(index)}), actions=distinct(names))
