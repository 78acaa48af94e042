"""One function a question. Nothing here prints; the command line is a skin over it."""

from __future__ import annotations

from idtrans.api._clouds import clouds
from idtrans.api._load import load
from idtrans.api._questions import can, diff, export_graph, graph, who_can

__all__ = [
    "can",
    "clouds",
    "diff",
    "export_graph",
    "graph",
    "load",
    "who_can",
]
