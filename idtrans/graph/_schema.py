"""The vocabulary of the permission graph, declared once: what nodes and edges there are and what they carry.

Builders may use nothing else, exports rely on it, and `docs/graph.md` is generated from it.
"""

from __future__ import annotations

from enum import StrEnum

from idtrans.model.entities import PrincipalKind


class NodeKind(StrEnum):
    """Kinds of nodes."""

    PRINCIPAL = "principal"
    """A user, or an outside identity reached through a pool."""
    GROUP = "group"
    """A group of principals."""
    ROLE = "role"
    """An AWS role: an identity that others assume."""
    SERVICE_IDENTITY = "service-identity"
    """A service account, service principal, application, managed identity, or a cloud's own service."""
    PUBLIC = "public"
    """Everybody, or everybody with an account at the cloud."""
    OUTSIDER = "outsider"
    """A principal or an account that is named and not described."""
    ISSUER = "issuer"
    """An issuer of tokens outside the cloud."""
    CONTAINER = "container"
    """An organisation, folder, project, account, management group, subscription or resource group."""
    RESOURCE = "resource"
    """Something that access is granted on."""
    POLICY = "policy"
    """A policy document; equal documents are one node."""
    CREDENTIAL = "credential"
    """A long-lived credential, never its secret."""


class EdgeKind(StrEnum):
    """Kinds of edges."""

    MEMBER_OF = "member-of"
    """From a principal to a group it is a member of."""
    CONTAINS = "contains"
    """From a container to the containers, principals and resources right below it."""
    CAN_ASSUME = "can-assume"
    """From a principal, an account or a service to an identity it may become, or to a container whose identities it may
    become; `permission` is what lets it, where that takes a permission and no trust."""
    HOLDS = "holds"
    """From a principal to the scope or resource it holds a role on, or to the policy it carries; from a resource to its
    own policy."""
    FEDERATES = "federates"
    """From an issuer to an identity that its tokens may become."""
    OWNS_CREDENTIAL = "owns-credential"
    """From a principal or resource to a credential that proves it."""


NODE_ATTRIBUTES: dict[NodeKind, tuple[str, ...]] = {
    NodeKind.PRINCIPAL: ("cloud", "name"),
    NodeKind.GROUP: ("cloud", "name"),
    NodeKind.ROLE: ("cloud", "name"),
    NodeKind.SERVICE_IDENTITY: ("cloud", "name"),
    NodeKind.PUBLIC: ("cloud", "name"),
    NodeKind.OUTSIDER: ("cloud", "name"),
    NodeKind.ISSUER: ("cloud", "name"),
    NodeKind.CONTAINER: ("cloud", "name", "level"),
    NodeKind.RESOURCE: ("cloud", "name", "level"),
    NodeKind.POLICY: ("cloud", "name", "layer"),
    NodeKind.CREDENTIAL: ("cloud", "name", "level", "status"),
}
"""What nodes of each kind may carry."""

EDGE_ATTRIBUTES: dict[EdgeKind, tuple[str, ...]] = {
    EdgeKind.MEMBER_OF: ("source",),
    EdgeKind.CONTAINS: ("source",),
    EdgeKind.CAN_ASSUME: ("source", "condition", "permission", "state"),
    EdgeKind.HOLDS: ("source", "role", "layer", "condition", "state"),
    EdgeKind.FEDERATES: ("source", "condition"),
    EdgeKind.OWNS_CREDENTIAL: ("source",),
}
"""What edges of each kind may carry; `source` is the `path:line` that states it."""

NODE_OF_PRINCIPAL: dict[PrincipalKind, NodeKind] = {
    PrincipalKind.USER: NodeKind.PRINCIPAL,
    PrincipalKind.GROUP: NodeKind.GROUP,
    PrincipalKind.ROLE: NodeKind.ROLE,
    PrincipalKind.SERVICE_IDENTITY: NodeKind.SERVICE_IDENTITY,
    PrincipalKind.APPLICATION: NodeKind.SERVICE_IDENTITY,
    PrincipalKind.SERVICE: NodeKind.SERVICE_IDENTITY,
    PrincipalKind.FEDERATED: NodeKind.PRINCIPAL,
    PrincipalKind.CONTAINER: NodeKind.CONTAINER,
    PrincipalKind.PUBLIC: NodeKind.PUBLIC,
    PrincipalKind.UNKNOWN: NodeKind.OUTSIDER,
}
"""The node kind of each kind of principal."""
