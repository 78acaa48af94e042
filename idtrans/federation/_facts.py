"""Trusts as facts that rules select."""

from __future__ import annotations

from collections.abc import Sequence

from idtrans.federation._report import TrustReport
from idtrans.model.facts import TrustFact
from idtrans.model.values import UNKNOWN, Unknown
from idtrans.ports import Trust, TrustKind


def trust_facts(trusts: Sequence[Trust], reports: Sequence[TrustReport]) -> tuple[TrustFact, ...]:
    """Return one fact for each trust with its report, in order. Raises `ValueError` when the lengths differ."""
    return tuple(_fact(trust, report) for trust, report in zip(trusts, reports, strict=True))


def _fact(trust: Trust, report: TrustReport) -> TrustFact:
    return TrustFact(
        cloud=trust.cloud,
        subject=trust.target,
        source=trust.source,
        trust_kind=trust.kind.value,
        issuer_kind=report.issuer_kind,
        issuer=trust.issuer or "",
        tenancy=report.tenancy,
        reach=report.reach,
        provider_reach=report.provider_reach if report.provider_reach is not None else report.reach,
        pinned_by=report.pinned_by.value,
        pinning=report.pinning.value,
        tests_subject=report.tests_subject,
        whole_pool=trust.whole_pool,
        external_id=_external_id(trust),
        outside_account=trust.outside_account,
        example=report.example,
        notes=tuple(dict.fromkeys(note.code for note in report.notes)),
        party=", ".join(party.removeprefix("service:") for party in trust.parties),
    )


def _external_id(trust: Trust) -> bool | Unknown:
    if trust.external_id is None:
        # Nothing to ask for, where no account of another organisation is trusted.
        return UNKNOWN if trust.kind is TrustKind.ACCOUNT else False
    return trust.external_id
