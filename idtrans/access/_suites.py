"""Policy unit tests: every case of a suite asked of one estate, in which nothing exists but what the suite states."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from idtrans.access._can import needed_for, remarks, stand_in
from idtrans.algebra import decide
from idtrans.model.answers import Admission
from idtrans.model.decisions import Outcome
from idtrans.model.errors import UsageError
from idtrans.model.suites import CaseResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from idtrans.model.answers import TokenAnswer
    from idtrans.model.documents import Json
    from idtrans.model.estate import Estate
    from idtrans.model.spans import Source
    from idtrans.model.suites import Expectation
    from idtrans.ports import Cloud, Query

_OF_ADMISSION = {
    Admission.YES: Outcome.ALLOW,
    Admission.NO: Outcome.IMPLICIT_DENY,
    Admission.UNKNOWN: Outcome.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Token:
    """A token shown at the door of a target, such as a role."""

    target: str
    claims: Mapping[str, Json] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Case:
    """One question with the answer that it must have."""

    name: str
    source: Source
    expected: Expectation
    question: Query | Token


@dataclass(frozen=True, slots=True)
class Doors:
    """What a suite needs of other rooms."""

    cloud_of: Callable[[str, Estate], Cloud]
    """The cloud that a principal belongs to. Raises `UsageError`."""
    admits: Callable[[Estate, str, Mapping[str, Json]], TokenAnswer]
    """Whether the trusts of a target let a token in. Raises `UsageError` when no document says what it trusts."""


def run(cases: Sequence[Case], estate: Estate, doors: Doors) -> tuple[CaseResult, ...]:
    """Return the result of every case, in order.

    A case that cannot be asked, such as one whose action is no action, fails and says why; it stops no other.
    """
    found: dict[int, CaseResult] = {}
    asked: dict[str, list[tuple[int, Case, Query]]] = {}
    clouds: dict[str, Cloud] = {}
    for position, case in enumerate(cases):
        try:
            if isinstance(case.question, Token):
                found[position] = _token(case, case.question, estate, doors)
                continue
            cloud = doors.cloud_of(case.question.principal, estate)
            cloud.request(case.question, estate)
        except UsageError as error:
            found[position] = failed(case, str(error))
            continue
        clouds[cloud.name] = cloud
        asked.setdefault(cloud.name, []).append((position, case, case.question))
    for name, group in asked.items():
        found |= _decided(clouds[name], estate, group)
    return tuple(found[position] for position in range(len(cases)))


def failed(case: Case, *notes: str) -> CaseResult:
    """Return the result of a case that could not be decided."""
    return CaseResult(case.name, _words(case), case.source, case.expected, Outcome.UNKNOWN, notes=notes)


def _decided(cloud: Cloud, estate: Estate, group: Iterable[tuple[int, Case, Query]]) -> dict[int, CaseResult]:
    cases = list(group)
    worlds = cloud.worlds(estate, [query for _, _, query in cases])
    found: dict[int, CaseResult] = {}
    for (position, case, query), world in zip(cases, worlds, strict=True):
        try:
            found[position] = _result(cloud, world, case, query)
        except UsageError as error:
            found[position] = failed(case, str(error))
    return found


def _result(cloud: Cloud, world: Estate, case: Case, query: Query) -> CaseResult:
    request = cloud.request(query, world)
    decision = decide(needed_for(cloud, cloud.access(request.principal, world), request), request)
    notes = (*stand_in(request), *decision.notes)
    if not case.expected.met_by(decision.outcome):
        depends = () if decision.condition is None else (f"it depends on: {decision.condition}",)
        notes = (*depends, *notes, *remarks(cloud.doubts(request.principal, world)))
    notes = tuple(dict.fromkeys(notes))
    return CaseResult(case.name, _words(case), case.source, case.expected, decision.outcome, decision.reasons, notes)


def _token(case: Case, token: Token, estate: Estate, doors: Doors) -> CaseResult:
    answer = doors.admits(estate, token.target, token.claims)
    outcome = _OF_ADMISSION[answer.admitted]
    return CaseResult(case.name, _words(case), case.source, case.expected, outcome, notes=answer.reasons)


def _words(case: Case) -> str:
    question = case.question
    if isinstance(question, Token):
        return f"a token for {question.target}"
    return f"{question.principal} {question.action} {question.resource}"
