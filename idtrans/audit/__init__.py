"""Rule files in, findings out."""

from __future__ import annotations

__all__: list[str] = []
