"""Differences in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.model.diffs import DiffVerdict
from idtrans.model.spans import NOWHERE
from idtrans.report._safe import safe
from idtrans.report._style import Colour, Tone, paint, word
from idtrans.report._table import counted, some, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from idtrans.model.diffs import Change, DiffReport
    from idtrans.model.findings import NotEvaluated

_MOST_OTHERS = 5
_SENTENCES = {
    DiffVerdict.NO_NEW_ACCESS: "NEW grants nothing that OLD does not",
    DiffVerdict.NEW_ACCESS: "NEW grants what OLD does not",
    DiffVerdict.UNKNOWN: "not everything could be compared",
}


def diff_text(report: DiffReport, colour: Colour) -> str:
    """Return the verdict, a request for each difference, and what could not be compared."""
    lines = [f"{word(report.verdict.value, colour)}: {_SENTENCES[report.verdict]}"]
    lines += _changes("new access", report.new, Tone.BAD, colour)
    lines += _changes("access that is gone", report.removed, Tone.QUIET, colour)
    lines += not_evaluated_lines(report.not_evaluated, colour, title="not compared")
    return "\n".join(lines) + "\n"


def _changes(title: str, changes: Iterable[Change], tone: Tone, colour: Colour) -> list[str]:
    lines: list[str] = []
    for change in changes:
        request = change.witness
        place = "" if change.source == NOWHERE else f" at {change.source}"
        lines += ["", paint(f"{title}: {change.statement}{place}", tone, colour)]
        rows = [("principal", request.principal), ("action", request.action), ("resource", request.resource)]
        lines += table([*rows, *_context(request.context)], indent="  ")
        if change.also:
            lines.append("  the same statement reaches:")
            lines += [
                f"    {line}" for line in some([safe(one) for one in change.also], _MOST_OTHERS, more="principals")
            ]
    return lines


def _context(context: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [("with", f"{key} = {', '.join(values) or '(absent)'}") for key, values in sorted(context.items())]


def not_evaluated_lines(entries: Iterable[NotEvaluated], colour: Colour, *, title: str) -> list[str]:
    """Return a section on what was not understood, with its places; nothing when there is nothing."""
    listed = list(entries)
    if not listed:
        return []
    head = paint(f"{title}: {counted(len(listed), 'thing')} not understood", Tone.DOUBT, colour)
    rows = [("" if entry.source == NOWHERE else str(entry.source), _reason(entry)) for entry in listed]
    return ["", head, *table(rows, indent="  ")]


def _reason(entry: NotEvaluated) -> str:
    return f"{entry.rule}: {entry.reason}" if entry.rule else entry.reason
