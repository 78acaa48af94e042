"""`idtrans graph`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import Session


class GraphFormat(StrEnum):
    """How a graph is written."""

    JSON = "json"
    GRAPHML = "graphml"
    MERMAID = "mermaid"
    DOT = "dot"


def graph(
    session: Session,
    paths: options.Paths,
    form: Annotated[GraphFormat, typer.Option("--format", help="How to write the graph.")] = GraphFormat.JSON,
) -> ExitCode:
    """Write the permission graph: who is in what, who may become whom, what is held where."""
    from idtrans import api

    estate = session.read(paths)
    session.write(api.export_graph(estate, form.value))
    return ExitCode.OK
