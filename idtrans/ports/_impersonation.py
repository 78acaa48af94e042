"""Impersonation: which permissions let a principal become another identity, in clouds where that takes no trust."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from idtrans.model.estate import Estate
from idtrans.model.spans import Source


@dataclass(frozen=True, slots=True)
class Impersonation:
    """A principal holds one permission that lets it become an identity, or every identity of a container."""

    cloud: str
    party: str
    """Canonical id of who holds the permission."""
    target: str
    """Canonical id of the identity, or of the container that holds the identities: nothing inherited is written out."""
    permission: str
    source: Source
    condition: str | None = None
    """Condition as written; `None` for always."""
    sure: bool = True
    """False when something that was not understood decides."""


@runtime_checkable
class Impersonator(Protocol):
    """A cloud in which permissions on an identity let their holders become it."""

    def impersonations(self, estate: Estate) -> tuple[Impersonation, ...]:
        """Return every such permission, once for each binding that gives it."""
        ...
