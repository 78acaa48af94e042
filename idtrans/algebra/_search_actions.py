"""Known actions as bit sets: each set of actions is looked up in the list once."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache, reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Final

from idtrans.algebra._text_fold import has_case
from idtrans.algebra._text_machine import STAR
from idtrans.algebra._text_nodes import Every, Glob, Not, Some, Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from idtrans.algebra._text import Language
    from idtrans.algebra._text_nodes import Node

_KEPT: Final = 16384
"""Sets that a roster remembers; beyond, it starts anew."""
_LAST: Final = "\U0010ffff"


class Roster:
    """A list of known actions, sorted by lower case; sets of them are numbers with a bit for each."""

    def __init__(self, names: tuple[str, ...]) -> None:
        """Take the names in their order."""
        self.names = names
        self.all = (1 << len(names)) - 1
        self._plain = all(map(str.isascii, names))
        self._sets: dict[Node, int] = {}

    def among(self, actions: Language) -> int:
        """Return the known actions in a language."""
        return self._among(actions.node)

    def picked(self, actions: int, near: int = 0) -> Iterator[str]:
        """Yield the actions of a set from a place in the list on, round to the place again."""
        for part, offset in ((actions >> near, near), (actions & ((1 << near) - 1), 0)):
            rest = part
            while rest:
                lowest = rest & -rest
                yield self.names[offset + lowest.bit_length() - 1]
                rest ^= lowest

    def place(self, text: str) -> int:
        """Return where a text is or would be in the list."""
        return bisect_left(self.names, text.lower(), key=str.lower)

    def __contains__(self, name: str) -> bool:
        """Tell whether an action is listed in this spelling."""
        return any(self.names[place] == name for place in self._range(name, name))

    def _among(self, node: Node) -> int:
        found = self._sets.get(node)
        if found is None:
            if len(self._sets) >= _KEPT:
                self._sets.clear()
            found = self._sets[node] = self._look_up(node)
        return found

    def _look_up(self, node: Node) -> int:
        if isinstance(node, Not):
            return self.all & ~self._among(node.atom)
        if isinstance(node, Some):
            return reduce(or_, map(self._among, node.parts), 0)
        if isinstance(node, Every):
            return reduce(and_, map(self._among, node.parts), self.all)
        return self._look_up_atom(node)

    def _look_up_atom(self, node: Node) -> int:
        if isinstance(node, Words):
            return self._matching(node, (place for word in node.words for place in self._range(word, word)))
        if not isinstance(node, Glob):
            return self._matching(node, range(len(self.names)))
        places = self._range(node.head, node.head + _LAST)
        if self._plain and node.tokens == (node.head, STAR) and (node.fold or not has_case(node.head)):
            return (1 << places.stop) - (1 << places.start)
        return self._matching(node, places)

    def _range(self, first: str, last: str) -> range:
        """Return the places of the names between two texts, both included, whatever their case."""
        if not (first.isascii() and self.names):
            return range(len(self.names))
        start = self.place(first)
        if first == last:
            end = start
            while end < len(self.names) and self.names[end].lower() == first.lower():
                end += 1
            return range(start, end)
        return range(start, self.place(last))

    def _matching(self, node: Node, places: Iterable[int]) -> int:
        found = 0
        for place in places:
            if node.matches(self.names[place]):
                found |= 1 << place
        return found


@lru_cache(maxsize=64)
def roster_of(names: tuple[str, ...]) -> Roster:
    """Return the roster of some names; equal lists have one."""
    return Roster(names)
