"""What a search may assume about requests, how long it may take, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from idtrans.algebra._access import Box
    from idtrans.algebra._condition import Has, Opaque, Test
    from idtrans.algebra._text import Language
    from idtrans.model.decisions import Request


@dataclass(frozen=True, slots=True)
class Budget:
    """How far a search goes for one statement before it answers UNKNOWN, "too large"."""

    steps: int = 4_000
    """Literals that are tried, and large formulas that are gone through."""
    seconds: float = 10.0
    """Processor time, far beyond what the steps take: steps end a search at the same place on any machine."""


DEFAULT_BUDGET: Final = Budget()
"""Enough for every statement of the vendors' own managed policies."""


@dataclass(frozen=True, slots=True)
class Domain:
    """What a cloud knows about its requests. The default assumes nothing."""

    multivalued: frozenset[str] | None = None
    """Keys that may have many values; `None` takes those that are compared with ANY or ALL."""
    single: Callable[[str], bool] | None = None
    """Tells of a key that is compared with ANY or ALL whether it never has many values after all."""
    required: frozenset[str] = frozenset()
    """Keys that every request has."""
    derived: frozenset[str] = frozenset()
    """Keys whose values follow from the principal; `derive` gives them."""
    derive: Callable[[str], Mapping[str, tuple[str, ...]]] | None = None
    """Values of the derived keys for a principal id; a key that it leaves out is absent."""
    inverse: Callable[[Test | Has], Language | None] | None = None
    """Principals for which a test of a derived key holds, what it yields for an absent key included.

    `None` when they cannot be said as a set of texts.
    """
    actions: tuple[str, ...] = ()
    """Known actions in the spelling of requests, sorted by lower case. A witness takes one of them where it can."""
    resource_hint: Callable[[str], Language | None] | None = None
    """Resources that an action can be about. A witness respects it where it can; verdicts do not depend on it."""
    plain: Callable[[str, Request], Iterable[str]] | None = None
    """Values that people would rather read than the one that a request has for a key, best first.

    A witness takes one of them where it shows the same.
    """
    assumed: Callable[[Opaque], bool] | None = None
    """Tells of a free symbol whether it is to be taken to hold on both sides, because it is not what is asked about."""


class Status(StrEnum):
    """Whether one expression grants what another does not."""

    EMPTY = "empty"
    """It surely does not."""
    WITNESS = "witness"
    """It does: there is a request that shows it."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Unsure:
    """A statement for which a search came to no answer."""

    box: Box | None
    """`None` when the access is not granted by any statement."""
    reason: str
    """One lower-case sentence."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The answer to "does NEW grant anything that OLD does not"."""

    status: Status
    witness: Request | None = None
    """A request that NEW grants and OLD does not, with all that matters given and all else absent."""
    box: Box | None = None
    """The statement of NEW that grants the witness, or that the answer is about."""
    unsure: tuple[Unsure, ...] = ()
    """What could not be decided. A witness may stand beside it, `EMPTY` never does."""
