"""`idtrans paths`."""

from __future__ import annotations

from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import Session
from idtrans.model.decisions import Outcome


def paths(
    session: Session,
    start: Annotated[
        str,
        typer.Option(
            "--from", metavar="A", help="Id, alias or glob; or CLAIM=GLOB of a token, such as repository=acme/app."
        ),
    ],
    end: Annotated[str, typer.Option("--to", metavar="B", help="Id, alias or glob of an identity or a place.")],
    inputs: options.In,
    most: Annotated[int, typer.Option("--most", min=1, max=1000, help="How many chains to show.")] = 10,
    owner: options.Owner = None,
    on: options.OwnerResource = None,
    scope: options.OwnerScope = None,
    account: options.OwnerAccount = None,
    layer: options.OwnerLayer = None,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """Which chains of membership, assumption, impersonation and federation lead from A to B, across clouds?

    Exit code 0: a chain; 1: none; 3: none for sure, and something was not understood.
    """
    from idtrans import api

    estate = session.read(inputs, options.hints(owner, on, scope, account, layer))
    answer = api.paths(estate, start, end, most=most)
    session.answer(answer, form)
    if any(chain.outcome is not Outcome.UNKNOWN for chain in answer.chains):
        return ExitCode.OK
    doubtful = bool(answer.chains or answer.not_walked or estate.unsupported)
    return ExitCode.UNKNOWN if doubtful else ExitCode.NEGATIVE
