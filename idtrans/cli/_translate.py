"""`idtrans translate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode, first
from idtrans.cli._session import Session
from idtrans.model.artifacts import ArtifactFormat
from idtrans.model.values import Verdict


def translate(
    session: Session,
    paths: options.Paths,
    to: Annotated[str, typer.Option("--to", metavar="CLOUD", help="Cloud to say it in.", show_default=False)],
    principal: Annotated[
        str | None,
        typer.Option("--principal", metavar="ID", help="The one to translate; of a file, also who holds it."),
    ] = None,
    mapping: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="What stands for what in the target.")
    ] = None,
    emit: options.Emit = ArtifactFormat.NATIVE,
    allow_broader: Annotated[
        bool, typer.Option("--allow-broader", help="Write translations that grant more, too.")
    ] = False,
    settings: options.Settings = None,
    on: options.OwnerResource = None,
    scope: options.OwnerScope = None,
    account: options.OwnerAccount = None,
    layer: options.OwnerLayer = None,
    form: options.PageForm = options.PageFormat.TEXT,
) -> ExitCode:
    """Say the same grants and trusts in another cloud, with a verdict and what is lost.

    A translation that would grant more is refused, and nothing is written. Trusts are those in the tokens of an
    issuer, such as a pipeline's; with --principal, those that give it away. Exit code 0: translated, losses are
    printed; 1: one was refused, or there was nothing to translate; 3: the input was not understood in full.
    """
    from idtrans import api

    # In a folder the principal is the one to translate, among others: its bare policies are not all its own.
    owner = None if any(Path(path).is_dir() for path in paths) else principal
    answer = api.translate(
        session.read(paths, options.hints(owner, on, scope, account, layer)),
        to,
        principal=principal,
        mapping=mapping,
        names=options.one_value("--set", settings),
        allow_broader=allow_broader,
        form=emit,
    )
    session.page(answer, form)
    verdicts = [*(grant.verdict for grant in answer.translations), *(trust.verdict for trust in answer.trusts)]
    return first(
        ExitCode.NEGATIVE if Verdict.REFUSED in verdicts or not verdicts else ExitCode.OK,
        ExitCode.UNKNOWN if answer.unsupported else ExitCode.OK,
    )
