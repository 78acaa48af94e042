"""The protocols between rooms: what a reader, a cloud and the graph can be asked."""

from idtrans.ports._cloud import Cloud, GrantPlan, Holding, Query, RoleUse
from idtrans.ports._graph import Edge, GraphView, Node
from idtrans.ports._reader import Reader
from idtrans.ports._trust import Note, Trust, TrustKind

__all__ = [
    "Cloud",
    "Edge",
    "GrantPlan",
    "GraphView",
    "Holding",
    "Node",
    "Note",
    "Query",
    "Reader",
    "RoleUse",
    "Trust",
    "TrustKind",
]
