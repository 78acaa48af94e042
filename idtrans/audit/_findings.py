"""Rules and facts to findings: what matches, what makes it the same finding again, and what is left open."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from idtrans.algebra import Truth
from idtrans.audit._fields import fields_of, plain, value_of
from idtrans.audit._rule import Rule
from idtrans.model.facts import Fact
from idtrans.model.findings import Finding, NotEvaluated
from idtrans.model.spans import Source
from idtrans.model.values import rank

_DIGITS: Final = 32
_WITNESSES: Final = ("example", "outsiders")
"""Fields that show a defect by example; they are evidence wherever a fact has them."""


def match(rules: Sequence[Rule], facts: Iterable[Fact]) -> Iterator[Finding | NotEvaluated]:
    """Yield a finding for each pair of rule and fact that match, and a note for each that cannot be judged."""
    for fact in facts:
        for rule in rules:
            if not rule.applies(fact):
                continue
            answer = rule.judge(fact)
            if answer is Truth.TRUE:
                yield _finding(rule, fact)
            elif answer is Truth.UNKNOWN:
                yield _not_evaluated(rule, fact)


def united(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings by severity, rule and subject; those of one fingerprint are one, with all their places."""
    found: dict[str, Finding] = {}
    for finding in findings:
        known = found.get(finding.fingerprint)
        if known is not None:
            places = tuple(dict.fromkeys((*known.locations, *finding.locations)))
            finding = replace(known, locations=places)  # noqa: PLW2901 - the finding that is known, in more places
        found[finding.fingerprint] = finding
    return tuple(sorted(found.values(), key=_order))


def fingerprint(rule: Rule, fact: Fact) -> str:
    """Return what makes a finding the same one again: the rule and the identity fields, never a line."""
    identity = {name: plain(value_of(fact, name)) for name in rule.identity_fields}
    text = json.dumps([rule.id, identity], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _order(finding: Finding) -> tuple[int, str, str, str]:
    return -rank(finding.severity), finding.rule, finding.subject, finding.fingerprint


def _finding(rule: Rule, fact: Fact) -> Finding:
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        confidence=rule.confidence,
        title=rule.title,
        message=rule.message.render(fact),
        cloud=fact.cloud,
        subject=rule.subject.render(fact),
        locations=(fact.source,),
        fingerprint=fingerprint(rule, fact),
        remediation=rule.remediation,
        evidence=_evidence(rule, fact),
    )


def _evidence(rule: Rule, fact: Fact) -> dict[str, object]:
    read = {test.field: plain(value_of(fact, test.field)) for test in rule.where}
    shown = {name: plain(value_of(fact, name)) for name in _WITNESSES if name in fields_of(fact.kind)}
    return read | {name: value for name, value in shown.items() if value}


def _not_evaluated(rule: Rule, fact: Fact) -> NotEvaluated:
    fields = ", ".join(f"`{name}`" for name in rule.unknown_fields(fact))
    source: Source = fact.source
    return NotEvaluated(source, f"{fields} of `{fact.subject}` is not known", rule.id)
