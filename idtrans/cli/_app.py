"""Functions to commands: what all commands have in common is added here."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import click
import typer
from typer.core import TyperCommand

from idtrans import __version__
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import Session, moment
from idtrans.model.errors import IdtransError

_SHARED = {
    "output": Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write the answer to a file.", show_default=False)
    ],
    "quiet": Annotated[bool, typer.Option("--quiet", help="Write the answer and errors, and nothing else.")],
    "now": Annotated[
        str | None,
        typer.Option("--now", metavar="TIME", help="Time that ages count from, such as 2026-11-01T00:00:00Z."),
    ],
    "catalog": Annotated[
        Path | None,
        typer.Option(
            "--catalog",
            metavar="FILE",
            envvar="IDTRANS_CATALOG",
            help="Catalogue of roles that `idtrans catalog import` wrote.",
            show_default=False,
            show_envvar=False,
        ),
    ],
}
"""Options of every command, beside `--format`, whose choices differ."""
_DEFAULTS: dict[str, object] = {"output": None, "quiet": False, "now": None, "catalog": None}


Body = Callable[..., ExitCode]
"""What a command does: its first parameter is the `Session`, the rest are its own arguments and options."""


def application(commands: Mapping[str, Body]) -> typer.Typer:
    """Return the command line with some commands, in the order of the help."""
    app = typer.Typer(
        name="idtrans",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(help="Translate and audit identity policy across AWS, GCP and Azure.")(_root)
    for name, body in commands.items():
        app.command(name, cls=_Command)(_command(body))
    return app


class _Command(TyperCommand):
    """A command whose help is plain text."""

    def get_help(self, ctx: click.Context) -> str:
        """Return the help without the escapes that typer adds for HTML, whether or not there is any."""
        return super().get_help(ctx).replace("\\[", "[")


def _version(value: bool) -> None:
    if value:
        sys.stdout.write(f"idtrans {__version__}\n")
        raise typer.Exit


def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Print the version and stop.")
    ] = False,
) -> None:
    """Take the options that stand before the command; typer needs a function for them."""


def _command(body: Body) -> Callable[..., None]:
    """Return a body as a function that typer can register.

    The options that all commands share are added to it, an `IdtransError` becomes a line on standard error, and what
    it returns becomes the exit code.
    """

    def run(*, output: Path | None, now: str | None, quiet: bool, catalog: Path | None, **own: object) -> None:
        session = Session(output, quiet)
        try:
            session.now = moment(now)
            session.use(catalog)
            code = body(session, **own)
        except IdtransError as error:
            session.complain(error)
            code = ExitCode.BROKEN
        raise typer.Exit(int(session.finish(code)))

    _describe(run, body)
    return run


def _describe(run: Callable[..., None], body: Body) -> None:
    """Give the registered function the words and parameters that typer reads."""
    signature = inspect.signature(body, eval_str=True)
    _, *own = signature.parameters.values()
    shared = [
        inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS[option], annotation=annotation)
        for option, annotation in _SHARED.items()
    ]
    parameters = [*(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own), *shared]
    run.__name__ = body.__name__
    run.__doc__ = body.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
