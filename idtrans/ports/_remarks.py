"""Remarking: a cloud that notices what is odd about a request without its answer changing."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from idtrans.model.decisions import Request


@runtime_checkable
class Remarking(Protocol):
    """A cloud whose catalogue tells names that exist from names that do not."""

    def oddities(self, request: Request) -> tuple[str, ...]:
        """Return remarks on a request, such as that its action is retired or misspelt."""
        ...
