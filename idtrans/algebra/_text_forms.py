"""Text languages as lists of words and patterns, for those who write them in another language of conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from idtrans.algebra._text_nodes import EVERYTHING, Every, Glob, Not, Some, Words

if TYPE_CHECKING:
    from idtrans.algebra._text_machine import Tokens
    from idtrans.algebra._text_nodes import Node


@dataclass(frozen=True, slots=True)
class Forms:
    """The texts that are one of some words or fit one of some patterns, or all others."""

    words: tuple[str, ...]
    """Sorted."""
    patterns: tuple[Tokens, ...]
    """Literals and wildcards in turn."""
    negated: bool = False
    """Whether the language holds all other texts."""
    fold: bool = False
    """Whether letters of either case are equal."""


def forms(node: Node) -> Forms | None:
    """Return a language as words and patterns, `None` when it is no plain list of them."""
    if node == EVERYTHING:
        return None
    atoms, negated = _atoms(node)
    if atoms is None or len({atom.fold for atom in atoms if atom.folds or not atom.caseless}) > 1:
        return None
    words = sorted(word for atom in atoms if isinstance(atom, Words) for word in atom.words)
    patterns = sorted((atom.tokens for atom in atoms if isinstance(atom, Glob)), key=str)
    return Forms(tuple(words), tuple(patterns), negated, any(atom.folds for atom in atoms))


def _atoms(node: Node) -> tuple[list[Words | Glob] | None, bool]:
    negated = isinstance(node, Not | Every)
    parts = node.parts if isinstance(node, Some | Every) else (node,)
    found: list[Words | Glob] = []
    for part in parts:
        atom = part.atom if negated and isinstance(part, Not) else part
        if (negated and not isinstance(part, Not)) or not isinstance(atom, Words | Glob):
            return None, negated
        found.append(atom)
    return found, negated
