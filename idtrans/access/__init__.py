"""May this principal do this? Who may? Questions to compiled access."""

from __future__ import annotations

__all__: list[str] = []
