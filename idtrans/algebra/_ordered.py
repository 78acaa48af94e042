"""What number sets and time sets share: comparisons with a point, and their Boolean combinations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import TYPE_CHECKING, Final

from idtrans.algebra._intervals import EMPTY, FULL, Cut, Line, Side, from_cut, union_of
from idtrans.algebra._text_words import enumerate_words
from idtrans.model.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_EXACT: Final = Context(prec=400)
"""Precision at which no point of `_number` or `_time` is rounded when two are added or halved."""


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a range of values."""

    text: str
    """The value, as text."""
    inside: bool
    """Whether the value itself is in the range."""


Range = tuple[Bound | None, Bound | None]
"""A range between two ends; `None` is no bound."""


@dataclass(frozen=True, slots=True)
class OrderedSet(ABC):
    """A set of points on a line. The subclasses say how points are spelled."""

    line: Line

    @classmethod
    def everything(cls) -> Self:
        """Return the set of all values of the kind."""
        return cls(FULL)

    @classmethod
    def nothing(cls) -> Self:
        """Return the empty set."""
        return cls(EMPTY)

    @classmethod
    def one_of(cls, texts: Iterable[str]) -> Self:
        """Return the set of some values; raise `DataError` for text that is not of the kind."""
        points = map(cls._point, texts)
        return cls(union_of((Cut(point, Side.BEFORE), Cut(point, Side.AFTER)) for point in points))

    @classmethod
    def equal(cls, text: str) -> Self:
        """Return the set of one value; raise `DataError` for text that is not of the kind."""
        return cls.one_of((text,))

    @classmethod
    def at_least(cls, text: str) -> Self:
        """Return this value and those above; raise `DataError` for text that is not of the kind."""
        return cls(from_cut(Cut(cls._point(text), Side.BEFORE)))

    @classmethod
    def above(cls, text: str) -> Self:
        """Return the values above this one; raise `DataError` for text that is not of the kind."""
        return cls(from_cut(Cut(cls._point(text), Side.AFTER)))

    @classmethod
    def below(cls, text: str) -> Self:
        """Return the values below this one; raise `DataError` for text that is not of the kind."""
        return ~cls.at_least(text)

    @classmethod
    def at_most(cls, text: str) -> Self:
        """Return this value and those below; raise `DataError` for text that is not of the kind."""
        return ~cls.above(text)

    def matches(self, text: str) -> bool:
        """Tell whether the value is a member; text that is not of the kind never is."""
        point = self._parse(text)
        return point is not None and self.line.holds(point)

    def is_empty(self) -> bool:
        """Tell whether there is no member."""
        return self.line == EMPTY

    def witness(self) -> str | None:
        """Return a member, a round one if possible; `None` when there is none."""
        for low, high in self.line.spans():
            return self._spell(_inner_point(self.line, low, high, self._default()))
        return None

    def ranges(self) -> tuple[Range, ...]:
        """Return the ranges that the set is made of, from low to high."""
        return tuple(
            (
                Bound(self._spell(low.point), low.side is Side.BEFORE) if low else None,
                Bound(self._spell(high.point), high.side is Side.AFTER) if high else None,
            )
            for low, high in self.line.spans()
        )

    def describe(self) -> str:
        """Say what the set holds."""
        if self.line == FULL:
            return f"any {self._noun()}"
        if self.line == EMPTY:
            return "nothing"
        if self.line.from_below and _is_points(~self.line):
            words = (~self).describe()
            return f"not ({words})" if " " in words else f"not {words}"
        return enumerate_words([self._span_words(low, high) for low, high in self.line.spans()], "or")

    def __and__(self, other: Self) -> Self:
        """Return the values in both sets."""
        return type(self)(self.line & other.line)

    def __or__(self, other: Self) -> Self:
        """Return the values in either set."""
        return type(self)(self.line | other.line)

    def __sub__(self, other: Self) -> Self:
        """Return the values in this set and not in the other."""
        return type(self)(self.line & ~other.line)

    def __invert__(self) -> Self:
        """Return the other values of the kind."""
        return type(self)(~self.line)

    def __str__(self) -> str:
        """Render like `describe`."""
        return self.describe()

    @classmethod
    def _point(cls, text: str) -> Decimal:
        point = cls._parse(text)
        if point is None:
            message = f"`{text}` is not a {cls._noun()}"
            raise DataError(message)
        return point

    def _span_words(self, low: Cut | None, high: Cut | None) -> str:
        above, from_, below, up_to = self._comparisons()
        if low and high and low.point == high.point:
            return f"`{self._spell(low.point)}`"
        words: list[str] = []
        if low:
            words.append(f"{from_ if low.side is Side.BEFORE else above} `{self._spell(low.point)}`")
        if high:
            words.append(f"{below if high.side is Side.BEFORE else up_to} `{self._spell(high.point)}`")
        return " and ".join(words)

    @classmethod
    @abstractmethod
    def _parse(cls, text: str) -> Decimal | None:
        """Return the point that a text spells, `None` when it is not of the kind."""

    @classmethod
    @abstractmethod
    def _spell(cls, point: Decimal) -> str:
        """Return the text of a point; `_parse` reads it back to the same point."""

    @classmethod
    @abstractmethod
    def _noun(cls) -> str:
        """Return the name of one value, after `a`."""

    @classmethod
    @abstractmethod
    def _comparisons(cls) -> tuple[str, str, str, str]:
        """Return the words for above, at least, below and at most."""

    @classmethod
    @abstractmethod
    def _default(cls) -> Decimal:
        """Return a value that reads well where any would do."""


def _is_points(line: Line) -> bool:
    return all(low and high and low.point == high.point for low, high in line.spans())


def _inner_point(line: Line, low: Cut | None, high: Cut | None, default: Decimal) -> Decimal:
    """Return a point of a span: the default, an end, the next whole number, or the middle."""
    points = [default]
    if low:
        points += (low.point, _EXACT.add(low.point.to_integral_value(rounding="ROUND_FLOOR"), Decimal(1)))
    if high:
        points += (high.point, _EXACT.subtract(high.point.to_integral_value(rounding="ROUND_CEILING"), Decimal(1)))
    if low and high:
        points.append(_EXACT.divide(_EXACT.add(low.point, high.point), Decimal(2)))
    return next(filter(line.holds, points))
