"""Names that the user gives to things in a target cloud; a name that nothing asks for is a typing error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.model.errors import UsageError
from idtrans.model.intents import Names

if TYPE_CHECKING:
    from collections.abc import Mapping


class GivenNames(dict[str, str]):
    """Names by key, which remember what was asked for."""

    def __init__(self, values: Mapping[str, str] | None) -> None:
        """Start with the names that are given."""
        super().__init__(values or {})
        self.asked: set[str] = set()

    def get(self, key: str, default: str | None = None) -> str | None:  # type: ignore[override]
        """Return a name, and remember that it was asked for."""
        self.asked.add(key)
        return super().get(key, default)

    def names(self) -> Names:
        """Return the names as emitters take them."""
        return Names(self)

    def check(self) -> None:
        """Check that every name was asked for.

        Raises:
            UsageError: one was not.
        """
        unused = sorted(set(self) - self.asked)
        if unused:
            advice = f"names here: {', '.join(sorted(self.asked))}"
            raise UsageError(f"nothing here is named by `{unused[0]}`", advice=advice)
