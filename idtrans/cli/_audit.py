"""`idtrans audit`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode, first
from idtrans.cli._session import Session
from idtrans.model.findings import AuditReport, FindingState
from idtrans.model.values import Severity, rank

_SUPPRESSIONS = Path("idtrans-suppressions.yaml")


class Persona(StrEnum):
    """Who wants to see the findings."""

    REGULAR = "regular"
    PEDANTIC = "pedantic"
    AUDITOR = "auditor"


_Rules = Annotated[
    list[str] | None, typer.Option("--rules", metavar="DIR", help="Folder of further rules.", show_default=False)
]


def audit(
    session: Session,
    paths: options.Paths,
    fail_on: Annotated[
        Severity, typer.Option("--fail-on", help="Least severity that makes the exit code 1.")
    ] = Severity.LOW,
    select: Annotated[
        list[str] | None, typer.Option("--select", metavar="RULE", help="Run this rule only.", show_default=False)
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULE", help="Leave this rule out.", show_default=False)
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE", help="JSON of an earlier audit, to leave aside.")
    ] = None,
    folders: _Rules = None,
    persona: Annotated[Persona, typer.Option("--persona", help="How much to be told.")] = Persona.REGULAR,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """Find what is wrong: static keys, broad trust, open data.

    Accepted defects are read from idtrans-suppressions.yaml in the current folder. Exit code 0: no finding at or over
    --fail-on; 1: at least one; 3: something could not be judged.
    """
    from idtrans import api

    suppressions = _SUPPRESSIONS if _SUPPRESSIONS.is_file() else None
    if suppressions is not None:
        session.say(f"accepted defects are read from {suppressions}")
    report = api.audit(
        session.read(paths),
        select=select or (),
        ignore=ignore or (),
        folders=folders or (),
        persona=persona.value,
        baseline=baseline,
        suppressions=suppressions,
    )
    session.answer(report, form)
    return _code(report, fail_on)


def _code(report: AuditReport, fail_on: Severity) -> ExitCode:
    counts = (
        finding.state is FindingState.NEW and rank(finding.severity) >= rank(fail_on) for finding in report.findings
    )
    return first(
        ExitCode.NEGATIVE if any(counts) else ExitCode.OK,
        ExitCode.UNKNOWN if report.not_evaluated else ExitCode.OK,
    )
