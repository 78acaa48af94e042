"""Is a text language empty, and which is its shortest member?

Plain cases are answered without an automaton. Among them is the inclusion of patterns: put a fresh character for every
wildcard of the required pattern; if a banned pattern that has only stars matches that one text, it matches every text
of the required pattern, and if no banned pattern matches it, it is a member. All else is a breadth-first walk over the
states of the automaton, under a budget.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from idtrans.algebra._text_automaton import automaton_of
from idtrans.algebra._text_fold import fold_char, spellings
from idtrans.algebra._text_machine import ONE_CHAR, SEPARATOR
from idtrans.algebra._text_nodes import ArnGlob, Every, Glob, Node, Not, Some, Words
from idtrans.algebra._text_walk import TEXT_BUDGET, TextBudget, explore, unnamed
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from idtrans.algebra._text_machine import Tokens

_MOST_ALTERNATIVES: Final = 8
"""How many alternatives are tried for a plain member: beyond, a walk is not dearer."""


def shortest(node: Node, *, budget: TextBudget = TEXT_BUDGET) -> str | None:
    """Return the shortest member, `None` when there is none; raise `BudgetExceededError` past the budget.

    When only the shortest is past the budget, another member is returned: of an alternative with a part past its budget
    the shortest member of the other parts, of a conjunction one that is plain to see.
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
    return _shortest_of_conjunction(node, budget)


def _shortest_of_conjunction(node: Node, budget: TextBudget) -> str | None:
    required = _required(node)
    if required and node.matches(least := _instance(required[-1], "", "x")):
        return least
    if any(_is_covered(node, atom) for atom in required):
        return None
    automaton = automaton_of(node)
    try:
        return explore(automaton, automaton.start, budget=budget).word()
    except BudgetExceededError:
        word = next(filter(node.matches, _guesses(node, required)), None)
        if word is None:
            raise
        return word


def is_empty(node: Node, *, budget: TextBudget = TEXT_BUDGET) -> bool:
    """Tell whether there is no member; raise `BudgetExceededError` past the budget."""
    if isinstance(node, Words):
        return not node.words
    if isinstance(node, (Glob, ArnGlob)):
        return False
    if isinstance(node, Some):
        return _are_empty(node.parts, budget)
    if any(map(node.matches, _guesses(node, _required(node)))):
        return False
    return shortest(node, budget=budget) is None


def _are_empty(nodes: Iterable[Node], budget: TextBudget) -> bool:
    """Tell whether no part has a member: one that has settles it, whatever the others cost."""
    error: BudgetExceededError | None = None
    for node in nodes:
        try:
            if not is_empty(node, budget=budget):
                return False
        except BudgetExceededError as exceeded:
            error = exceeded
    if error is not None:
        raise error
    return True


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
    """Return the patterns that every member matches, in an order that does not depend on hashes; the longest last."""
    patterns = [part for part in _parts(node) if isinstance(part, (Glob, ArnGlob))]
    return sorted(patterns, key=lambda atom: (atom.least, repr(_fields(atom)))) if len(patterns) > 1 else patterns


def _parts(node: Node) -> frozenset[Node]:
    return node.parts if isinstance(node, Every) else frozenset()


def _guesses(node: Node, required: list[Glob | ArnGlob]) -> Iterator[str]:
    """Yield texts that are often members of a conjunction with these required patterns."""
    for filling in (("", "x"), _fresh_for(node)):
        for atom in required:
            yield _instance(atom, *filling)
    for atoms in (required, *([*required, each] for each in _alternatives(node))):
        for sort in (ArnGlob, Glob):
            alike = [_fields(atom) for atom in atoms if isinstance(atom, sort)]
            if len(alike) > 1:
                yield SEPARATOR.join(map(_in_turn, zip(*alike, strict=True)))


def _alternatives(node: Node) -> list[Glob | ArnGlob]:
    """Return some of the patterns of which one, or another alternative, is required; the shortest first."""
    choices = chain.from_iterable(part.parts for part in _parts(node) if isinstance(part, Some))
    patterns = [each for each in choices if isinstance(each, (Glob, ArnGlob))]
    return sorted(patterns, key=lambda atom: (atom.least, repr(_fields(atom))))[:_MOST_ALTERNATIVES]


def _in_turn(patterns: Sequence[Tokens]) -> str:
    """Return a text with the longest fixed ends of some patterns and, between them, their middles one by one."""
    longest_head = longest_tail = middles = ""
    for tokens in patterns:
        head = tokens[0] if tokens and isinstance(tokens[0], str) else ""
        if len(tokens) <= 1 and (head or not tokens):
            return head
        tail = tokens[-1] if isinstance(tokens[-1], str) else ""
        longest_head, longest_tail = max(longest_head, head, key=len), max(longest_tail, tail, key=len)
        middles += _fill(tokens[bool(head) : len(tokens) - bool(tail)], "", "x")
    return longest_head + middles + longest_tail


def _instance(atom: Glob | ArnGlob, run: str, one: str) -> str:
    """Return the member in which every star is `run` and every `?` is `one`."""
    return SEPARATOR.join(_fill(tokens, run, one) for tokens in _fields(atom))


def _fill(tokens: Tokens, run: str, one: str) -> str:
    return "".join(token if isinstance(token, str) else one if token is ONE_CHAR else run for token in tokens)


def _fields(atom: Glob | ArnGlob) -> tuple[Tokens, ...]:
    return atom.fields if isinstance(atom, ArnGlob) else (atom.tokens,)


def _is_covered(node: Node, required: Glob | ArnGlob) -> bool:
    """Tell whether one banned pattern contains a required one, as far as the fresh character shows it."""
    word = _instance(required, *_fresh_for(node))
    banned = [part.atom for part in _parts(node) if isinstance(part, Not)]
    return any(isinstance(atom, (Glob, ArnGlob)) and _follows(required, atom) and atom.matches(word) for atom in banned)


def _follows(required: Glob | ArnGlob, banned: Glob | ArnGlob) -> bool:
    """Tell whether a match of the fresh text means inclusion: stars only, and no finer than the required pattern."""
    if any(ONE_CHAR in tokens for tokens in _fields(banned)) or (required.fold and not banned.caseless):
        return False
    return isinstance(required, ArnGlob) or isinstance(banned, Glob)


def _fresh_for(node: Node) -> tuple[str, str]:
    """Return fillings for star and `?` that no pattern of the conjunction names."""
    named: set[str] = {SEPARATOR}
    for part in _parts(node):
        atom = part.atom if isinstance(part, Not) else part
        if isinstance(atom, (Glob, ArnGlob)):
            tokens = chain.from_iterable(_fields(atom))
            named.update(*(token for token in tokens if isinstance(token, str)))
    fresh = unnamed(frozenset(spelling for char in named for spelling in (char, *spellings(fold_char(char)))))
    return fresh, fresh
