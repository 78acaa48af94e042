"""Values that conditions compare: claims of a token, attributes of a resource, texts put together from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from idtrans.algebra import (
    ALWAYS,
    NEVER,
    STAR,
    Condition,
    Has,
    Language,
    Quantifier,
    Test,
    Truth,
    all_of,
    any_of,
    negate,
    pieces,
    union,
)
from idtrans.clouds.gcp._regex import Pattern


@dataclass(frozen=True, slots=True)
class Pair:
    """When an expression is true and when it is false. Where it is an error, it is neither."""

    true: Condition
    false: Condition


ERROR: Final = Pair(NEVER, NEVER)
"""An expression that never has a value, such as one on a claim that nothing maps."""


def chosen(test: Pair, yes: Pair, no: Pair) -> Pair:
    """Return the outcome of `TEST ? YES : NO`."""
    return Pair(
        any_of(all_of(test.true, yes.true), all_of(test.false, no.true)),
        any_of(all_of(test.true, yes.false), all_of(test.false, no.false)),
    )


class Term(Protocol):
    """A text value of an expression."""

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Return when the value fits one of the patterns, `None` when that cannot be said."""
        ...

    def present(self) -> Condition:
        """Return when there is a value."""
        ...


def language_of(patterns: tuple[Pattern, ...]) -> Language:
    """Return the texts that fit one of the patterns."""
    return union(pieces(pattern) for pattern in patterns)


def fits(key: str, language: Language, label: str = "") -> Pair:
    """Return when a key of one value is in a language; a key that is absent is an error."""
    return Pair(
        Test(key, Quantifier.ONE, language, label=label),
        Test(key, Quantifier.ONE, ~language, label=label),
    )


@dataclass(frozen=True, slots=True)
class Constant:
    """A text that the expression itself states."""

    text: str

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Compare now."""
        return Pair(ALWAYS, NEVER) if language_of(patterns).matches(self.text) else Pair(NEVER, ALWAYS)

    def present(self) -> Condition:
        """Return ALWAYS."""
        return ALWAYS


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the token."""

    key: str

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Test the claim."""
        return fits(self.key, language_of(patterns))

    def present(self) -> Condition:
        """Ask for the claim."""
        return Has(self.key)


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that the principal can never have, such as an attribute that is not mapped."""

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:  # noqa: ARG002 - the protocol's signature
        """Return an error."""
        return ERROR

    def present(self) -> Condition:
        """Return NEVER."""
        return NEVER


@dataclass(frozen=True, slots=True)
class Attribute:
    """`api.getAttribute(KEY, DEFAULT)`: a key of the request with a text that stands in where it is absent."""

    key: str
    default: str

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Test the key, or the default."""
        language = language_of(patterns)
        absent = Truth.of(language.matches(self.default))
        found = Test(self.key, Quantifier.ONE, language, missing=absent)
        return Pair(found, negate(found))

    def present(self) -> Condition:
        """Return ALWAYS."""
        return ALWAYS


@dataclass(frozen=True, slots=True)
class Cased:
    """A claim in small letters, or in capitals."""

    key: str
    upper: bool

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Test the claim without regard to case. A pattern of the other case fits nothing, classes are not read."""
        kept = []
        for pattern in patterns:
            texts = [part for part in pattern if isinstance(part, str)]
            if any(not isinstance(part, str) and part is not STAR for part in pattern):
                return None
            if all(text == (text.upper() if self.upper else text.lower()) for text in texts):
                kept.append(pieces(pattern, fold=True))
        return fits(self.key, union(kept))

    def present(self) -> Condition:
        """Ask for the claim."""
        return Has(self.key)


@dataclass(frozen=True, slots=True)
class Choice:
    """`TEST ? YES : NO` over texts."""

    test: Pair
    yes: Term
    no: Term

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Test what is chosen."""
        yes, no = self.yes.within(patterns), self.no.within(patterns)
        return chosen(self.test, yes, no) if yes is not None and no is not None else None

    def present(self) -> Condition:
        """Ask for a test that has an outcome, and for what it chooses."""
        return any_of(all_of(self.test.true, self.yes.present()), all_of(self.test.false, self.no.present()))


_MAX_SPLITS: Final = 64
_MAX_PARTS: Final = 8
_MAX_CLAIMS: Final = 3
_MAX_TEXTS: Final = 16
_MAX_TEXT: Final = 256
"""Texts are cut in as many ways as they are long, to the power of the claims: what is larger is not looked into."""


@dataclass(frozen=True, slots=True)
class Concatenation:
    """Texts and claims put together with `+`."""

    parts: tuple[Constant | Claim, ...]

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Spread each text over the claims in every way that it can be cut; patterns cannot be spread."""
        boxes: list[Condition] = []
        if not self._small(patterns):
            return None
        for pattern in patterns:
            text = "".join(part for part in pattern if isinstance(part, str))
            if any(not isinstance(part, str) for part in pattern):
                return None
            for cut in _cuts(self.parts, text):
                boxes.append(all_of(*(fits(key, pieces((value,))).true for key, value in cut)))
                if len(boxes) > _MAX_SPLITS:
                    return None
        true = any_of(*boxes)
        return Pair(true, all_of(self.present(), negate(true)))

    def present(self) -> Condition:
        """Ask for every claim."""
        return all_of(*(part.present() for part in self.parts))

    def _small(self, patterns: tuple[Pattern, ...]) -> bool:
        claims = sum(isinstance(part, Claim) for part in self.parts)
        if claims > _MAX_CLAIMS or len(self.parts) > _MAX_PARTS:
            return False
        longest = max((len(part) for pattern in patterns for part in pattern if isinstance(part, str)), default=0)
        return claims <= 1 or (len(patterns) <= _MAX_TEXTS and longest <= _MAX_TEXT)


def _cuts(parts: tuple[Constant | Claim, ...], text: str) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield every way to give the claims values so that the parts spell the text."""
    if not parts:
        if not text:
            yield ()
        return
    head, rest = parts[0], parts[1:]
    if isinstance(head, Constant):
        if text.startswith(head.text):
            yield from _cuts(rest, text.removeprefix(head.text))
        return
    for end in [len(text)] if not rest else range(len(text) + 1):
        for tail in _cuts(rest, text[end:]):
            yield ((head.key, text[:end]), *tail)
