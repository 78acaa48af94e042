"""Issuers, their token grammars, and how far a trust reaches."""

from __future__ import annotations

__all__: list[str] = []
