"""`idtrans can`."""

from __future__ import annotations

from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._outcomes import OF_OUTCOME
from idtrans.cli._session import Session


def can(
    session: Session,
    principal: Annotated[str, typer.Argument(help="Who asks: an ARN, user:a@b.example, entra:OBJECT-ID, ...")],
    action: Annotated[str, typer.Argument(help="What for, as the cloud spells it, such as s3:GetObject.")],
    resource: Annotated[str, typer.Argument(help="On what: an ARN, a full resource name or an ARM id.")],
    paths: options.In,
    context: options.ContextKeys = None,
    closed: options.Closed = False,
    plane: options.PlaneName = None,
    owner: options.Owner = None,
    on: options.OwnerResource = None,
    scope: options.OwnerScope = None,
    account: options.OwnerAccount = None,
    layer: options.OwnerLayer = None,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """May a principal do an action to a resource, and why?

    Exit code 0: allowed; 1: denied; 3: conditional on what was not given, or unknown.
    """
    from idtrans import api

    keys = options.many_values("--context", context)
    estate = session.read(paths, options.hints(owner, on, scope, account, layer))
    decision = api.can(estate, principal, action, resource, context=keys, closed=closed, plane=plane)
    session.answer(decision, form)
    return OF_OUTCOME[decision.outcome]
