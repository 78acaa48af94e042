"""Roles whose name promises reading and that give more, from `rules/sharp-readers.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TYPE_CHECKING

from idtrans.algebra import NO_TEXT, Language, glob, union
from idtrans.model.data import rules_dir

if TYPE_CHECKING:
    from collections.abc import Iterable


def false_reader(cloud: str, name: str, permissions: Iterable[str]) -> bool:
    """Tell whether a role is called a reader and lists a permission that exports, mints credentials or runs something.

    Permissions are given as the role lists them; a wildcard that would hold such a permission is not looked into.
    """
    names, sharp = _table().get(cloud, ((), NO_TEXT))
    return any(word in name.lower() for word in names) and any(map(sharp.matches, permissions))


def false_reader_by_pattern(cloud: str, name: str, permissions: Iterable[Language]) -> bool:
    """Tell the same of a role that lists patterns: everything that one of them holds counts."""
    names, sharp = _table().get(cloud, ((), NO_TEXT))
    return any(word in name.lower() for word in names) and any(map(sharp.overlaps, permissions))


@cache
def _table() -> dict[str, tuple[tuple[str, ...], Language]]:
    with (rules_dir() / "sharp-readers.toml").open("rb") as file:
        content = tomllib.load(file)
    return {
        cloud: (tuple(entry["names"]), union(glob(pattern, fold=True) for pattern in entry["sharp"]))
        for cloud, entry in content.items()
    }
