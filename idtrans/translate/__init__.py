"""The same intent in another cloud, with a verdict and its losses."""

from __future__ import annotations

from idtrans.translate._map import NO_MAP, IdMap, Pair, read_map
from idtrans.translate._translate import translate

__all__ = ["NO_MAP", "IdMap", "Pair", "read_map", "translate"]
