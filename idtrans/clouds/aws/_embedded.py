"""JSON text that a field carries, as IAM returns policy documents: plain, or URL-encoded.

https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRolePolicy.html
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final, NoReturn
from urllib.parse import unquote

from idtrans.clouds.aws._parse_values import shown
from idtrans.model.documents import Json
from idtrans.model.spans import Source

MAX_DEPTH: Final = 200
"""Lists and objects inside one another that a carried document may have."""
_ENCODED_START: Final = "%7b"
_ESCAPED: Final = re.compile(r'\{\s*\\"')


@dataclass(frozen=True, slots=True, eq=False)
class TextSource(Source):
    """Source of everything inside a carried text: the text itself, which is one value of its file."""

    def at(self, *tokens: str | int) -> Source:  # noqa: ARG002 - places inside the text have no pointer
        """Return the source of the text."""
        return self


@dataclass(frozen=True, slots=True)
class Carried:
    """What a carried text says."""

    content: Json
    fault: str | None = None
    """Why the text cannot be read; then the content is `None`."""
    doubts: tuple[str, ...] = ()
    """Keys that are written more than once."""


def read_text(text: str) -> Carried:
    """Read the JSON value that a text is. A text that begins with `%7B` is URL-encoded, once; blank text is `null`."""
    text = text.lstrip("\ufeff").strip()
    if text[: len(_ENCODED_START)].lower() == _ENCODED_START:
        try:
            text = unquote(text, errors="strict")
        except UnicodeDecodeError:
            return Carried(None, "the URL-encoded document is not UTF-8")
    if not text:
        return Carried(None)
    if _ESCAPED.match(text):
        text = _unescaped(text)
    repeated: list[str] = []
    content, fault = _decoded(text, repeated)
    if fault is None and _is_deep(content):
        content, fault = None, _too_deep()
    return Carried(content, fault, tuple(f"key {shown(key)} is written more than once" for key in repeated))


def _unescaped(text: str) -> str:
    """Return what a text is once its quotes are freed, as API Gateway returns policies; broken text as it is.

    https://docs.aws.amazon.com/apigateway/latest/api/API_RestApi.html
    """
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text


def _decoded(text: str, repeated: list[str]) -> tuple[Json, str | None]:
    """Return the value, or why there is none."""
    try:
        return _decoder(repeated).decode(text), None
    except json.JSONDecodeError as error:
        return None, f"broken JSON at line {error.lineno}, column {error.colno} of {shown(text)}"
    except _NotJsonError as error:
        return None, f"{shown(error.token)} is not a JSON value"
    except ValueError:
        return None, "the document holds a number with too many digits"
    except RecursionError:
        return None, _too_deep()


class _NotJsonError(Exception):
    """One of the words that Python's decoder takes and JSON does not have."""

    def __init__(self, token: str) -> None:
        super().__init__(token)
        self.token = token


def _decoder(repeated: list[str]) -> json.JSONDecoder:
    def members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found = dict(pairs)
        if len(found) != len(pairs):
            seen: set[str] = set()
            repeated.extend(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        return found

    def refuse(token: str) -> NoReturn:
        raise _NotJsonError(token)

    return json.JSONDecoder(object_pairs_hook=members, parse_constant=refuse)


def _is_deep(content: Json) -> bool:
    level = [content]
    for _ in range(MAX_DEPTH + 1):
        level = [
            child
            for value in level
            if isinstance(value, dict | list)
            for child in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return False
    return True


def _too_deep() -> str:
    return f"the document is nested deeper than {MAX_DEPTH} levels"
