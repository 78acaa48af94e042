"""From what a principal holds to what it is meant to be able to do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ALWAYS,
    NEVER,
    NO_TEXT,
    Condition,
    Language,
    Opaque,
    all_of,
    any_of,
    describe,
    opaques,
    positive,
    union,
)
from idtrans.catalog import (
    ACCOUNT,
    REST,
    Capability,
    acting,
    by_service,
    capabilities,
    held_names,
    known_losses,
    listed,
    noise,
    service_tiers_of,
)
from idtrans.model.artifacts import Loss, LossEffect
from idtrans.model.intents import AccessIntent, Scope, Wanted
from idtrans.translate._closure import alongside, belonging, closure, explained, implied, is_nothing, leftover
from idtrans.translate._levels import BUCKETS, OBJECT_PART, key_of, lies_in, read_scope, stands_at
from idtrans.translate._limits import lost_names, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from idtrans.ports import Cloud, Holding


@dataclass(frozen=True, slots=True)
class Recognised:
    """An intent, and what is to be said about how it was found."""

    intent: AccessIntent
    partial: tuple[str, ...] = ()
    """Ids of capabilities of which only some permissions are held."""
    along: tuple[str, ...] = ()
    """Permissions about parts of the same objects, which are not carried over by name."""
    unplaced: tuple[str, ...] = ()
    """Scopes on which no other cloud can grant what is held there."""
    implied: tuple[str, ...] = ()
    """Ids of capabilities that come with others in the source and are not asked for by themselves."""
    unclear: tuple[str, ...] = ()
    """Grants that were not understood, so that they are not carried over."""
    unsure: tuple[str, ...] = ()
    """What may take away a part of what is held."""
    limits: Mapping[Wanted, Condition] = field(default_factory=dict, hash=False)
    """Under which limit each capability is wanted."""
    shares: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    """How many of the permissions of each service of the second tier are held, and how many there are."""
    losses: tuple[Loss, ...] = ()


_ALMOST: Final = 0.75
"""Share of what a service states that must be held for asking for it as a whole."""


_MOST_UNLISTED: Final = 5
"""Names that nothing is known of and that are told apart."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Permissions held on one scope under one condition."""

    scope: Scope
    condition: str | None
    permissions: Language
    holding: Holding

    def limit(self, permission: str, variant: str | None, cloud: Cloud) -> Condition:
        """Return the limit under which one of the permissions is held."""
        if self.condition is None:
            return lost_names(self.scope)
        return all_of(cloud.limit(self.holding, permission, variant), lost_names(self.scope))


@dataclass(slots=True)
class _Findings:
    wanted: dict[tuple[object, ...], Wanted] = field(default_factory=dict)
    limits: dict[Wanted, Condition] = field(default_factory=dict)
    residue: dict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    partial: dict[str, None] = field(default_factory=dict)
    along: dict[str, None] = field(default_factory=dict)
    unplaced: dict[str, None] = field(default_factory=dict)
    implied: dict[str, None] = field(default_factory=dict)
    unclear: dict[str, None] = field(default_factory=dict)
    shares: dict[str, tuple[int, int]] = field(default_factory=dict)
    losses: dict[Loss, None] = field(default_factory=dict)


def recognise(principal: str, kind: str, holdings: Iterable[Holding], cloud: Cloud) -> Recognised:
    """Return what a principal is meant to be able to do, by what it holds.

    A capability is full on a scope when every permission that it needs is held there, or on something that the scope
    lies in. What is left over, and what is held only in part, is residue.
    """
    held = tuple(holdings)
    groups, unclear = _groups(held, cloud)
    unclear += _unlisted(held)
    findings = _Findings()
    for group in groups:
        _examine(group, groups, cloud, findings)
    residue = {service: tuple(names) for service, names in sorted(findings.residue.items())}
    return Recognised(
        intent=AccessIntent(principal, kind, _widest(findings), residue),
        partial=tuple(findings.partial),
        along=tuple(findings.along),
        unplaced=tuple(findings.unplaced),
        implied=tuple(findings.implied),
        unclear=tuple(dict.fromkeys([*unclear, *findings.unclear])),
        unsure=tuple(dict.fromkeys(reason for holding in held for reason in holding.unsure)),
        limits=findings.limits,
        shares=findings.shares,
        losses=tuple(findings.losses),
    )


def _unlisted(held: Iterable[Holding]) -> list[str]:
    """Say what is written in grants and nothing is known of: the first by name, of many how many they are."""
    found = list(dict.fromkeys(remark for holding in held for remark in holding.unlisted))
    more = len(found) - _MOST_UNLISTED
    return [
        *found[:_MOST_UNLISTED],
        *([f"{more} more names or patterns fit nothing that is listed"] if more > 0 else []),
    ]


def _widest(findings: _Findings) -> tuple[Wanted, ...]:
    """Drop what is wanted without condition on something around it, too."""
    wanted = tuple(findings.wanted.values())
    return tuple(
        each
        for each in wanted
        if not any(
            other is not each
            and other.capability == each.capability
            and findings.limits[other] == ALWAYS
            and lies_in(each.scope, other.scope)
            for other in wanted
        )
    )


