"""The audit: rules over the facts of an estate, with everything that could not be judged beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from idtrans.audit._baseline import Baseline
from idtrans.audit._facts import Facts, collect_facts
from idtrans.audit._findings import match, united
from idtrans.audit._load import named
from idtrans.audit._rule import Rule
from idtrans.audit._suppressions import Suppression, suppress
from idtrans.model.errors import DataError
from idtrans.model.estate import Estate
from idtrans.model.facts import GrantFact
from idtrans.model.findings import AuditReport, Finding, FindingState, NotEvaluated
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Persona, Severity, rank
from idtrans.ports import Truster


def audit(
    estate: Estate,
    sources: Mapping[str, Truster],
    rules: Sequence[Rule],
    *,
    baseline: Baseline | None = None,
    suppressions: Sequence[Suppression] = (),
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    persona: Persona = Persona.REGULAR,
) -> AuditReport:
    """Return the findings of the rules on an estate, the worst first.

    `sources` are the clouds, and the readers of what is trusted beside them.

    `select` names the only rules to run (whatever their persona), `ignore` those to leave out. Whatever was not
    understood stands in `not_evaluated`, also when no rule looked at it.

    Raises:
        DataError: a rule names a cloud that does not exist.
        UsageError: `select` or `ignore` name a rule that does not exist.
    """
    chosen = _chosen(rules, select=select, ignore=ignore, persona=persona)
    _check_sources(chosen, sources)
    facts = collect_facts(estate, sources)
    matches = list(match(chosen, facts))
    found = united(item for item in matches if isinstance(item, Finding))
    if baseline is not None:
        found = baseline.mark(found)
    found = suppress(found, suppressions, estate.now.date())
    open_pairs = (item for item in matches if isinstance(item, NotEvaluated))
    return AuditReport(
        findings=found,
        not_evaluated=tuple(dict.fromkeys((*_not_understood(estate, facts, chosen), *open_pairs))),
        summary=_summary(found, estate, facts=facts, rules=chosen),
    )


def _chosen(
    rules: Sequence[Rule], *, select: Sequence[str], ignore: Sequence[str], persona: Persona
) -> tuple[Rule, ...]:
    selected = {named(name, rules).id for name in select}
    ignored = {named(name, rules).id for name in ignore}
    return tuple(
        rule
        for rule in rules
        if rule.id not in ignored and (rule.id in selected if selected else rank(rule.persona) <= rank(persona))
    )


def _check_sources(rules: Iterable[Rule], sources: Mapping[str, Truster]) -> None:
    for rule in rules:
        for name in rule.clouds:
            if name not in sources:
                source = Source(rule.page.origin, "/clouds")
                raise DataError(f"unknown cloud `{name}`", source=source, advice=f"known: {', '.join(sorted(sources))}")


def _not_understood(estate: Estate, facts: Facts, rules: Sequence[Rule]) -> Iterator[NotEvaluated]:
    """Yield what no document reader understood, and the grants of which nobody can say how far they go.

    The latter only where a rule looks at grants at all: they change nothing else.
    """
    for unsupported in estate.unsupported:
        yield NotEvaluated(unsupported.source, unsupported.reason)
    if all(rule.select != GrantFact.kind for rule in rules):
        return
    for fact in facts.grants:
        if fact.owner_like is UNKNOWN:
            yield NotEvaluated(fact.source, f"what `{fact.role}` gives `{fact.subject}` is not known in full")


def _summary(findings: Sequence[Finding], estate: Estate, *, facts: Facts, rules: Sequence[Rule]) -> dict[str, int]:
    """Count findings that count, by severity, and those that do not, by state."""
    severities = Counter(finding.severity for finding in findings if finding.state is FindingState.NEW)
    states = Counter(finding.state for finding in findings)
    return {
        **{severity.value: severities[severity] for severity in reversed(Severity)},
        **{state.value: states[state] for state in FindingState if state is not FindingState.NEW},
        "rules": len(rules),
        "facts": len(facts),
        "entities": len(estate.entities),
        "documents": len(estate.inputs),
    }
