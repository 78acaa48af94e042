"""From what a principal holds to what it is meant to be able to do."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from idtrans.algebra import ALWAYS, NEVER, Language, describe, opaques, union
from idtrans.catalog import REST, Apart, Capability, acting, capabilities, known_losses, listed, noise
from idtrans.model.artifacts import Loss, LossEffect
from idtrans.model.intents import AccessIntent, Scope, Wanted
from idtrans.translate._closure import alongside, belonging, closure, implied, is_nothing, unexplained
from idtrans.translate._levels import key_of, lies_in, read_scope, stands_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from idtrans.model.spans import Source
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
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class _Group:
    """Permissions held on one scope under one condition."""

    scope: Scope
    condition: str | None
    permissions: Language
    source: Source


@dataclass(slots=True)
class _Findings:
    wanted: dict[tuple[str, object], Wanted] = field(default_factory=dict)
    residue: dict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    partial: dict[str, None] = field(default_factory=dict)
    along: dict[str, None] = field(default_factory=dict)
    unplaced: dict[str, None] = field(default_factory=dict)
    implied: dict[str, None] = field(default_factory=dict)
    losses: dict[Loss, None] = field(default_factory=dict)


def recognise(principal: str, kind: str, holdings: Iterable[Holding], cloud: Cloud) -> Recognised:
    """Return what a principal is meant to be able to do, by what it holds.

    A capability is full on a scope when every permission that it needs is held there, or on something that the scope
    lies in. What is left over, and what is held only in part, is residue.
    """
    held = tuple(holdings)
    groups, unclear = _groups(held, cloud)
    findings = _Findings()
    for group in groups:
        _examine(group, groups, cloud.name, findings)
    residue = {service: tuple(names) for service, names in sorted(findings.residue.items())}
    return Recognised(
        intent=AccessIntent(principal, kind, _widest(tuple(findings.wanted.values())), residue),
        partial=tuple(findings.partial),
        along=tuple(findings.along),
        unplaced=tuple(findings.unplaced),
        implied=tuple(findings.implied),
        unclear=tuple(dict.fromkeys(unclear)),
        unsure=tuple(dict.fromkeys(reason for holding in held for reason in holding.unsure)),
        losses=tuple(findings.losses),
    )


def _widest(wanted: tuple[Wanted, ...]) -> tuple[Wanted, ...]:
    """Drop what is wanted without condition on something around it, too."""
    return tuple(
        each
        for each in wanted
        if not any(
            other is not each
            and other.capability == each.capability
            and other.condition is None
            and lies_in(each.scope, other.scope)
            for other in wanted
        )
    )


def _groups(holdings: Iterable[Holding], cloud: Cloud) -> tuple[list[_Group], list[str]]:
    groups: dict[tuple[object, str | None], _Group] = {}
    unclear: list[str] = []
    for holding in holdings:
        symbols = opaques(holding.condition)
        if symbols:
            unclear += [f"`{symbol.text}`: {symbol.reason}" for symbol in symbols]
            continue
        if holding.condition == NEVER:
            continue
        group = _group(holding, cloud)
        key = (key_of(group.scope), group.condition)
        known = groups.get(key)
        groups[key] = replace(known, permissions=known.permissions | group.permissions) if known else group
    return list(groups.values()), unclear


def _group(holding: Holding, cloud: Cloud) -> _Group:
    scope = read_scope(holding.scope, cloud)
    condition = None if holding.condition == ALWAYS else holding.condition_text or describe(holding.condition)
    return _Group(scope, condition, holding.permissions & acting(cloud.name, scope), holding.source)


def _examine(group: _Group, groups: Sequence[_Group], cloud: str, findings: _Findings) -> None:
    full = closure(_effective(group, groups), cloud, group.scope)
    parts = implied(full, cloud)
    kept_out = {apart.capability for apart in _aparts(group, full, cloud)}
    for each in full:
        if each.id in parts:
            findings.implied[each.id] = None
        elif each.id not in kept_out and any(map(group.permissions.matches, each.column(cloud).permissions)):
            # A condition that only keeps out another capability is no condition of this one.
            condition = None if _aparts(group, (each,), cloud) else group.condition
            wanted = Wanted(each.id, group.scope, condition, group.source)
            findings.wanted[each.id, (key_of(group.scope), condition)] = wanted
    _leftovers(group, full, cloud, findings)


def _aparts(group: _Group, found: Iterable[Capability], cloud: str) -> list[Apart]:
    """Return the ways of the table to keep a capability out that the condition of a group is one of."""
    written = _bare(group.condition or "")
    return [apart for each in found for apart in each.column(cloud).apart if _bare(apart.condition) == written]


def _bare(condition: str) -> str:
    """Return a condition without spaces and without brackets around all of it."""
    text = "".join(condition.split())
    while text.startswith("(") and text.endswith(")") and _is_balanced(text[1:-1]):
        text = text[1:-1]
    return text


def _is_balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0


def _effective(group: _Group, groups: Sequence[_Group]) -> Language:
    """Return what is held on the scope of a group under its condition, by itself or on something around it."""
    return union(
        other.permissions
        for other in groups
        if other.condition in {None, group.condition} and lies_in(group.scope, other.scope)
    )


def _leftovers(group: _Group, full: Sequence[Capability], cloud: str, findings: _Findings) -> None:
    rest = unexplained(group.permissions, full, cloud)
    for service, names in _names(rest, cloud).items():
        findings.residue[service].update(dict.fromkeys(names))
    for each in capabilities():
        needed = [*map(rest.matches, each.column(cloud).permissions)]
        if each in full or not any(needed):
            continue
        if all(needed) and not stands_at(each, cloud, group.scope):
            findings.unplaced[group.scope.native] = None
        else:
            findings.partial[each.id] = None
    beside = (alongside(full, cloud) | noise(cloud).printed) - belonging(full, cloud)
    for service, names in _names(group.permissions & beside, cloud).items():
        findings.along.update(dict.fromkeys(names if service != REST else ()))
    for loss in known_losses(cloud):
        if group.permissions.overlaps(loss.permission):
            findings.losses[Loss(loss.feature, LossEffect.DROP, loss.dropped)] = None


def _names(permissions: Language, cloud: str) -> dict[str, tuple[str, ...]]:
    return {} if is_nothing(permissions) else dict(listed(cloud, permissions))
