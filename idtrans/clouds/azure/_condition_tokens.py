"""The words of a role assignment condition.

https://learn.microsoft.com/azure/role-based-access-control/conditions-format
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

LIMIT: Final = 20_000
"""Longest condition that is read; Azure accepts 8 kB."""

_TOKENS = re.compile(
    r"""(?P<space>\s+)
    |(?P<text>'(?:[^'\\]|\\.)*')
    |(?P<attribute>@[A-Za-z]+\[[^\[\]]*\])
    |(?P<guid>[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}\b)
    |(?P<number>-?\d+(?:\.\d+)?\b)
    |(?P<word>[A-Za-z][A-Za-z0-9]*(?::[A-Za-z]+)?)
    |(?P<sign>&&|\|\||[!(){},])
    """,
    re.VERBOSE,
)
_SIGNS = {"&&": "and", "||": "or", "!": "not"}


class Kind(StrEnum):
    """What a token is."""

    TEXT = "text"
    ATTRIBUTE = "attribute"
    WORD = "word"
    SIGN = "sign"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token and where it stands."""

    kind: Kind
    text: str
    """A literal as written between the quotes; words and signs in lower case."""
    start: int
    end: int


class UnreadableError(Exception):
    """The condition is not in the part of the language that is read. Never leaves the adapter."""


def tokens(text: str) -> list[Token]:
    """Cut a condition into tokens, an END token last.

    Raises:
        UnreadableError: it is too long or holds a character that no token starts with.
    """
    if len(text) > LIMIT:
        raise UnreadableError("it is too long")
    found: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKENS.match(text, position)
        if match is None or match.lastgroup is None:
            raise UnreadableError(f"`{text[position : position + 20]}` is not understood")
        if match.lastgroup != "space":
            found.append(_token(match.lastgroup, match))
        position = match.end()
    return [*found, Token(Kind.END, "", position, position)]


def _token(group: str, match: re.Match[str]) -> Token:
    raw, start, end = match.group(), match.start(), match.end()
    if group == "text":
        return Token(Kind.TEXT, raw[1:-1], start, end)
    if group in {"guid", "number"}:
        return Token(Kind.TEXT, raw, start, end)
    if group == "attribute":
        return Token(Kind.ATTRIBUTE, raw, start, end)
    if group == "word" and raw.lower() in {"and", "or", "not"}:
        return Token(Kind.SIGN, raw.lower(), start, end)
    if group == "word":
        return Token(Kind.WORD, raw.lower(), start, end)
    return Token(Kind.SIGN, _SIGNS.get(raw, raw), start, end)
