"""Techniques that turn one permission into another, composed over the graph."""

from __future__ import annotations

__all__: list[str] = []
