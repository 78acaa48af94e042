"""The permission graph; the only room that knows networkx."""

from __future__ import annotations

__all__: list[str] = []
