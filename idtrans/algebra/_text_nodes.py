"""The symbolic form of text languages: atoms (word lists, patterns, ARN patterns) under and, or, not.

Negation stands only on atoms; `_text_rules` keeps it so and simplifies. Matching uses string methods, never `re`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from idtrans.algebra._text_fold import fold_text, has_case
from idtrans.algebra._text_machine import ONE_CHAR, SEPARATOR, STAR, PatternMachine, Tokens, WordsMachine, tokens_of

if TYPE_CHECKING:
    from idtrans.algebra._text_machine import Machine

ARN_FIELDS: Final = 6
"""Fields of an ARN; the last one, the resource, may contain colons (reference_identifiers.html)."""


class Node(Protocol):
    """One part of a language: immutable, hashable, compared by its parts."""

    @property
    def folds(self) -> bool:
        """Whether letters of either case are equal somewhere in it."""
        ...

    @property
    def caseless(self) -> bool:
        """Whether it tells no letter from the same letter of other case."""
        ...

    def matches(self, text: str) -> bool:
        """Tell whether a text is in the language."""
        ...

    def __hash__(self) -> int:
        """Hash the parts."""
        ...


class Atom(Node, Protocol):
    """A part that has an automaton of its own."""

    def machine(self) -> Machine[Any]:
        """Return its automaton."""
        ...


@dataclass(frozen=True, slots=True)
class Words:
    """A finite list of texts."""

    words: frozenset[str]
    """Folded when `fold` is set."""
    fold: bool = False

    @property
    def folds(self) -> bool:
        """Whether case is ignored."""
        return self.fold

    @property
    def caseless(self) -> bool:
        """Whether case is ignored or does not exist in the words."""
        return self.fold or not any(map(has_case, self.words))

    def matches(self, text: str) -> bool:
        """Look the text up."""
        if not self.fold:
            return text in self.words
        return (text.lower() if text.isascii() else fold_text(text)) in self.words

    def machine(self) -> Machine[Any]:
        """Return the automaton of the sorted list."""
        return _words_machine(self)


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern with at least one wildcard."""

    tokens: Tokens
    """Folded when `fold` is set."""
    fold: bool = False
    head: str = field(init=False, repr=False, compare=False)
    """The literal text before the first wildcard."""
    tail: str = field(init=False, repr=False, compare=False)
    """The literal text after the last wildcard."""
    least: int = field(init=False, repr=False, compare=False)
    """Length of the shortest match."""
    middles: tuple[str, ...] | None = field(init=False, repr=False, compare=False)
    """The literals between the stars; `None` when there is a `?`, which the automaton handles."""
    hashed: int = field(init=False, repr=False, compare=False)
    """Searches look patterns up far more often than they build them."""

    def __post_init__(self) -> None:
        """Take the pattern apart once."""
        tokens = self.tokens
        starry = ONE_CHAR not in tokens
        set_field = object.__setattr__
        set_field(self, "head", tokens[0] if isinstance(tokens[0], str) else "")
        set_field(self, "tail", tokens[-1] if isinstance(tokens[-1], str) else "")
        set_field(self, "least", shortest_length(tokens))
        set_field(self, "middles", tuple(t for t in tokens[1:-1] if isinstance(t, str)) if starry else None)
        set_field(self, "hashed", hash((tokens, self.fold)))

    def __hash__(self) -> int:
        """Return the hash of the parts."""
        return self.hashed

    def __reduce__(self) -> tuple[type[Glob], tuple[object, ...]]:
        """Build a copy anew: hashes of texts differ from process to process."""
        return Glob, (self.tokens, self.fold)

    @property
    def folds(self) -> bool:
        """Whether case is ignored."""
        return self.fold

    @property
    def caseless(self) -> bool:
        """Whether case is ignored or does not exist in the pattern."""
        return self.fold or not tokens_have_case(self.tokens)

    def matches(self, text: str) -> bool:
        """Check both ends, then find the literals between the stars from left to right."""
        if self.fold:
            text = fold_text(text)
        if len(text) < self.least or not text.startswith(self.head) or not text.endswith(self.tail):
            return False
        if self.middles is None:
            return _pattern_machine((self.tokens,), self.fold).matches(text)
        at, stop = len(self.head), len(text) - len(self.tail)
        for piece in self.middles:
            at = text.find(piece, at, stop)
            if at < 0:
                return False
            at += len(piece)
        return True

    def machine(self) -> Machine[Any]:
        """Return the bit-mask automaton."""
        return _pattern_machine((self.tokens,), self.fold)


