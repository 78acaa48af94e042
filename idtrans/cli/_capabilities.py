"""`idtrans capabilities`."""

from __future__ import annotations

from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import Session
from idtrans.model.errors import UsageError


def capabilities(
    session: Session,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[compare ROLE...]", help="Roles to compare, such as gcp:roles/viewer azure:Reader."),
    ] = None,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """List what translation recognises and what each cloud needs for it, or compare what umbrella roles give."""
    from idtrans import api

    if not words:
        session.answer(api.capabilities(), form)
        return ExitCode.OK
    if words[0] != "compare":
        raise UsageError(f"`{words[0]}` is nothing to do with capabilities", advice="write `compare` and roles")
    session.answer(api.compare_capabilities(words[1:]), form)
    return ExitCode.OK
