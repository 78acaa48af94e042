"""Findings of an audit and what could not be judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from idtrans.model.spans import Source
from idtrans.model.values import Confidence, Severity


class FindingState(StrEnum):
    """Whether a finding counts."""

    NEW = "new"
    BASELINE = "baseline"
    SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect, with its evidence. Its identity is the fingerprint: rule id and identity fields, never a line."""

    rule: str
    severity: Severity
    confidence: Confidence
    title: str
    message: str
    cloud: str
    subject: str
    locations: tuple[Source, ...]
    fingerprint: str
    remediation: str
    evidence: Mapping[str, object] = field(default_factory=dict, hash=False)
    state: FindingState = FindingState.NEW


@dataclass(frozen=True, slots=True)
class NotEvaluated:
    """A rule, statement or document that could not be judged, and why."""

    source: Source
    reason: str
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Everything an audit has to say."""

    findings: tuple[Finding, ...]
    not_evaluated: tuple[NotEvaluated, ...]
    summary: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Counts by severity, and `rules`, `facts`, `entities`, `documents`."""
