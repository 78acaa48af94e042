"""`idtrans test`."""

from __future__ import annotations

from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import Session


def run_tests(
    session: Session,
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Test files, or - for standard input.", show_default=False),
    ],
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """Run policy unit tests: documents, requests, and what must come out.

    Exit code 0: every case passed; 1: a case failed, because it came out otherwise or could not be decided.
    """
    from idtrans import api

    answer = api.run_suites(files, now=session.now, stdin=session.stdin(files))
    for error in answer.errors:
        session.complain(error)
    session.answer(answer, form)
    return ExitCode.NEGATIVE if answer.failures else ExitCode.OK
