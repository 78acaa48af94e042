"""`idtrans diff`."""

from __future__ import annotations

from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._outcomes import OF_VERDICT
from idtrans.cli._session import Session


def diff(
    session: Session,
    old: Annotated[str, typer.Argument(metavar="OLD", help="File or folder before the change.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="File or folder after the change.")],
    owner: options.Owner = None,
    on: options.OwnerResource = None,
    scope: options.OwnerScope = None,
    account: options.OwnerAccount = None,
    layer: options.OwnerLayer = None,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """Does NEW grant anything that OLD does not? The answer is a request that shows it.

    Exit code 0: no new access; 1: new access; 3: not everything could be compared.
    """
    from idtrans import api

    said = options.hints(owner, on, scope, account, layer)
    report = api.diff(session.read([old], said), session.read([new], said))
    session.answer(report, form)
    return OF_VERDICT[report.verdict]
