"""Suppressions: findings that somebody accepts, with the reason and, if they say so, for a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from idtrans.model.documents import Document, Json
from idtrans.model.errors import DataError
from idtrans.model.findings import Finding, FindingState
from idtrans.model.spans import Source

if TYPE_CHECKING:
    from pydantic import ValidationError


@dataclass(frozen=True, slots=True)
class Suppression:
    """One accepted defect: all findings of a rule, or those of one subject or fingerprint."""

    rule: str
    reason: str
    source: Source
    subject: str | None = None
    fingerprint: str | None = None
    expires: date | None = None
    """Last day on which it holds; `None`: it holds until it is removed."""

    def covers(self, finding: Finding) -> bool:
        """Tell whether it speaks of a finding, expired or not."""
        return (
            finding.rule == self.rule
            and self.subject in {None, finding.subject}
            and self.fingerprint in {None, finding.fingerprint}
        )

    def expired(self, today: date) -> bool:
        """Tell whether its last day is over."""
        return self.expires is not None and self.expires < today


def read_suppressions(document: Document) -> tuple[Suppression, ...]:
    """Return the suppressions of a document: a list of `{rule, reason, subject?, fingerprint?, expires?}`.

    Raises:
        DataError: the document is no such list, or an entry has an unknown key or no reason.
    """
    if document.content is None:
        return ()
    for problem in document.problems[:1]:
        raise DataError(problem.reason, source=problem.source)
    if not isinstance(document.content, list):
        raise DataError("suppressions are a list of entries with `rule` and `reason`", source=document.source)
    return tuple(_suppression(document, index, entry) for index, entry in enumerate(document.content))


def suppress(findings: Iterable[Finding], suppressions: Sequence[Suppression], today: date) -> tuple[Finding, ...]:
    """Return the findings, marked where a suppression holds.

    The evidence says why a finding is suppressed, or since when it no longer is.
    """
    by_rule: dict[str, list[Suppression]] = {}
    for suppression in suppressions:
        by_rule.setdefault(suppression.rule, []).append(suppression)
    return tuple(_marked(finding, by_rule.get(finding.rule, []), today) for finding in findings)


def _marked(finding: Finding, suppressions: Sequence[Suppression], today: date) -> Finding:
    covering = [suppression for suppression in suppressions if suppression.covers(finding)]
    holding = [suppression for suppression in covering if not suppression.expired(today)]
    if holding:
        evidence = {**finding.evidence, "suppressed": holding[0].reason}
        return replace(finding, state=FindingState.SUPPRESSED, evidence=evidence)
    ended = [suppression.expires for suppression in covering if suppression.expires is not None]
    if ended:
        return replace(finding, evidence={**finding.evidence, "suppression_expired": max(ended).isoformat()})
    return finding


def _suppression(document: Document, index: int, entry: Json) -> Suppression:
    from pydantic import ValidationError

    from idtrans.audit._suppression_entry import SuppressionEntry

    try:
        parsed = SuppressionEntry.model_validate(entry)
    except ValidationError as error:
        raise _schema_error(document, index, error) from error
    return Suppression(source=document.source.at(index), **parsed.model_dump())


def _schema_error(document: Document, index: int, error: ValidationError) -> DataError:
    from idtrans.audit._suppression_entry import SuppressionEntry

    first = error.errors(include_url=False)[0]
    source = document.source.at(index)
    name = ".".join(map(str, first["loc"]))[:200] or f"entry {index + 1}"
    if first["type"] == "extra_forbidden":
        advice = f"known: {', '.join(SuppressionEntry.model_fields)}"
        return DataError(f"unknown key `{name}`", source=source, advice=advice)
    return DataError(f"`{name}` is not valid: {first['msg'][:1].lower()}{first['msg'][1:]}", source=source)
