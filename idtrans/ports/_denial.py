"""Clouds whose policies can take access away, whatever else grants it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from idtrans.algebra import Condition
from idtrans.model.artifacts import Emission
from idtrans.model.estate import Estate
from idtrans.model.intents import Names, Scope
from idtrans.ports._cloud import GrantPlan, Holding, RoleUse


@dataclass(frozen=True, slots=True)
class Denial:
    """Permissions that a principal is denied on a scope, by something that was understood in full."""

    name: str
    """The deny, in words."""
    denied: Holding
    """What is denied where and when, as if it were held."""


class Overlap(StrEnum):
    """What the scope of a denial has in common with the scope of something that is held."""

    WHOLE = "whole"
    """It holds all of it."""
    PART = "part"
    """It may hold a part of it."""
    NOTHING = "nothing"
    UNKNOWN = "unknown"
    """Where one of them lies is not known."""


@dataclass(frozen=True, slots=True)
class PlacedDenial:
    """Where a denial can stand."""

    scope: Scope
    wider: str | None = None
    """Why that is more than was asked for; `None` when it is not."""


@runtime_checkable
class Denying(Protocol):
    """A cloud that has denies: it reads its own, and writes those of others or says why it cannot."""

    def denials(self, principal: str, estate: Estate) -> tuple[Denial, ...]:
        """Return what is denied to a principal; what was not understood is named in `doubts` and `unsure` instead."""
        ...

    def overlap(self, denied: str, held: str, estate: Estate) -> Overlap:
        """Return what two scopes, as `Denial` and `Holding` write them, have in common."""
        ...

    def place_denial(self, use: RoleUse, names: Names) -> PlacedDenial:
        """Return where permissions can be denied so that they are on the scope of a use.

        Raises:
            UsageError: the cloud has no way to deny them there.
        """
        ...

    def fit_denial(self, leaf: Condition, permission: str) -> Condition:
        """Return a leaf of a limit as denies of a permission can carry it; a free symbol with the reason if none can.

        ALWAYS where every request fulfils it.
        """
        ...

    def emit_denials(self, plan: GrantPlan) -> Emission:
        """Write the uses of a plan, placed and made to fit, as denies.

        Raises:
            UsageError: denies cannot name the principal.
        """
        ...
