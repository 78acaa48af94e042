"""Spellings: object ids, scopes, roles and operations in the one form that is compared.

Azure compares GUIDs, ARM ids and operations without regard to case. Placeholders of emitted objects (`<LIKE_THIS>`)
keep theirs, so that they can be found again.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

NAME: Final = "azure"
"""Name that entities of this cloud carry."""
PREFIX: Final = "entra:"
"""Start of every principal id."""

_GUID = re.compile(r"[0-9a-f]{8}(-?)[0-9a-f]{4}(?:\1[0-9a-f]{4}){3}[0-9a-f]{8}", re.IGNORECASE)
# Almost all are written so, and without looking back this one is found twice as fast.
_PLAIN_GUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_PLACEHOLDER = re.compile(r"(<[A-Z0-9_]+>)")
_IDENTITY = "/providers/microsoft.managedidentity/userassignedidentities/"


def lowered(text: str) -> str:
    """Return a text in lower case, placeholders left alone."""
    if "<" not in text:
        return text.lower()
    return "".join(part if _PLACEHOLDER.fullmatch(part) else part.lower() for part in _PLACEHOLDER.split(text))


def guid(text: str) -> str | None:
    """Return a GUID in lower case with hyphens, `None` for text that is none. Hyphens may be left out."""
    if _PLAIN_GUID.fullmatch(text):
        return text
    found = _GUID.fullmatch(text)
    if found is None:
        return None
    if found[1]:
        return text.lower()
    plain = text.replace("-", "").lower()
    return "-".join((plain[:8], plain[8:12], plain[12:16], plain[16:20], plain[20:]))


@lru_cache(maxsize=65536)
def entra(object_id: str) -> str:
    """Return the principal id of a directory object, such as `entra:00000000-...`."""
    bare = object_id.strip()
    if bare[: len(PREFIX)].lower() == PREFIX:
        bare = bare[len(PREFIX) :]
    return PREFIX + (guid(bare) or bare)


@lru_cache(maxsize=65536)
def scope_id(text: str) -> str | None:
    """Return an ARM id or scope in lower case without a slash at the end; `None` for text that is no such path."""
    bare = text.strip()
    if not bare.startswith("/") or bare.startswith("//"):
        return None
    return lowered(bare).rstrip("/") or "/"


@lru_cache(maxsize=65536)
def role_id(text: str) -> str:
    """Return the id of a role: the last GUID of its path, since the part before it varies with where it is read."""
    last = text.rstrip("/").rsplit("/", 1)[-1].strip()
    return guid(last) or lowered(last)


def identity_owner(path: str) -> str | None:
    """Return the ARM id of the managed identity that an ARM id belongs to or is, `None` when there is none."""
    scope = scope_id(path)
    if scope is None or _IDENTITY not in scope:
        return None
    head, _, tail = scope.partition(_IDENTITY)
    return f"{head}{_IDENTITY}{tail.split('/', 1)[0]}"
