"""Trusts said in the words of another cloud, each proved to let in no token that the source refuses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from idtrans.federation._contained import is_contained
from idtrans.federation._distinct import distinct
from idtrans.federation._judge import judge
from idtrans.federation._neutral import NeutralTrust, neutral_trust
from idtrans.model.artifacts import Loss, LossEffect
from idtrans.model.documents import Unsupported
from idtrans.model.errors import UsageError
from idtrans.model.estate import Estate
from idtrans.model.values import rank

if TYPE_CHECKING:
    from idtrans.model.artifacts import Emission
    from idtrans.model.intents import FederationIntent, Names
    from idtrans.model.values import Reach
    from idtrans.ports import Cloud, Trust


class TrustVerdict(StrEnum):
    """How a translation compares with its source."""

    EXACT = "exact"
    NARROWER = "narrower"
    BROADER = "broader"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class TrustTranslation:
    """A trust in the words of another cloud."""

    source: Trust
    target: str
    """The cloud."""
    verdict: TrustVerdict
    emissions: tuple[Emission, ...] = ()
    """What to create, each by itself; several where one identity cannot hold it all."""
    losses: tuple[Loss, ...] = ()


class Broader(StrEnum):
    """Whether a translation may let in more than its source."""

    REFUSE = "refuse"
    ALLOW = "allow"


def translate_trust(trust: Trust, cloud: Cloud, names: Names, *, broader: Broader = Broader.REFUSE) -> TrustTranslation:
    """Return a trust in the words of a cloud: exact, narrower, or refused; broader on purpose only."""
    return _translated(trust, neutral_trust(trust), cloud, names, broader)


def _translated(trust: Trust, neutral: NeutralTrust, cloud: Cloud, names: Names, broader: Broader) -> TrustTranslation:
    losses: dict[Loss, None] = dict.fromkeys(neutral.losses)
    written: list[Emission] = []
    wide = False
    for intent in neutral.intents:
        for emission in _written(intent, cloud, names, losses):
            read = _read(emission, trust, cloud)
            contained = bool(read) and all(is_contained(each, trust, kind=intent.issuer_kind) for each in read)
            if not contained and broader is Broader.REFUSE:
                why = f"`{cloud.name}` would let in more than the source does"
                losses[Loss("trust", LossEffect.NARROW, f"left out: {why}")] = None
                continue
            wide = wide or not contained
            written.append(emission)
            losses.update(dict.fromkeys(emission.losses))
            if len(read) == len(neutral.intents) == 1 and not is_contained(trust, read[0], kind=intent.issuer_kind):
                why = "some tokens that the source admits are not proved to get in"
                losses[Loss("trust", LossEffect.NARROW, why)] = None
    if len(written) > 1:
        why = f"it takes {len(written)} identities or providers"
        losses[Loss("several identities", LossEffect.SPLIT, why)] = None
    return TrustTranslation(trust, cloud.name, _verdict(written, losses, wide=wide), tuple(written), tuple(losses))


def _verdict(written: Iterable[Emission], losses: Iterable[Loss], *, wide: bool) -> TrustVerdict:
    if not tuple(written):
        return TrustVerdict.REFUSED
    if wide:
        return TrustVerdict.BROADER
    narrow = any(loss.effect is LossEffect.NARROW for loss in losses)
    return TrustVerdict.NARROWER if narrow else TrustVerdict.EXACT


def _written(intent: FederationIntent, cloud: Cloud, names: Names, losses: dict[Loss, None]) -> list[Emission]:
    """Write an intent, in halves where one identity cannot hold it; what cannot be said by itself is left out."""
    try:
        return [cloud.emit_federation(intent, names)]
    except UsageError as error:
        if len(intent.subjects) > 1:
            middle = (len(intent.subjects) + 1) // 2
            halves = (intent.subjects[:middle], intent.subjects[middle:])
            parts = [
                replace(intent, subjects=half, name=f"{intent.name}-{letter}")
                for half, letter in zip(halves, "ab", strict=True)
            ]
            return [each for part in parts for each in _written(part, cloud, names, losses)]
        losses[Loss("subject", LossEffect.NARROW, f"left out: {error.message}")] = None
        return []


def _read(emission: Emission, source: Trust, cloud: Cloud) -> tuple[Trust, ...]:
    """Return what was written as the cloud's own reader sees it, of the issuer of the source."""
    read = tuple(cloud.reread(emission.natives))
    entities = tuple(each for each in read if not isinstance(each, Unsupported))
    estate = Estate(entities, datetime.fromtimestamp(0, UTC))
    return tuple(each for each in cloud.trusts(estate) if each.issuer == source.issuer)


def written_reach(translation: TrustTranslation, cloud: Cloud) -> Reach | None:
    """Return who can use what a translation writes, as its cloud reads it back; `None` where nothing is written."""
    source = translation.source
    kind = judge(source).issuer_kind
    read = (each for emission in translation.emissions for each in _read(emission, source, cloud))
    return max((judge(each, kind=kind).reach for each in read), key=rank, default=None)


def translate_trusts(
    trusts: Iterable[Trust],
    clouds: Mapping[str, Cloud],
    target: str,
    names: Names,
    *,
    broader: Broader = Broader.REFUSE,
) -> tuple[TrustTranslation, ...]:
    """Return each trust of other clouds in the words of one, under names of its own.

    Raises:
        UsageError: there is no such cloud.
    """
    cloud = clouds.get(target)
    if cloud is None:
        known = ", ".join(f"`{name}`" for name in sorted(clouds))
        raise UsageError(f"`{target}` is not a cloud", advice=f"the clouds are {known}")
    stated = [each for each in trusts if each.cloud != target]
    neutrals = distinct((each, neutral_trust(each)) for each in stated)
    pairs = zip(stated, neutrals, strict=True)
    return tuple(_translated(each, neutral, cloud, names, broader) for each, neutral in pairs)
