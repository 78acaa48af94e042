"""A trust of any cloud as intents: what it lets in, in no cloud's words. Narrower or refused, never wider."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ANY_TEXT, STAR, Language
from idtrans.federation._claims import AUDIENCE, SUBJECT, Alternative, Reading, Requirement, alternatives
from idtrans.federation._contained import without_audience
from idtrans.federation._github_names import base_name
from idtrans.federation._judge import judge
from idtrans.model.artifacts import Loss, LossEffect
from idtrans.model.intents import ClaimPin, FederationIntent

if TYPE_CHECKING:
    from idtrans.algebra import Wildcard
    from idtrans.ports import Trust

_NO_AUDIENCES: Final = frozenset({AUDIENCE, "oaud"})


@dataclass(frozen=True, slots=True)
class NeutralTrust:
    """What a trust means, as far as it can be said elsewhere."""

    intents: tuple[FederationIntent, ...]
    """Each lets in part of what the trust lets in; none where nothing can be said."""
    losses: tuple[Loss, ...]
    """What is left out, and why."""


def neutral_trust(trust: Trust) -> NeutralTrust:
    """Return the intents of a trust in a token issuer, and what they leave out."""
    if trust.issuer is None:
        why = "it is no trust in the tokens of an issuer, which other clouds take"
        return NeutralTrust((), (Loss("trust", LossEffect.DROP, why),))
    report = judge(trust)
    blank = FederationIntent(
        trust.issuer, report.issuer_kind, base_name(trust.target.rpartition("/")[2] or "trust"), (), reach=report.reach
    )
    losses: dict[Loss, None] = {}
    found: dict[tuple[ClaimPin, ...], dict[str, None]] = {}
    for one in alternatives(without_audience(trust.admits), Reading(trust.issuer, trust.claims)):
        said = _said(one, losses)
        if said is not None:
            subjects, pins = said
            found.setdefault(pins, {}).update(dict.fromkeys(subjects))
    if not found and not losses:
        losses[Loss("trust", LossEffect.DROP, "it lets nobody in")] = None
    if len(found) > 1:
        why = f"it has {len(found)} alternatives that test different claims; each is written by itself"
        losses[Loss("alternatives", LossEffect.SPLIT, why)] = None
    intents = tuple(replace(blank, subjects=tuple(subjects), pins=pins) for pins, subjects in found.items())
    return NeutralTrust(_named(intents), tuple(losses))


def _named(intents: tuple[FederationIntent, ...]) -> tuple[FederationIntent, ...]:
    if len(intents) == 1:
        return intents
    return tuple(replace(each, name=f"{each.name}-{number}") for number, each in enumerate(intents, start=1))


def _said(
    alternative: Alternative, losses: dict[Loss, None]
) -> tuple[tuple[str, ...], tuple[ClaimPin, ...]] | None:  # fmt: skip
    """Return the subjects and pins of an alternative, `None` for one that would be widened by saying it."""
    if not alternative.sure:
        what = ", ".join(sorted(alternative.unread)) or "a list that is too long"
        losses[Loss("condition", LossEffect.NARROW, f"left out, since it was not understood: {what}")] = None
        return None
    subjects: tuple[str, ...] = ("*",)
    pins = []
    for name, required in sorted(alternative.claims.items()):
        # A claim that is only to be there is left out: the comparison with the source tells whether that widens.
        if name in _NO_AUDIENCES or required.single == ANY_TEXT:
            continue
        if required.absent:
            why = f"tokens without `{name}` are left out"
            losses[Loss(f"claim {name}", LossEffect.NARROW, why)] = None
        texts = _texts(required, stars=name == SUBJECT)
        if texts is None:
            why = f"left out, since no other cloud says it: `{name}` in {required.single.describe()}"
            losses[Loss(f"claim {name}", LossEffect.NARROW, why)] = None
            return None
        if name == SUBJECT:
            subjects = texts
        else:
            pins.append(ClaimPin(name, texts))
    return subjects, tuple(pins)


def _texts(required: Requirement, *, stars: bool) -> tuple[str, ...] | None:
    """Return the values of a claim as words, or as words with stars; `None` for anything else, and for none."""
    listed = _listed(required.single)
    if listed is None or not listed:
        return None
    words = [_word(tokens) for tokens in listed]
    found = tuple(word for word in words if word is not None and (stars or "*" not in word))
    return found if len(found) == len(words) else None


def _listed(language: Language) -> list[Iterable[str | Wildcard]] | None:
    listed = language.forms()
    if listed is None or listed.negated or listed.fold:
        return None
    return [*((word,) for word in listed.words if "*" not in word), *listed.patterns]


def _word(tokens: Iterable[str | Wildcard]) -> str | None:
    """Return a pattern in the words of intents, in which only the star is special."""
    parts = ["*" if token is STAR else token for token in tokens]
    plain = [part for part in parts if isinstance(part, str)]
    literals = [token for token in tokens if isinstance(token, str)]
    return "".join(plain) if len(plain) == len(parts) and not any("*" in text for text in literals) else None
