"""Clouds that have an id for everybody."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Public(Protocol):
    """A cloud in which everybody can be granted something."""

    def is_everybody(self, principal: str) -> bool:
        """Tell whether an id stands for everybody, or everybody with any account at the cloud."""
        ...
