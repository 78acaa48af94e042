"""The normalized permission graph. The only room that knows networkx, and loads it when a graph is built."""

from idtrans.graph._build import build
from idtrans.graph._export import EXPORTS, export, to_json
from idtrans.graph._graph import PermissionGraph
from idtrans.graph._schema import EDGE_ATTRIBUTES, NODE_ATTRIBUTES, EdgeKind, NodeKind

__all__ = [
    "EDGE_ATTRIBUTES",
    "EXPORTS",
    "NODE_ATTRIBUTES",
    "EdgeKind",
    "NodeKind",
    "PermissionGraph",
    "build",
    "export",
    "to_json",
]
