"""Compiling bindings to access.

Allow policies add up: what a principal holds is the union of the bindings of the resource and of everything above it.
https://cloud.google.com/iam/docs/policy-types
"""

from __future__ import annotations

from collections.abc import Iterator
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
    union,
)
from idtrans.clouds.gcp._clock import TIME_KEY
from idtrans.clouds.gcp._conditions import clock_keys, request_condition
from idtrans.clouds.gcp._fields import CLOUD_NAME, problem
from idtrans.clouds.gcp._guards import guarded, limits, places, rule_boxes
from idtrans.clouds.gcp._identities import identities
from idtrans.clouds.gcp._index import Index, distinct, index_of, remembered
from idtrans.clouds.gcp._members import ALL_AUTHENTICATED, ALL_USERS, member
from idtrans.clouds.gcp._names import full_name
from idtrans.clouds.gcp._roles import Permissions, permissions_of
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
    index = index_of(estate)
    named = {*index.named, *(principal.id for principal in estate.of(Principal, CLOUD_NAME))}
    for entry in estate.of(Membership, CLOUD_NAME):
        named |= {entry.member, entry.group}
    found = (member(index.accounts.get(text, text)) for text in named)
    return distinct(each.id for each in found if each.valid and not each.deleted)


def access(principal: str, estate: Estate) -> Access:
    """Return everything that a principal may do. Deleted principals may do nothing."""
    index = index_of(estate)
    held = (box for hold in _holds(principal, index) for box in _boxes(principal, hold, index))
    parts = (*held, *rule_boxes(principal, index, Effect.ALLOW))
    return guarded(AnyOf(parts) if parts else NOTHING, principal, index)


def _holds(principal: str, index: Index) -> Iterator[_Hold]:
    for holder, how in identities(principal, index).items():
        for binding in index.by_member.get(holder, ()):
            yield _Hold(binding, holder, how)


def _boxes(principal: str, hold: _Hold, index: Index) -> Iterator[Box]:
    principals_ = exact(principal)
    for part in _parts(hold.binding, index, public=hold.holder in _PUBLIC):
        yield Box(
            effect=Effect.ALLOW,
            layer=_LAYER,
            principals=principals_,
            actions=part.actions,
            resources=part.resources,
            condition=part.condition if hold.how == ALWAYS else all_of(hold.how, part.condition),
            name=_name(hold),
            source=hold.binding.source,
        )


@dataclass(frozen=True, slots=True)
class _Part:
    """What a binding grants to any of its members: all the permissions and resources that share a condition."""

    actions: Language
    resources: Language
    condition: Condition


def _parts(binding: RoleBinding, index: Index, *, public: bool) -> tuple[_Part, ...]:
    table = remembered(index.estate, "parts", dict[tuple[int, bool], tuple[_Part, ...]])
    # The index holds every binding as long as the estate lives, so that ids are not used twice.
    key = (id(binding), public)
    found = table.get(key)
    if found is None:
        condition = binding_condition(binding)
        held = permissions_of(binding.role, index)
        found = table[key] = tuple(
            _Part(actions, resources, all_of(condition, where, what))
            for resources, where in _resources(binding, index, public=public)
            for actions, what in _actions(held, binding.role)
        )
    return found


def binding_condition(binding: RoleBinding) -> Condition:
    """Return the condition of a binding; what is doubtful about the binding is part of it."""
    doubts = (Opaque(doubt, "the binding is not understood") for doubt in binding.doubts)
    return all_of(request_condition(binding.condition), *doubts)


def _actions(held: Permissions, role: str) -> Iterator[tuple[Language, Condition]]:
    if held.names:
        yield held.sure, ALWAYS
    if held.doubt is not None:
        yield held.unsure, Opaque(f"{role} holds the permission", held.doubt)


def _resources(binding: RoleBinding, index: Index, *, public: bool) -> Iterator[tuple[Language, Condition]]:
    closed = _closed_to_public(index) if public else None
    for covered, where in places(binding.scope, index):
        yield covered if closed is None else covered - closed, where


def _closed_to_public(index: Index) -> Language:
    """Return the texts of all that public access prevention shields from public members.

    https://cloud.google.com/storage/docs/public-access-prevention
    """
    return remembered(
        index.estate,
        "closed",
        lambda: union(index.covered(each.id) for each in index.resources.values() if prevents_public(each.id, index)),
    )


def prevents_public(resource: str, index: Index) -> bool:
    """Tell whether a bucket refuses public members whatever its policy says."""
    found = index.resources.get(resource)
    return found is not None and found.settings.get("publicAccessPrevention") == "enforced"


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
    for hold in _holds(principal, index):
        scope = hold.binding.scope
        if scope is UNKNOWN or hold.how != ALWAYS or (hold.holder in _PUBLIC and hold.holder != principal):
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
    found: dict[Unsupported, None] = {}
    for entry in estate.unsupported:
        if entry.cloud == CLOUD_NAME and (entry.subject == principal or not _other_principal(entry.subject)):
            found[entry] = None
    reasons: dict[str, Source] = {}
    for hold in _holds(principal, index):
        for reason in _hold_doubts(hold, index):
            # One group or role that is not known is one doubt, however many bindings name it.
            reasons.setdefault(reason, hold.binding.source)
    return (*found, *(problem(reason, source, principal) for reason, source in reasons.items()))


def _other_principal(subject: str | None) -> bool:
    return subject is not None and member(subject).valid


def _hold_doubts(hold: _Hold, index: Index) -> Iterator[str]:
    if isinstance(hold.how, Opaque):
        yield hold.how.reason
    doubt = permissions_of(hold.binding.role, index).doubt
    if doubt is not None:
        yield doubt
    if hold.binding.scope is UNKNOWN:
        yield f"the scope of the binding of `{hold.binding.role}` was not stated"


def domain(estate: Estate) -> Domain:
    """Return what the symbolic search may assume: the time is always known, permissions come from the roles in use."""
    index = index_of(estate)
    names = {name for binding in index.bindings for name in permissions_of(binding.role, index).names}
    return Domain(required=frozenset({TIME_KEY, *clock_keys(index)}), actions=distinct(names))
