"""Patterns of AWS policies: wildcards and policy variables in texts and ARNs.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ANY_TEXT,
    ONE_CHAR,
    STAR,
    Language,
    Template,
    Variable,
    arn_glob,
    exact,
    glob,
    pieces,
)

if TYPE_CHECKING:
    from idtrans.algebra import Wildcard

VARIABLES_VERSION: Final = "2012-10-17"
"""The only policy version in which `${...}` is a variable."""
_ARN_COLONS: Final = 5
_VARIABLE: Final = re.compile(r"\$\{([^{}]*)\}")
_DEFAULTED: Final = re.compile(r"([^,']*), '([^']*)'")
_ESCAPES: Final = frozenset("*?$")
_WILDCARDS: Final = {"*": STAR, "?": ONE_CHAR}


class Style(StrEnum):
    """How a text is to be matched."""

    EXACT = "exact"
    """`*` and `?` are plain characters."""
    LIKE = "like"
    ARN = "arn"
    """Field by field."""


@lru_cache(maxsize=65536)
def pattern(text: str, version: str, style: Style, fold: bool = False) -> Language | Template | None:  # noqa: FBT001, FBT002 - cache key
    """Return what a condition value matches; `None` when its variables cannot be read."""
    if version == VARIABLES_VERSION and "${" in text:
        return _templated(text, style, fold=fold)
    return _plain(text, style, fold=fold)


@lru_cache(maxsize=65536)
def resource_pattern(text: str, version: str) -> Language | Template | None:
    """Return what an entry of `Resource` matches; `None` when it is no `*`, no ARN, or its variables cannot be read.

    Variables have a meaning only in the last field of an ARN.
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
    """
    if text == "*":
        return ANY_TEXT
    if not text.startswith("arn:"):
        return None
    head, tail = _split_arn(text)
    if version == VARIABLES_VERSION and "${" in tail:
        if "${" in head:
            return None
        return _templated(text, Style.ARN, fold=False)
    return arn_glob(text)


def _split_arn(text: str) -> tuple[str, str]:
    parts = text.split(":", _ARN_COLONS)
    return (":".join(parts[:_ARN_COLONS]), parts[_ARN_COLONS]) if len(parts) > _ARN_COLONS else (text, "")


def _plain(text: str, style: Style, *, fold: bool) -> Language:
    match style:
        case Style.EXACT:
            return exact(text, fold=fold)
        case Style.LIKE:
            return glob(text, fold=fold)
        case Style.ARN:
            return arn_glob(text, fold=fold)


def _templated(text: str, style: Style, *, fold: bool) -> Language | Template | None:
    parts = _parts(text, style)
    if parts is None:
        return None
    template = Template(parts, fold=fold, segmented=style is Style.ARN)
    if template.keys:
        return template
    bound = template.bind({})
    return bound if isinstance(bound, Language) else pieces(())


def _parts(text: str, style: Style) -> tuple[str | Wildcard | Variable, ...] | None:
    found: list[str | Wildcard | Variable] = []
    position = 0
    for match in _VARIABLE.finditer(text):
        found += _literal(text[position : match.start()], style)
        variable = _variable(match[1])
        if variable is None:
            return None
        found.append(variable)
        position = match.end()
    rest = text[position:]
    if "${" in rest:
        return None
    return (*found, *_literal(rest, style))


def _literal(text: str, style: Style) -> list[str | Wildcard]:
    if style is Style.EXACT:
        return [text] if text else []
    return [_WILDCARDS.get(part, part) for part in re.split(r"([*?])", text) if part]


def _variable(inner: str) -> str | Variable | None:
    """Read what stands between the braces; `None` when it is no variable name."""
    if inner in _ESCAPES:
        return inner
    defaulted = _DEFAULTED.fullmatch(inner)
    name, default = (defaulted[1], defaulted[2]) if defaulted else (inner, None)
    if not name or "," in name or "'" in name or ":" not in name:
        return None
    return Variable(name.strip().lower(), default)
