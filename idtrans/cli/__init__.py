"""The command line: the only room that prints, reads the environment and exits. One file a command."""

from __future__ import annotations

from idtrans.cli._commands import app
from idtrans.cli._exit import ExitCode
from idtrans.cli._main import console, main

__all__ = ["ExitCode", "app", "console", "main"]