def _groups(holdings: Iterable[Holding], cloud: Cloud) -> tuple[list[_Group], list[str]]:
    groups: dict[tuple[object, str | None], _Group] = {}
    unclear: list[str] = []
    for holding in holdings:
        if holding.condition == NEVER:
            continue
        if isinstance(holding.condition, Opaque):
            unclear.append(_doubt(holding.condition))
            continue
        group = _group(holding, cloud)
        key = (key_of(group.scope), group.condition)
        known = groups.get(key)
        groups[key] = replace(known, permissions=known.permissions | group.permissions) if known else group
    return list(groups.values()), unclear


def _group(holding: Holding, cloud: Cloud) -> _Group:
    scope = read_scope(holding.scope, cloud)
    condition = None if holding.condition == ALWAYS else holding.condition_text or describe(holding.condition)
    return _Group(scope, condition, holding.permissions & acting(cloud.name, scope), holding)


def _examine(group: _Group, groups: Sequence[_Group], cloud: Cloud, findings: _Findings) -> None:
    held = closure(_effective(group, groups), cloud.name, group.scope)
    limits = {each.id: _limit(each, group, groups, cloud) for each in held}
    unread = set(opaques(group.holding.condition))
    doubts = {each.id: unread.intersection(opaques(limits[each.id])) for each in held}
    for symbol in sorted({symbol for found in doubts.values() for symbol in found}, key=lambda each: each.text):
        findings.unclear[_doubt(symbol)] = None
    full = [each for each in held if limits[each.id] != NEVER and not doubts[each.id]]
    parts = implied(full, cloud.name)
    for each in full:
        if each.id in parts:
            findings.implied[each.id] = None
        elif any(map(group.permissions.matches, each.column(cloud.name).permissions)):
            _want(each, limits[each.id], group, findings)
    tiers = _tiers(group, held, cloud.name, findings)
    _leftovers(group, [*held, *tiers], cloud.name, findings)


def _tiers(group: _Group, held: Sequence[Capability], cloud: str, findings: _Findings) -> list[Capability]:
    """Find the services of which what is stated can be read almost as a whole, and ask for that."""
    if group.scope.kind != ACCOUNT or group.condition is not None or BUCKETS in group.scope.parts:
        return []
    found = []
    names = held_names(cloud, group.permissions)
    has = group.permissions.matches if names is None else frozenset(names).__contains__
    for tier in service_tiers_of(cloud, leftover(group.permissions, held, cloud)):
        needed = tier.column(cloud).permissions
        count = sum(map(has, needed))
        if needed and count >= _ALMOST * len(needed):
            _want(tier, ALWAYS, group, findings)
            findings.shares[tier.id] = (count, len(needed))
            found.append(tier)
    return found


def _doubt(symbol: Opaque) -> str:
    return f"`{symbol.text}`: {symbol.reason}"


def _want(each: Capability, limit: Condition, group: _Group, findings: _Findings) -> None:
    parts = {name: text for name, text in group.scope.parts.items() if name not in (OBJECT_PART, BUCKETS)}
    scope = replace(group.scope, parts=parts)
    condition = None if limit == ALWAYS else group.condition or words(limit)
    wanted = Wanted(each.id, scope, condition, group.holding.source)
    wanted = findings.wanted.setdefault((each.id, key_of(scope), limit), wanted)
    findings.limits[wanted] = limit


def _limit(each: Capability, group: _Group, groups: Sequence[_Group], cloud: Cloud) -> Condition:
    """Return the limit under which all permissions of a capability are held."""
    column = each.column(cloud.name)
    around = [group, *(other for other in groups if other is not group and _counts_for(other, group))]
    limits = []
    for name in column.permissions:
        holders = [other for other in around if other.permissions.matches(name)]
        limits.append(any_of(*(other.limit(name, column.variant, cloud) for other in holders)))
    return positive(all_of(*limits))


def _effective(group: _Group, groups: Sequence[_Group]) -> Language:
    """Return what is held on the scope of a group under its condition, by itself or on something around it."""
    return union(other.permissions for other in groups if other is group or _counts_for(other, group))


def _counts_for(other: _Group, group: _Group) -> bool:
    """Tell whether what is held by one group is held wherever and whenever that of another is."""
    return other.condition in {None, group.condition} and lies_in(group.scope, other.scope)


def _leftovers(group: _Group, full: Sequence[Capability], cloud: str, findings: _Findings) -> None:
    known = explained(full, cloud)
    for service, names in leftover(group.permissions, full, cloud).items():
        findings.residue[service].update(dict.fromkeys(names))
    for each in capabilities():
        named = each.column(cloud).permissions
        needed = [group.permissions.matches(name) and not known.matches(name) for name in named]
        if each in full or not any(needed):
            continue
        if all(needed) and not stands_at(each, cloud, group.scope):
            findings.unplaced[group.scope.native] = None
        else:
            findings.partial[each.id] = None
    beside = (alongside(full, cloud) | noise(cloud).printed) - belonging(full, cloud)
    for service, names in _beside(group.permissions, beside, cloud).items():
        findings.along.update(dict.fromkeys(names if service != REST else ()))
    for loss in known_losses(cloud):
        if group.permissions.overlaps(loss.permission):
            findings.losses[Loss(loss.feature, LossEffect.DROP, loss.dropped)] = None


def _beside(permissions: Language, beside: Language, cloud: str) -> Mapping[str, tuple[str, ...]]:
    names = held_names(cloud, permissions)
    if names is not None:
        return by_service(filter(beside.matches, names)) if beside != NO_TEXT else {}
    both = permissions & beside
    return {} if is_nothing(both) else listed(cloud, both)
