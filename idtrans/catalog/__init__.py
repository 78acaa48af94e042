"""Read-only tables: actions and planes, roles, capabilities, issuers; loaded when first asked for."""

from __future__ import annotations

__all__: list[str] = []
