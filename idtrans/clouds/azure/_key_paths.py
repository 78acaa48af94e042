"""Keys: who may have the keys of a storage account or another resource uses its data with them, whatever roles say.

Requests signed with a key are not checked against roles, nor against deny assignments on data; only getting the key is.
https://learn.microsoft.com/azure/storage/common/shared-key-authorization-prevent
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, cast

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    NEVER,
    Access,
    AnyOf,
    Both,
    Box,
    Condition,
    Either,
    Except,
    Has,
    Language,
    Negation,
    Opaque,
    Template,
    Test,
    all_of,
    any_of,
    describe,
    exact,
    negate,
    reduce,
    union,
)
from idtrans.clouds.azure._compile import (
    Held,
    label_of,
    own_limit,
    parts,
    permissions,
    rest_of,
    scopes_of,
    unknown_role,
    unlisted,
)
from idtrans.clouds.azure._index import Index, index_of
from idtrans.clouds.azure._keyed import Keyed, keyed
from idtrans.clouds.azure._operations import OperationPlane, asked, bare
from idtrans.clouds.azure._scopes import under
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.values import UNKNOWN, Effect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from idtrans.clouds.azure._denies import DeniedPart
    from idtrans.model.entities import RoleBinding, RoleDefinition
    from idtrans.model.estate import Estate

LAYER: Final = "account key"
"""Layer of what keys open, as shown to people."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """What keys open below a scope, and on what it depends that the resources accept them."""

    kind: Keyed
    services: tuple[str, ...]
    resources: Language
    condition: Condition


def by_key(
    principal: str, items: tuple[Held, ...], denied: list[DeniedPart], estate: Estate, action: str | None = None
) -> Access | None:
    """Return the data that a principal reaches with keys that it can get; `None` for none.

    With an action only what keys open in its provider.
    """
    index = index_of(estate)
    provider = f"{bare(action).partition('/')[0]}/" if action is not None else ""
    kinds = tuple(kind for kind in keyed() if kind.type.startswith(provider))
    ways = [(item, way) for item in items for kind in kinds for way in _ways(item.binding, kind, index)]
    if not ways:
        return None
    if not denied:
        return AnyOf(tuple(_box(principal, item, way, way.condition, index) for item, way in ways))
    listings = {name: way.opened.kind for _, way in ways for name, _ in way.listings}
    return AnyOf(tuple(_without_denied(principal, ways, denied, each, index) for each in listings.items()))


def examples(roles: Iterable[RoleDefinition]) -> tuple[str, ...]:
    """Return operations on data that show what keys open, if any of the roles hands out keys."""
    found = {
        kind
        for role in roles
        for part in parts(role)
        if part.plane is OperationPlane.CONTROL
        for kind in keyed()
        if kind.handed_out(permissions(part))
    }
    return tuple(name for kind in keyed() if kind in found for name in kind.shows)


@dataclass(frozen=True, slots=True)
class _Way:
    """What an assignment opens through keys: which data, and by which operations, each on what condition."""

    opened: _Opened
    listings: tuple[tuple[str, Condition], ...]
    condition: Condition
    """On what it depends that any of the operations is allowed."""


def _ways(binding: RoleBinding, kind: Keyed, index: Index) -> tuple[_Way, ...]:
    """Return what an assignment opens through keys of a type, whoever holds it: found once for each assignment."""
    key = (id(binding), kind.what)
    found = index.ways.get(key)
    if found is None:
        found = index.ways[key] = tuple(_find_ways(binding, kind, index))
    return cast("tuple[_Way, ...]", found)  # nothing else is put there


def _find_ways(binding: RoleBinding, kind: Keyed, index: Index) -> Iterator[_Way]:
    handed = _handed_out(binding, index).get(kind, ())
    if not handed or not (binding.scope is UNKNOWN or kind.reaches(binding.scope)):
        return
    listings = [each for each in _limited(handed, own_limit(binding)) if each]
    for opened in _below(kind, binding, index) if listings else ():
        yield from (_Way(opened, each, any_of(*(condition for _, condition in each))) for each in listings)


def _below(kind: Keyed, binding: RoleBinding, index: Index) -> tuple[_Opened, ...]:
    """Return what keys of a type open in the scope of an assignment, found once for each scope."""
    key = (kind, binding.scope)
    found = index.opened.get(key) if binding.scope is not UNKNOWN else None
    if found is None:
        found = index.opened[key] = tuple(
            replace(opened, condition=all_of(placed, opened.condition))
            for resources, placed in scopes_of(binding, index)
            for opened in _opened(kind, resources, index)
        )
    return cast("tuple[_Opened, ...]", found)  # nothing else is put there


_Handed = tuple[tuple[tuple[str, ...], Condition], ...]
"""For each part of a role the operations of it that hand out keys of a type, with the condition of the part."""


def _limited(handed: _Handed, own: Condition) -> Iterator[tuple[tuple[str, Condition], ...]]:
    """Yield for each part of a role the operations that hand out keys, each with what is left of all conditions."""
    for names, condition in handed:
        limit = all_of(own, condition)
        found = [(name, _asked_to_list(limit, name)) for name in names]
        yield tuple((name, rest) for name, rest in found if rest != NEVER)


def _handed_out(binding: RoleBinding, index: Index) -> Mapping[Keyed, _Handed]:
    """Return the keys that the role of an assignment hands out, found once for each role that is known."""
    role = index.role(binding)
    if role is None:
        return _keys_among(((ANY_TEXT, unknown_role(binding)),))
    # The index holds every role as long as it lives, so that ids are not used twice.
    found = index.handed.get(id(role))
    if found is None:
        found = index.handed[id(role)] = (role, _keys_among(tuple(_given(role))))
    return cast("Mapping[Keyed, _Handed]", found[1])  # nothing else is put there


def _keys_among(given: tuple[tuple[Language, Condition], ...]) -> Mapping[Keyed, _Handed]:
    every = {
        kind: tuple((names, condition) for language, condition in given if (names := kind.handed_out(language)))
        for kind in keyed()
    }
    return {kind: handed for kind, handed in every.items() if handed}


def _given(role: RoleDefinition) -> Iterator[tuple[Language, Condition]]:
    """Yield what a role gives, or may give, each on the condition of its own."""
    yield from ((permissions(part), part.condition) for part in parts(role) if part.plane is OperationPlane.CONTROL)
    if not role.complete:
        yield unlisted(role), rest_of(role)


def _asked_to_list(limit: Condition, listing: str) -> Condition:
    """Return what is left of a condition when keys are asked for: attributes of that request are not those at hand."""
    return _apart(reduce(limit, Request("", listing, "", {}, Knowledge.OPEN)))


def _apart(condition: Condition) -> Condition:
    """Replace what reads attributes of the request or the resource by symbols."""
    match condition:
        case Both(parts):
            return all_of(*map(_apart, parts))
        case Either(parts):
            return any_of(*map(_apart, parts))
        case Negation(part):
            return negate(_apart(part))
        case _ if any(key.startswith(("@request", "@resource")) for key in _keys(condition)):
            return Opaque(f"{describe(condition)}, when keys are asked for", "it depends on another request")
        case _:
            return condition


def _keys(leaf: Condition) -> Iterator[str]:
    if isinstance(leaf, Test | Has):
        yield leaf.key
    if isinstance(leaf, Test) and isinstance(leaf.values, Template):
        yield from leaf.values.keys


def _box(principal: str, item: Held, way: _Way, condition: Condition, index: Index) -> Box:
    return Box(
        effect=Effect.ALLOW,
        layer=LAYER,
        principals=exact(principal),
        actions=asked(OperationPlane.DATA, way.opened.services),
        resources=way.opened.resources,
        condition=all_of(item.membership, condition, way.opened.condition),
        name=f"{way.opened.kind.what}, which can be listed by {label_of(item, index.role(item.binding))}",
        source=item.binding.source,
    )


def _opened(kind: Keyed, resources: Language, index: Index) -> Iterator[_Opened]:
    """Yield the data below some resources that keys open, services of the same answer together."""
    states = index.key_states.get(kind.root, {})
    nested = kind.type != kind.root
    known = {name: each for name, each in states.items() if nested or resources.matches(name)}
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for service, names in kind.opens:
        on = tuple(name for name, each in known.items() if each[service] is True)
        settled = tuple(name for name, each in known.items() if each[service] is not UNKNOWN)
        groups.setdefault((on, settled), []).extend(names)
    for (on, settled), services in groups.items():
        if on:
            below = union(map(under, on))
            yield _Opened(kind, tuple(services), below & resources & kind.inside() if nested else below, ALWAYS)
        rest = (resources & kind.inside()) - union(map(under, settled))
        if not rest.is_empty():
            yield _Opened(kind, tuple(services), rest, kind.unsure)


def _without_denied(
    principal: str, ways: list[tuple[Held, _Way]], denied: list[DeniedPart], listed: tuple[str, Keyed], index: Index
) -> Access:
    """Return what one operation opens, minus the resources on which it is denied."""
    listing, kind = listed
    found = [
        _box(principal, item, way, condition, index)
        for item, way in ways
        for name, condition in way.listings
        if name == listing
    ]
    return Except(AnyOf(tuple(found)), AnyOf(tuple(box for each in denied for box in _taken(each, listing, kind))))


def _taken(denial: DeniedPart, listing: str, kind: Keyed) -> Iterator[Box]:
    """Yield the resources on which a deny keeps the keys away. It explains the lack of a key, and denies no data."""
    box, scope = denial.box, denial.scope
    if not box.actions.matches(listing) or not (scope is UNKNOWN or kind.reaches(scope)):
        return
    if denial.inherited or scope is UNKNOWN:
        resources = [places & kind.inside() for places in (box.resources,) if isinstance(places, Language)]
    else:
        resources = [under(scope)] if kind.inside().matches(scope) else []
    for places in resources:
        yield Box(
            effect=Effect.ALLOW,
            layer=box.layer,
            principals=box.principals,
            actions=asked(OperationPlane.DATA, kind.everything),
            resources=places,
            condition=_asked_to_list(box.condition, listing),
            name=f"{box.name}, which keeps the keys away",
            source=box.source,
        )
