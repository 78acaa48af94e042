"""Trusts and federations in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.model.spans import NOWHERE
from idtrans.model.values import UNKNOWN
from idtrans.report._artifacts import artifacts
from idtrans.report._safe import safe
from idtrans.report._style import Colour, Tone, paint, word
from idtrans.report._table import counted, some, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from idtrans.model.answers import FederationAnswer, FederationPart, TrustAnswer, TrustsAnswer
    from idtrans.model.artifacts import Artifact, Loss
    from idtrans.model.documents import Unsupported

_REACH_WIDTH = len("workload")
_MOST_UNREAD = 20
WIDTH = 100
"""Width of the lines that separate artifacts."""


def trusts_text(answer: TrustsAnswer, colour: Colour) -> str:
    """Return who can use each trust, the widest first, and what the token that was shown gets."""
    lines: list[str] = []
    for trust in answer.trusts:
        lines += [*_trust(trust, colour), ""]
    lines.append(paint(counted(len(answer.trusts), "trust"), Tone.STRONG, colour))
    if answer.token is not None:
        lines.append(f"this token gets in: {word(answer.token.admitted.value, colour)}")
        lines += [f"  {safe(reason)}" for reason in answer.token.reasons]
    lines += unread_lines(answer.unsupported, colour)
    return "\n".join(lines) + "\n"


def _trust(trust: TrustAnswer, colour: Colour) -> list[str]:
    place = "" if trust.source == NOWHERE else f"  {trust.source}"
    head = f"{word(trust.reach.value, colour, width=_REACH_WIDTH)}  {paint(trust.target, Tone.STRONG, colour)}"
    rows = [("lets in", _party(trust)), ("pinned by", trust.pinned_by)]
    if trust.provider_reach is not None:
        reach = "unknown" if trust.provider_reach is UNKNOWN else trust.provider_reach.value
        rows.append(("provider alone", reach))
    rows += [("admits", subject) for subject in trust.admits]
    rows += [("stranger", _claims(claims)) for claims in trust.outsiders]
    rows += [("stated in", str(source)) for source in trust.further_sources]
    rows += [("note", f"{remark.code}: {remark.message}") for remark in trust.remarks]
    return [f"{head}{safe(place)}", *table(rows, indent="  ")]


def _party(trust: TrustAnswer) -> str:
    if trust.issuer_kind == "none":
        named = trust.issuer.removeprefix("service:")
        return f"{trust.kind} {named}".strip()
    return f"{trust.issuer_kind} {trust.issuer} ({trust.tenancy})"


def _claims(claims: Mapping[str, object]) -> str:
    return ", ".join(f"{claim}={value}" for claim, value in sorted(claims.items(), key=_subject_first))


def _subject_first(entry: tuple[str, object]) -> tuple[bool, str]:
    return entry[0] != "sub", entry[0]


def unread_lines(entries: Iterable[Unsupported], colour: Colour) -> list[str]:
    """Return what was not understood in the input, with its places; nothing when there is nothing."""
    listed = [(str(entry.source), entry.reason) for entry in entries]
    if not listed:
        return []
    head = paint(f"{counted(len(listed), 'thing')} in the input not understood", Tone.DOUBT, colour)
    return ["", head, *some(table(listed, indent="  "), _MOST_UNREAD, more="things")]


def federation_text(answer: FederationAnswer, colour: Colour) -> str:
    """Return what each cloud is to be told, and the workflow that uses it."""
    intent = answer.intent
    rows = [("issuer", intent.issuer), *(("subject", subject) for subject in intent.subjects)]
    rows += [("pinned", f"{pin.claim} = {' or '.join(pin.values)}") for pin in intent.pins]
    lines = [paint(f"trust for {intent.issuer_kind}: {intent.name}", Tone.STRONG, colour), *table(rows, indent="  ")]
    shared = _shared_losses(answer.parts)
    lines += loss_lines(shared)
    for part in answer.parts:
        lines += ["", *_part(part, shared, colour)]
        for entry in artifacts(part.emission, answer.form):
            lines += artifact_lines(entry, colour, of=part.cloud)
    if answer.workflow:
        lines += ["", _rule("workflow job", colour), answer.workflow.rstrip("\n")]
    return "\n".join(lines) + "\n"


def _shared_losses(parts: Sequence[FederationPart]) -> tuple[Loss, ...]:
    """Return the losses that every part has, in order."""
    first = parts[0].losses if parts else ()
    return tuple(loss for loss in first if all(loss in part.losses for part in parts))


def _part(part: FederationPart, shared: Sequence[Loss], colour: Colour) -> list[str]:
    head = f"{paint(part.cloud, Tone.STRONG, colour)}: reach {word(part.reach.value, colour)}"
    own = [loss for loss in part.losses if loss not in shared]
    return [head, *loss_lines(own), *placeholder_lines(part.emission.placeholders)]


def loss_lines(losses: Iterable[Loss]) -> list[str]:
    """Return what is said differently in the target, a line each."""
    return table([(f"{loss.effect.value}:", loss.feature, loss.why) for loss in losses], indent="  ")


def placeholder_lines(placeholders: Iterable[str]) -> list[str]:
    """Return a sentence on the names that are still to be filled in; nothing when there are none."""
    names = ", ".join(placeholders)
    return [f"  to fill in before it can be applied: {safe(names)}"] if names else []


def artifact_lines(entry: Artifact, colour: Colour, *, of: str) -> list[str]:
    """Return an artifact under a line that names it."""
    return ["", _rule(f"{of}: {entry.name} ({entry.kind})", colour), entry.content.rstrip("\n")]


def _rule(title: str, colour: Colour) -> str:
    shown = f"--- {safe(title)} "
    return paint(shown + "-" * max(3, WIDTH - len(shown)), Tone.QUIET, colour)
