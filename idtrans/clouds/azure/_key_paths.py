"""Account keys: who may have the keys of a storage account reads and writes its data with them, whatever roles say.

Requests signed with a key are not checked against roles, nor against deny assignments on data; only getting the key is.
https://learn.microsoft.com/azure/storage/common/shared-key-authorization-prevent
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    NEVER,
    STAR,
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
    pieces,
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
from idtrans.clouds.azure._operations import OperationPlane, asked
from idtrans.clouds.azure._parse_storage import SERVICES
from idtrans.clouds.azure._scopes import level, under
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.values import UNKNOWN, Effect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from idtrans.clouds.azure._denies import DeniedPart
    from idtrans.model.entities import RoleBinding, RoleDefinition
    from idtrans.model.estate import Estate

LAYER: Final = "account key"
"""Layer of what keys open, as shown to people."""

_ACCOUNT: Final = "/providers/microsoft.storage/storageaccounts/"
_IN_ACCOUNTS: Final = pieces((STAR, _ACCOUNT, STAR))
_LISTING: Final = tuple(
    f"control:microsoft.storage/storageaccounts/{name}/action"
    for name in ("listkeys", "regeneratekey", "listaccountsas", "listservicesas")
)
"""Operations that hand out a key, or a signature made with one."""
_OPENED: Final = tuple(
    f"data:microsoft.storage/storageaccounts/{name}"
    for name in (
        "blobservices/containers/blobs/read",
        "fileservices/fileshares/files/read",
        "queueservices/queues/messages/read",
        "tableservices/tables/entities/read",
    )
)
"""An operation on the data of each service, to show what a key opens."""
_UNSURE: Final = Opaque(
    "the storage account accepts its account keys", "whether shared keys are turned off is not stated"
)


@dataclass(frozen=True, slots=True)
class _Opened:
    """What keys open below a scope, and on what it depends that the accounts accept them."""

    services: tuple[str, ...]
    resources: Language
    condition: Condition


def by_key(principal: str, items: tuple[Held, ...], denied: list[DeniedPart], estate: Estate) -> Access | None:
    """Return the data that a principal reaches with account keys that it can get; `None` for none."""
    index = index_of(estate)
    ways = [(item, way) for item in items for way in _ways(item.binding, index)]
    if not ways:
        return None
    if not denied:
        return AnyOf(tuple(_box(principal, item, way, way.condition, index) for item, way in ways))
    return AnyOf(tuple(_without_denied(principal, ways, denied, listing, index) for listing in _LISTING))


def examples(roles: Iterable[RoleDefinition]) -> tuple[str, ...]:
    """Return operations on data that show what keys open, if any of the roles hands out keys."""
    blocks = (part for role in roles for part in parts(role) if part.plane is OperationPlane.CONTROL)
    hands_out = any(permissions(part).matches(name) for part in blocks for name in _LISTING)
    return _OPENED if hands_out else ()


@dataclass(frozen=True, slots=True)
class _Way:
    """What an assignment opens through keys: which data, and by which operations, each on what condition."""

    opened: _Opened
    listings: tuple[tuple[str, Condition], ...]
    condition: Condition
    """On what it depends that any of the operations is allowed."""


def _ways(binding: RoleBinding, index: Index) -> tuple[_Way, ...]:
    """Return what an assignment opens, whoever holds it: found once for each assignment."""
    found = index.ways.get(id(binding))
    if found is None:
        found = index.ways[id(binding)] = tuple(_find_ways(binding, index))
    return tuple(way for way in found if isinstance(way, _Way))


def _find_ways(binding: RoleBinding, index: Index) -> Iterator[_Way]:
    listings = [each for each in _listings(binding, index) if each]
    if not listings:
        return
    for resources, placed in scopes_of(binding, index):
        for opened in _opened(resources, index):
            limited = replace(opened, condition=all_of(placed, opened.condition))
            for each in listings:
                yield _Way(limited, each, any_of(*(condition for _, condition in each)))


def _listings(binding: RoleBinding, index: Index) -> Iterator[tuple[tuple[str, Condition], ...]]:
    """Yield for each part of a role the operations of it that hand out keys, each with its condition."""
    if not (binding.scope is UNKNOWN or _above_accounts(binding.scope)):
        return
    own = own_limit(binding)
    for given, condition in _given(binding, index.role(binding)):
        limit = all_of(own, condition)
        found = [(name, _asked_to_list(limit, name)) for name in _LISTING if given.matches(name)]
        yield tuple((name, rest) for name, rest in found if rest != NEVER)


def _given(binding: RoleBinding, role: RoleDefinition | None) -> Iterator[tuple[Language, Condition]]:
    """Yield what a role gives, or may give, each on the condition of its own."""
    if role is None:
        yield ANY_TEXT, unknown_role(binding)
        return
    yield from ((permissions(part), part.condition) for part in parts(role) if part.plane is OperationPlane.CONTROL)
    if not role.complete:
        yield unlisted(role), rest_of(role)


def _above_accounts(scope: str) -> bool:
    """Tell whether a scope contains storage accounts as a whole, or is one."""
    head, found, tail = scope.partition(_ACCOUNT)
    return bool(head and found and "/" not in tail) or (not found and level(scope) != "resource")


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
        name=f"account keys, which can be listed by {label_of(item, index.role(item.binding))}",
        source=item.binding.source,
    )


def _opened(resources: Language, index: Index) -> Iterator[_Opened]:
    """Yield the data below some resources that keys open, services of the same answer together."""
    known = {account: states for account, states in index.key_states.items() if resources.matches(account)}
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for service in SERVICES:
        on = tuple(account for account, states in known.items() if states[service] is True)
        settled = tuple(account for account, states in known.items() if states[service] is not UNKNOWN)
        groups.setdefault((on, settled), []).append(f"microsoft.storage/storageaccounts/{service}services/*")
    for (on, settled), services in groups.items():
        if on:
            yield _Opened(tuple(services), union(map(under, on)), ALWAYS)
        rest = (resources & _IN_ACCOUNTS) - union(map(under, settled))
        if not rest.is_empty():
            yield _Opened(tuple(services), rest, _UNSURE)


def _without_denied(
    principal: str, ways: list[tuple[Held, _Way]], denied: list[DeniedPart], listing: str, index: Index
) -> Access:
    """Return what one operation opens, minus the accounts on which it is denied."""
    found = [
        _box(principal, item, way, condition, index)
        for item, way in ways
        for name, condition in way.listings
        if name == listing
    ]
    return Except(AnyOf(tuple(found)), AnyOf(tuple(box for each in denied for box in _taken(each, listing))))


def _taken(denial: DeniedPart, listing: str) -> Iterator[Box]:
    """Yield the accounts on which a deny keeps the keys away. It explains the lack of a key, and denies no data."""
    box, scope = denial.box, denial.scope
    if not box.actions.matches(listing) or not (scope is UNKNOWN or _above_accounts(scope)):
        return
    if denial.inherited or scope is UNKNOWN:
        resources = [places & _IN_ACCOUNTS for places in (box.resources,) if isinstance(places, Language)]
    else:
        resources = [under(scope)] if _ACCOUNT in scope else []
    for places in resources:
        yield Box(
            effect=Effect.ALLOW,
            layer=box.layer,
            principals=box.principals,
            actions=asked(OperationPlane.DATA, ("microsoft.storage/storageaccounts/*",)),
            resources=places,
            condition=_asked_to_list(box.condition, listing),
            name=f"{box.name}, which keeps account keys away",
            source=box.source,
        )
