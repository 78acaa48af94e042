"""Which capabilities policies give on a path: of the patterns that fit, only the most specific one counts.

https://developer.hashicorp.com/vault/docs/concepts/policies#priority-matching
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from idtrans.model.entities import PolicyStatement
from idtrans.model.values import Effect

_SEGMENT: Final = "+"
_REST: Final = "*"
_LONGEST: Final = 500
"""Longest path that is looked at for its own sake, in characters."""


def capabilities(statements: Iterable[PolicyStatement], path: str) -> frozenset[str]:
    """Return what the statements of all policies of a token allow on a path."""
    fitting: dict[str, list[PolicyStatement]] = {}
    for statement in statements:
        for pattern in statement.resources or ():
            if fits(pattern, path):
                fitting.setdefault(pattern, []).append(statement)
    if not fitting:
        return frozenset()
    found = fitting[max(fitting, key=_priority)]
    if any(statement.effect is Effect.DENY for statement in found):
        return frozenset()
    return frozenset(action for statement in found for action in statement.actions or ())


def fits(pattern: str, path: str) -> bool:
    """Tell whether a pattern takes a path: `+` is one segment, a `*` at the end is any rest."""
    head = pattern.removesuffix(_REST)
    if _SEGMENT not in head:
        return path.startswith(head) if head != pattern else path == pattern
    wanted, given = head.split("/"), path.split("/")
    open_ = head != pattern
    if len(given) < len(wanted) or (len(given) > len(wanted) and not open_):
        return False
    *segments, last = wanted
    exact = all(want in {_SEGMENT, have} for want, have in zip(segments, given, strict=False))
    have = given[len(segments)]
    return exact and (last in {_SEGMENT, have} or (open_ and have.startswith(last)))


def _priority(pattern: str) -> tuple[int, bool, int, int, str]:
    wildcards = [place for mark in (_SEGMENT, _REST) if (place := pattern.find(mark)) >= 0]
    first = min(wildcards, default=len(pattern) + 1)
    return first, not pattern.endswith(_REST), -pattern.count(_SEGMENT), len(pattern), pattern


def literal_paths(statements: Iterable[PolicyStatement]) -> tuple[str, ...]:
    """Return the paths that statements name in full."""
    paths = (path for statement in statements for path in statement.resources or () if len(path) <= _LONGEST)
    return tuple(dict.fromkeys(path.strip("/") for path in paths if _SEGMENT not in path and _REST not in path))
