"""Cutting a literal text, or one that a star follows, along a template: without an automaton, where that is plain.

It is plain where every component is followed by a character that its values cannot have, as it is in most subjects:
an owner ends at the first slash, a repository at the first colon.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from idtrans.algebra import STAR, Language, Wildcard, exact, pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idtrans.catalog import Alphabet, Issuer, Template

Cut = Mapping[str, tuple[Language, ...]]
"""Components and what each of their places in the template holds."""


@dataclass(frozen=True, slots=True)
class Text:
    """A literal text."""

    literal: str
    open: bool
    """Whether anything may follow."""


def text_of(tokens: Sequence[str | Wildcard]) -> Text | None:
    """Return a pattern as a literal text that a star may follow, `None` for any other pattern."""
    match tokens:
        case [str(literal)]:
            return Text(literal, open=False)
        case [str(literal), last] if last is STAR:
            return Text(literal, open=True)
        case _:
            return None


def cut(text: Text, template: Template, issuer: Issuer) -> tuple[Cut, ...] | None:
    """Return the values of the components, none where the template makes no such text, `None` where it is not plain.

    A component that may be anything is not named.
    """
    found: dict[str, tuple[Language, ...]] = {}
    rest = text.literal
    for number, part in enumerate(template):
        if isinstance(part, str):
            if not rest.startswith(part):
                return (found,) if text.open and part.startswith(rest) else ()
            rest = rest.removeprefix(part)
            continue
        alphabet = issuer.components[part.component].alphabet
        following = template[number + 1] if number + 1 < len(template) else ""
        if not isinstance(following, str) or (following and _has(alphabet, following[0])):
            return None
        size = _length(rest, alphabet)
        value, rest = rest[:size], rest[size:]
        if not rest and text.open:
            return (_with(found, part.component, pieces((value, STAR))) if value else found,)
        if not value and not alphabet.empty:
            return ()
        found = _with(found, part.component, exact(value))
    # What a star may add, the template has no place for; nothing is added then.
    return (found,) if not rest else ()


def _with(
    found: dict[str, tuple[Language, ...]], component: str, language: Language
) -> dict[str, tuple[Language, ...]]:
    return {**found, component: (*found.get(component, ()), language)}


def _length(text: str, alphabet: Alphabet) -> int:
    """Return how many of the first characters are in an alphabet."""
    return next((number for number, char in enumerate(text) if not _has(alphabet, char)), len(text))


def _has(alphabet: Alphabet, char: str) -> bool:
    return char not in alphabet.never and (alphabet.only is None or char in alphabet.only)
