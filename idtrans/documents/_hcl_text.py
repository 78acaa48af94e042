"""Policies of Vault as they are written to files: HCL, told by its first block. Vault's reader takes them apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from idtrans.documents._pointers import list_index, pointer_tokens

_BLOCK: Final = re.compile(r'(?:\s++|#[^\n]*+|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+path\s*+"')


@dataclass(frozen=True, slots=True)
class HclOrigin:
    """Origin over text: the first token of a pointer is the line, counted from 0."""

    path: str
    lines: int

    def line(self, pointer: str) -> int | None:
        """Return the line that a pointer names, or the first for the whole document."""
        tokens = pointer_tokens(pointer)
        if not tokens:
            return 1 if tokens == [] else None
        index = list_index(tokens[0])
        return index + 1 if index is not None and index < self.lines else None


def is_hcl(text: str) -> bool:
    """Tell whether a text begins, after comments, with the block of a path."""
    return _BLOCK.match(text) is not None


def hcl_origin(path: str, text: str) -> HclOrigin:
    """Return the origin of a text."""
    return HclOrigin(path, text.count("\n") + 1)
