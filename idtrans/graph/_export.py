"""Exports of the graph. Ids and labels come from hostile input: every format escapes them in its own way."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from idtrans.graph._graph import PermissionGraph
    from idtrans.model.documents import Json

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
_UNSAFE_IN_MERMAID = re.compile(r"[^A-Za-z0-9 @._/*+:-]")
_MERMAID_LABEL = 80


def to_json(graph: PermissionGraph) -> Json:
    """Return the graph as `idtrans/graph/v1`: a list of nodes and a list of edges."""
    return {
        "schema": "idtrans/graph/v1",
        "nodes": [{"id": node.id, "kind": node.kind, "attributes": dict(node.attributes)} for node in graph.nodes()],
        "edges": [
            {"from": edge.source, "to": edge.target, "kind": edge.kind, "attributes": dict(edge.attributes)}
            for edge in graph.edges()
        ],
    }


def to_graphml(graph: PermissionGraph) -> str:
    """Return GraphML (http://graphml.graphdrawing.org); characters that XML cannot hold become U+FFFD."""
    import networkx as nx

    plain: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in graph.nodes():
        plain.add_node(_printable(node.id), kind=node.kind, **_printables(node.attributes))
    for edge in graph.edges():
        plain.add_edge(_printable(edge.source), _printable(edge.target), kind=edge.kind, **_printables(edge.attributes))
    return "\n".join(nx.generate_graphml(plain)) + "\n"


def to_dot(graph: PermissionGraph) -> str:
    """Return Graphviz DOT with numbered nodes and quoted labels."""
    names = {node.id: f"n{index}" for index, node in enumerate(graph.nodes(), start=1)}
    lines = ["digraph permissions {", "  rankdir=LR;", "  node [shape=box];"]
    lines += [f"  {names[node.id]} [label={_dot(f'{node.kind}: {node.id}')}];" for node in graph.nodes()]
    lines += [
        f"  {names[edge.source]} -> {names[edge.target]} [label={_dot(_edge_label(edge.kind, edge.attributes))}];"
        for edge in graph.edges()
    ]
    return "\n".join([*lines, "}", ""])


def to_mermaid(graph: PermissionGraph) -> str:
    """Return a Mermaid flowchart with numbered nodes; what is not plain text in a label becomes an entity code."""
    names = {node.id: f"n{index}" for index, node in enumerate(graph.nodes(), start=1)}
    lines = ["flowchart LR"]
    lines += [f'  {names[node.id]}["{_mermaid(f"{node.kind}: {node.id}")}"]' for node in graph.nodes()]
    lines += [
        f'  {names[edge.source]} -->|"{_mermaid(_edge_label(edge.kind, edge.attributes))}"| {names[edge.target]}'
        for edge in graph.edges()
    ]
    return "\n".join([*lines, ""])


def export(graph: PermissionGraph, name: str) -> str:
    """Return the graph in a format by name.

    Raises:
        UsageError: there is no format of that name.
    """
    if name not in EXPORTS:
        raise UsageError(f"`{name}` is not a graph format", advice=f"use one of {', '.join(EXPORTS)}")
    return EXPORTS[name](graph)


def _json_text(graph: PermissionGraph) -> str:
    return json.dumps(to_json(graph), indent=2, ensure_ascii=True) + "\n"


EXPORTS: dict[str, Callable[[PermissionGraph], str]] = {
    "json": _json_text,
    "graphml": to_graphml,
    "mermaid": to_mermaid,
    "dot": to_dot,
}
"""Writers by format name."""


def _edge_label(kind: str, attributes: Mapping[str, str]) -> str:
    role = attributes.get("role")
    return f"{kind} {role}" if role else kind


def _printable(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)


def _printables(attributes: Mapping[str, str]) -> dict[str, str]:
    return {name: _printable(value) for name, value in attributes.items()}


def _dot(text: str) -> str:
    # Marks that turn the direction of writing would show another name than the one that is there.
    shown = "".join(char if char.isprintable() else " " if char.isspace() else "\ufffd" for char in text)
    escaped = shown.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _mermaid(text: str) -> str:
    shortened = text if len(text) <= _MERMAID_LABEL else text[: _MERMAID_LABEL - 1] + "…"
    return _UNSAFE_IN_MERMAID.sub(lambda match: f"#{ord(match[0])};", _printable(shortened))
