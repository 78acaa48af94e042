"""What every set of values can do, whether it holds texts, addresses, numbers or times."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from typing import Self


class Kind(StrEnum):
    """What the members of a set are."""

    TEXT = "text"
    IP = "ip"
    NUMBER = "number"
    TIME = "time"


class ValueSet(Protocol):
    """An immutable, hashable set of values of one kind, closed under the Boolean operations.

    Values are asked for as the text that a request carries. Text that is not of the kind (`abc` for numbers) is in no
    set of that kind, and not in the complement of one either. Two sets of different kinds cannot be combined.
    """

    @property
    def kind(self) -> Kind:
        """What the members are."""
        ...

    def matches(self, text: str) -> bool:
        """Tell whether the value that `text` spells is a member."""
        ...

    def is_empty(self) -> bool:
        """Tell whether there is no member; raise `BudgetExceededError` when that cannot be told within the budget."""
        ...

    def witness(self) -> str | None:
        """Return a member, `None` when there is none; raise `BudgetExceededError` like `is_empty`."""
        ...

    def describe(self) -> str:
        """Say in words what the set holds, such as "`a*` or `b`" or "not in `10.0.0.0/8`"."""
        ...

    def __and__(self, other: Self, /) -> Self:
        """Return the values in both sets."""
        ...

    def __or__(self, other: Self, /) -> Self:
        """Return the values in either set."""
        ...

    def __sub__(self, other: Self, /) -> Self:
        """Return the values in this set and not in the other."""
        ...

    def __invert__(self) -> Self:
        """Return the values of the same kind that are not in this set."""
        ...
