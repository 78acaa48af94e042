"""What changed between two estates, in access and not in text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from idtrans.model.spans import NOWHERE

if TYPE_CHECKING:
    from idtrans.model.decisions import Request
    from idtrans.model.findings import NotEvaluated
    from idtrans.model.spans import Source


class DiffVerdict(StrEnum):
    """The answer to "does NEW grant anything that OLD does not"."""

    NO_NEW_ACCESS = "no-new-access"
    NEW_ACCESS = "new-access"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Change:
    """One statement that grants what the other side does not, with a request that shows it."""

    cloud: str
    witness: Request
    """A request in the vendor's words that one side allows and the other does not."""
    statement: str
    source: Source = NOWHERE
    also: tuple[str, ...] = ()
    """Further principals that the same statement gives new access."""


@dataclass(frozen=True, slots=True)
class DiffReport:
    """Everything a comparison has to say."""

    verdict: DiffVerdict
    new: tuple[Change, ...] = ()
    removed: tuple[Change, ...] = ()
    not_evaluated: tuple[NotEvaluated, ...] = ()
