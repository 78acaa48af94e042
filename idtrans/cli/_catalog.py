"""`idtrans catalog import` and `idtrans catalog status`."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import Session
from idtrans.model.errors import UsageError


class CatalogAction(StrEnum):
    """What to do with the catalogue."""

    IMPORT = "import"
    STATUS = "status"


def catalog(
    session: Session,
    action: Annotated[CatalogAction, typer.Argument(help="What to do.", show_default=False)],
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH...]", help="For import: lists of roles or operations.", show_default=False),
    ] = None,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """Complete the catalogue of roles from the vendors' own lists, or tell how complete it is.

    `import` writes a catalogue from the JSON of `gcloud iam roles describe`, `az role definition list` and
    `az provider operation list`; give it to other commands with --catalog.
    """
    from idtrans import api

    if action is CatalogAction.STATUS:
        if paths:
            raise UsageError("`status` reads no files", advice="name the catalogue with `--catalog FILE`")
        session.answer(api.catalog_status(now=session.now), form)
        return ExitCode.OK
    if not paths:
        raise UsageError("`import` needs files", advice="write `idtrans catalog import PATH... --output FILE`")
    stdin = sys.stdin.buffer.read() if "-" in paths else None
    session.write(api.import_catalog(paths, now=session.now, stdin=stdin))
    return ExitCode.OK
