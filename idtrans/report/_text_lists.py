"""Lists of what idtrans knows, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.model.answers import Held
from idtrans.model.values import Plane
from idtrans.report._safe import safe
from idtrans.report._style import Colour, Tone, paint, word
from idtrans.report._table import counted, table

if TYPE_CHECKING:
    from idtrans.model.answers import CapabilitiesAnswer, CatalogAnswer, RulePage, RulesAnswer

_SEVERITY_WIDTH = len("critical")


def rules_text(answer: RulesAnswer, colour: Colour) -> str:
    """Return a line for each rule."""
    rows = table([(rule.id, ", ".join(rule.clouds), rule.title) for rule in answer.rules])
    words = [word(rule.severity.value, colour, width=_SEVERITY_WIDTH) for rule in answer.rules]
    lines = [f"{severity}  {row}" for severity, row in zip(words, rows, strict=True)]
    return "\n".join([*lines, paint(counted(len(answer.rules), "rule"), Tone.STRONG, colour)]) + "\n"


def rule_page_text(answer: RulePage, colour: Colour) -> str:  # noqa: ARG001 - every renderer takes a colour
    """Return the page as it is written, line by line."""
    return "\n".join(safe(line) for line in answer.text.splitlines()) + "\n"


def capabilities_text(answer: CapabilitiesAnswer, colour: Colour) -> str:
    """Return each capability with what every cloud needs for it, or how much of it each compared role gives."""
    if answer.compared:
        return _compared_text(answer, colour)
    lines: list[str] = []
    for entry in answer.capabilities:
        lines += [f"{paint(entry.id, Tone.STRONG, colour)}  {safe(f'{entry.title} ({entry.effect}, {entry.plane})')}"]
        rows = [(cloud, ", ".join(names)) for cloud, names in entry.permissions.items()]
        rows += [(cloud, f"none: {why}") for cloud, why in entry.without.items()]
        lines += table(sorted(rows), indent="  ")
    lines.append(paint(counted(len(answer.capabilities), "capability", "capabilities"), Tone.STRONG, colour))
    return "\n".join(lines) + "\n"


def _compared_text(answer: CapabilitiesAnswer, colour: Colour) -> str:
    """Return a table by plane: the capabilities that are not given alike, and how many each role gives in full."""
    lines: list[str] = []
    for plane in (each.value for each in Plane):
        entries = [entry for entry in answer.capabilities if entry.plane == plane]
        full = [str(sum(entry.held[name] is Held.FULL for entry in entries)) for name in answer.compared]
        differ = [entry for entry in entries if len(set(entry.held.values())) > 1]
        rows = [("", *answer.compared), (f"{plane}: in full, of {len(entries)}", *full)]
        rows += [(entry.id, *(entry.held[name].value for name in answer.compared)) for entry in differ]
        lines += [*table([tuple(map(safe, row)) for row in rows]), ""]
    alike = sum(len(set(entry.held.values())) == 1 for entry in answer.capabilities)
    told = f"{alike} of {counted(len(answer.capabilities), 'capability', 'capabilities')} are given alike"
    return "\n".join([*lines, paint(told, Tone.STRONG, colour)]) + "\n"


def catalog_text(answer: CatalogAnswer, colour: Colour) -> str:
    """Return a line for each cloud, and what the catalogue file adds."""
    rows = [
        (
            line.cloud,
            f"{line.complete} of {line.roles} roles complete",
            f"{line.built_in} built in, as of {line.built_in_as_of}",
            f"{line.supplied} supplied",
        )
        for line in answer.clouds
    ]
    if answer.path is None:
        last = "no catalogue file is in use; `idtrans catalog import` writes one, `--catalog FILE` reads it"
    else:
        days = counted(answer.age_days or 0, "day")
        last = f"{answer.path}: {counted(answer.operations, 'operation')}, imported {answer.imported}, {days} ago"
    return "\n".join([*table(rows), paint(safe(last), Tone.STRONG, colour)]) + "\n"
