"""Audit reports in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.model.findings import FindingState
from idtrans.model.values import Severity, rank
from idtrans.report._safe import safe
from idtrans.report._style import Colour, Tone, paint, word
from idtrans.report._table import counted
from idtrans.report._text_diff import not_evaluated_lines

if TYPE_CHECKING:
    from idtrans.model.findings import AuditReport, Finding

_WIDTH = len(Severity.CRITICAL.value)


def findings_text(report: AuditReport, colour: Colour) -> str:
    """Return every finding with its place, what could not be judged, and counts."""
    lines: list[str] = []
    for finding in report.findings:
        if finding.state is not FindingState.SUPPRESSED:
            lines += [*_finding(finding, colour), ""]
    lines += _closing(report, colour)
    lines += not_evaluated_lines(report.not_evaluated, colour, title="not evaluated")
    return "\n".join(lines) + "\n"


def _finding(finding: Finding, colour: Colour) -> list[str]:
    known = "  (in the baseline)" if finding.state is FindingState.BASELINE else ""
    severity = word(finding.severity.value, colour, width=_WIDTH)
    head = f"{severity}  {paint(finding.title, Tone.STRONG, colour)}  [{safe(finding.rule)}]{known}"
    places = [f"    {safe(str(place))}" for place in finding.locations]
    return [head, f"    {safe(finding.subject)}", f"    {safe(finding.message)}", *places]


def _closing(report: AuditReport, colour: Colour) -> list[str]:
    fresh = [finding for finding in report.findings if finding.state is FindingState.NEW]
    counts = {level: sum(finding.severity is level for finding in fresh) for level in Severity}
    worst_first = sorted((level for level in Severity if counts[level]), key=rank, reverse=True)
    parts = ", ".join(f"{counts[level]} {level.value}" for level in worst_first)
    old = len(report.findings) - len(fresh)
    known = f"; {old} in the baseline or suppressed" if old else ""
    clean = "no findings in what was understood" if report.not_evaluated else "no findings"
    what = counted(len(fresh), "finding") if fresh else clean
    return [paint(f"{what}{f': {parts}' if parts else ''}{known}", Tone.STRONG, colour)]
