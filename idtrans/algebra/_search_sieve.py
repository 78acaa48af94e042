"""Which statements can matter for one statement: those that may share a request with it.

A statement whose principals, actions or resources begin otherwise shares nothing with it. Among the requests of the
one statement, access without such others is the same, so they need not take part in a search.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from idtrans.algebra._access import NOTHING, Access, AllOf, AnyOf, Box, Except, Gate
from idtrans.algebra._condition import ALWAYS, Both
from idtrans.algebra._condition_template import Template
from idtrans.algebra._text import ANY_TEXT, Language
from idtrans.algebra._text_fold import fold_text
from idtrans.algebra._text_heads import ANYTHING, Heads, heads_of, joined
from idtrans.algebra._text_nodes import Some, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idtrans.algebra._access import Resources
    from idtrans.algebra._condition import Condition
    from idtrans.model.decisions import Request

_FEW = 16
"""Statements that are gone through without a table."""
_LAST = "\U0010ffff"
"""Comes after every character."""


class Reach(NamedTuple):
    """How the requests of a statement begin."""

    resources: Heads
    actions: Heads
    principals: Heads

    @classmethod
    def of(cls, box: Box) -> Reach:
        """Return the beginnings of a statement's resources, actions and principals."""
        return cls(*(heads(box) for heads in _HEADS))

    @classmethod
    def at(cls, request: Request) -> Reach:
        """Return the resource, action and principal of one request."""
        texts = (request.resource, request.action, request.principal)
        return cls(*(Heads(frozenset((fold_text(text),))) for text in texts))

    def may_meet(self, other: Reach) -> bool:
        """Tell whether one request can be in both statements."""
        return (
            self.actions.may_meet(other.actions)
            and self.resources.may_meet(other.resources)
            and self.principals.may_meet(other.principals)
        )


class Sieve:
    """Sifts access expressions that share parts, which are looked at once."""

    def __init__(self) -> None:
        """Start without any part."""
        self._reaches: dict[int, tuple[Box, Reach]] = {}
        self._shelves: dict[int, tuple[AnyOf, _Shelf]] = {}

    def reach(self, box: Box) -> Reach:
        """Return how the requests of a statement begin."""
        found = self._reaches.get(id(box))
        if found is None:
            # The statement is kept, so that no other one can have its place in memory.
            found = self._reaches[id(box)] = (box, Reach.of(box))
        return found[1]

    def sift(self, access: Access, reach: Reach) -> Access:
        """Return access that holds the same requests among those with these beginnings."""
        match access:
            case Box():
                return access if self.reach(access).may_meet(reach) else NOTHING
            case Gate(part=part):
                return self.sift(part, reach)
            case Except(base, minus):
                held = self.sift(base, reach)
                taken = NOTHING if held is NOTHING else self.sift(minus, reach)
                return held if taken is NOTHING else Except(held, taken)
            case AllOf(parts):
                sifted = tuple(self.sift(part, reach) for part in parts)
                return NOTHING if any(part is NOTHING for part in sifted) else AllOf(sifted)
            case AnyOf():
                found = (self.sift(part, reach) for part in self._candidates(access, reach))
                kept = tuple(part for part in found if part is not NOTHING)
                return AnyOf(kept) if kept else NOTHING

    def _candidates(self, access: AnyOf, reach: Reach) -> Sequence[Access]:
        if len(access.parts) <= _FEW:
            return access.parts
        found = self._shelves.get(id(access))
        if found is None:
            found = self._shelves[id(access)] = (access, _Shelf(access.parts))
        return found[1].candidates(reach)


def is_plainly_within(box: Box, old: Access) -> bool:
    """Tell whether one statement of some alternatives holds all requests of another one, as can be seen at a glance."""
    alternatives = old.parts if isinstance(old, AnyOf) else (old,)
    return any(isinstance(other, Box) and _holds(other, box) for other in alternatives)


