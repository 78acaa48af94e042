"""What an answer must own up to: inputs that were not read, and inputs that no cloud could be held to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from idtrans.model.decisions import Outcome
from idtrans.model.diffs import DiffVerdict
from idtrans.model.findings import NotEvaluated
from idtrans.model.spans import NOWHERE

if TYPE_CHECKING:
    from idtrans.model.decisions import Decision
    from idtrans.model.diffs import DiffReport
    from idtrans.model.estate import Estate


def unread(estate: Estate) -> tuple[NotEvaluated, ...]:
    """Return the inputs that could not be read at all."""
    return tuple(NotEvaluated(error.source or NOWHERE, error.message) for error in estate.errors)


def _unplaced(estate: Estate) -> tuple[NotEvaluated, ...]:
    """Return what was not understood and belongs to no cloud, so that no cloud's adapter can weigh it."""
    return tuple(NotEvaluated(entry.source, entry.reason) for entry in estate.unsupported if entry.cloud is None)


def doubted(decision: Decision, estate: Estate) -> Decision:
    """Return a decision, UNKNOWN where an input that was not read or understood could change it."""
    missing = (*unread(estate), *_unplaced(estate))
    if not missing:
        return decision
    notes = tuple(f"not understood: {entry.reason} ({entry.source})" for entry in missing)
    condition = decision.condition or "what was not read or understood changes nothing"
    return replace(decision, outcome=Outcome.UNKNOWN, condition=condition, notes=(*notes, *decision.notes))


def doubted_diff(report: DiffReport, old: Estate, new: Estate) -> DiffReport:
    """Return a comparison that does not call anything safe that it did not see.

    What OLD holds counts too: a deny that was not read there hides what NEW adds, and an allow explains it.
    """
    missing = (*unread(old), *unread(new), *_unplaced(old), *_unplaced(new))
    if not missing:
        return report
    proven = report.verdict is DiffVerdict.NEW_ACCESS and not unread(old)
    verdict = report.verdict if proven else DiffVerdict.UNKNOWN
    return replace(report, verdict=verdict, not_evaluated=tuple(dict.fromkeys((*missing, *report.not_evaluated))))
