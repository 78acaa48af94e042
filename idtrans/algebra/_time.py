"""Sets of instants: what date conditions compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Final

from idtrans.algebra._number import parse_number, spell_number
from idtrans.algebra._ordered import OrderedSet
from idtrans.algebra._sets import Kind

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MILLION: Final = 1_000_000

_SHORT_DATE: Final = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?")
_ISO: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt ][0-9:.,]+(?:[Zz]|[+-][0-9:]+)?)?")
_EPOCH_SECONDS: Final = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,9})?")


@dataclass(frozen=True, slots=True)
class TimeSet(OrderedSet):
    """A set of instants.

    An instant is spelled in ISO 8601 or as seconds since 1970. A time without offset is UTC, a date is its first
    instant, and four digits are a year, as in the profile of ISO 8601 that AWS cites (https://www.w3.org/TR/NOTE-datetime).
    """

    @property
    def kind(self) -> Kind:
        """Times."""
        return Kind.TIME

    @classmethod
    def _parse(cls, text: str) -> Decimal | None:
        return parse_instant(text)

    @classmethod
    def _spell(cls, point: Decimal) -> str:
        return spell_instant(point)

    @classmethod
    def _noun(cls) -> str:
        return "time"

    @classmethod
    def _comparisons(cls) -> tuple[str, str, str, str]:
        return "after", "from", "before", "up to"

    @classmethod
    def _default(cls) -> Decimal:
        return Decimal(1_767_225_600)


@lru_cache(maxsize=4096)
def parse_instant(text: str) -> Decimal | None:
    """Read an instant as seconds since 1970, `None` for any other text."""
    short = _SHORT_DATE.fullmatch(text)
    if short:
        text = f"{short[1]}-{short[2] or '01'}-01"
    elif _EPOCH_SECONDS.fullmatch(text):
        return parse_number(text)
    if not _ISO.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    return seconds_of(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def seconds_of(moment: datetime) -> Decimal:
    """Return an aware datetime as seconds since 1970, exact to the microsecond."""
    return Decimal((moment - _EPOCH) // _MICROSECOND) / _MILLION


def spell_instant(point: Decimal) -> str:
    """Write an instant in ISO 8601, or as seconds since 1970 when a datetime cannot hold it."""
    micros = point * _MILLION
    if micros != micros.to_integral_value():
        return spell_number(point)
    try:
        moment = _EPOCH + int(micros) * _MICROSECOND
    except OverflowError:
        return spell_number(point)
    return moment.isoformat().replace("+00:00", "Z")
