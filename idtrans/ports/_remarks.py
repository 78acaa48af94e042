"""Remarking: a cloud that knows of a request what no policy says."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from idtrans.algebra import Access
from idtrans.model.decisions import Request
from idtrans.model.estate import Estate


@runtime_checkable
class Remarking(Protocol):
    """A cloud that tells odd requests from others, and what some of them need beside their own action."""

    def oddities(self, request: Request, estate: Estate) -> tuple[str, ...]:
        """Return remarks that change no answer, such as that the action is retired or misspelt."""
        ...

    def with_needs(self, access: Access, request: Request) -> Access:
        """Return access in which the request also needs whatever else its keys ask for."""
        ...
