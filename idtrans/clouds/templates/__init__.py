"""What tools that build infrastructure plan to make: recognised, and what in it is about access is named."""

from __future__ import annotations

from idtrans.clouds.templates._reader import READER

__all__ = ["READER"]
