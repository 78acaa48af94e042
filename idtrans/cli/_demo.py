"""`idtrans demo`."""

from __future__ import annotations

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import Session


def demo(session: Session, form: options.Format = options.OutputFormat.TEXT) -> ExitCode:
    """Show the main job on the bundled sample: read three clouds, audit, translate, federate."""
    from idtrans import api

    session.answer(api.demonstrate(session.say, now=session.now), form)
    return ExitCode.OK
