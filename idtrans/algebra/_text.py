"""Text languages: sets of texts made of exact texts and patterns, closed under and, or, not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra._sets import Kind
from idtrans.algebra._text_automaton import FRESH, Automaton, Passage, automaton_of
from idtrans.algebra._text_fold import fold_text, has_case
from idtrans.algebra._text_forms import Forms, forms
from idtrans.algebra._text_machine import ONE_CHAR, SEPARATOR, STAR, Wildcard, tokens_of
from idtrans.algebra._text_nodes import (
    ARN_FIELDS,
    EVERYTHING,
    NOTHING,
    ArnGlob,
    Glob,
    Node,
    Words,
    pattern,
    tokens_have_case,
)
from idtrans.algebra._text_rules import complement, conjunction, disjunction
from idtrans.algebra._text_search import is_empty, shortest
from idtrans.algebra._text_walk import TEXT_BUDGET, TextBudget
from idtrans.algebra._text_words import describe

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from idtrans.algebra._text_automaton import State

__all__ = [
    "ANY_TEXT",
    "FRESH",
    "NO_TEXT",
    "ONE_CHAR",
    "STAR",
    "TEXT_BUDGET",
    "Automaton",
    "Language",
    "TextBudget",
    "Wildcard",
    "arn_glob",
    "arn_pieces",
    "containing",
    "exact",
    "glob",
    "intersection",
    "leading",
    "one_of",
    "pieces",
    "prefix",
    "suffix",
    "union",
]

_WILDCARDS: Final = {wildcard.value: wildcard for wildcard in Wildcard}


@dataclass(frozen=True, slots=True)
class Language:
    """A set of texts. Build one with the constructors of this module and combine them with `&`, `|`, `-` and `~`."""

    node: Node
    """The symbolic form; private to this package."""

    @property
    def kind(self) -> Kind:
        """Texts."""
        return Kind.TEXT

    @property
    def fold(self) -> bool:
        """Whether letters of either case are equal somewhere in the language."""
        return self.node.folds

    def matches(self, text: str) -> bool:
        """Tell whether a text is in the language; time is linear in the text for each pattern."""
        return self.node.matches(text)

    def is_empty(self, *, budget: TextBudget = TEXT_BUDGET) -> bool:
        """Tell whether no text is in the language; raise `BudgetExceededError` when that costs too much to tell."""
        return is_empty(self.node, budget=budget)

    def witness(self, *, budget: TextBudget = TEXT_BUDGET) -> str | None:
        """Return the shortest text in the language, `None` when there is none.

        Raises `BudgetExceededError` past the budget. When a member is found but not which is the shortest, that member
        is returned.
        """
        return shortest(self.node, budget=budget)

    def members(self) -> frozenset[str] | None:
        """Return all texts when they are a finite list as written, else `None`.

        Folded texts are not listed: each stands for all its spellings.
        """
        return self.node.words if isinstance(self.node, Words) and not self.node.fold else None

    def describe(self) -> str:
        r"""Say what the language holds, such as "`a*` and not `ab`"; a literal star is shown as `\*`."""
        return describe(self.node)

    def issubset(self, other: Language) -> bool:
        """Tell whether every text of this language is in the other; raise `BudgetExceededError` past the budget."""
        return (self - other).is_empty()

    def overlaps(self, other: Language) -> bool:
        """Tell whether some text is in both languages; raise `BudgetExceededError` past the budget."""
        return not (self & other).is_empty()

    def forms(self) -> Forms | None:
        """Return the language as words and patterns, `None` when it is no plain list of them or their complement."""
        return forms(self.node)

    def automaton(self) -> Automaton:
        """Return the automaton of the language, for walking it character by character."""
        return automaton_of(self.node)

    def __and__(self, other: Language) -> Language:
        """Return the texts in both languages."""
        if other is ANY_TEXT:
            return self
        if self is ANY_TEXT:
            return other
        return Language(conjunction((self.node, other.node)))

    def __or__(self, other: Language) -> Language:
        """Return the texts in either language."""
        return Language(disjunction((self.node, other.node)))

    def __sub__(self, other: Language) -> Language:
        """Return the texts in this language and not in the other."""
        return self & ~other

    def __invert__(self) -> Language:
        """Return the texts that are not in this language."""
        return Language(complement(self.node))

    def __str__(self) -> str:
        """Render like `describe`."""
        return self.describe()


ANY_TEXT: Final = Language(EVERYTHING)
"""All texts, the empty one too."""

NO_TEXT: Final = Language(NOTHING)
"""No text."""


def exact(text: str, *, fold: bool = False) -> Language:
    """Return the language of one text; wildcards in it are plain characters."""
    return one_of((text,), fold=fold)


def one_of(texts: Iterable[str], *, fold: bool = False) -> Language:
    """Return the language of some texts; matching is one look-up, however many they are."""
    words = frozenset(texts)
    fold = fold and any(map(has_case, words))
    return Language(Words(frozenset(map(fold_text, words)) if fold else words, fold))


def glob(text: str, *, fold: bool = False) -> Language:
    """Return the language of a pattern: `*` is any run of characters, `?` one character, all else is itself."""
    return _glob(text, fold)


def pieces(parts: Iterable[str | Wildcard], *, fold: bool = False) -> Language:
    """Return the language of a pattern given in pieces: texts are literal, `STAR` and `ONE_CHAR` are wildcards."""
    return Language(pattern(tokens_of(parts), fold=fold))


def prefix(text: str, *, fold: bool = False) -> Language:
    """Return the texts that start with a literal text."""
    return pieces((text, STAR), fold=fold)


def suffix(text: str, *, fold: bool = False) -> Language:
    """Return the texts that end with a literal text."""
    return pieces((STAR, text), fold=fold)


def containing(text: str, *, fold: bool = False) -> Language:
    """Return the texts that contain a literal text."""
    return pieces((STAR, text, STAR), fold=fold)


def arn_glob(text: str, *, fold: bool = False) -> Language:
    """Return the ARNs that a pattern matches field by field, with the wildcards of `glob`.

    An ARN has six fields, `arn:partition:service:region:account:resource`; a wildcard in one of the first five never
    matches a colon, and the resource is everything after the fifth colon. A lone `*` is any text at all. A pattern of
    fewer fields that ends in `*` leaves the fields that it does not name open; any other short pattern matches nothing.
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html#Conditions_ARN
    """
    return _arn_glob(text, fold)


def arn_pieces(parts: Iterable[str | Wildcard], *, fold: bool = False) -> Language:
    """Return the language of an ARN pattern given in pieces, by the rules of `arn_glob`; texts are literal."""
    tokens = tokens_of(parts)
    if tokens == (STAR,):
        return ANY_TEXT
    fields = _arn_fields(tokens)
    if len(fields) < ARN_FIELDS:
        if fields[-1][-1:] != [STAR]:
            return NO_TEXT
        fields += [[STAR]] * (ARN_FIELDS - len(fields))
    normal = tuple(map(tokens_of, fields))
    if not any(isinstance(token, Wildcard) for field in normal[:-1] for token in field):
        # Nothing is left that could cross a colon where it must not: a plain pattern is quicker.
        return pieces(tokens, fold=fold)
    fold = fold and any(map(tokens_have_case, normal))
    if fold:
        normal = tuple(tuple(fold_text(t) if isinstance(t, str) else t for t in field) for field in normal)
    return Language(ArnGlob(normal, fold))


def union(languages: Iterable[Language]) -> Language:
    """Return the texts in at least one language; quicker than `|` one by one."""
    several = tuple(languages)
    return several[0] if len(several) == 1 else Language(disjunction(language.node for language in several))


def intersection(languages: Iterable[Language]) -> Language:
    """Return the texts in all languages; quicker than `&` one by one."""
    return Language(conjunction(language.node for language in languages))


def leading(automaton: Automaton, start: State, end: State) -> Language:
    """Return the texts that lead an automaton from one state to another."""
    return Language(Passage(automaton, start, end))


@lru_cache(maxsize=65536)
def _glob(text: str, fold: bool) -> Language:  # noqa: FBT001 - cache key
    return pieces(_parse(text), fold=fold)


@lru_cache(maxsize=65536)
def _arn_glob(text: str, fold: bool) -> Language:  # noqa: FBT001 - cache key
    head = text[:-1]
    if (
        not fold
        and text[-1:] == "*"
        and "*" not in head
        and "?" not in head
        and head.count(SEPARATOR) >= ARN_FIELDS - 1
    ):
        # By far the most frequent pattern: a literal text and anything after it.
        return Language(Glob((head, STAR)))
    return arn_pieces(_parse(text), fold=fold)


def _parse(text: str) -> list[str | Wildcard]:
    return [_WILDCARDS.get(part, part) for part in re.split(r"([*?])", text)]


def _arn_fields(tokens: Sequence[str | Wildcard]) -> list[list[str | Wildcard]]:
    """Cut a pattern at its first five literal colons."""
    fields: list[list[str | Wildcard]] = [[]]
    for token in tokens:
        if not isinstance(token, str):
            fields[-1].append(token)
            continue
        first, *others = token.split(SEPARATOR, ARN_FIELDS - len(fields))
        fields[-1].append(first)
        fields += [[other] for other in others]
    return fields
