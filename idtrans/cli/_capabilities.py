"""`idtrans capabilities`."""

from __future__ import annotations

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import Session


def capabilities(session: Session, form: options.Format = options.OutputFormat.TEXT) -> ExitCode:
    """List what translation recognises, and what each cloud needs for it."""
    from idtrans import api

    session.answer(api.capabilities(), form)
    return ExitCode.OK
