"""Permissions as deny policies and boundaries spell them, as permissions of roles.

Roles write `resourcemanager.projects.delete` for what deny policies call
`cloudresourcemanager.googleapis.com/projects.delete`. https://cloud.google.com/iam/docs/deny-permissions-support
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from idtrans.algebra import ANY_TEXT, NO_TEXT, STAR, Condition, Language, Opaque, Wildcard, any_of, pieces, union

_NAMED: Final = re.compile(r"(?P<host>[A-Za-z0-9.-]+)/(?P<rest>.*)")
_PART: Final = r"(?:\*|[A-Za-z0-9_-]+)"
_REST: Final = re.compile(rf"{_PART}(?:\.{_PART})+")
"""`RESOURCE.VERB`, each of which may be a star as a whole: `objects.get`, `objects.*`, `*.get`, `*.*`."""
_ROLE_STYLE: Final = re.compile(rf"[a-z][a-zA-Z0-9-]*(?:\.{_PART}){{2,}}")
"""A permission as roles spell it."""
_KNOWN_HOST: Final = re.compile(
    r"(?P<label>[a-z][a-z0-9-]*)\.googleapis\.com|cloudonefs\.isiloncloud\.com|cloudvolumesgcp-api\.netapp\.com|"
    r"gcp\.redisenterprise\.com"
)


@dataclass(frozen=True, slots=True)
class Named:
    """What some texts name."""

    sure: Language
    """Permissions that are named for sure."""
    unsure: Language
    """Permissions that are perhaps named."""
    doubt: Condition
    """What must hold for those; NEVER when there are none."""


def named(texts: Iterable[str]) -> Named:
    """Return the permissions that texts name, each one permission or a group such as `SERVICE/RESOURCE.*`."""
    known = [(text, _language(text)) for text in texts]
    sure = union(language for text, language in known if _is_known(text))
    unsure = [(text, language) for text, language in known if not _is_known(text)]
    doubt = any_of(*(_doubt(text) for text, _ in unsure))
    return Named(sure, union(language for _, language in unsure) - sure if unsure else NO_TEXT, doubt)


def problems(texts: Iterable[str]) -> tuple[str, ...]:
    """Return in words what is wrong with the texts that name no permissions of a known service."""
    return tuple(f"`{text}` names no permission of a known service" for text in texts if not _is_known(text))


def _doubt(text: str) -> Opaque:
    return Opaque(f"`{text}` names the permission", f"`{text}` names no permission of a known service")


def _is_known(text: str) -> bool:
    found = _NAMED.fullmatch(text)
    return found is not None and all((_KNOWN_HOST.fullmatch(found["host"]), _REST.fullmatch(found["rest"])))


@lru_cache(maxsize=4096)
def _language(text: str) -> Language:
    """Return what a text names, or, where it cannot be read, everything that it may mean."""
    if _ROLE_STYLE.fullmatch(text):
        # A name without a service could be a permission as roles spell it.
        return pieces(_starred(text))
    found = _NAMED.fullmatch(text)
    host, rest = (found["host"], found["rest"]) if found is not None else ("", "")
    known = _KNOWN_HOST.fullmatch(host) is not None
    if not _REST.fullmatch(rest):
        # Without a resource and a verb it may be anything, of its service where that can be read.
        return _of_service(host, (STAR,)) if known else ANY_TEXT
    if known:
        return _of_service(host, _starred(rest))
    # A service that is misspelt may be any service.
    return pieces((STAR, ".", *_starred(rest))) | pieces((STAR, "/", *_starred(rest)))


def _of_service(host: str, rest: tuple[str | Wildcard, ...]) -> Language:
    return union((*(pieces((f"{prefix}.", *rest)) for prefix in _prefixes(host)), pieces((f"{host}/", *rest))))


def _prefixes(host: str) -> tuple[str, ...]:
    from idtrans.catalog import permission_prefixes

    return permission_prefixes().get(host) or (host.partition(".")[0],)


def _starred(text: str) -> tuple[str | Wildcard, ...]:
    """Return a text with its stars as wildcards, which stand for any rest, dots included."""
    return tuple(STAR if part == "*" else part for part in re.split(r"(\*)", text) if part)