@dataclass(frozen=True, slots=True)
class ArnGlob:
    """An ARN pattern whose six fields are matched one by one, as AWS's ArnLike does."""

    fields: tuple[Tokens, ...]
    """Folded when `fold` is set."""
    fold: bool = False
    head: str = field(init=False, repr=False, compare=False)
    """The literal text before the first wildcard."""
    tail: str = field(init=False, repr=False, compare=False)
    """The literal text after the last wildcard."""
    least: int = field(init=False, repr=False, compare=False)
    """Length of the shortest match."""
    tests: tuple[tuple[int, Words | Glob], ...] = field(init=False, repr=False, compare=False)
    """What is to be tested: number of the field and its pattern, without the fields that may be anything."""
    hashed: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Take the pattern apart once."""
        last = self.fields[-1]
        set_field = object.__setattr__
        set_field(self, "head", _arn_head(self.fields))
        set_field(self, "tail", last[-1] if last and isinstance(last[-1], str) else "")
        set_field(self, "least", sum(map(shortest_length, self.fields)) + ARN_FIELDS - 1)
        tests = ((number, pattern(tokens)) for number, tokens in enumerate(self.fields))
        set_field(self, "tests", tuple((number, test) for number, test in tests if test != EVERYTHING))
        set_field(self, "hashed", hash((self.fields, self.fold)))

    def __hash__(self) -> int:
        """Return the hash of the parts."""
        return self.hashed

    def __reduce__(self) -> tuple[type[ArnGlob], tuple[object, ...]]:
        """Build a copy anew: hashes of texts differ from process to process."""
        return ArnGlob, (self.fields, self.fold)

    @property
    def folds(self) -> bool:
        """Whether case is ignored."""
        return self.fold

    @property
    def caseless(self) -> bool:
        """Whether case is ignored or does not exist in the pattern."""
        return self.fold or not any(map(tokens_have_case, self.fields))

    def matches(self, text: str) -> bool:
        """Cut the text at its first five colons and match the fields."""
        if self.fold:
            text = fold_text(text)
        if not text.startswith(self.head) or not text.endswith(self.tail):
            return False
        parts = _fields_of(text)
        if len(parts) != ARN_FIELDS:
            return False
        for number, test in self.tests:  # noqa: SIM110 - as in `Some`
            if not test.matches(parts[number]):
                return False
        return True

    def machine(self) -> Machine[Any]:
        """Return the bit-mask automaton."""
        return _pattern_machine(self.fields, self.fold)


@dataclass(frozen=True, slots=True)
class Not:
    """Every text that an atom does not match."""

    atom: Atom

    @property
    def folds(self) -> bool:
        """Whether the atom folds."""
        return self.atom.folds

    @property
    def caseless(self) -> bool:
        """Whether the atom is caseless."""
        return self.atom.caseless

    def matches(self, text: str) -> bool:
        """Turn the atom's answer round."""
        return not self.atom.matches(text)


@dataclass(frozen=True, slots=True)
class Group:
    """Several parts, at least two, none of them a group of the same sort."""

    parts: frozenset[Node]
    depth: int = field(compare=False)

    @property
    def folds(self) -> bool:
        """Whether some part folds."""
        return any(part.folds for part in self.parts)

    @property
    def caseless(self) -> bool:
        """Whether all parts are caseless."""
        return all(part.caseless for part in self.parts)


class Every(Group):
    """The texts in all parts."""

    __slots__ = ()

    def matches(self, text: str) -> bool:
        """Ask until a part refuses."""
        for part in self.parts:  # noqa: SIM110 - as below
            if not part.matches(text):
                return False
        return True


class Some(Group):
    """The texts in at least one part."""

    __slots__ = ()

    def matches(self, text: str) -> bool:
        """Ask until a part accepts."""
        for part in self.parts:  # noqa: SIM110 - the most frequent question of all, and twice as fast as `any`
            if part.matches(text):
                return True
        return False


def pattern(tokens: Tokens, *, fold: bool = False) -> Words | Glob:
    """Return the atom of a normalised pattern: a word when it has no wildcard."""
    fold = fold and tokens_have_case(tokens)
    if fold:
        tokens = tuple(fold_text(token) if isinstance(token, str) else token for token in tokens)
    if not tokens:
        return Words(frozenset(("",)))
    first = tokens[0]
    if len(tokens) == 1 and isinstance(first, str):
        return Words(frozenset((first,)), fold)
    return Glob(tokens, fold)


def tokens_have_case(tokens: Tokens) -> bool:
    """Tell whether some literal has a letter of two cases."""
    return any(has_case(token) for token in tokens if isinstance(token, str))


def shortest_length(tokens: Tokens) -> int:
    """Return the length of the shortest text that a pattern matches."""
    return sum(len(token) if isinstance(token, str) else token is ONE_CHAR for token in tokens)


def _arn_head(fields: tuple[Tokens, ...]) -> str:
    first = tokens_of(token for field in fields for token in (SEPARATOR, *field))[0]
    return first[1:] if isinstance(first, str) else ""


@lru_cache(maxsize=64)
def _fields_of(text: str) -> tuple[str, ...]:
    """Cut a text at its first five colons: one resource is compared with many patterns in a row."""
    return tuple(text.split(SEPARATOR, ARN_FIELDS - 1))


@lru_cache(maxsize=8192)
def _pattern_machine(fields: tuple[Tokens, ...], fold: bool) -> PatternMachine:  # noqa: FBT001 - cache key
    return PatternMachine(fields, fold=fold)


@lru_cache(maxsize=512)
def _words_machine(words: Words) -> WordsMachine:
    return WordsMachine(tuple(sorted(words.words)), words.fold)


EVERYTHING: Final = Glob((STAR,))
"""All texts."""

NOTHING: Final = Words(frozenset())
"""No text."""