def _holds(large: Box, small: Box) -> bool:
    return (
        _covers(large.actions, small.actions)
        and _covers(large.resources, small.resources)
        and _covers(large.principals, small.principals)
        and _demands(large.condition) <= _demands(small.condition)
    )


def _covers(large: Resources, small: Resources) -> bool:
    if large in (ANY_TEXT, small):
        return True
    if not (isinstance(large, Language) and isinstance(small, Language)):
        return False
    node, others = small.node, large.node
    if isinstance(node, Words) and (not node.fold or others.caseless):
        return all(map(others.matches, node.words))
    return isinstance(others, Some) and node in others.parts


def _demands(condition: Condition) -> set[Condition]:
    """Return what all must hold for a condition to hold."""
    if condition is ALWAYS:
        return set()
    return set(condition.parts) if isinstance(condition, Both) else {condition}


class _Shelf:
    """Many alternatives, by the beginnings of their resources, actions and principals."""

    def __init__(self, parts: tuple[Access, ...]) -> None:
        self._parts = parts
        self._tables: dict[int, _Table] = {}

    def candidates(self, reach: Reach) -> list[Access]:
        """Return the alternatives among which are all that may meet, in their order."""
        best: list[int] | None = None
        for which, heads in enumerate(reach):
            if best is not None and len(best) <= _FEW:
                break
            found = self._table(which).near(heads, len(self._parts) if best is None else len(best))
            best = best if found is None else found
        return list(self._parts) if best is None else [self._parts[place] for place in sorted(best)]

    def _table(self, which: int) -> _Table:
        found = self._tables.get(which)
        if found is None:
            heads = _HEADS[which]
            several = [heads(part) if isinstance(part, Box) else ANYTHING for part in self._parts]
            found = self._tables[which] = _Table(several)
        return found


class _Table:
    """Places by beginnings."""

    def __init__(self, several: Sequence[Heads]) -> None:
        self._open: list[int] = []
        """Places that may begin with anything."""
        self._words: dict[str, list[int]] = {}
        self._heads: dict[str, list[int]] = {}
        for place, heads in enumerate(several):
            if heads.open:
                self._open.append(place)
                continue
            for word in heads.words:
                self._words.setdefault(word, []).append(place)
            for head in heads.heads:
                self._heads.setdefault(head, []).append(place)
        self._lengths = sorted({len(head) for head in self._heads})
        self._sorted = sorted({*self._words, *self._heads})

    def near(self, heads: Heads, most: int) -> list[int] | None:
        """Return the places that may meet, each once, `None` when that would be `most` or more."""
        if heads.open or len(self._open) >= most:
            return None
        found = dict.fromkeys(self._open)
        for text in heads.words:
            found.update(dict.fromkeys(self._words.get(text, ())))
            self._add_shorter(text, found)
        for text in heads.heads:
            first, end = bisect_left(self._sorted, text), bisect_left(self._sorted, text + _LAST)
            if end - first >= most:
                return None
            for longer in self._sorted[first:end]:
                found.update(dict.fromkeys(self._words.get(longer, ())))
                found.update(dict.fromkeys(self._heads.get(longer, ())))
            self._add_shorter(text, found)
        return list(found) if len(found) < most else None

    def _add_shorter(self, text: str, found: dict[int, None]) -> None:
        """Add the places of the heads that a text starts with."""
        for length in self._lengths:
            if length > len(text):
                break
            found.update(dict.fromkeys(self._heads.get(text[:length], ())))


def _resources(box: Box) -> Heads:
    if isinstance(box.resources, tuple):
        return joined(map(_of_set, box.resources))
    return _of_set(box.resources)


def _of_set(part: Language | Template) -> Heads:
    if isinstance(part, Template):
        return ANYTHING if part.negated else heads_of(part.widest().node)
    return heads_of(part.node)


def _actions(box: Box) -> Heads:
    return heads_of(box.actions.node)


def _principals(box: Box) -> Heads:
    return heads_of(box.principals.node)


_HEADS: Final = (_resources, _actions, _principals)
"""In the order of the fields of `Reach`."""
