"""What every text of a language starts with: a quick proof that two languages share no text.

All is compared in folded form, so that case can only make two languages seem nearer than they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra._text_fold import fold_text
from idtrans.algebra._text_nodes import ArnGlob, Every, Glob, Some, Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.algebra._text_nodes import Node


@dataclass(frozen=True, slots=True)
class Heads:
    """Each text of a language is one of the words or starts with one of the heads."""

    words: frozenset[str]
    heads: tuple[str, ...] = ()

    @property
    def open(self) -> bool:
        """Whether a text may start with anything."""
        return "" in self.heads

    def may_meet(self, other: Heads) -> bool:
        """Tell whether a text can be in both languages, as far as heads show."""
        if not self.words.isdisjoint(other.words):
            return True
        mine, theirs = self.heads, other.heads
        if theirs and any(text.startswith(theirs) for text in (*self.words, *mine)):
            return True
        return bool(mine) and any(text.startswith(mine) for text in (*other.words, *theirs))


ANYTHING: Final = Heads(frozenset(), ("",))
"""Of a language that shows no head."""


@lru_cache(maxsize=65536)
def heads_of(node: Node) -> Heads:
    """Return what the texts of a language start with."""
    if isinstance(node, Words):
        return Heads(node.words if node.fold else frozenset(map(fold_text, node.words)))
    if isinstance(node, (Glob, ArnGlob)):
        return Heads(frozenset(), (fold_text(node.head),))
    if isinstance(node, Some):
        return joined(map(heads_of, node.parts))
    if isinstance(node, Every):
        # One part is enough, and the one with the fewest beginnings says the most.
        known = [found for found in map(heads_of, node.parts) if not found.open]
        return min(known, key=lambda found: len(found.words) + len(found.heads), default=ANYTHING)
    return ANYTHING


def joined(several: Iterable[Heads]) -> Heads:
    """Return the heads of a union."""
    words: set[str] = set()
    heads: set[str] = set()
    for found in several:
        words |= found.words
        heads.update(found.heads)
    return ANYTHING if "" in heads else Heads(frozenset(words), tuple(sorted(heads)))
