"""The entry points of the command line."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NoReturn

from idtrans import __version__
from idtrans.cli._exit import ExitCode
from idtrans.cli._help import HELP
from idtrans.cli._streams import prepare, silence

if TYPE_CHECKING:
    from click import ClickException

_INTERRUPTED = 130
_USUAL_WIDTH = 80
_COMPLETING = "_IDTRANS_COMPLETE"
"""Set by a shell that asks for completions."""


def main() -> int:
    """Run the command line on `sys.argv`; return the exit code."""
    prepare()
    known = _known_answer(sys.argv[1:])
    try:
        if known is None:
            return _run()
        sys.stdout.write(known)
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
    return ExitCode.OK


def _known_answer(words: list[str]) -> str | None:
    """Return what is printed without looking at any command: loading them all takes longer than everything else."""
    if _COMPLETING in os.environ or len(words) != 1:
        return None
    if words[0] == "--version":
        return f"idtrans {__version__}\n"
    return HELP if words[0] in {"-h", "--help"} and _columns() >= _USUAL_WIDTH else None


def _columns() -> int:
    """Return how wide the terminal is, found as `shutil.get_terminal_size` does, which is slow to import."""
    told = os.environ.get("COLUMNS", "")
    if told.isascii() and told.isdecimal() and int(told[:9]) > 0:
        return int(told[:9])
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or _USUAL_WIDTH  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return _USUAL_WIDTH


def _run() -> int:
    """Run the command that the words name.

    Raises:
        BrokenPipeError: nobody reads what it says.
    """
    import click
    from typer.main import get_command

    from idtrans.cli._commands import app

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
    return int(code or ExitCode.OK)


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


def _usage_error(error: ClickException) -> int:
    from idtrans.report import safe

    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "idtrans"
    sys.stderr.write(f"error: {safe(message[:1].lower() + message[1:])} (see `{where} --help`)\n")
    return ExitCode.BROKEN
