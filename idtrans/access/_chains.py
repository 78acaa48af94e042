"""Through whom else: who can become one of the principals that may, link by link.

Looked for backwards from the principals that may, the surest and then the shortest chain first, so that every
identity is visited once, and what thousands of chains share is walked once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Final, TypeAlias

from idtrans.model.decisions import Chain, Hop, HopKind, Outcome

if TYPE_CHECKING:
    from idtrans.access._ways import Ways
    from idtrans.model.decisions import WhoCan

MOST_WALKED: Final = 200
"""How many identities are looked behind for one question."""
_Place: TypeAlias = tuple[str, str]
_RANKS: Final = {Outcome.ALLOW: 0, Outcome.CONDITIONAL: 1, Outcome.UNKNOWN: 2}
_OUTCOMES: Final = {rank: outcome for outcome, rank in _RANKS.items()}


@dataclass(slots=True)
class Chained:
    """The chains that were found."""

    chains: tuple[Chain, ...]
    """One for each identity that can become a principal that may and is none itself: the surest, then the shortest.

    An issuer has one for each identity that its tokens become: each admits other tokens.
    """
    not_walked: int
    """How many identities were not looked behind, for there were too many."""


def chains(answer: WhoCan, ways: Ways) -> Chained:
    """Return how others can become the principals that may."""
    search = _Search(ways, frozenset(decision.request.principal for decision in answer.allowed))
    for decision in answer.allowed:
        search.add((decision.request.principal, ""), _RANKS[decision.outcome], ())
    search.run()
    return Chained(tuple(sorted(search.found, key=lambda chain: (chain.principal, chain.hops[0].target))), search.left)


@dataclass(slots=True)
class _Search:
    """What waits to be looked behind, the surest and nearest first."""

    ways: Ways
    direct: frozenset[str]
    queue: list[tuple[int, int, int, _Place, tuple[Hop, ...]]] = field(default_factory=list)
    done: set[_Place] = field(default_factory=set)
    found: list[Chain] = field(default_factory=list)
    left: int = 0
    order: Iterator[int] = field(default_factory=count)

    def add(self, place: _Place, rank: int, hops: tuple[Hop, ...]) -> None:
        if place not in self.done:
            heappush(self.queue, (rank, len(hops), next(self.order), place, hops))

    def run(self) -> None:
        while self.queue:
            rank, _, _, place, hops = heappop(self.queue)
            if place in self.done:
                continue
            self.done.add(place)
            if place[0] not in self.direct:
                self.found.append(Chain(place[0], _OUTCOMES[rank], hops))
            if len(self.done) > MOST_WALKED:
                self.left += 1
                continue
            for hop in self.ways.into(place[0]):
                self.add(_place(hop), max(rank, _RANKS[hop.outcome]), (hop, *hops))


def _place(hop: Hop) -> _Place:
    """Return where a link starts: an issuer is another one for each identity, for each admits other tokens."""
    return (hop.party, hop.target if hop.kind is HopKind.FEDERATES else "")
