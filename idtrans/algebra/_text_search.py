"""Is a text language empty, and which is its shortest member?

Plain cases are answered without an automaton. Among them is the inclusion of patterns: put a fresh character for every
wildcard of the required pattern; if a banned pattern that has only stars matches that one text, it matches every text
of the required pattern, and if no banned pattern matches it, it is a member. All else is a breadth-first walk over the
states of the automaton, under a budget.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from idtrans.algebra._text_automaton import automaton_of
from idtrans.algebra._text_fold import fold_char, spellings
from idtrans.algebra._text_machine import ONE_CHAR, SEPARATOR
from idtrans.algebra._text_nodes import ArnGlob, Every, Glob, Node, Not, Some, Words
from idtrans.algebra._text_walk import TEXT_BUDGET, TextBudget, explore, unnamed
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.algebra._text_machine import Tokens


def shortest(node: Node, *, budget: TextBudget = TEXT_BUDGET) -> str | None:
    """Return the shortest member, `None` when there is none; raise `BudgetExceededError` past the budget.

    Of an alternative with a part past its budget the shortest member of the other parts is returned.
    """
    return _shortest(node, budget)


@lru_cache(maxsize=8192)
def _shortest(node: Node, budget: TextBudget) -> str | None:
    if isinstance(node, Words):
        return min(node.words, key=lambda word: (len(word), word), default=None)
    if isinstance(node, (Glob, ArnGlob)):
        return _instance(node, "", "x")
    if isinstance(node, Some):
        return _shortest_of(node.parts, budget)
    required = _required(node)
    if isinstance(node, Every) and required:
        longest = max(required, key=lambda atom: (atom.least, atom.head))
        candidate = _instance(longest, "", "x")
        if node.matches(candidate):
            return candidate
        if any(_is_covered(node, atom) for atom in required):
            return None
    automaton = automaton_of(node)
    return explore(automaton, automaton.start, budget=budget).word()


def is_empty(node: Node, *, budget: TextBudget = TEXT_BUDGET) -> bool:
    """Tell whether there is no member; raise `BudgetExceededError` past the budget."""
    if isinstance(node, Words):
        return not node.words
    if isinstance(node, (Glob, ArnGlob)):
        return False
    if isinstance(node, Some):
        return _shortest_of(node.parts, budget) is None
    required = _required(node)
    if any(node.matches(_instance(atom, *filling)) for atom in required for filling in (("", "x"), _fresh_for(node))):
        return False
    return shortest(node, budget=budget) is None


def _shortest_of(nodes: Iterable[Node], budget: TextBudget) -> str | None:
    found: list[str] = []
    error: BudgetExceededError | None = None
    for node in nodes:
        try:
            word = shortest(node, budget=budget)
        except BudgetExceededError as exceeded:
            error = exceeded
        else:
            found += [] if word is None else [word]
    if error is not None and not found:
        raise error
    return min(found, key=lambda word: (len(word), word), default=None)


def _required(node: Node) -> list[Glob | ArnGlob]:
    return [part for part in node.parts if isinstance(part, (Glob, ArnGlob))] if isinstance(node, Every) else []


def _instance(atom: Glob | ArnGlob, run: str, one: str) -> str:
    """Return the member in which every star is `run` and every `?` is `one`."""
    return SEPARATOR.join(
        "".join(token if isinstance(token, str) else one if token is ONE_CHAR else run for token in tokens)
        for tokens in _fields(atom)
    )


def _fields(atom: Glob | ArnGlob) -> tuple[Tokens, ...]:
    return atom.fields if isinstance(atom, ArnGlob) else (atom.tokens,)


def _is_covered(node: Every, required: Glob | ArnGlob) -> bool:
    """Tell whether one banned pattern contains a required one, as far as the fresh character shows it."""
    word = _instance(required, *_fresh_for(node))
    banned = [part.atom for part in node.parts if isinstance(part, Not)]
    return any(isinstance(atom, (Glob, ArnGlob)) and _follows(required, atom) and atom.matches(word) for atom in banned)


def _follows(required: Glob | ArnGlob, banned: Glob | ArnGlob) -> bool:
    """Tell whether a match of the fresh text means inclusion: stars only, and no finer than the required pattern."""
    if any(ONE_CHAR in tokens for tokens in _fields(banned)) or (required.fold and not banned.caseless):
        return False
    return isinstance(required, ArnGlob) or isinstance(banned, Glob)


def _fresh_for(node: Node) -> tuple[str, str]:
    """Return fillings for star and `?` that no pattern of the conjunction names."""
    named: set[str] = {SEPARATOR}
    for part in node.parts if isinstance(node, Every) else ():
        atom = part.atom if isinstance(part, Not) else part
        if isinstance(atom, (Glob, ArnGlob)):
            tokens = chain.from_iterable(_fields(atom))
            named.update(*(token for token in tokens if isinstance(token, str)))
    fresh = unnamed(frozenset(spelling for char in named for spelling in (char, *spellings(fold_char(char)))))
    return fresh, fresh
