"""The baseline: findings of an earlier audit, which do not count again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from idtrans.model.documents import Document, Json
from idtrans.model.errors import DataError
from idtrans.model.findings import Finding, FindingState

SCHEMA: Final = "idtrans/findings/v1"
"""Schema of what an audit prints as JSON, which is what a baseline is."""

_FINGERPRINT: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Baseline:
    """Fingerprints that an earlier audit accepted."""

    fingerprints: frozenset[str] = frozenset()

    def mark(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the findings, with the state `baseline` where the baseline holds them."""
        return tuple(
            replace(finding, state=FindingState.BASELINE) if finding.fingerprint in self.fingerprints else finding
            for finding in findings
        )


def read_baseline(document: Document) -> Baseline:
    """Return the baseline in the JSON output of an earlier audit. Nothing but fingerprints is read.

    A finding that was suppressed then is left out: once its suppression ends, it counts.

    Raises:
        DataError: the document is not the JSON output of an audit.
    """
    content = document.content
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        advice = f"a baseline is the output of `idtrans audit --format json`, with schema `{SCHEMA}`"
        raise DataError("not a baseline", source=document.source, advice=advice)
    findings = content.get("findings")
    if not isinstance(findings, list):
        raise DataError("a baseline has a list of `findings`", source=document.source)
    return Baseline(frozenset(_fingerprints(document, findings)))


def _fingerprints(document: Document, findings: list[Json]) -> Iterable[str]:
    for index, finding in enumerate(findings):
        found = finding.get("fingerprint") if isinstance(finding, dict) else None
        if not isinstance(found, str) or not _FINGERPRINT.fullmatch(found):
            source = document.source.at("findings", index)
            raise DataError("a finding of the baseline has no fingerprint", source=source)
        if finding.get("state") != FindingState.SUPPRESSED:
            yield found
