"""What deny assignments take from a principal. They win over every role assignment.

https://learn.microsoft.com/azure/role-based-access-control/deny-assignments
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    NEVER,
    Box,
    Condition,
    Language,
    Opaque,
    all_of,
    any_of,
    exact,
    negate,
    opaques,
    prefix,
)
from idtrans.clouds.azure._compile import planes, problems, scopes_of
from idtrans.clouds.azure._conditions import lower
from idtrans.clouds.azure._index import Index, below, index_of
from idtrans.clouds.azure._names import NAME
from idtrans.clouds.azure._operations import asked
from idtrans.clouds.azure._parse_roles import EVERYONE
from idtrans.clouds.azure._scopes import ROOT, level, under
from idtrans.model.documents import Unsupported
from idtrans.model.entities import DenyAssignment, PrincipalKind
from idtrans.model.errors import UsageError
from idtrans.model.values import UNKNOWN, Effect
from idtrans.ports import Denial, Holding, Overlap, PlacedDenial

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from idtrans.clouds.azure._operations import OperationPlane
    from idtrans.model.estate import Estate
    from idtrans.model.intents import Names
    from idtrans.model.values import Unknown
    from idtrans.ports import RoleUse

LAYER: Final = "deny assignment"
"""Layer of every deny, as shown to people."""


@dataclass(frozen=True, slots=True)
class DeniedPart:
    """One plane of one permission object of a deny assignment, as it hits one principal."""

    box: Box
    scope: str | Unknown
    plane: OperationPlane | None = None
    """`None` for what may be of either."""
    inherited: bool = True
    """Whether it reaches what lies below its scope."""


def denials(principal: str, estate: Estate) -> list[DeniedPart]:
    """Return what is, or may be, denied to a principal."""
    index = index_of(estate)
    found = [each for deny in estate.of(DenyAssignment, NAME) for each in _denials(principal, deny, index)]
    return [*found, *(_possible(principal, problem) for problem in problems(estate) if is_deny(problem))]


def _denials(principal: str, deny: DenyAssignment, index: Index) -> Iterator[DeniedPart]:
    limit = hits(principal, deny, index)
    if limit == NEVER:
        return
    if deny.doubts:
        limit = all_of(limit, Opaque(f"{deny.id}: {'; '.join(deny.doubts)}", "a deny assignment was not understood"))
    limit = all_of(limit, lower(deny.condition, deny.condition_version))
    for resources, placed in _places(deny, index):
        for part in (part for block in deny.blocks for part in planes(block)):
            box = Box(
                effect=Effect.DENY,
                layer=LAYER,
                principals=exact(principal),
                actions=asked(part.plane, part.given) - asked(part.plane, part.left_out),
                resources=resources,
                condition=all_of(limit, placed, part.condition),
                name=f"{deny.name} at {deny.scope} ({part.plane} plane)",
                source=deny.source,
            )
            yield DeniedPart(box, deny.scope, part.plane, deny.inherited)


def _places(deny: DenyAssignment, index: Index) -> Iterable[tuple[Language, Condition]]:
    if deny.inherited or deny.scope is UNKNOWN:
        return scopes_of(deny, index)
    return ((exact(deny.scope), ALWAYS),)


def is_deny(problem: Unsupported) -> bool:
    """Tell a deny assignment, whose remark names the scope; what names a storage account is about its settings."""
    return problem.subject is not None and problem.subject.startswith("/") and "deny assignment" in problem.reason


def _possible(principal: str, problem: Unsupported) -> DeniedPart:
    scope = problem.subject or ROOT
    # Where a management group reaches is not asked for what may deny nothing at all.
    wide = level(scope) in {"root", "management-group"}
    box = Box(
        effect=Effect.DENY,
        layer=LAYER,
        principals=exact(principal),
        actions=ANY_TEXT,
        resources=ANY_TEXT if wide else under(scope),
        condition=Opaque(problem.reason, "a deny assignment was not understood"),
        name=problem.reason,
        source=problem.source,
    )
    return DeniedPart(box, ROOT if wide else scope)


def doubts(principal: str, estate: Estate) -> Iterator[Unsupported]:
    """Yield a remark for everything opaque in the deny assignments that may be about a principal."""
    index = index_of(estate)
    for deny in estate.of(DenyAssignment, NAME):
        found = list(_denials(principal, deny, index))
        for symbol in dict.fromkeys(symbol for each in found for symbol in opaques(each.box.condition)):
            reason = f"the deny assignment `{deny.name}` may take access away: {symbol.reason}"
            yield Unsupported(reason, deny.source, NAME, principal)


def told(principal: str, estate: Estate) -> tuple[Denial, ...]:
    """Return what is denied to a principal by deny assignments that are understood in full, for translation."""
    index = index_of(estate)
    return tuple(
        Denial(
            f"the deny assignment `{deny.name}`",
            Holding(
                principal,
                # An operation whose plane is not known is granted in one of the two, and denied there.
                each.box.actions & prefix(f"{each.plane}:"),
                each.scope,
                each.box.condition,
                each.box.source,
                condition_text=deny.condition,
            ),
        )
        for deny in estate.of(DenyAssignment, NAME)
        if _clear(principal, deny, index)
        for each in _denials(principal, deny, index)
        if isinstance(each.scope, str)
    )


def _clear(principal: str, deny: DenyAssignment, index: Index) -> bool:
    """Tell whether it is known whom a deny assignment is about, where, when and what it denies."""
    parts = list(_denials(principal, deny, index))
    reaching = deny.inherited and deny.scope is not UNKNOWN
    return reaching and not any(opaques(each.box.condition) for each in parts)


def taken(principal: str, estate: Estate, index: Index) -> Iterator[str]:
    """Yield in words what takes, or may take, something from a principal, and is none of what is told."""
    for deny in estate.of(DenyAssignment, NAME):
        if hits(principal, deny, index) != NEVER and not _clear(principal, deny, index):
            yield f"the deny assignment `{deny.name}` takes access away on `{deny.scope}`"
    for problem in problems(estate):
        if is_deny(problem):
            yield f"{problem.reason} on `{problem.subject}`"


def hits(principal: str, deny: DenyAssignment, index: Index) -> Condition:
    """Return on what it depends that a deny assignment is about a principal."""
    return all_of(_among(principal, deny.members, index), negate(_among(principal, deny.excluded, index)))


def _among(principal: str, listed: Iterable[str], index: Index) -> Condition:
    sure = {principal, EVERYONE, *index.memberships(principal)}
    return any_of(*(ALWAYS if name in sure else _perhaps(principal, name, index) for name in listed))


def _perhaps(principal: str, name: str, index: Index) -> Condition:
    """Return whether a principal is in what may be a group whose members are not all known."""
    if index.kind(name) in {PrincipalKind.GROUP, PrincipalKind.UNKNOWN} and index.may_be_in(principal, name):
        return Opaque(f"`{principal}` is a member of `{name}`", "the members of the group are not all known")
    return NEVER


def overlap(denied: str, held: str, estate: Estate) -> Overlap:
    """Return what the scope of a deny assignment has in common with that of an assignment."""
    if under(denied).matches(held):
        return Overlap.WHOLE
    if under(held).matches(denied):
        return Overlap.PART
    if level(denied) != "management-group":
        return Overlap.NOTHING
    known = (placed for name, placed in below(index_of(estate), denied).items() if under(name).matches(held))
    placed = next(known, None)
    if placed is None:
        return Overlap.UNKNOWN
    return Overlap.WHOLE if placed else Overlap.NOTHING


def place(use: RoleUse, names: Names) -> PlacedDenial:  # noqa: ARG001 - the protocol's signature
    """Raise `UsageError`: what others deny cannot be written as a deny assignment.

    They are made by Azure, for managed applications and deployment stacks; those of users are a preview that takes
    neither reading nor data actions. `notActions` is no deny: it is left out of one role, and another may grant it.
    https://learn.microsoft.com/azure/role-based-access-control/deny-assignments
    """
    advice = "`notActions` of a role are no deny: another role may grant them"
    raise UsageError(f"users cannot create deny assignments on `{use.scope.native}`", advice=advice)
