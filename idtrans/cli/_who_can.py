"""`idtrans who-can`."""

from __future__ import annotations

from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import Session


def who_can(
    session: Session,
    action: Annotated[str, typer.Argument(help="What, as the cloud spells it, such as s3:GetObject.")],
    resource: Annotated[str, typer.Argument(help="On what: an ARN, a full resource name or an ARM id.")],
    paths: options.In,
    context: options.ContextKeys = None,
    closed: options.Closed = False,
    plane: options.PlaneName = None,
    chains: options.Chains = True,
    owner: options.Owner = None,
    on: options.OwnerResource = None,
    scope: options.OwnerScope = None,
    account: options.OwnerAccount = None,
    layer: options.OwnerLayer = None,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """Who may do an action to a resource, and through what? And who can become one of them?

    Exit code 0: somebody; 1: nobody; 3: nobody for sure, and something was not understood.
    """
    from idtrans import api

    keys = options.many_values("--context", context)
    estate = session.read(paths, options.hints(owner, on, scope, account, layer))
    answer = api.who_can(estate, action, resource, context=keys, closed=closed, plane=plane, chains=chains)
    session.answer(answer, form)
    if answer.allowed:
        return ExitCode.OK
    return ExitCode.UNKNOWN if answer.unknown or estate.unsupported else ExitCode.NEGATIVE
