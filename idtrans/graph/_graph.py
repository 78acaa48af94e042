"""The permission graph: a networkx MultiDiGraph behind the view that other rooms see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.graph._schema import EDGE_ATTRIBUTES, NODE_ATTRIBUTES, EdgeKind, NodeKind
from idtrans.model.errors import InternalError
from idtrans.ports import Edge, Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import networkx as nx


class PermissionGraph:
    """Nodes and edges of the declared kinds, in the order they were stated. Implements `ports.GraphView`."""

    def __init__(self) -> None:
        """Start empty."""
        import networkx as nx

        self.nx: nx.MultiDiGraph[str] = nx.MultiDiGraph()

    def add_node(self, node: str, kind: NodeKind, attributes: Mapping[str, str | None]) -> None:
        """Add a node; what is stated again fills gaps, and a described node replaces an outsider of the same id."""
        _check(kind, attributes, NODE_ATTRIBUTES[kind])
        stated = {name: value for name, value in attributes.items() if value}
        known = self.nx.nodes.get(node)
        if known is None:
            self.nx.add_node(node, kind=str(kind), **stated)
        elif known["kind"] == NodeKind.OUTSIDER:
            known.update(stated, kind=str(kind))
        else:
            known.update({name: value for name, value in stated.items() if name not in known})

    def add_edge(self, tail: str, head: str, kind: EdgeKind, attributes: Mapping[str, str | None]) -> None:
        """Add an edge between nodes that exist; an edge that says nothing new is not added again."""
        _check(kind, attributes, EDGE_ATTRIBUTES[kind])
        stated = {name: value for name, value in attributes.items() if value}
        content = "|".join((str(kind), *(f"{name}={stated[name]}" for name in sorted(stated) if name != "source")))
        if not self.nx.has_edge(tail, head, key=content):
            self.nx.add_edge(tail, head, key=content, kind=str(kind), **stated)

    def __contains__(self, node: str) -> bool:
        """Tell whether a node exists."""
        return node in self.nx

    def nodes(self, kind: str | None = None) -> Iterator[Node]:
        """Yield nodes, of one kind when given, sorted by id."""
        for name in sorted(self.nx.nodes):
            data = dict(self.nx.nodes[name])
            found = data.pop("kind")
            if kind is None or found == kind:
                yield Node(name, found, data)

    def edges(self, kind: str | None = None) -> Iterator[Edge]:
        """Yield edges, of one kind when given, sorted by their ends and content."""
        yield from _edges(sorted(self.nx.edges(keys=True, data=True), key=lambda edge: edge[:3]), kind)

    def out(self, node: str, kind: str | None = None) -> Iterator[Edge]:
        """Yield the edges that leave a node; nothing for an unknown node."""
        yield from _edges(self.nx.out_edges([node], keys=True, data=True), kind)

    def into(self, node: str, kind: str | None = None) -> Iterator[Edge]:
        """Yield the edges that enter a node; nothing for an unknown node."""
        yield from _edges(self.nx.in_edges([node], keys=True, data=True), kind)

    def containers(self, node: str) -> tuple[str, ...]:
        """Return the containers above a node, nearest first; a loop in the input ends the walk."""
        chain: list[str] = []
        above = [edge.source for edge in self.into(node, EdgeKind.CONTAINS)]
        while above and above[0] not in chain:
            chain.append(above[0])
            above = [edge.source for edge in self.into(chain[-1], EdgeKind.CONTAINS)]
        return tuple(chain)


def _edges(found: Iterable[tuple[str, str, str, dict[str, str]]], kind: str | None) -> Iterator[Edge]:
    for tail, head, _, data in found:
        if kind is None or data["kind"] == kind:
            yield Edge(tail, head, data["kind"], {name: value for name, value in data.items() if name != "kind"})


def _check(kind: NodeKind | EdgeKind, attributes: Mapping[str, str | None], declared: tuple[str, ...]) -> None:
    unknown = sorted(set(attributes) - set(declared))
    if unknown:
        raise InternalError(f"`{kind}` does not declare the attribute `{unknown[0]}`")
