"""Translations in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.model.values import UNKNOWN
from idtrans.report._artifacts import artifacts
from idtrans.report._safe import safe
from idtrans.report._style import Colour, Tone, paint, word
from idtrans.report._table import counted, some, table
from idtrans.report._text_trusts import artifact_lines, loss_lines, placeholder_lines, unread_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idtrans.model.answers import TranslatedTrust, TranslationsAnswer
    from idtrans.model.translations import CapabilityVerdict, DenialVerdict, Translation

_MOST_PERMISSIONS = 6
_MOST_SERVICES = 12


def translations_text(answer: TranslationsAnswer, colour: Colour) -> str:
    """Return each translation with its verdict and reasons, what is to be applied, and what is lost; trusts last."""
    lines: list[str] = []
    for entry in answer.translations:
        lines += translation_lines(entry, colour)
        for written in artifacts(entry.emission, answer.form):
            lines += artifact_lines(written, colour, of=entry.target)
        lines.append("")
    for trust in answer.trusts:
        lines += _trust(trust, colour)
        for emission in trust.emissions:
            for written in artifacts(emission, answer.form):
                lines += artifact_lines(written, colour, of=trust.target)
        lines.append("")
    total = counted(len(answer.translations), "translation")
    total += f", {counted(len(answer.trusts), 'trust')}" if answer.trusts else ""
    lines.append(paint(total, Tone.STRONG, colour))
    lines += unread_lines(answer.unsupported, colour)
    return "\n".join(lines) + "\n"


def translation_lines(entry: Translation, colour: Colour) -> list[str]:
    """Return the verdict on one principal, its reasons, and what is granted and lost; no artifacts."""
    what = f"{entry.principal} from {entry.source.cloud} to {entry.target}  ({entry.source.path})"
    why = table([("why", reason) for reason in entry.reasons], indent="  ")
    grants = [("grant", one.role or "permissions listed below", one.resource) for one in entry.grants]
    holders = dict.fromkeys(one.principal for one in entry.grants)
    return [
        f"{word(entry.verdict.value, colour)}: {safe(what)}",
        *why,
        *table([("to", holder) for holder in holders], indent="  "),
        *table(grants, indent="  "),
        *_capabilities(entry.capabilities, colour),
        *_denials(entry.denials, colour),
        *_residue(entry),
        *loss_lines(entry.losses),
        *placeholder_lines(entry.placeholders),
    ]


def _trust(entry: TranslatedTrust, colour: Colour) -> list[str]:
    """Return the verdict on one trust, who can use what was written, and what is lost; no artifacts."""
    what = f"trust of {entry.principal} from {entry.source.cloud} to {entry.target}  ({entry.source.path})"
    rows = [("tokens of", entry.issuer or "an issuer that is not known")]
    rows += [("reach", entry.reach.value)] if entry.reach is not None else []
    return [
        f"{word(entry.verdict.value, colour)}: {safe(what)}",
        *table(rows, indent="  "),
        *loss_lines(entry.losses),
        *placeholder_lines(entry.placeholders),
    ]


def _capabilities(entries: Sequence[CapabilityVerdict], colour: Colour) -> list[str]:
    rows = table([(entry.id, f"on {entry.resource}{_when(entry)}") for entry in entries])
    width = max((len(entry.verdict.value) for entry in entries), default=0)
    lines: list[str] = []
    for entry, row in zip(entries, rows, strict=True):
        lines.append(f"  {word(entry.verdict.value, colour, width=width)}  {row}")
        lines += [f"    missing: {safe(_listed(entry.missing))}"] if entry.missing else []
        extra = [f"{one.permission} ({'unknown' if one.plane is UNKNOWN else one.plane.value})" for one in entry.extra]
        lines += [f"    also: {safe(_listed(extra))}"] if extra else []
    return lines


def _denials(entries: Sequence[DenialVerdict], colour: Colour) -> list[str]:
    rows = table([("deny", entry.id, f"on {entry.resource}{_when(entry)}") for entry in entries])
    width = max((len(entry.verdict.value) for entry in entries), default=0)
    lines: list[str] = []
    for entry, row in zip(entries, rows, strict=True):
        lines.append(f"  {word(entry.verdict.value, colour, width=width)}  {row}")
        limit = f" when {entry.limit}" if entry.limit is not None else ""
        where = "not denied" if entry.target is None else f"{_listed(entry.permissions)} on {entry.target}{limit}"
        lines.append(f"    denied there: {safe(where)}")
    return lines


def _when(entry: CapabilityVerdict | DenialVerdict) -> str:
    return f" when {entry.condition}" if entry.condition is not None else ""


def _residue(entry: Translation) -> list[str]:
    rows = [("not carried over", residue.service, _listed(residue.permissions)) for residue in entry.residue]
    return some(table(rows, indent="  "), _MOST_SERVICES, more="services")


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_PERMISSIONS])
    more = len(names) - _MOST_PERMISSIONS
    return f"{shown} and {more} more" if more > 0 else shown
