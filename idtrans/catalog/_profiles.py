"""Planes and uses of actions: what an action touches and does, from `rules/planes/*.toml` and AWS access levels."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from idtrans.algebra import Language, glob
from idtrans.catalog._aws_actions import aws_action
from idtrans.catalog._shorthand import expand
from idtrans.model.data import rules_dir
from idtrans.model.values import UNKNOWN, Plane, Unknown, Use


@dataclass(frozen=True, slots=True)
class ActionProfile:
    """What one action touches and what it does to it."""

    plane: Plane | Unknown
    use: Use | Unknown


UNPROFILED = ActionProfile(UNKNOWN, UNKNOWN)
"""Profile of an action that nothing is known about."""

_AWS_LEVELS = {
    "List": ActionProfile(Plane.METADATA, Use.READ),
    "Read": ActionProfile(Plane.CONFIG, Use.READ),
    "Tagging": ActionProfile(Plane.CONFIG, Use.WRITE),
    "Write": ActionProfile(Plane.CONFIG, Use.WRITE),
    "Permissions management": ActionProfile(Plane.ADMIN, Use.WRITE),
}


@dataclass(frozen=True, slots=True)
class _Row:
    pattern: str
    actions: Language
    profile: ActionProfile

    def speaks_of(self, service: str) -> bool:
        """Tell whether the row can match an action that starts with `SERVICE:`."""
        own = _service(self.pattern)
        return own in {service, ""} or "*" in own or "?" in own


@cache
def _rows(cloud: str) -> tuple[_Row, ...]:
    path = rules_dir() / "planes" / f"{cloud}.toml"
    if not path.is_file():
        return ()
    with path.open("rb") as file:
        entries = tomllib.load(file)["rows"]
    return tuple(
        _Row(pattern, glob(pattern, fold=True), ActionProfile(Plane(entry["plane"]), Use(entry["use"])))
        for entry in entries
        for pattern in expand([entry["action"]])
    )


def _service(action: str) -> str:
    """Return what stands before the first colon: a service of AWS, a plane of Azure, nothing for GCP."""
    head, colon, _ = action.partition(":")
    return head.lower() if colon else ""


@cache
def _rows_of(cloud: str, service: str) -> tuple[_Row, ...]:
    return tuple(row for row in _rows(cloud) if row.speaks_of(service))


@cache
def action_profile(cloud: str, action: str) -> ActionProfile:
    """Return plane and use of a single action or permission.

    The first row of `rules/planes/CLOUD.toml` that matches decides; for AWS, the access levels of the service
    authorization reference decide what no row names, the most dangerous level first. Both parts are UNKNOWN for an
    action that neither knows.
    """
    for row in _rows_of(cloud, _service(action)):
        if row.actions.matches(action):
            return row.profile
    fallback = _FALLBACKS.get(cloud)
    return fallback(action) if fallback is not None else UNPROFILED


def _by_access_level(action: str) -> ActionProfile:
    known = aws_action(action)
    levels = [level for level in reversed(_AWS_LEVELS) if known is not None and level in known.levels]
    return _AWS_LEVELS[levels[0]] if levels else UNPROFILED


_FALLBACKS: dict[str, Callable[[str], ActionProfile]] = {"aws": _by_access_level}
"""What is known of an action that no row names, for clouds whose vendor publishes access levels."""
