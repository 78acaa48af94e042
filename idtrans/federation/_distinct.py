"""Names of what is created for several trusts: each its own, and the same in whatever order the trusts are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from idtrans.federation._neutral import NeutralTrust
    from idtrans.model.intents import FederationIntent
    from idtrans.ports import Trust

_LONGEST: Final = 25
"""What is left of a name, so that it has at most 32 characters with the mark."""


def distinct(trusts: Iterable[tuple[Trust, NeutralTrust]]) -> tuple[NeutralTrust, ...]:
    """Return what trusts mean, with a mark of whom each gives away to whom behind every name that several share."""
    pairs = tuple(trusts)
    uses = Counter(intent.name for _, neutral in pairs for intent in neutral.intents)
    seen: Counter[str] = Counter()

    def named(trust: Trust, intent: FederationIntent) -> FederationIntent:
        if uses[intent.name] == 1:
            return intent
        name = f"{intent.name[:_LONGEST].rstrip('-')}-{_mark(trust, intent)}"
        seen[name] += 1
        return replace(intent, name=name if seen[name] == 1 else f"{name[:-3]}{seen[name]:03}")

    return tuple(
        replace(neutral, intents=tuple(named(trust, each) for each in neutral.intents)) for trust, neutral in pairs
    )


def _mark(trust: Trust, intent: FederationIntent) -> str:
    pins = sorted((pin.claim, sorted(pin.values)) for pin in intent.pins)
    said = (trust.cloud, trust.target, trust.issuer, intent.name, sorted(intent.subjects), pins)
    return sha256(repr(said).encode()).hexdigest()[:6]
