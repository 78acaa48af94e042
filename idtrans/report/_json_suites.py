"""Results of policy unit tests as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.report._json_parts import place, reason

if TYPE_CHECKING:
    from idtrans.model.documents import Json
    from idtrans.model.suites import CaseResult, SuitesAnswer


def suites_json(answer: SuitesAnswer) -> Json:
    """Return every case with its answer."""
    failures = len(answer.failures)
    return {
        "schema": "idtrans/test/v1",
        "passed": len(answer.results) - failures,
        "failed": failures,
        "cases": [_case(result) for result in answer.results],
    }


def _case(result: CaseResult) -> Json:
    return {
        "name": result.name,
        "question": result.question,
        "source": place(result.source),
        "passed": result.passed,
        "expected": result.expected.value,
        "decision": result.outcome.value,
        "reasons": [reason(entry) for entry in result.reasons],
        "notes": list(result.notes),
    }
