"""Decisions in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.model.decisions import Knowledge, Outcome
from idtrans.model.spans import NOWHERE
from idtrans.report._safe import safe
from idtrans.report._style import Colour, Tone, paint, word
from idtrans.report._table import counted, some, table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.decisions import Chain, Decision, Hop, Paths, Reason, WhoCan

_MOST_NOTES = 5
_MOST_UNKNOWN = 10
_SENTENCES = {
    Outcome.ALLOW: "{0} may {1} on {2}",
    Outcome.EXPLICIT_DENY: "{0} may not {1} on {2}: a statement denies it",
    Outcome.IMPLICIT_DENY: "{0} may not {1} on {2}: nothing allows it",
    Outcome.CONDITIONAL: "whether {0} may {1} on {2} depends on the request",
    Outcome.UNKNOWN: "whether {0} may {1} on {2} cannot be told",
}


def decision_text(decision: Decision, colour: Colour) -> str:
    """Return the outcome, what it depends on, and the statements that decided."""
    request = decision.request
    sentence = _SENTENCES[decision.outcome].format(request.principal, request.action, request.resource)
    lines = [f"{word(decision.outcome.value, colour)}: {safe(sentence)}"]
    if decision.condition is not None:
        verb = "allowed if" if decision.outcome is Outcome.CONDITIONAL else "allowed, if this holds"
        lines.append(f"  {verb}: {safe(decision.condition)}")
    if request.knowledge is Knowledge.CLOSED:
        lines.append("  context keys that were not given are taken as absent")
    lines += reasons_text(decision.reasons, indent="  ")
    lines += [f"  {line}" for line in some([f"note: {safe(n)}" for n in decision.notes], _MOST_NOTES, more="notes")]
    return "\n".join(lines) + "\n"


def who_can_text(answer: WhoCan, colour: Colour) -> str:
    """Return every principal that may, and through what."""
    may = counted(len(answer.allowed), "principal")
    head = f"{may} of {answer.examined} may {answer.action} on {answer.resource}"
    lines = [paint(head, Tone.STRONG, colour)]
    for alike in _alike(answer.allowed):
        outcome = word(alike[0].outcome.value, colour, width=11)
        lines += [f"  {outcome}  {safe(decision.request.principal)}" for decision in alike]
        if alike[0].condition is not None:
            lines.append(f"    if: {safe(alike[0].condition)}")
        lines += reasons_text(alike[0].reasons, indent="    ")
    if answer.unknown:
        lines.append(f"for {counted(len(answer.unknown), 'principal')} it cannot be told:")
        names = [f"  {safe(decision.request.principal)}" for decision in answer.unknown]
        lines += some(names, _MOST_UNKNOWN, more="principals, and why")
    lines += _chains_text(answer, colour)
    return "\n".join(lines) + "\n"


def _chains_text(answer: WhoCan, colour: Colour) -> list[str]:
    """Return who can become one of those that may: a line for each chain, and one for each of its links."""
    if not answer.chains:
        return []
    lines = [paint(f"{counted(len(answer.chains), 'way')} to become one of them", Tone.STRONG, colour)]
    return lines + _walked(answer.chains, answer.not_walked, colour)


def paths_text(answer: Paths, colour: Colour) -> str:
    """Return the chains from one place to another: a line for each, and one for each of its links."""
    head = f"{counted(len(answer.chains), 'way')} from {safe(answer.start)} to {safe(answer.end)}"
    lines = [paint(head, Tone.STRONG, colour), *_walked(answer.chains, answer.not_walked, colour)]
    return "\n".join(lines) + "\n"


def _walked(chains: Iterable[Chain], left: int, colour: Colour) -> list[str]:
    lines = []
    for chain in chains:
        lines.append(f"  {word(chain.outcome.value, colour, width=11)}  {safe(chain.principal)}")
        lines += [line for hop in chain.hops for line in _hop_lines(hop)]
    if left:
        lines.append(f"  {counted(left, 'identity', 'identities')} not looked behind: too many")
    return lines


def _hop_lines(hop: Hop) -> list[str]:
    reach = "" if hop.reach is None else f" (reach: {hop.reach.value})"
    place = "" if hop.source == NOWHERE else f"  {hop.source}"
    lines = [f"    {hop.kind.value} {hop.target} by {hop.through}{reach}{place}"]
    if hop.condition is not None:
        lines.append(f"      if: {hop.condition}")
    return [safe(line) for line in lines]


def _alike(decisions: Iterable[Decision]) -> list[list[Decision]]:
    """Return the decisions in groups that have the outcome, the condition and the reasons in common."""
    groups: dict[tuple[Outcome, str | None, tuple[Reason, ...]], list[Decision]] = {}
    for decision in decisions:
        groups.setdefault((decision.outcome, decision.condition, decision.reasons), []).append(decision)
    return list(groups.values())


def reasons_text(reasons: Iterable[Reason], *, indent: str) -> list[str]:
    """Return a line for each statement that took part in a decision, once."""
    return table(list(dict.fromkeys(_reason(reason) for reason in reasons)), indent=indent)


def _reason(reason: Reason) -> tuple[str, str, str]:
    place = "" if reason.source == NOWHERE else f"  {reason.source}"
    why = f" ({reason.why})" if reason.why else ""
    return (f"{reason.effect.value} by {reason.layer}", f"{reason.statement}{why}", place.strip())
