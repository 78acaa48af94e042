"""The command line: the only room that prints, reads the environment and exits."""

from __future__ import annotations

__all__: list[str] = []
