"""Paths: the chains that lead from one place to another, the surest and then the shortest first.

Looked for backwards from where they end. A place is looked behind once for each chain that is wanted through it, so
that the several shortest chains are found and a circle of identities ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Final

from idtrans.model.decisions import Chain, Hop, Outcome, Paths

if TYPE_CHECKING:
    from idtrans.access._ways import Ways

MOST_PLACES: Final = 5_000
"""How many places are looked behind for one question."""
MOST_HOPS: Final = 12
"""Links of the longest chain."""
_RANKS: Final = {Outcome.ALLOW: 0, Outcome.CONDITIONAL: 1, Outcome.UNKNOWN: 2}
_OUTCOMES: Final = {rank: outcome for outcome, rank in _RANKS.items()}


@dataclass(frozen=True, slots=True)
class Asked:
    """Between which places chains are looked for."""

    start: str
    """Where they begin, in the words of the question."""
    begins: Callable[[Hop], bool]
    """Whether a link starts there."""
    end: str
    ends: Iterable[str]
    """The identities, and the places that roles are held on, where they end."""
    most: int
    """How many are wanted."""


def paths(asked: Asked, ways: Ways) -> Paths:
    """Return the chains between two places."""
    search = _Search(asked, ways)
    for place in sorted(asked.ends):
        search.reach(place)
    search.run()
    return Paths(asked.start, asked.end, tuple(search.found), search.left)


@dataclass(slots=True)
class _Search:
    """What waits to be looked behind, the surest and nearest first."""

    asked: Asked
    ways: Ways
    queue: list[tuple[int, int, int, tuple[Hop, ...]]] = field(default_factory=list)
    visits: Counter[str] = field(default_factory=Counter)
    found: list[Chain] = field(default_factory=list)
    left: int = 0
    order: Iterator[int] = field(default_factory=count)

    def reach(self, place: str) -> None:
        """Begin at an end."""
        for hop in _surest((*self.ways.into(place), *self.ways.holders(place))):
            self._add(0, (hop,))

    def run(self) -> None:
        """Walk until enough was found or nothing is left."""
        while self.queue and len(self.found) < self.asked.most:
            rank, _, _, hops = heappop(self.queue)
            first = hops[0]
            if self.asked.begins(first):
                self.found.append(Chain(first.party, _OUTCOMES[rank], hops))
            if self.visits[first.party] >= self.asked.most:
                continue
            if self.visits.total() >= MOST_PLACES or len(hops) >= MOST_HOPS:
                self.left += 1
                continue
            self.visits[first.party] += 1
            met = {first.party, *(hop.target for hop in hops)}
            for hop in _surest(self.ways.into(first.party)):
                if hop.party not in met:
                    self._add(rank, (hop, *hops))

    def _add(self, rank: int, hops: tuple[Hop, ...]) -> None:
        after = max(rank, _RANKS[hops[0].outcome])
        heappush(self.queue, (after, len(hops), next(self.order), hops))


def _surest(hops: Iterable[Hop]) -> Iterable[Hop]:
    """Return one link for each party: several ways to take the same step are not several chains."""
    found: dict[str, Hop] = {}
    for hop in hops:
        known = found.get(hop.party)
        if known is None or _RANKS[hop.outcome] < _RANKS[known.outcome]:
            found[hop.party] = hop
    return found.values()
