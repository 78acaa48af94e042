"""What a translation comes to: the verdict, what is written, what is lost, what was left over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from idtrans.model.artifacts import Emission, Loss
from idtrans.model.values import Plane, Unknown, Verdict


@dataclass(frozen=True, slots=True)
class TranslationSource:
    """Where the grants of a principal were read."""

    cloud: str
    path: str
    """Path of the first document that grants it anything."""


@dataclass(frozen=True, slots=True)
class TargetGrant:
    """One grant in the target."""

    principal: str
    role: str | None
    """Predefined role; `None` for a custom role or a plain list of permissions."""
    resource: str
    condition: str | None = None
    """When it holds: the target's own words, or those that all clouds have in common; `None` for always."""
    capabilities: tuple[str, ...] = ()
    """Which of the capabilities it is there for."""


@dataclass(frozen=True, slots=True)
class Extra:
    """A permission that the target gives beyond what was asked for."""

    permission: str
    plane: Plane | Unknown


@dataclass(frozen=True, slots=True)
class CapabilityVerdict:
    """How well the target says one capability."""

    id: str
    resource: str
    """What it is wanted on, as the source writes it."""
    verdict: Verdict
    condition: str | None = None
    """Condition in the source's words; `None` for always."""
    missing: tuple[str, ...] = ()
    """What the target does not say of it."""
    extra: tuple[Extra, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DenialVerdict:
    """How well the target denies one capability that the source denies."""

    id: str
    resource: str
    """What it is denied on, as the source writes it."""
    verdict: Verdict
    """A deny that denies less than the source is broader, one that denies more is narrower."""
    condition: str | None = None
    """Condition in the source's words; `None` for always."""
    permissions: tuple[str, ...] = ()
    """Permissions that are denied in the target; empty when nothing is."""
    target: str | None = None
    """What they are denied on there; `None` when they are not."""
    limit: str | None = None
    """When they are denied there, in words; `None` for always."""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Residue:
    """Permissions of one service that no capability explains, so that they are not carried over."""

    service: str
    permissions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """How far the search for the roles that give least went."""

    nodes: int
    """Sets of roles that were looked at."""
    limit: int
    """How many may be looked at for one scope."""
    complete: bool
    """Whether no other set gives less for sure; False where the search ended at its limit."""


NOT_SEARCHED: Final = Searched(0, 0, complete=True)


@dataclass(frozen=True, slots=True)
class Translation:
    """What one principal holds in one cloud, said in another."""

    source: TranslationSource
    principal: str
    target: str
    """Name of the target cloud."""
    verdict: Verdict
    reasons: tuple[str, ...] = ()
    """Why the verdict is not better and what to know before applying the output, most important first."""
    grants: tuple[TargetGrant, ...] = ()
    capabilities: tuple[CapabilityVerdict, ...] = ()
    denials: tuple[DenialVerdict, ...] = ()
    residue: tuple[Residue, ...] = ()
    emission: Emission = field(default_factory=Emission)
    """What is to be applied; empty when the translation is refused."""
    placeholders: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()
    searched: Searched = NOT_SEARCHED
