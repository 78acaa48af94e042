"""A rule: a threshold on facts, and words."""

from __future__ import annotations

from dataclasses import dataclass

from idtrans.algebra import Truth
from idtrans.audit._conditions import FieldTest
from idtrans.audit._page import Page
from idtrans.audit._template import Template
from idtrans.model.facts import Fact
from idtrans.model.values import Confidence, Persona, Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule file."""

    id: str
    title: str
    severity: Severity
    confidence: Confidence
    persona: Persona
    clouds: tuple[str, ...]
    """Clouds whose facts it looks at."""
    select: str
    """Kind of the facts that it looks at."""
    where: tuple[FieldTest, ...]
    """Conditions on a fact; all must hold."""
    subject: Template
    message: Template
    identity_fields: tuple[str, ...]
    """Fields that make two findings the same one."""
    references: tuple[str, ...]
    """Pages of vendors that the rule rests on."""
    frameworks: tuple[str, ...]
    """Controls of published benchmarks that ask for the same."""
    page: Page

    @property
    def remediation(self) -> str:
        """What to do about a finding: the first paragraph of *Use instead*."""
        return self.page.section("Use instead").first_paragraph

    def applies(self, fact: Fact) -> bool:
        """Tell whether the rule looks at a fact at all."""
        return fact.kind == self.select and fact.cloud in self.clouds

    def judge(self, fact: Fact) -> Truth:
        """Tell whether a fact is a finding. One condition that fails settles it, whatever is not known."""
        answer = Truth.TRUE
        for test in self.where:
            answer &= test.holds(fact)
        return answer

    def unknown_fields(self, fact: Fact) -> tuple[str, ...]:
        """Return the fields that leave the answer open."""
        return tuple(dict.fromkeys(test.field for test in self.where if test.holds(fact) is Truth.UNKNOWN))
