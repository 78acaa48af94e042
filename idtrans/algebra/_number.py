"""Sets of numbers: what numeric conditions compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from idtrans.algebra._ordered import OrderedSet
from idtrans.algebra._sets import Kind

_LONGEST: Final = 100
"""Longest spelling that is read as a number; more digits mean nothing to any cloud."""

_SPELLING: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class NumberSet(OrderedSet):
    """A set of decimal numbers. `1`, `1.0` and `1e0` are the same number; there is no infinity and no NaN."""

    @property
    def kind(self) -> Kind:
        """Numbers."""
        return Kind.NUMBER

    @classmethod
    def _parse(cls, text: str) -> Decimal | None:
        return parse_number(text)

    @classmethod
    def _spell(cls, point: Decimal) -> str:
        return spell_number(point)

    @classmethod
    def _noun(cls) -> str:
        return "number"

    @classmethod
    def _comparisons(cls) -> tuple[str, str, str, str]:
        return "above", "at least", "below", "at most"

    @classmethod
    def _default(cls) -> Decimal:
        return Decimal(0)


def parse_number(text: str) -> Decimal | None:
    """Read a decimal number, `None` for any other text."""
    return Decimal(text) if len(text) <= _LONGEST and _SPELLING.fullmatch(text) else None


def spell_number(point: Decimal) -> str:
    """Write a number without exponent and without needless zeros."""
    text = format(point, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in {"-0", ""} else text
