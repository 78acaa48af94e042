"""Policy unit tests: what a case expects, and what came out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from idtrans.model.decisions import Outcome, Reason
from idtrans.model.errors import IdtransError
from idtrans.model.spans import Source


class Expectation(StrEnum):
    """What a case says the answer is."""

    ALLOW = "allow"
    DENY = "deny"
    """Either kind of denial."""
    EXPLICIT_DENY = "explicit-deny"
    IMPLICIT_DENY = "implicit-deny"

    def met_by(self, outcome: Outcome) -> bool:
        """Tell whether an outcome is the expected one. A conditional or unknown outcome never is."""
        if self is Expectation.DENY:
            return outcome in {Outcome.EXPLICIT_DENY, Outcome.IMPLICIT_DENY}
        return self.value == outcome.value


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case and its answer."""

    name: str
    question: str
    """What was asked, in one line."""
    source: Source
    """Where the case stands."""
    expected: Expectation
    outcome: Outcome
    reasons: tuple[Reason, ...] = ()
    notes: tuple[str, ...] = ()
    """What is to be said beside the reasons, such as why the outcome is not known."""

    @property
    def passed(self) -> bool:
        """Whether the outcome is the expected one."""
        return self.expected.met_by(self.outcome)


@dataclass(frozen=True, slots=True)
class SuitesAnswer:
    """The results of all suites, in the order of the files."""

    results: tuple[CaseResult, ...]
    errors: tuple[IdtransError, ...] = ()
    """What could not be read. The cases that rest on it have failed."""

    @property
    def failures(self) -> tuple[CaseResult, ...]:
        """Cases that did not come out as expected."""
        return tuple(result for result in self.results if not result.passed)
