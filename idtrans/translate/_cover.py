"""The cheapest set of roles that covers what is needed, by branch and bound over bit masks.

Costs are compared plane by plane, the most dangerous first, and by the number of roles last: no amount of harmless
permissions outweighs a single dangerous one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from idtrans.model.values import UNKNOWN, Plane, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

NODE_LIMIT: Final = 2000
"""Nodes of the search; past it the best set found so far is the answer."""

_TIERS: Final[Mapping[Plane, int]] = {
    Plane.ADMIN: 0,
    Plane.SECRET: 0,
    Plane.EXECUTE: 1,
    Plane.CRYPTO: 2,
    Plane.DATA: 2,
    Plane.CONFIG: 3,
    Plane.METADATA: 4,
}
_TIER_COUNT: Final = 5
_UNKNOWN_TIER: Final = 2
"""What is not known may be data."""

Cost = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bearer:
    """A role, what it covers of what is needed, and what else it gives."""

    role: str
    covers: frozenset[str]
    excess: Mapping[str, Plane | Unknown]
    """Other permissions that it gives, with their planes."""


def cost(bearers: Iterable[Bearer]) -> Cost:
    """Return what a set of roles costs: excess permissions by tier, then the number of roles."""
    chosen = tuple(bearers)
    excess = {name: plane for bearer in chosen for name, plane in bearer.excess.items()}
    tiers = Counter(_UNKNOWN_TIER if plane is UNKNOWN else _TIERS[plane] for plane in excess.values())
    return (*(tiers[tier] for tier in range(_TIER_COUNT)), len(chosen))


def cover(needed: frozenset[str], bearers: Sequence[Bearer]) -> tuple[Bearer, ...]:
    """Return the cheapest roles that cover all that is needed and that some role covers, in the order given."""
    useful = _undominated([bearer for bearer in bearers if bearer.covers & needed], needed)
    search = _Search(tuple(useful), needed & frozenset().union(*(bearer.covers for bearer in useful)))
    search.run(search.needed, ())
    return tuple(bearer for bearer in useful if bearer in search.best)


def _undominated(bearers: Sequence[Bearer], needed: frozenset[str]) -> list[Bearer]:
    """Drop every role for which another covers as much and gives no more; of equals the first stays."""
    kept: list[Bearer] = []
    for number, bearer in enumerate(bearers):
        rivals = (other for place, other in enumerate(bearers) if _beats(other, bearer, needed, first=place < number))
        if next(rivals, None) is None:
            kept.append(bearer)
    return kept


def _beats(one: Bearer, other: Bearer, needed: frozenset[str], *, first: bool) -> bool:
    if (
        one is other
        or not one.covers & needed >= other.covers & needed
        or not one.excess.items() <= other.excess.items()
    ):
        return False
    return first or one.covers & needed != other.covers & needed or one.excess != other.excess


@dataclass(slots=True)
class _Search:
    bearers: tuple[Bearer, ...]
    needed: frozenset[str]
    best: tuple[Bearer, ...] = ()
    nodes: int = 0

    def run(self, left: frozenset[str], chosen: tuple[Bearer, ...]) -> None:
        self.nodes += 1
        if self.best and cost(chosen) >= cost(self.best):
            return
        if not left:
            self.best = chosen
            return
        if self.nodes > NODE_LIMIT and self.best:
            return
        # The permission with the fewest bearers leaves the fewest branches.
        hardest = min(sorted(left), key=lambda name: sum(name in bearer.covers for bearer in self.bearers))
        options = [bearer for bearer in self.bearers if hardest in bearer.covers]
        for bearer in sorted(options, key=lambda each: (cost((*chosen, each)), -len(each.covers & left))):
            self.run(left - bearer.covers, (*chosen, bearer))
