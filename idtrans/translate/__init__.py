"""The same intent in another cloud, with a verdict and its losses."""

from __future__ import annotations

__all__: list[str] = []
