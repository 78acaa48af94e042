"""Results of policy unit tests in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.report._safe import safe
from idtrans.report._style import Colour, Tone, paint, word
from idtrans.report._table import some
from idtrans.report._text_decisions import reasons_text

if TYPE_CHECKING:
    from idtrans.model.suites import CaseResult, SuitesAnswer

_MOST_NOTES = 5


def suites_text(answer: SuitesAnswer, colour: Colour) -> str:
    """Return each failed case with what decided it, and how many passed and failed."""
    failures = answer.failures
    lines = [line for result in failures for line in _failure(result, colour)]
    tone = Tone.BAD if failures else Tone.GOOD
    lines.append(paint(f"{len(answer.results) - len(failures)} passed, {len(failures)} failed", tone, colour))
    return "\n".join(lines) + "\n"


def _failure(result: CaseResult, colour: Colour) -> list[str]:
    outcome = word(result.outcome.value, colour)
    head = f"{safe(str(result.source))}: {safe(result.name)}: expected {result.expected}, got {outcome}"
    notes = some([f"  note: {safe(note)}" for note in result.notes], _MOST_NOTES, more="notes")
    return [head, f"  {safe(result.question)}", *reasons_text(result.reasons, indent="  "), *notes]
