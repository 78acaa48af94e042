"""The most dangerous thing that the actions of a statement do."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import NO_TEXT, Language, glob
from idtrans.catalog import action_profile, aws_service_actions
from idtrans.model.values import UNKNOWN, Plane, Unknown, Use, rank

if TYPE_CHECKING:
    from idtrans.model.entities import PolicyStatement

_LAST: Final = "\x7f"
"""What comes after every character of an action."""
_ORDER: Final = {use: position for position, use in enumerate((Use.READ, Use.USE, Use.WRITE))}


def worst(
    statement: PolicyStatement, doubts: tuple[str, ...] = (), foreign: Language = NO_TEXT
) -> tuple[Plane | Unknown, Use | Unknown]:
    """Return the most dangerous plane and use among the actions of a statement, but for those that mean nothing."""
    if doubts:
        return UNKNOWN, UNKNOWN
    if statement.actions is None:
        # NotAction gives all services that it does not name, and with them the dangerous ones.
        return Plane.ADMIN, Use.WRITE
    return worst_of(statement.actions, foreign)


@lru_cache(maxsize=4096)
def worst_of(actions: tuple[str, ...], foreign: Language = NO_TEXT) -> tuple[Plane | Unknown, Use | Unknown]:
    """Return the most dangerous plane and use of some action patterns, without the actions that mean nothing here."""
    if any(_everything(action) for action in actions):
        return Plane.ADMIN, Use.WRITE
    names = (name for action in actions for name in expand(action) if not foreign.matches(name))
    profiles = [action_profile("aws", name) for name in names]
    planes = [profile.plane for profile in profiles if profile.plane is not UNKNOWN]
    uses = [profile.use for profile in profiles if profile.use is not UNKNOWN]
    plane = max(planes, key=rank, default=UNKNOWN)
    return plane, max(uses, key=_ORDER.__getitem__, default=UNKNOWN)


def _everything(action: str) -> bool:
    service = action.partition(":")[0]
    return "*" in service or "?" in service


@lru_cache(maxsize=4096)
def expand(action: str) -> tuple[str, ...]:
    """Return the known actions that a pattern of one service matches; the pattern itself when it has no wildcard."""
    if "*" not in action and "?" not in action:
        return (action,)
    service, _, rest = action.partition(":")
    service = service.lower()
    if rest == "*" and action.isascii():
        return aws_service_actions(service)
    folded, names = _spellings(service)
    start = action[:-1].lower()
    if action.isascii() and action[-1] == "*" and "*" not in start and "?" not in start:
        # Most patterns are of this shape, and the catalog is long.
        return tuple(sorted(names[bisect_left(folded, start) : bisect_left(folded, f"{start}{_LAST}")]))
    matches = glob(action, fold=True).matches
    return tuple(sorted([name for text, name in zip(folded, names, strict=True) if matches(text)]))


@lru_cache(maxsize=512)
def _spellings(service: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the actions of a service in lower case and in order, and their own spellings at the same places."""
    names = sorted(aws_service_actions(service), key=str.lower)
    return tuple(map(str.lower, names)), tuple(names)
