"""Sets of points on a line, given by the cuts at which one walks in or out."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import IntEnum
from operator import and_, or_
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from decimal import Decimal


class Side(IntEnum):
    """On which side of a point a cut is."""

    BEFORE = 0
    AFTER = 1


class Cut(NamedTuple):
    """A place between points: just before or just after one."""

    point: Decimal
    side: Side


Span = tuple[Cut | None, Cut | None]
"""A stretch without gaps between two cuts; `None` is no bound."""


@dataclass(frozen=True, slots=True)
class Line:
    """A set of points. Equal sets are equal objects."""

    cuts: tuple[Cut, ...]
    """Ascending; at each, membership changes."""
    from_below: bool
    """Whether the points below all cuts are members."""

    def holds(self, point: Decimal) -> bool:
        """Tell whether a point is a member."""
        passed = bisect_right(self.cuts, Cut(point, Side.BEFORE))
        return self.from_below ^ bool(passed % 2)

    def spans(self) -> Iterator[Span]:
        """Yield the stretches from low to high."""
        bounds: list[Cut | None] = [*self.cuts]
        if self.from_below:
            bounds.insert(0, None)
        if len(bounds) % 2:
            bounds.append(None)
        yield from zip(bounds[::2], bounds[1::2], strict=True)

    def __and__(self, other: Line) -> Line:
        """Return the points in both sets."""
        return _merge(self, other, and_)

    def __or__(self, other: Line) -> Line:
        """Return the points in either set."""
        return _merge(self, other, or_)

    def __invert__(self) -> Line:
        """Return all other points."""
        return Line(self.cuts, not self.from_below)


FULL: Final = Line((), from_below=True)
"""All points."""

EMPTY: Final = Line((), from_below=False)
"""No point."""


def from_cut(cut: Cut) -> Line:
    """Return the points above a cut."""
    return Line((cut,), from_below=False)


def union_of(spans: Iterable[tuple[Cut, Cut]]) -> Line:
    """Return the points in at least one span, each given by its lower and its upper cut."""
    cuts: list[Cut] = []
    for low, high in sorted(spans):
        if cuts and low <= cuts[-1]:
            cuts[-1] = max(cuts[-1], high)
        else:
            cuts += (low, high)
    return Line(tuple(cuts), from_below=False)


def _merge(one: Line, two: Line, rule: Callable[[bool, bool], bool]) -> Line:
    inside_one, inside_two = one.from_below, two.from_below
    first = inside = rule(inside_one, inside_two)
    ours, theirs = frozenset(one.cuts), frozenset(two.cuts)
    cuts: list[Cut] = []
    for cut in sorted(ours | theirs):
        inside_one ^= cut in ours
        inside_two ^= cut in theirs
        if rule(inside_one, inside_two) is not inside:
            inside = not inside
            cuts.append(cut)
    return Line(tuple(cuts), from_below=first)
