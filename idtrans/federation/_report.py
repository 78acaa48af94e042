"""What the engine says about a trust."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from idtrans.federation._reach import PinnedBy, Pinning
from idtrans.federation._tokens import Claims
from idtrans.model.values import Reach, Unknown
from idtrans.ports import Note


@dataclass(frozen=True, slots=True)
class Nearest:
    """For a dead trust: a subject that a repaired trust would let in."""

    subject: str
    why: str
    """What is wrong with the trust, in one sentence."""


@dataclass(frozen=True, slots=True)
class TrustReport:
    """Who can use a trust."""

    issuer_kind: str
    """Kind of the issuer, such as `github`; `generic` when it is not known, `none` without a token issuer."""
    tenancy: str
    """`shared`, `tenant`, `private`, or `none` without a token issuer."""
    reach: Reach
    provider_reach: Reach | None
    """Reach of the provider's own condition, for clouds where a binding narrows it further."""
    pinned_by: PinnedBy
    pinning: Pinning
    tests_subject: bool | Unknown
    """Whether the subject, or a claim that says as much, is restricted at all."""
    admits: tuple[str, ...] = ()
    """Subjects of tokens that get in, a few."""
    outsiders: tuple[Claims, ...] = ()
    """Tokens of strangers of two tenants that get in."""
    nearest: Nearest | None = None
    notes: tuple[Note, ...] = ()

    @property
    def example(self) -> str:
        """A subject that gets in, a stranger's when a stranger gets in; empty when nobody does."""
        strangers: Mapping[str, str | tuple[str, ...]] = self.outsiders[0] if self.outsiders else {}
        subject = strangers.get("sub") or (self.admits[0] if self.admits else "")
        return subject if isinstance(subject, str) else " ".join(subject)
