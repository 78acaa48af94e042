"""The nouns that all rooms share. They are imported from the module that declares them."""

from __future__ import annotations

__all__: list[str] = []
