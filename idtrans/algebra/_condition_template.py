"""Texts with request variables, such as `home/${aws:username}/*`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from idtrans.algebra._text import ANY_TEXT, NO_TEXT, STAR, arn_pieces, pieces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from idtrans.algebra._text import Language, Wildcard

_COLONS: Final = 5
"""In an ARN, before its last field."""


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
        before = takewhile(lambda part: not isinstance(part, Variable), self.parts)
        colons = sum(part.count(":") for part in before if isinstance(part, str))
        segmented = self.segmented and (colons >= _COLONS or not self.keys)
        return _language(Template(wide, fold=self.fold, segmented=segmented))

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
