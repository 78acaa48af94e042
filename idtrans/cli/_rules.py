"""`idtrans rules` and `idtrans explain`."""

from __future__ import annotations

from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import Session

_Folders = Annotated[
    list[str] | None, typer.Option("--rules", metavar="DIR", help="Folder of further rules.", show_default=False)
]


def rules(
    session: Session,
    folders: _Folders = None,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """List the audit rules."""
    from idtrans import api

    session.answer(api.rules(folders or ()), form)
    return ExitCode.OK


def explain(
    session: Session,
    rule: Annotated[str, typer.Argument(help="Id of a rule, as `idtrans rules` lists it.")],
    folders: _Folders = None,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """Print the page of a rule: what it finds, why it matters, what to use instead."""
    from idtrans import api

    session.answer(api.explain(rule, folders or ()), form)
    return ExitCode.OK
