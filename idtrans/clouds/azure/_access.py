"""Access of a principal: what role assignments give, minus what deny assignments take, and what account keys open.

Denies go before grants, and both planes are apart: an operation whose plane is not known is inside when it is so in
either plane.
https://learn.microsoft.com/azure/role-based-access-control/overview#how-azure-rbac-determines-if-a-user-has-access-to-a-resource
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ANY_TEXT,
    Access,
    AnyOf,
    Box,
    Condition,
    Domain,
    Except,
    Opaque,
    negate,
    prefix,
)
from idtrans.clouds.azure._asked import asked_of
from idtrans.clouds.azure._compile import Grant, Held, granted, held, held_among, parts
from idtrans.clouds.azure._denies import DeniedPart, denials
from idtrans.clouds.azure._ids import all_principals, known_principals
from idtrans.clouds.azure._index import index_of
from idtrans.clouds.azure._key_paths import by_key, examples
from idtrans.clouds.azure._operations import OperationPlane
from idtrans.model.values import Effect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.decisions import Request
    from idtrans.model.estate import Estate

_PLANES: Final = (OperationPlane.CONTROL, OperationPlane.DATA)


def access(principal: str, estate: Estate) -> Access:
    """Return everything a principal may do."""
    return _access(principal, tuple(held(principal, index_of(estate))), estate)


def about(request: Request, estate: Estate) -> Access:
    """Return what of `access` is about the resource and the service of a request: the rest decides nothing."""
    asked, principal = asked_of(request.resource, estate), request.principal
    near = held_among(principal, asked.by_holder, asked.groups, index_of(estate))
    return _access(principal, tuple(near), estate, request.action)


def concerned(request: Request, estate: Estate) -> tuple[str, ...]:
    """Return the principals that could hold anything about the resource of a request, in order."""
    holders = asked_of(request.resource, estate).holders
    return all_principals(estate) if holders is None else tuple(sorted(holders & known_principals(estate)))


def _access(principal: str, items: tuple[Held, ...], estate: Estate, action: str | None = None) -> Access:
    """Return what assignments give; with an action at least what decides requests for it."""
    grants, denied = granted(principal, items, estate), denials(principal, estate)
    keys = by_key(principal, items, denied, estate, action)
    planes = [_in_plane(plane, grants, denied, keys) for plane in _PLANES]
    return AnyOf(tuple(plane for plane in planes if plane is not None))


def _in_plane(
    plane: OperationPlane, grants: list[Grant], denied: list[DeniedPart], keys: Access | None
) -> Access | None:
    """Return what is granted in one plane, `None` for nothing. What keys open, no deny of data actions takes away."""
    granted_here = tuple(_granted_in(plane, grants))
    denies = tuple(each.box for each in denied if each.plane in {plane, None})
    found: list[Access] = list(granted_here)
    if denies:
        found = [Except(AnyOf(granted_here), AnyOf(denies))]
    if keys is not None and plane is OperationPlane.DATA:
        found.append(keys)
    return Except(AnyOf(tuple(found)), _ELSEWHERE[plane]) if found else None


def _granted_in(plane: OperationPlane, grants: list[Grant]) -> Iterable[Access]:
    """Yield what is granted in one plane, what may stand in either cut to it."""
    for grant in grants:
        if grant.plane is None and isinstance(grant.access, Box):
            yield replace(grant.access, actions=grant.access.actions & _TEXTS[plane])
        elif grant.plane is plane:
            yield grant.access


_ON_DATA: Final = Opaque(
    "the operation is a data action", "its plane is not known: ask with a plane, or supply a catalogue"
)
_TEXTS: Final = {plane: prefix(f"{plane}:") | prefix(f"{OperationPlane.EITHER}:") for plane in _PLANES}


def _elsewhere(plane: OperationPlane, condition: Condition) -> Box:
    """Return the operations of which it is not known whether they are of a plane, with when they are not."""
    name = f"operations that stand in another plane than the {plane} plane"
    return Box(Effect.ALLOW, "plane", ANY_TEXT, prefix(f"{OperationPlane.EITHER}:"), ANY_TEXT, condition, name)


_ELSEWHERE: Final = {
    OperationPlane.CONTROL: _elsewhere(OperationPlane.CONTROL, _ON_DATA),
    OperationPlane.DATA: _elsewhere(OperationPlane.DATA, negate(_ON_DATA)),
}


def domain(estate: Estate) -> Domain:
    """Return what the search must know: the operations that roles name one by one, so that a witness is a real one."""
    index = index_of(estate)
    bindings = (binding for items in index.bindings.values() for binding in items)
    roles = {role.id: role for binding in bindings if (role := index.role(binding)) is not None}
    named = {
        f"{part.plane}:{action.lower()}"
        for role in roles.values()
        for part in parts(role)
        for action in part.given
        if "*" not in action
    }
    return Domain(actions=tuple(sorted(named | set(examples(roles.values())))))
