"""AWS: recognise its documents, parse them to facts, compile facts to access, emit intents."""

from __future__ import annotations

__all__: list[str] = []
