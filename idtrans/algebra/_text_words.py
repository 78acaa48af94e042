"""Text languages in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from idtrans.algebra._text_automaton import Passage
from idtrans.algebra._text_nodes import EVERYTHING, NOTHING, Every, Glob, Group, Node, Not, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idtrans.algebra._text_machine import Tokens
    from idtrans.algebra._text_nodes import ArnGlob

_SHOWN: Final = 6
"""Members of a list that are spelled out."""

_ANY_CASE: Final = " in any case"


def describe(node: Node) -> str:
    """Say what a language holds, such as "`a*` and not `ab`"."""
    if node == EVERYTHING:
        return "anything"
    if node == NOTHING:
        return "nothing"
    if isinstance(node, Group):
        return _group(node)
    if isinstance(node, Not):
        listed = isinstance(node.atom, Words) and len(node.atom.words) > 1
        return f"not ({describe(node.atom)})" if listed else f"not {describe(node.atom)}"
    return _atom(node)


def enumerate_words(items: Sequence[str], conjunction: str) -> str:
    """Join items as in a sentence; a long list is cut and its rest counted."""
    shown = [*items[:_SHOWN], f"{len(items) - _SHOWN} more"] if len(items) > _SHOWN + 1 else list(items)
    return f" {conjunction} ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _atom(node: Node) -> str:
    if isinstance(node, Words):
        words = enumerate_words([f"`{_literal(word)}`" for word in sorted(node.words)], "or")
        return words + (_ANY_CASE if node.fold else "")
    if isinstance(node, Passage):
        return "a part of a longer text"
    if isinstance(node, Glob):
        return f"`{_pattern(node.tokens)}`" + (_ANY_CASE if node.fold else "")
    fields = cast("ArnGlob", node).fields
    return f"`{':'.join(map(_pattern, fields))}`" + (_ANY_CASE if node.folds else "")


def _group(node: Group) -> str:
    parts = sorted((isinstance(part, Not), _nested(part)) for part in node.parts)
    texts = [text for _, text in parts]
    return enumerate_words(texts, "and") if isinstance(node, Every) else enumerate_words(texts, "or")


def _nested(node: Node) -> str:
    several = isinstance(node, Group) or (isinstance(node, Words) and len(node.words) > 1)
    return f"({describe(node)})" if several else describe(node)


def _pattern(tokens: Tokens) -> str:
    return "".join(_literal(token) if isinstance(token, str) else token.value for token in tokens)


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("*", "\\*").replace("?", "\\?")
