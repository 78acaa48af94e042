"""The protocols between rooms: what a reader, a cloud and the graph can be asked."""

from idtrans.ports._assuming import Assuming
from idtrans.ports._cloud import Cloud, Granting, GrantPlan, Guarding, Holding, Query, RoleUse
from idtrans.ports._denial import Denial, Denying, Overlap, PlacedDenial
from idtrans.ports._everybody import Public
from idtrans.ports._graph import Edge, GraphView, Node
from idtrans.ports._impersonation import Impersonation, Impersonator
from idtrans.ports._limits import (
    ALWAYS_THERE,
    ENDPOINT,
    MFA,
    OBJECT,
    OBJECT_TAG,
    ORGANISATION,
    PRINCIPAL_TAG,
    PRIVATE,
    RESOURCE_TAG,
    SOURCE_IP,
    STORE,
    TIME,
    TLS,
)
from idtrans.ports._narrowing import Narrowing
from idtrans.ports._reader import Reader
from idtrans.ports._remarks import Remarking
from idtrans.ports._trust import Note, Trust, Truster, TrustKind
from idtrans.ports._workloads import Employing, Workload, WorkloadIdentity, WorkloadKind

__all__ = [
    "ALWAYS_THERE",
    "ENDPOINT",
    "MFA",
    "OBJECT",
    "OBJECT_TAG",
    "ORGANISATION",
    "PRINCIPAL_TAG",
    "PRIVATE",
    "RESOURCE_TAG",
    "SOURCE_IP",
    "STORE",
    "TIME",
    "TLS",
    "Assuming",
    "Cloud",
    "Denial",
    "Denying",
    "Edge",
    "Employing",
    "GrantPlan",
    "Granting",
    "GraphView",
    "Guarding",
    "Holding",
    "Impersonation",
    "Impersonator",
    "Narrowing",
    "Node",
    "Note",
    "Overlap",
    "PlacedDenial",
    "Public",
    "Query",
    "Reader",
    "Remarking",
    "RoleUse",
    "Trust",
    "TrustKind",
    "Truster",
    "Workload",
    "WorkloadIdentity",
    "WorkloadKind",
]
