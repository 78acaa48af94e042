"""The cheapest set of roles that covers what is needed, by branch and bound over bit masks.

Costs are compared plane by plane, the most dangerous first, and by the number of roles last: no amount of harmless
permissions outweighs a single dangerous one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from idtrans.model.values import UNKNOWN, Plane, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

NODE_LIMIT: Final = 2000
"""Nodes of the search; past it the best set found so far is the answer, and the answer says so."""

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


@dataclass(frozen=True, slots=True)
class Cover:
    """A set of roles, and how much was searched for it."""

    bearers: tuple[Bearer, ...] = ()
    nodes: int = 0
    complete: bool = True
    """Whether no set is cheaper for sure; False where the search ended at `NODE_LIMIT`."""


def cost(bearers: Iterable[Bearer]) -> Cost:
    """Return what a set of roles costs: excess permissions by tier, then the number of roles."""
    chosen = tuple(bearers)
    excess = {name: plane for bearer in chosen for name, plane in bearer.excess.items()}
    tiers = Counter(_UNKNOWN_TIER if plane is UNKNOWN else _TIERS[plane] for plane in excess.values())
    return (*(tiers[tier] for tier in range(_TIER_COUNT)), len(chosen))


def cover(needed: frozenset[str], bearers: Sequence[Bearer]) -> Cover:
    """Return the cheapest roles that cover all that is needed and that some role covers, in the order given."""
    useful = [bearer for bearer in bearers if bearer.covers & needed]
    asked = sorted(needed & frozenset().union(*(bearer.covers for bearer in useful)))
    search = _Search(_undominated(_masked(asked, useful)), len(asked))
    search.run((1 << len(asked)) - 1, _Chosen())
    chosen = tuple(useful[each.place] for each in search.options if search.best.roles >> each.place & 1)
    return Cover(chosen, search.nodes, search.complete)


@dataclass(frozen=True, slots=True)
class _Option:
    """A bearer as bit masks: over what is needed, and over the excess of all bearers by tier."""

    place: int
    covers: int
    excess: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Roles as a bit mask over their places, and their excess by tier."""

    roles: int = 0
    excess: tuple[int, ...] = (0,) * _TIER_COUNT

    @property
    def cost(self) -> Cost:
        return (*map(int.bit_count, self.excess), self.roles.bit_count())

    def with_(self, option: _Option) -> _Chosen:
        excess = tuple(one | other for one, other in zip(self.excess, option.excess, strict=True))
        return _Chosen(self.roles | 1 << option.place, excess)


def _masked(asked: Sequence[str], bearers: Sequence[Bearer]) -> list[_Option]:
    bits = {name: 1 << number for number, name in enumerate(asked)}
    extra = {name: 1 << number for number, name in enumerate({name: None for each in bearers for name in each.excess})}
    return [
        _Option(place, sum(bits[name] for name in bearer.covers if name in bits), _tiers(bearer, extra))
        for place, bearer in enumerate(bearers)
    ]


def _tiers(bearer: Bearer, bits: Mapping[str, int]) -> tuple[int, ...]:
    masks = [0] * _TIER_COUNT
    for name, plane in bearer.excess.items():
        masks[_UNKNOWN_TIER if plane is UNKNOWN else _TIERS[plane]] |= bits[name]
    return tuple(masks)


def _undominated(options: Sequence[_Option]) -> tuple[_Option, ...]:
    """Drop every option for which another covers as much and gives no more; of equals the first stays."""
    kept: list[_Option] = []
    for option in options:
        if not any(_beats(other, option) for other in kept):
            kept = [other for other in kept if not _beats(option, other)]
            kept.append(option)
    return tuple(kept)


def _beats(one: _Option, other: _Option) -> bool:
    return not other.covers & ~one.covers and not any(
        mine & ~theirs for mine, theirs in zip(one.excess, other.excess, strict=True)
    )


@dataclass(slots=True)
class _Search:
    options: tuple[_Option, ...]
    width: int
    best: _Chosen = field(default_factory=_Chosen)
    nodes: int = 0
    complete: bool = True
    bearing: list[tuple[int, list[_Option]]] = field(init=False)
    """What is needed, bit by bit, with the options that cover it; what has the fewest leaves the fewest branches."""

    def __post_init__(self) -> None:
        bits = [1 << number for number in range(self.width)]
        held = [(bit, [option for option in self.options if option.covers & bit]) for bit in bits]
        self.bearing = sorted(held, key=lambda entry: len(entry[1]))

    def run(self, left: int, chosen: _Chosen) -> None:
        self.nodes += 1
        if self.best.roles and chosen.cost >= self.best.cost:
            return
        if not left:
            self.best = chosen
            return
        if self.nodes > NODE_LIMIT and self.best.roles:
            self.complete = False
            return
        options = next(options for bit, options in self.bearing if bit & left)
        further = sorted(
            ((chosen.with_(option), option) for option in options),
            key=lambda pair: (pair[0].cost, -(pair[1].covers & left).bit_count()),
        )
        for more, option in further:
            self.run(left & ~option.covers, more)
