"""`idtrans trust`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode, first
from idtrans.cli._session import Session
from idtrans.model.answers import Admission, TrustsAnswer
from idtrans.model.values import Reach, rank

_OF_ADMISSION = {
    Admission.YES: ExitCode.OK,
    Admission.NO: ExitCode.NEGATIVE,
    Admission.UNKNOWN: ExitCode.UNKNOWN,
}


def trust(
    session: Session,
    paths: options.Paths,
    claims: Annotated[
        Path | None, typer.Option("--claims", metavar="FILE", help="Claims of a token, as a JSON object.")
    ] = None,
    fail_on: Annotated[
        Reach | None, typer.Option("--fail-on", help="Least reach that makes the exit code 1.", show_default=False)
    ] = None,
    owner: options.Owner = None,
    account: options.OwnerAccount = None,
    layer: options.OwnerLayer = None,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """Who on Earth can use these trusts? With claims: does this token get in, and why?

    Exit code 0: no trust at --fail-on and no token refused; 1: one of them; 3: something could not be judged.
    """
    from idtrans import api

    estate = session.read(paths, options.hints(owner, account=account, layer=layer))
    answer = api.trust(estate, claims=None if claims is None else api.read_claims(claims))
    session.answer(answer, form)
    return first(*_codes(answer, fail_on))


def _codes(answer: TrustsAnswer, fail_on: Reach | None) -> list[ExitCode]:
    reaches = [trust.reach for trust in answer.trusts]
    known = [reach for reach in reaches if reach is not Reach.UNKNOWN]
    over = fail_on is not None and any(rank(reach) >= rank(fail_on) for reach in known)
    unsure = len(known) < len(reaches) or bool(answer.unsupported)
    return [
        ExitCode.NEGATIVE if over else ExitCode.OK,
        ExitCode.UNKNOWN if unsure else ExitCode.OK,
        ExitCode.OK if answer.token is None else _OF_ADMISSION[answer.token.admitted],
    ]
