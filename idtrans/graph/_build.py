"""Estate to graph. Bindings stay at the scope that owns them; nothing inherited is written out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from idtrans.graph._graph import PermissionGraph
from idtrans.graph._schema import NODE_OF_PRINCIPAL, EdgeKind, NodeKind
from idtrans.model.entities import (
    Attachment,
    Container,
    Credential,
    IdentityProvider,
    Membership,
    Policy,
    Principal,
    Resource,
    RoleBinding,
)
from idtrans.model.values import UNKNOWN, Reach
from idtrans.ports import Impersonator, TrustKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from idtrans.model.entities import PolicyStatement
    from idtrans.model.estate import Estate
    from idtrans.model.spans import Source
    from idtrans.ports import Cloud, Trust, Truster


def build(
    estate: Estate, clouds: Mapping[str, Cloud], trusters: Mapping[str, Truster] | None = None
) -> PermissionGraph:
    """Return the permission graph of an estate. `trusters` are sources of trusts beside the clouds.

    Principals that are named and not described become `outsider` nodes; equal policy documents are one node. Sources
    are `path:line` texts.
    """
    builder = _Builder(estate)
    for step in _STEPS:
        step(builder)
    sources: dict[str, Truster] = {**(trusters or {}), **clouds}
    for name in sorted(sources):
        for trust in sources[name].trusts(estate):
            _trust(builder, trust)
        _impersonations(builder, sources[name])
    for name in sorted(clouds):
        for exposure in clouds[name].exposures(estate):
            if exposure.reach is Reach.ANYONE and exposure.through != "binding":
                builder.node(exposure.principal, NodeKind.PUBLIC, cloud=exposure.cloud)
                attributes = {"role": exposure.grants, "layer": exposure.through}
                builder.edge((exposure.principal, exposure.subject), EdgeKind.HOLDS, exposure.source, attributes)
    return builder.graph


@dataclass(slots=True)
class _Builder:
    """The graph so far, and the policies that were met, by content."""

    estate: Estate
    graph: PermissionGraph = field(default_factory=PermissionGraph)
    by_content: dict[tuple[object, ...], str] = field(default_factory=dict)
    policy_nodes: dict[str, str] = field(default_factory=dict)
    """Policy id to the node that stands for its content."""

    def node(self, node: str, kind: NodeKind, **attributes: str | None) -> None:
        self.graph.add_node(node, kind, attributes)

    def named(self, node: str, cloud: str) -> None:
        """Make sure that an id which something names has a node."""
        if node not in self.graph:
            self.node(node, NodeKind.OUTSIDER, cloud=cloud)

    def edge(self, ends: tuple[str, str], kind: EdgeKind, source: Source, attributes: Mapping[str, str | None]) -> None:
        self.graph.add_edge(*ends, kind, {**attributes, "source": str(source)})

    def link(
        self, ends: tuple[str, str], kind: EdgeKind, entity: Stated, attributes: Mapping[str, str | None] | None = None
    ) -> None:
        """Add an edge between ids that may not have nodes yet."""
        for end in ends:
            self.named(end, entity.cloud)
        self.edge(ends, kind, entity.source, attributes or {})


Stated = Attachment | Container | Credential | Membership | Policy | Principal | Resource | RoleBinding
"""Entities that state an edge."""


def _containers(builder: _Builder) -> None:
    for entity in builder.estate.of(Container):
        builder.node(entity.id, NodeKind.CONTAINER, cloud=entity.cloud, name=entity.name, level=entity.kind)
    for entity in builder.estate.of(Container):
        if entity.parent is not None:
            if entity.parent not in builder.graph:
                builder.node(entity.parent, NodeKind.CONTAINER, cloud=entity.cloud)
            builder.link((entity.parent, entity.id), EdgeKind.CONTAINS, entity)


def _principals(builder: _Builder) -> None:
    for entity in builder.estate.of(Principal):
        builder.node(entity.id, NODE_OF_PRINCIPAL[entity.kind], cloud=entity.cloud, name=entity.name)
        _contained(builder, entity)


def _resources(builder: _Builder) -> None:
    for entity in builder.estate.of(Resource):
        builder.node(entity.id, NodeKind.RESOURCE, cloud=entity.cloud, name=entity.name, level=entity.kind)
        _contained(builder, entity)


def _contained(builder: _Builder, entity: Principal | Resource) -> None:
    if entity.container is None or entity.container == entity.id:
        return
    if entity.container not in builder.graph:
        builder.node(entity.container, NodeKind.CONTAINER, cloud=entity.cloud)
    builder.link((entity.container, entity.id), EdgeKind.CONTAINS, entity)


def _memberships(builder: _Builder) -> None:
    for entity in builder.estate.of(Membership):
        builder.link((entity.member, entity.group), EdgeKind.MEMBER_OF, entity)


def _policies(builder: _Builder) -> None:
    for policy in builder.estate.of(Policy):
        content = (policy.cloud, policy.layer, policy.version, *map(_content, policy.statements))
        node = builder.by_content.setdefault(content, policy.id)
        builder.policy_nodes[policy.id] = node
        layer = "unknown" if policy.layer is UNKNOWN else str(policy.layer)
        if node == policy.id:
            builder.node(node, NodeKind.POLICY, cloud=policy.cloud, name=policy.name, layer=layer)
        if isinstance(policy.owner, str):
            builder.link((policy.owner, node), EdgeKind.HOLDS, policy, {"layer": layer})


def _content(statement: PolicyStatement) -> tuple[object, ...]:
    """Return everything a statement says, without where it says it."""
    conditions = tuple((test.operator, test.key, test.values) for test in statement.conditions)
    elements = (
        statement.effect,
        statement.principals,
        statement.not_principals,
        statement.actions,
        statement.not_actions,
        statement.resources,
        statement.not_resources,
    )
    return (*elements, conditions, statement.doubts)


def _attachments(builder: _Builder) -> None:
    for entity in builder.estate.of(Attachment):
        node = builder.policy_nodes.get(entity.policy, entity.policy)
        if node not in builder.graph:
            builder.node(node, NodeKind.POLICY, cloud=entity.cloud, layer=str(entity.layer))
        builder.link((entity.principal, node), EdgeKind.HOLDS, entity, {"layer": str(entity.layer)})


def _bindings(builder: _Builder) -> None:
    for binding in builder.estate.of(RoleBinding):
        scope = "scope:unknown" if binding.scope is UNKNOWN else binding.scope
        role = binding.role if binding.role_name is None else f"{binding.role_name} ({binding.role})"
        attributes = {"role": role, "condition": binding.condition, "state": str(binding.state)}
        for member in binding.members:
            builder.link((member, scope), EdgeKind.HOLDS, binding, attributes)


def _credentials(builder: _Builder) -> None:
    for entity in builder.estate.of(Credential):
        status = "unknown" if entity.status is UNKNOWN else str(entity.status)
        builder.node(
            entity.id, NodeKind.CREDENTIAL, cloud=entity.cloud, name=entity.name, level=str(entity.kind), status=status
        )
        owner = "principal:unknown" if entity.owner is UNKNOWN else entity.owner
        builder.link((owner, entity.id), EdgeKind.OWNS_CREDENTIAL, entity)


def _issuers(builder: _Builder) -> None:
    for entity in builder.estate.of(IdentityProvider):
        if entity.issuer is not None:
            builder.node(entity.issuer, NodeKind.ISSUER, cloud=entity.cloud, name=entity.issuer)


_STEPS: tuple[Callable[[_Builder], None], ...] = (
    _containers,
    _principals,
    _resources,
    _memberships,
    _policies,
    _attachments,
    _bindings,
    _credentials,
    _issuers,
)
"""What is read in which order: what describes a node comes before what only names it."""


def _impersonations(builder: _Builder, source: Truster) -> None:
    """Add who can become which identity by permissions on it, or on a container of it."""
    if not isinstance(source, Impersonator):
        return
    for entry in source.impersonations(builder.estate):
        for end in (entry.party, entry.target):
            builder.named(end, entry.cloud)
        attributes = {
            "permission": entry.permission,
            "condition": entry.condition,
            "state": "sure" if entry.sure else "unknown",
        }
        builder.edge((entry.party, entry.target), EdgeKind.CAN_ASSUME, entry.source, attributes)


def _trust(builder: _Builder, trust: Trust) -> None:
    if trust.issuer is not None and trust.kind in (TrustKind.WEB_IDENTITY, TrustKind.SAML):
        builder.node(trust.issuer, NodeKind.ISSUER, cloud=trust.cloud, name=trust.issuer)
        builder.named(trust.target, trust.cloud)
        builder.edge((trust.issuer, trust.target), EdgeKind.FEDERATES, trust.source, {})
    for party in trust.parties:
        builder.named(party, trust.cloud)
        builder.named(trust.target, trust.cloud)
        builder.edge((party, trust.target), EdgeKind.CAN_ASSUME, trust.source, {})
