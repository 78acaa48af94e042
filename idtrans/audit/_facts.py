"""Every fact of an estate: what the clouds and the federation engine found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from idtrans.audit._credentials import credential_facts
from idtrans.federation import TrustReport, judge, trust_facts
from idtrans.model.estate import Estate
from idtrans.model.facts import CredentialFact, ExposureFact, Fact, GrantFact, GuardrailFact, TrustFact
from idtrans.model.spans import NOWHERE, Source
from idtrans.model.values import Reach
from idtrans.ports import Granting, Guarding, Trust, Truster


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts by kind, each in a stable order."""

    credentials: tuple[CredentialFact, ...] = ()
    exposures: tuple[ExposureFact, ...] = ()
    grants: tuple[GrantFact, ...] = ()
    guardrails: tuple[GuardrailFact, ...] = ()
    trusts: tuple[TrustFact, ...] = ()

    def __iter__(self) -> Iterator[Fact]:
        """Yield all facts, kind after kind."""
        yield from self.credentials
        yield from self.exposures
        yield from self.grants
        yield from self.guardrails
        yield from self.trusts

    def __len__(self) -> int:
        """Count all facts."""
        kinds = (self.credentials, self.exposures, self.grants, self.guardrails, self.trusts)
        return sum(map(len, kinds))


def collect_facts(estate: Estate, sources: Mapping[str, Truster]) -> Facts:
    """Return every fact of an estate. Clouds, and what else is trusted, are asked in the order of their names."""
    ordered = [sources[name] for name in sorted(sources)]
    clouds = [source for source in ordered if isinstance(source, Granting)]
    trusts = tuple(trust for source in ordered for trust in source.trusts(estate))
    grants = tuple(fact for cloud in clouds for fact in cloud.grants(estate))
    found = _without_shadows(trust_facts(trusts, _judged(trusts)))
    return Facts(
        credentials=credential_facts(estate),
        exposures=tuple(fact for cloud in clouds for fact in cloud.exposures(estate)),
        grants=grants,
        guardrails=tuple(f for source in ordered if isinstance(source, Guarding) for f in source.guardrails(estate)),
        trusts=tuple(_with_grants(found, grants)),
    )


def _with_grants(trusts: Iterable[TrustFact], grants: Iterable[GrantFact]) -> Iterator[TrustFact]:
    """Say of each trust whether what is obtained only reads."""
    held: dict[tuple[str, str], bool] = {}
    for grant in grants:
        key = grant.cloud, grant.subject
        held[key] = held.get(key, True) and grant.read_only is True
    return (replace(trust, only_reads=held.get((trust.cloud, trust.subject), False)) for trust in trusts)


def _judged(trusts: Iterable[Trust]) -> list[TrustReport]:
    """Return a report for each trust. Who is let in does not depend on what is trusted, and large estates repeat it."""
    reports: dict[Trust, TrustReport] = {}
    judged = []
    for trust in trusts:
        terms = replace(trust, target="", source=NOWHERE)
        if terms not in reports:
            reports[terms] = judge(trust)
        judged.append(reports[terms])
    return judged


def _without_shadows(trusts: Sequence[TrustFact]) -> Iterator[TrustFact]:
    """Leave out dead trusts whose statement or binding lives through another issuer.

    A binding of a pool is judged once for each provider of the pool; that a member cannot come through one of
    them is no defect as long as it comes through another. An identity that was deleted never comes back.
    """
    alive = {_statement(trust) for trust in trusts if trust.reach is not Reach.DEAD}
    return (trust for trust in trusts if not _is_dead(trust) or _statement(trust) not in alive)


def _is_dead(trust: TrustFact) -> bool:
    return trust.reach is Reach.DEAD and "DELETED_PRINCIPAL" not in trust.notes


def _statement(trust: TrustFact) -> tuple[str, str, Source]:
    return trust.cloud, trust.subject, trust.source
