"""Shorthand of the data files: `storage.objects.{get,list}` is two permissions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def expand(names: Iterable[str]) -> tuple[str, ...]:
    """Write out names of which the last part may list alternatives in braces."""
    full: list[str] = []
    for name in names:
        head, brace, tail = name.partition("{")
        full.extend(head + verb for verb in tail.removesuffix("}").split(",")) if brace else full.append(name)
    return tuple(full)
