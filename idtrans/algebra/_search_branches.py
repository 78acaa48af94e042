"""Access expressions taken apart: one expression for each statement that grants something."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from idtrans.algebra._access import EVERYTHING, Access, AllOf, AnyOf, Box, Except, Gate

if TYPE_CHECKING:
    from collections.abc import Sequence

Limit = tuple[str, Hashable]
"""What stands around a statement: a gate that it must pass, or something that is taken away from it."""

_UNLIMITED: Final[frozenset[Limit]] = frozenset()


@dataclass(frozen=True, slots=True)
class Grant:
    """What one statement grants, with all limits around it."""

    box: Box | None
    """`None` for access that no statement grants, such as EVERYTHING."""
    access: Access
    limits: frozenset[Limit] = _UNLIMITED
    """Shared by grants that have the same."""


def grants(access: Access) -> list[Grant]:
    """Return expressions, each granted by one statement, that together hold what the expression holds.

    Of several gates the first that consists of statements is taken apart.
    """
    match access:
        case Box():
            return [Grant(access, access)]
        case Gate(part=part):
            return grants(part)
        case AnyOf(parts):
            return [grant for part in parts for grant in grants(part)]
        case Except(base, minus):
            taken = frozenset(("minus", content(part)) for part in _alternatives(minus))
            return [
                Grant(one.box, Except(one.access, minus), limits) for one, limits in _with_limits(grants(base), taken)
            ]
        case AllOf(parts):
            return _gated(parts)


def content(access: Access) -> Hashable:
    """Return what an expression holds, without names and places: equal contents hold the same requests."""
    return _content(access, content)


def _content(access: Access, of_part: Callable[[Access], Hashable]) -> Hashable:
    """Return what an expression holds, its parts as `of_part` says them."""
    match access:
        case Box():
            return (access.principals, access.actions, access.resources, access.condition)
        case Gate(part=part):
            return of_part(part)
        case AnyOf(parts):
            return ("any", frozenset(map(of_part, parts)))
        case AllOf(parts):
            return ("all", frozenset(map(of_part, parts)))
        case Except(base, minus):
            return ("except", of_part(base), of_part(minus))


class Contents:
    """Numbers expressions by what they hold, names, places and order aside: equal contents have equal numbers.

    Parts that many expressions share are looked at once.
    """

    def __init__(self) -> None:
        """Start without any expression."""
        self._numbers: dict[Hashable, int] = {}
        self._seen: dict[int, tuple[Access, int]] = {}

    def number(self, access: Access) -> int:
        """Return the number of an expression."""
        if isinstance(access, Gate):
            return self.number(access.part)
        found = self._seen.get(id(access))
        if found is None:
            number = self._numbers.setdefault(_content(access, self.number), len(self._numbers))
            # The expression is kept, so that no other one can have its place in memory.
            found = self._seen[id(access)] = (access, number)
        return found[1]


def _gated(parts: Sequence[Access]) -> list[Grant]:
    for place, part in enumerate(parts):
        opened = grants(part)
        if all(one.box is not None for one in opened):
            others = (*parts[:place], *parts[place + 1 :])
            limits = frozenset(("gate", content(other)) for other in others)
            return [
                Grant(one.box, AllOf((one.access, *others)), all_limits)
                for one, all_limits in _with_limits(opened, limits)
            ]
    return [Grant(None, AllOf(tuple(parts)) if parts else EVERYTHING)]


def _with_limits(several: list[Grant], more: frozenset[Limit]) -> Iterator[tuple[Grant, frozenset[Limit]]]:
    """Yield grants with all their limits: those that had the same before share one set afterwards."""
    joined: dict[int, frozenset[Limit]] = {}
    for one in several:
        limits = joined.get(id(one.limits))
        if limits is None:
            limits = joined[id(one.limits)] = one.limits | more if one.limits else more
        yield one, limits


def _alternatives(access: Access) -> Iterator[Access]:
    """Yield the parts of a union, nested ones too."""
    if isinstance(access, Gate):
        yield from _alternatives(access.part)
    elif isinstance(access, AnyOf):
        for part in access.parts:
            yield from _alternatives(part)
    else:
        yield access
