"""Building and, or, not over text languages, with the simplifications that keep later questions small.

Parts are flattened, duplicates dropped, constants folded. In a conjunction `x` with `not x` is nothing; an alternative
that contains a part already required is satisfied, and members that are ruled out leave it; word lists are filtered by
all other parts; patterns whose fixed ends cannot both hold are nothing. Disjunctions are handled as negated
conjunctions, so they obey the same rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from idtrans.algebra._text_fold import fold_text
from idtrans.algebra._text_nodes import EVERYTHING, NOTHING, ArnGlob, Every, Glob, Group, Node, Not, Some, Words
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.algebra._text_nodes import Atom

_DEEPEST = 100
"""Nesting limit of alternating and / or: far above real policies, and safe from the interpreter's recursion limit."""


def complement(node: Node) -> Node:
    """Return the texts that are not in a language, with negation moved down to the atoms."""
    if isinstance(node, Not):
        return node.atom
    if isinstance(node, Every):
        return Some(frozenset(map(complement, node.parts)), node.depth)
    if isinstance(node, Some):
        return Every(frozenset(map(complement, node.parts)), node.depth)
    if node == EVERYTHING:
        return NOTHING
    if node == NOTHING:
        return EVERYTHING
    return Not(cast("Atom", node))


def disjunction(nodes: Iterable[Node]) -> Node:
    """Return the texts in at least one language."""
    parts = set(nodes)
    if all(isinstance(part, (Words, Glob, ArnGlob)) for part in parts):
        return _plain_union(parts)
    return complement(conjunction(map(complement, parts)))


def _plain_union(parts: set[Node]) -> Node:
    """Return the union of word lists and patterns: nothing in it can contradict, so no rule has work to do."""
    if EVERYTHING in parts:
        return EVERYTHING
    kept = {part for part in parts if not isinstance(part, Words)}
    for fold in (False, True):
        lists = [part.words for part in parts if isinstance(part, Words) and part.fold is fold and part.words]
        if lists:
            kept.add(Words(lists[0] if len(lists) == 1 else frozenset().union(*lists), fold))
    return _some(frozenset(kept))


def conjunction(nodes: Iterable[Node]) -> Node:
    """Return the texts in all languages; raise `BudgetExceededError` when the result is nested too deep."""
    parts = _flatten(nodes)
    if len(parts) <= 1:
        return parts.pop() if parts else EVERYTHING
    while NOTHING not in parts:
        kept = _propagate(parts)
        if kept == parts:
            break
        parts = kept
    parts = _meet_words(parts)
    if NOTHING in parts or _ends_clash(parts):
        return NOTHING
    return _group(parts)


def _flatten(nodes: Iterable[Node]) -> set[Node]:
    parts: set[Node] = set()
    for node in nodes:
        parts.update(node.parts if isinstance(node, Every) else (node,))
    parts.discard(EVERYTHING)
    return parts


def _propagate(parts: set[Node]) -> set[Node]:
    """Let every unit act on the other units and on the alternatives, one level down."""
    units = {part for part in parts if not isinstance(part, Some)}
    if any(complement(unit) in units for unit in units):
        return {NOTHING}
    kept = units
    for part in parts:
        if not isinstance(part, Some):
            continue
        if not part.parts.isdisjoint(units):
            continue
        left = frozenset(member for member in part.parts if complement(member) not in units)
        if len(left) < len(part.parts):
            kept |= _flatten([_some(left)])
        else:
            kept = kept | {part}
    return kept


def _some(parts: frozenset[Node]) -> Node:
    if not parts:
        return NOTHING
    return next(iter(parts)) if len(parts) == 1 else Some(parts, _depth(parts))


def _meet_words(parts: set[Node]) -> set[Node]:
    """Join word lists of one case rule, then filter the required one by everything else."""
    parts = _join_banned(parts)
    required = min((part for part in parts if isinstance(part, Words)), key=lambda words: words.fold, default=None)
    if required is None:
        return parts
    others = parts - {required}
    # A folded word stands for all its spellings: only parts that treat these alike can filter it.
    left = {other for other in others if required.fold and not other.caseless}
    testers = others - left
    words = frozenset(word for word in required.words if all(other.matches(word) for other in testers))
    return {NOTHING} if not words else {Words(words, required.fold), *left}


def _join_banned(parts: set[Node]) -> set[Node]:
    for fold in (False, True):
        banned = [p for p in parts if isinstance(p, Not) and isinstance(p.atom, Words) and p.atom.fold is fold]
        if len(banned) > 1:
            words = frozenset().union(*(p.atom.words for p in banned if isinstance(p.atom, Words)))
            parts = {*parts.difference(banned), Not(Words(words, fold))}
    return parts


def _ends_clash(parts: set[Node]) -> bool:
    patterns = [part for part in parts if isinstance(part, (Glob, ArnGlob))]
    heads = [fold_text(part.head) for part in patterns]
    tails = [fold_text(part.tail) for part in patterns]
    head, tail = max(heads, key=len, default=""), max(tails, key=len, default="")
    return not (all(map(head.startswith, heads)) and all(map(tail.endswith, tails)))


def _group(parts: set[Node]) -> Node:
    if not parts:
        return EVERYTHING
    if len(parts) == 1:
        return parts.pop()
    depth = _depth(parts)
    if depth > _DEEPEST:
        message = f"a text condition is nested more than {_DEEPEST} levels deep"
        raise BudgetExceededError(message)
    return Every(frozenset(parts), depth)


def _depth(parts: Iterable[Node]) -> int:
    return 1 + max(part.depth if isinstance(part, Group) else 0 for part in parts)
