"""Lines of values in JSON text, found when somebody asks."""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping
from itertools import accumulate
from typing import TypeAlias

from idtrans.documents._json_text import skip_space
from idtrans.documents._pointers import list_index, pointer_tokens

# Steps over a value at the speed of the C scanner, and lets go of every object as soon as it closes.
_SKIP = json.JSONDecoder(object_pairs_hook=lambda _: None)

_Children: TypeAlias = "Mapping[str, int] | array[int]"


class LineIndex:
    """Counts line feeds before a character, without counting from the start each time."""

    _BLOCK = 1 << 12

    def __init__(self, text: str) -> None:
        """Count the line feeds of each block once."""
        blocks = (text.count("\n", start, start + self._BLOCK) for start in range(0, len(text), self._BLOCK))
        self._text = text
        self._before = array("Q", accumulate(blocks, initial=0))

    def line(self, index: int) -> int:
        """Return the one-based line of a character."""
        block = index // self._BLOCK
        return self._before[block] + self._text.count("\n", block * self._BLOCK, index) + 1


class JsonOrigin:
    """Origin over JSON or NDJSON text that was decoded before, so that it is known to be well formed.

    A lookup scans the containers on the way to the value and remembers where their children begin; nothing else is
    indexed. Repeated keys resolve to the last one, as in the content.
    """

    __slots__ = ("_children", "_lines", "_starts", "_text", "path")

    def __init__(self, path: str, text: str, starts: array[int] | None = None) -> None:
        """Keep the text; `starts` are the beginnings of the values of NDJSON text."""
        self.path = path
        self._text = text
        self._starts = starts
        self._children: dict[int, _Children] = {}
        self._lines: LineIndex | None = None

    def __getstate__(self) -> tuple[str, str, array[int] | None]:
        """Leave what can be found again behind."""
        return self.path, self._text, self._starts

    def __setstate__(self, state: tuple[str, str, array[int] | None]) -> None:
        """Start again with nothing remembered."""
        self.path, self._text, self._starts = state
        self._children = {}
        self._lines = None

    def line(self, pointer: str) -> int | None:
        """Return the one-based line on which the value at a pointer begins, `None` when there is no such value."""
        offset = self._offset(pointer)
        if offset is None:
            return None
        if self._lines is None:
            self._lines = LineIndex(self._text)
        return self._lines.line(offset)

    def _offset(self, pointer: str) -> int | None:
        tokens = pointer_tokens(pointer)
        if tokens is None:
            return None
        offset: int | None = skip_space(self._text, 0)
        if tokens and self._starts is not None:
            offset = _pick(self._starts, tokens.pop(0))
        for token in tokens:
            if offset is None:
                return None
            offset = _pick(self._children_at(offset), token)
        return offset

    def _children_at(self, offset: int) -> _Children:
        known = self._children.get(offset)
        if known is None:
            known = self._children[offset] = _scan_children(self._text, offset)
        return known


def _pick(children: _Children, token: str) -> int | None:
    if isinstance(children, Mapping):
        return children.get(token)
    index = list_index(token)
    return children[index] if index is not None and index < len(children) else None


def _scan_children(text: str, offset: int) -> _Children:
    match text[offset : offset + 1]:
        case "{":
            return _members(text, offset)
        case "[":
            return _elements(text, offset)
        case _:
            return {}


def _members(text: str, offset: int) -> dict[str, int]:
    members: dict[str, int] = {}
    index = skip_space(text, offset + 1)
    while text[index] != "}":
        key, index = _SKIP.raw_decode(text, index)
        colon = skip_space(text, index)
        start = members[key] = skip_space(text, colon + 1)
        index = _next_child(text, start)
    return members


def _elements(text: str, offset: int) -> array[int]:
    elements = array("Q")
    index = skip_space(text, offset + 1)
    while text[index] != "]":
        elements.append(index)
        index = _next_child(text, index)
    return elements


def _next_child(text: str, start: int) -> int:
    """Return where the next child or the closing bracket stands, after the value at `start`."""
    _, end = _SKIP.raw_decode(text, start)
    index = skip_space(text, end)
    return skip_space(text, index + 1) if text[index] == "," else index
