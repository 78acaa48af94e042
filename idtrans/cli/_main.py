"""The entry points of the command line."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import click
from typer.main import get_command

from idtrans.cli._commands import app
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import silence
from idtrans.report import safe

_INTERRUPTED = 130


def main() -> int:
    """Run the command line on `sys.argv`; return the exit code."""
    _prepare_streams()
    try:
        code = get_command(app).main(prog_name="idtrans", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stderr.write(f"{error.format_message()}\n")
        return ExitCode.BROKEN
    except click.ClickException as error:
        return _usage_error(error)
    except (click.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    except BrokenPipeError:
        silence()
        return ExitCode.OK
    return int(code or ExitCode.OK)


def _prepare_streams() -> None:
    for name in ("stdout", "stderr"):
        # Python has no stream where the caller closed it; what is written there shows nobody.
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
        # A terminal that is not UTF-8 shows the rest of the answer all the same.
        if hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="backslashreplace")


def console() -> NoReturn:
    """Run the command line and end the process at once.

    Taking a large estate apart object by object takes longer than answering a question about it, and serves nobody.
    """
    code = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        silence()
    os._exit(code)


def _usage_error(error: click.ClickException) -> int:
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "idtrans"
    sys.stderr.write(f"error: {safe(message[:1].lower() + message[1:])} (see `{where} --help`)\n")
    return ExitCode.BROKEN
