"""JSON pointers (RFC 6901) taken apart and followed."""

from __future__ import annotations

import re

from idtrans.model.documents import Json
from idtrans.model.spans import escape_token

_INDEX = re.compile(r"0|[1-9][0-9]*")
_MAX_INDEX_DIGITS = 18


def pointer_of(*tokens: str | int) -> str:
    """Return the pointer made of object keys and list indexes."""
    return "".join(f"/{escape_token(str(token))}" for token in tokens)


def pointer_tokens(pointer: str) -> list[str] | None:
    """Return the tokens of a pointer, `None` for a text that is no pointer."""
    if not pointer:
        return []
    if not pointer.startswith("/"):
        return None
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def list_index(token: str) -> int | None:
    """Return the list index that a token names, `None` when it names none."""
    return int(token) if len(token) <= _MAX_INDEX_DIGITS and _INDEX.fullmatch(token) else None


def value_at(root: Json, pointer: str) -> Json:
    """Return the value at a pointer.

    Raises:
        LookupError: there is no such value.
    """
    tokens = pointer_tokens(pointer)
    if tokens is None:
        raise LookupError(pointer)
    value = root
    for token in tokens:
        value = _child(value, token)
    return value


def _child(value: Json, token: str) -> Json:
    if isinstance(value, dict):
        return value[token]
    index = list_index(token)
    if not isinstance(value, list) or index is None:
        raise LookupError(token)
    return value[index]
