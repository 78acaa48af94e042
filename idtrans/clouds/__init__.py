"""One folder a cloud; nothing outside this room knows how a cloud layers its policies."""

from __future__ import annotations

__all__: list[str] = []
