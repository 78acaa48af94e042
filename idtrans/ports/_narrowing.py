"""Clouds that look only at what is about a request, where whole access would be far more than a question needs."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from idtrans.algebra import Access
from idtrans.model.decisions import Request
from idtrans.model.estate import Estate


@runtime_checkable
class Narrowing(Protocol):
    """A cloud whose principals can hold thousands of statements about anything but the request."""

    def about(self, request: Request, estate: Estate) -> Access:
        """Return what of `Cloud.access` is about the action and the resource of a request.

        The decision on the request is the same, with the same reasons. The requests of all principals about one action
        and resource differ in the principal alone.
        """
        ...

    def concerned(self, request: Request, estate: Estate) -> tuple[str, ...]:
        """Return the principals that could hold anything about the action and the resource of a request, in order.

        All others hold nothing about it. The principal of the request is not read.
        """
        ...
