"""The trusts beside the grants of a translation, and which of the grants are nothing but such a trust."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from idtrans.api._clouds import clouds
from idtrans.model.answers import TranslatedTrust
from idtrans.model.entities import Principal, PrincipalKind
from idtrans.model.spans import NOWHERE
from idtrans.model.translations import TranslationSource
from idtrans.model.values import Verdict
from idtrans.ports import TrustKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.federation import TrustTranslation
    from idtrans.model.documents import Unsupported
    from idtrans.model.estate import Estate
    from idtrans.model.intents import Names
    from idtrans.model.spans import Source
    from idtrans.model.translations import Translation
    from idtrans.model.values import Reach
    from idtrans.ports import Cloud, Trust


def translated_trusts(
    trusts: Iterable[Trust], to: Cloud, names: Names, *, allow_broader: bool
) -> tuple[TranslatedTrust, ...]:
    """Return trusts in tokens in the words of a cloud, each with its verdict and who can use what was written."""
    from idtrans.federation import Broader, translate_trusts, written_reach

    broader = Broader.ALLOW if allow_broader else Broader.REFUSE
    found = translate_trusts(trusts, clouds(), to.name, names, broader=broader)
    return tuple(_told(each, written_reach(each, to)) for each in found)


def _told(said: TrustTranslation, reach: Reach | None) -> TranslatedTrust:
    source = said.source
    return TranslatedTrust(
        source=TranslationSource(source.cloud, source.source.path),
        principal=source.target,
        issuer=source.issuer or "",
        target=said.target,
        verdict=Verdict(said.verdict.value),
        reach=reach,
        emissions=said.emissions,
        losses=said.losses,
    )


def token_trusts(estate: Estate, sources: Iterable[Cloud], principal: str | None) -> tuple[Trust, ...]:
    """Return the trusts of some clouds in the tokens of an issuer, of one principal or of all."""
    found: list[Trust] = []
    for cloud in sources:
        wanted = None if principal is None else {principal, cloud.principal(principal, estate)}
        trusts = (each for each in cloud.trusts(estate) if wanted is None or each.target in wanted)
        found += (each for each in trusts if each.issuer is not None or each.kind is TrustKind.WEB_IDENTITY)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Apart:
    """Tells grants from what states a trust, which is translated as a trust."""

    estate: Estate
    obtained: frozenset[str]
    """Who is obtained by the trusts."""
    places: frozenset[tuple[str, str]]
    """Where the trusts are stated."""
    named: frozenset[str]
    """Who is more than a token: a trust or a document names it."""

    @classmethod
    def of(cls, estate: Estate, trusts: Iterable[Trust], sources: Iterable[Cloud]) -> Apart:
        """Start with the trusts that are translated, and the clouds that they are of."""
        stated = tuple(trusts)
        named = {each.id for each in estate.of(Principal) if each.kind is not PrincipalKind.FEDERATED}
        others = (each for cloud in sources for each in cloud.trusts(estate) if each.issuer is None)
        return cls(
            estate,
            frozenset(each.target for each in stated),
            frozenset(_place(source) for each in stated for source in (each.source, *each.further_sources)),
            frozenset(named.union(*(each.parties for each in others))),
        )

    def is_trust(self, entry: Translation) -> bool:
        """Tell whether all that a principal holds is what states a trust, and the translation has nothing else."""
        obtained = entry.principal in self.obtained
        if entry.grants or entry.capabilities or not (obtained or entry.principal not in self.named):
            return False
        # Of a role that is known by its trust alone, no policy was read.
        places = self.places | {_place(NOWHERE)} if obtained else self.places
        holdings = clouds()[entry.source.cloud].holdings(entry.principal, self.estate)
        return bool(places) and all(_place(each.source) in places for each in holdings)

    def doubts(self, entry: Translation) -> tuple[Unsupported, ...]:
        """Return what else the principal of a translation may hold, which is not known."""
        return clouds()[entry.source.cloud].doubts(entry.principal, self.estate)


def _place(source: Source) -> tuple[str, str]:
    return source.path, source.pointer
