"""How far a box reaches: what in a token says whose it is, and whether that is tied down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from idtrans.catalog import Basis, Issuer, Level, Pin, Tenancy
from idtrans.federation._boxes import Box
from idtrans.federation._walk import literal_start
from idtrans.model.values import Reach, rank


class PinnedBy(StrEnum):
    """What ties a trust to its tenant and project."""

    IDS = "ids"
    NAMES = "names"
    MIXED = "mixed"
    NONE = "none"


class Pinning(StrEnum):
    """How the tenant is tied down."""

    FIXED = "fixed"
    PREFIX = "prefix"
    """By the beginning of its name, which strangers can register."""
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The class of a box."""

    reach: Reach
    bases: frozenset[Basis] = frozenset()
    """What the fixed tenant and project rest on."""


@lru_cache(maxsize=4096)
def verdict(box: Box, tenancy: Tenancy) -> Verdict:
    """Return the class of a box of an issuer with this tenancy."""
    tenant = basis(box, Level.TENANT)
    project = basis(box, Level.PROJECT)
    workload = box.shape.workload or basis(box, Level.WORKLOAD) is not None
    if box.shape.guest and not workload:
        return Verdict(Reach.ANYONE)
    if tenancy is Tenancy.SHARED and tenant is None:
        return Verdict(Reach.PLATFORM)
    owner = tenant if tenancy is Tenancy.SHARED else None
    bases = frozenset(found for found in (owner, project) if found is not None)
    if project is None:
        return Verdict(Reach.TENANT, bases)
    return Verdict(Reach.WORKLOAD if workload else Reach.PROJECT, bases)


@lru_cache(maxsize=4096)
def basis(box: Box, level: Level) -> Basis | None:
    """Return what a level is fixed by in a box, ids before names, `None` when it is open."""
    for pin in _pins(box.issuer, level):
        if any(map(box.fixed, pin.components)) and (not pin.beside or any(map(box.fixed, pin.beside))):
            return pin.basis
    return None


@lru_cache(maxsize=1024)
def _pins(issuer: Issuer, level: Level) -> tuple[Pin, ...]:
    return issuer.pins_of(level)


def widest(boxes: Sequence[Box], tenancy: Tenancy) -> Reach:
    """Return the reach of a union of boxes; UNKNOWN when its width rests on something that was not understood."""
    found = [(verdict(box, tenancy).reach, box.sure and box.issuer.certain) for box in boxes]
    if not found:
        return Reach.DEAD
    worst = max((reach for reach, _ in found), key=rank)
    if rank(worst) < rank(Reach.PLATFORM):
        return worst
    sure = [reach for reach, certain in found if certain and rank(reach) >= rank(Reach.PLATFORM)]
    return max(sure, key=rank) if sure else Reach.UNKNOWN


def pinned_by(boxes: Sequence[Box], tenancy: Tenancy) -> PinnedBy:
    """Return what ties all boxes down, `none` when one of them is open to strangers."""
    found = [verdict(box, tenancy) for box in boxes]
    if any(rank(each.reach) >= rank(Reach.PLATFORM) for each in found):
        return PinnedBy.NONE
    if not all(each.bases for each in found):
        # Where the issuer is the tenant, one box may leave everything else open.
        return PinnedBy.NONE
    bases = {base for each in found for base in each.bases}
    if not bases:
        return PinnedBy.NONE
    return PinnedBy(bases.pop().value) if len(bases) == 1 else PinnedBy.MIXED


def pinning(boxes: Sequence[Box], tenancy: Tenancy) -> Pinning:
    """Return how the tenant is tied down where it is least so."""
    wide = [box for box in boxes if rank(verdict(box, tenancy).reach) >= rank(Reach.PLATFORM)]
    if not wide:
        return Pinning.FIXED
    return Pinning.PREFIX if all(map(_has_start, wide)) else Pinning.OPEN


def _has_start(box: Box) -> bool:
    pins = [pin for pin in box.issuer.pins_of(Level.TENANT) if pin.basis is Basis.NAMES] or box.issuer.pins_of(
        Level.TENANT
    )
    return any(literal_start(box.values(name)) for pin in pins for name in pin.components if name in box.parts)
