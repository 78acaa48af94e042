"""A page for people, before it is written in any markup: what it says, block by block.

Texts are plain and may come from hostile input: whoever writes them in a markup escapes them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """A text to be shown as it stands: an identifier, a permission, a path."""

    text: str


Cell = str | Name
"""Prose, or a name."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a section; level 1 is that of the page."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What is to be known first: labels with what they say."""

    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list."""

    items: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, each cell one or several lines."""

    head: tuple[str, ...]
    rows: tuple[tuple[tuple[Cell, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Text to be copied."""

    language: str
    text: str


Block = Heading | Facts | Bullets | Table | Code
Page = tuple[Block, ...]
