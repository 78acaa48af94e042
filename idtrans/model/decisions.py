"""What is asked of a policy, and what is answered: requests, outcomes, reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from idtrans.model.documents import Json
from idtrans.model.spans import NOWHERE, Source
from idtrans.model.values import Effect, Reach


class Knowledge(StrEnum):
    """How to read the context keys that a request does not give."""

    OPEN = "open"
    """They are unknown: the answer may be conditional."""
    CLOSED = "closed"
    """They are absent from the request."""


class Outcome(StrEnum):
    """The answer to one request."""

    ALLOW = "allow"
    EXPLICIT_DENY = "explicit-deny"
    IMPLICIT_DENY = "implicit-deny"
    CONDITIONAL = "conditional"
    """It depends on context keys that the request does not give."""
    UNKNOWN = "unknown"
    """It depends on something that was not understood."""


@dataclass(frozen=True, slots=True)
class Request:
    """One principal that wants to do one action to one resource."""

    principal: str
    action: str
    resource: str
    context: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    """Values by context key, keys in the canonical spelling of the cloud's adapter. No values means absent."""
    knowledge: Knowledge = Knowledge.OPEN
    asked: str | None = None
    """What was asked for, where `resource` is one of several that it stands for."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One statement, or one gate, that took part in a decision."""

    layer: str
    effect: Effect
    statement: str
    """Name of the statement or gate, as shown to people."""
    source: Source = NOWHERE
    why: str | None = None
    """Words on what did not hold, for statements that almost decided; `None` for those that did decide."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to a request, with what decided it."""

    request: Request
    outcome: Outcome
    condition: str | None = None
    """What remains to be known, in words; only for CONDITIONAL and UNKNOWN."""
    residual: Json | None = field(default=None, hash=False)
    """The same as a tree of plain dictionaries."""
    reasons: tuple[Reason, ...] = ()
    notes: tuple[str, ...] = ()
    """Remarks that do not change the outcome, such as a rule on which the vendor contradicts itself."""


class HopKind(StrEnum):
    """How one identity leads to another; named like the edges of the permission graph."""

    CAN_ASSUME = "can-assume"
    FEDERATES = "federates"
    MEMBER_OF = "member-of"
    HOLDS = "holds"


@dataclass(frozen=True, slots=True)
class Hop:
    """One link of a chain: a party becomes an identity, or has what a group has."""

    party: str
    target: str
    kind: HopKind
    through: str
    """The action or permission that makes it, `trust` or `token`, `membership`, or the role that is held."""
    source: Source = NOWHERE
    outcome: Outcome = Outcome.ALLOW
    condition: str | None = None
    reach: Reach | None = None
    """How far the party reaches, where it stands for many."""


@dataclass(frozen=True, slots=True)
class Chain:
    """How an identity that may not itself becomes one that may."""

    principal: str
    outcome: Outcome
    """The least sure of its links, and of the answer on the identity that it ends at."""
    hops: tuple[Hop, ...]
    """From the principal to the identity that may."""


@dataclass(frozen=True, slots=True)
class Paths:
    """How one thing leads to another."""

    start: str
    """Where the chains begin, as it was asked for."""
    end: str
    chains: tuple[Chain, ...]
    """The surest first, then the shortest."""
    not_walked: int = 0
    """How many places were not looked behind, for there were too many."""


@dataclass(frozen=True, slots=True)
class WhoCan:
    """Who may do one thing."""

    action: str
    resource: str
    allowed: tuple[Decision, ...]
    """One decision for each principal that may, for sure or on a condition; sorted by principal."""
    unknown: tuple[Decision, ...] = ()
    """Principals whose answer depends on something that was not understood."""
    examined: int = 0
    """How many principals were asked about."""
    chains: tuple[Chain, ...] = ()
    """Who can become one of those that may: one chain each, sorted by principal."""
    not_walked: int = 0
    """How many identities were not looked behind, for there were too many."""
