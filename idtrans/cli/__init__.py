"""The command line: the only room that prints, reads the environment and exits. One file a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.cli._exit import ExitCode
from idtrans.cli._main import console, main

if TYPE_CHECKING:
    from idtrans.cli._commands import app

__all__ = ["ExitCode", "app", "console", "main"]


def __getattr__(name: str) -> object:
    """Import the commands when they are first asked for (PEP 562): the help stands ready without them."""
    if name != "app":
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from idtrans.cli._commands import app

    return app
