"""Three-valued truth after Kleene: what is not known stays unknown until it no longer matters."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Truth(Enum):
    """An answer to "does it hold?". It refuses to be read as a `bool`, so that UNKNOWN is never lost."""

    FALSE = 0
    UNKNOWN = 1
    TRUE = 2

    __hash__ = object.__hash__

    @classmethod
    def of(cls, value: object) -> Truth:
        """Return TRUE for a truthy value and FALSE for a falsy one."""
        return cls.TRUE if value else cls.FALSE

    def __and__(self, other: Truth) -> Truth:
        """Return the weaker of both."""
        return self if self.value <= other.value else other

    def __or__(self, other: Truth) -> Truth:
        """Return the stronger of both."""
        return self if self.value >= other.value else other

    def __invert__(self) -> Truth:
        """Swap TRUE and FALSE; UNKNOWN stays."""
        return _OPPOSITES[self]

    def __bool__(self) -> bool:
        """Refuse to be read as yes or no."""
        message = "a Truth has three values; compare with `is Truth.TRUE`"
        raise TypeError(message)


_OPPOSITES: Final = {Truth.TRUE: Truth.FALSE, Truth.FALSE: Truth.TRUE, Truth.UNKNOWN: Truth.UNKNOWN}
