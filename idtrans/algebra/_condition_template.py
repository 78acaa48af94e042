"""Texts with request variables, such as `home/${aws:username}/*`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from idtrans.algebra._text import ANY_TEXT, NO_TEXT, ONE_CHAR, STAR, arn_pieces, pieces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from idtrans.algebra._text import Language, Wildcard

_COLONS: Final = 5
"""In an ARN, before its last field."""
_PRIVATE: Final = 0xF0000
"""First character of a plane that no text should use, https://www.unicode.org/faq/private_use.html."""


@dataclass(frozen=True, slots=True)
class Variable:
    """Stands for the value of a context key."""

    key: str
    """Name in the canonical spelling of the adapter."""
    default: str | None = None
    """Text for a request without the key; `None` when there is none."""


@dataclass(frozen=True, slots=True)
class Template:
    """The set of texts that a pattern with variables matches, once the variables have values.

    A value that is put in is literal: its `*` and `?` are no wildcards. A variable without value and default makes
    the pattern match nothing (so a negated template matches everything).
    """

    parts: tuple[str | Wildcard | Variable, ...]
    negated: bool = False
    """Whether the set holds the texts that the pattern does not match."""
    fold: bool = False
    """Whether upper and lower case are the same."""
    segmented: bool = False
    """Whether the pattern is an ARN, whose wildcards do not cross the first five colons."""

    @property
    def keys(self) -> frozenset[str]:
        """The keys that the pattern reads."""
        return frozenset(part.key for part in self.parts if isinstance(part, Variable))

    def bind(self, context: Mapping[str, str | None]) -> Template | Language:
        """Put in the values of the keys that the mapping has; `None` says that the key is absent.

        The result is a plain set of texts as soon as no variable is open.
        """
        parts: list[str | Wildcard | Variable] = []
        for part in self.parts:
            value: str | Wildcard | Variable | None = part
            if isinstance(part, Variable) and part.key in context:
                given = context[part.key]
                value = part.default if given is None else given
            if value is None:
                return ANY_TEXT if self.negated else NO_TEXT
            parts.append(value)
        bound = Template(tuple(parts), negated=self.negated, fold=self.fold, segmented=self.segmented)
        return bound if bound.keys else _language(bound)

    def widest(self) -> Language:
        """Return what the pattern (not its negation) can match at most: each open variable becomes any text."""
        wide = tuple(STAR if isinstance(part, Variable) else part for part in self.parts)
        # A value may hold colons and shift the fields of an ARN; only in the last field that changes nothing.
        return _language(Template(wide, fold=self.fold, segmented=self.segmented and not _is_early(self)))

    def is_within(self, other: Template) -> bool:
        """Tell whether the other pattern surely matches all texts of this one, whatever the variables stand for.

        Each variable is taken as a character of its own. That settles it, unless a value can shift the fields of an
        ARN or a wildcard counts the characters of a value; then the answer is `False`.
        """
        return _is_within(self, other)

    def __str__(self) -> str:
        """Render the pattern in the usual notation, such as `home/${user}/*`."""
        text = "".join(_shown(part) for part in self.parts)
        return f"not `{text}`" if self.negated else f"`{text}`"


def _shown(part: str | Wildcard | Variable) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Variable):
        return f"${{{part.key}}}"
    return "*" if part is STAR else "?"


@lru_cache(maxsize=4096)
def _language(template: Template) -> Language:
    """Return the texts of a template without variables."""
    parts = tuple(part for part in template.parts if not isinstance(part, Variable))
    build = arn_pieces if template.segmented else pieces
    pattern = build(parts, fold=template.fold)
    return ~pattern if template.negated else pattern


def _is_early(template: Template) -> bool:
    """Tell whether an ARN has a variable before its last field."""
    before = takewhile(lambda part: not isinstance(part, Variable), template.parts)
    colons = sum(part.count(":") for part in before if isinstance(part, str))
    return template.segmented and bool(template.keys) and colons < _COLONS


def _marked(template: Template, marks: Mapping[Variable, str]) -> Language:
    """Return the texts of a pattern in which each variable is one private character."""
    parts = tuple(marks[part] if isinstance(part, Variable) else part for part in template.parts)
    return _language(Template(parts, fold=template.fold, segmented=template.segmented))


@lru_cache(maxsize=4096)
def _is_within(one: Template, two: Template) -> bool:
    if ONE_CHAR in two.parts or one.segmented is not two.segmented or one.fold is not two.fold:
        return False
    if _is_early(one) or _is_early(two):
        return False
    variables = dict.fromkeys(part for part in (*one.parts, *two.parts) if isinstance(part, Variable))
    marks = {variable: chr(_PRIVATE + place) for place, variable in enumerate(variables)}
    literal = "".join(part for part in (*one.parts, *two.parts) if isinstance(part, str))
    if not set(literal).isdisjoint(marks.values()):
        return False
    return _marked(one, marks).issubset(_marked(two, marks))
