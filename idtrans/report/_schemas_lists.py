"""The JSON outputs of the commands that list and count: what idtrans knows, the graph, the demonstration."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from idtrans.report._schemas import Federation, Findings, Outcome, Place, Severity, Translations, _Part
from idtrans.report._schemas_decisions import Reason


class RuleLine(_Part):
    """One audit rule in a list."""

    id: str
    title: str
    severity: Severity
    clouds: list[str]
    fact: str


class Rules(_Part):
    """Output of `idtrans rules`."""

    schema_: Literal["idtrans/rules/v1"] = Field(alias="schema")
    rules: list[RuleLine]


class RulePage(_Part):
    """Output of `idtrans explain`."""

    schema_: Literal["idtrans/rule/v1"] = Field(alias="schema")
    id: str
    text: str


class CapabilityLine(_Part):
    """One capability, with the permissions that each cloud needs for it."""

    id: str
    title: str
    effect: str
    plane: str
    permissions: dict[str, list[str]]
    without: dict[str, str]
    held: dict[str, Literal["full", "part", "none", "unknown", "no-counterpart"]]


class Capabilities(_Part):
    """Output of `idtrans capabilities`."""

    schema_: Literal["idtrans/capabilities/v1"] = Field(alias="schema")
    capabilities: list[CapabilityLine]
    compared: list[str]


class CatalogLine(_Part):
    """What is known of the roles of one cloud."""

    cloud: str
    roles: int
    complete: int
    built_in: int
    built_in_as_of: str
    supplied: int


class Catalog(_Part):
    """Output of `idtrans catalog status`."""

    schema_: Literal["idtrans/catalog/v1"] = Field(alias="schema")
    clouds: list[CatalogLine]
    path: str | None
    imported: str | None
    age_days: int | None
    operations: int


class TestCase(_Part):
    """One case of a policy unit test, with its answer."""

    name: str
    question: str
    source: Place
    passed: bool
    expected: Literal["allow", "deny", "explicit-deny", "implicit-deny"]
    decision: Outcome
    reasons: list[Reason]
    notes: list[str]


class Tests(_Part):
    """Output of `idtrans test`."""

    schema_: Literal["idtrans/test/v1"] = Field(alias="schema")
    passed: int
    failed: int
    cases: list[TestCase]


class CloudCount(_Part):
    """What one cloud's documents gave."""

    cloud: str
    documents: int
    principals: int
    grants: int
    trusts: int
    credentials: int
    resources: int


class GraphCount(_Part):
    """How many nodes and edges of each kind a graph has."""

    nodes: dict[str, int]
    edges: dict[str, int]


class Demonstration(_Part):
    """Output of `idtrans demo`."""

    schema_: Literal["idtrans/demo/v1"] = Field(alias="schema")
    clouds: list[CloudCount]
    graph: GraphCount
    audit: Findings
    translations: Translations
    federation: Federation


class Node(_Part):
    """A node of the permission graph."""

    id: str
    kind: str
    attributes: dict[str, str]


class Edge(_Part):
    """An edge of the permission graph."""

    from_: str = Field(alias="from")
    to: str
    kind: str
    attributes: dict[str, str]


class Graph(_Part):
    """Output of `idtrans graph`."""

    schema_: Literal["idtrans/graph/v1"] = Field(alias="schema")
    nodes: list[Node]
    edges: list[Edge]
