"""GraphView: the permission graph as other rooms see it, without networkx."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Node:
    """One node: an id, a declared kind and plain attributes."""

    id: str
    kind: str
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge of a declared kind, with where it is stated."""

    source: str
    target: str
    kind: str
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)


class GraphView(Protocol):
    """Read access to the permission graph."""

    def nodes(self, kind: str | None = None) -> Iterable[Node]:
        """Nodes, of one kind when given, in a stable order."""
        ...

    def edges(self, kind: str | None = None) -> Iterable[Edge]:
        """Edges, of one kind when given, in a stable order."""
        ...

    def out(self, node: str, kind: str | None = None) -> Iterable[Edge]:
        """Edges that leave a node."""
        ...

    def into(self, node: str, kind: str | None = None) -> Iterable[Edge]:
        """Edges that enter a node."""
        ...

    def containers(self, node: str) -> tuple[str, ...]:
        """Containers above a node, nearest first."""
        ...
