"""The permission graph: what is built from an estate, and how it is asked and exported."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from idtrans.algebra import ALWAYS
from idtrans.graph import EDGE_ATTRIBUTES, EXPORTS, NODE_ATTRIBUTES, EdgeKind, NodeKind, build, export, to_json
from idtrans.model.entities import (
    Attachment,
    Container,
    Credential,
    CredentialKind,
    CredentialStatus,
    Entity,
    IdentityProvider,
    Membership,
    Policy,
    PolicyStatement,
    Principal,
    PrincipalKind,
    Resource,
    RoleBinding,
)
from idtrans.model.errors import InternalError, UsageError
from idtrans.model.estate import Estate
from idtrans.model.facts import ExposureFact
from idtrans.model.values import UNKNOWN, Effect, Layer, Plane, Reach, Use
from idtrans.ports import Edge, Trust, TrustKind
from tests.fakes import NOW, FakeCloud, only, source

HOSTILE = 'a"b]-->\n click n1 "javascript:x" <b>&\x1b[31m{}|;\\'


def graph_of(*entities: Entity, cloud: FakeCloud | None = None):
    return build(Estate(entities, NOW), only(cloud or FakeCloud()))


def policy(name: str, action: str, owner: str | None = None) -> Policy:
    statement = PolicyStatement(Effect.ALLOW, source("p.json", f"/{name}"), actions=(action,), resources=("*",))
    return Policy("fake", name, Layer.IDENTITY, owner, "2012-10-17", (statement,), source("p.json", f"/{name}"))


def triples(edges) -> list[tuple[str, str, str]]:
    return [(edge.source, edge.kind, edge.target) for edge in edges]


def test_every_kind_declares_its_attributes() -> None:
    assert set(NODE_ATTRIBUTES) == set(NodeKind)
    assert set(EDGE_ATTRIBUTES) == set(EdgeKind)


def test_containers_are_walked_when_asked_and_loops_end() -> None:
    graph = graph_of(
        Container("fake", "org", "organization", source("c")),
        Container("fake", "p", "project", source("c"), parent="org"),
        Resource("fake", "b", "bucket", source("c"), container="p"),
        Container("fake", "x", "folder", source("c"), parent="y"),
        Container("fake", "y", "folder", source("c"), parent="x"),
    )
    assert graph.containers("b") == ("p", "org")
    assert graph.containers("org") == ()
    assert graph.containers("x") == ("y", "x")


def test_what_is_only_named_is_an_outsider_until_it_is_described() -> None:
    binding = RoleBinding("fake", "1", "reader", ("ana", "eve"), "b", source("r"))
    graph = graph_of(binding, Principal("fake", "ana", PrincipalKind.USER, source("u"), container="p"))
    assert {node.id: node.kind for node in graph.nodes()} == {
        "ana": "principal",
        "b": "outsider",
        "eve": "outsider",
        "p": "container",
    }
    assert triples(graph.edges("holds")) == [("ana", "holds", "b"), ("eve", "holds", "b")]


def test_a_binding_stays_at_its_scope_with_role_condition_and_place() -> None:
    graph = graph_of(
        RoleBinding("fake", "1", "guid", ("ana",), "b", source("r", "/0"), condition="x == 1", role_name="Reader")
    )
    (edge,) = graph.edges()
    assert edge == Edge(
        "ana",
        "b",
        "holds",
        {"role": "Reader (guid)", "condition": "x == 1", "state": "active", "source": "r#/0"},
    )


def test_an_unknown_scope_is_a_node_and_not_nothing() -> None:
    graph = graph_of(RoleBinding("fake", "1", "reader", ("ana",), UNKNOWN, source("r")))
    assert triples(graph.edges()) == [("ana", "holds", "scope:unknown")]


def test_equal_policies_are_one_node_however_many_carry_them() -> None:
    graph = graph_of(
        policy("m", "s3:Get*"),
        policy("ana#1", "s3:Get*", "ana"),
        policy("ben#1", "s3:Put*", "ben"),
        *(Attachment("fake", "m", f"role{index}", Layer.IDENTITY, source("a")) for index in range(5)),
        Attachment("fake", "gone", "ana", Layer.BOUNDARY, source("a")),
    )
    assert [node.id for node in graph.nodes("policy")] == ["ben#1", "gone", "m"]
    assert len(list(graph.into("m"))) == 6
    assert triples(graph.out("ana")) == [("ana", "holds", "m"), ("ana", "holds", "gone")]


def test_groups_credentials_and_issuers() -> None:
    graph = graph_of(
        Principal("fake", "g", PrincipalKind.GROUP, source("u")),
        Membership("fake", "ana", "g", source("m")),
        Credential("fake", "k", CredentialKind.GCP_USER_MANAGED_KEY, "ana", CredentialStatus.ACTIVE, source("k")),
        Credential("fake", "k2", CredentialKind.GCP_USER_MANAGED_KEY, UNKNOWN, UNKNOWN, source("k")),
        IdentityProvider("fake", "prov", "https://issuer.example", "oidc", source("i")),
        IdentityProvider("fake", "saml", None, "saml", source("i")),
    )
    assert triples(graph.edges()) == [
        ("ana", "member-of", "g"),
        ("ana", "owns-credential", "k"),
        ("principal:unknown", "owns-credential", "k2"),
    ]
    assert [node.id for node in graph.nodes("issuer")] == ["https://issuer.example"]


def test_trusts_and_exposures_become_edges() -> None:
    exposed = ExposureFact(
        "fake", "b", source("x"), "bucket", Reach.ANYONE, "*", "policy", "s3:GetObject", Plane.DATA, Use.READ, False
    )
    cloud = FakeCloud(
        trusted=(
            Trust("fake", TrustKind.WEB_IDENTITY, "r", "https://i.example", ALWAYS, source("t")),
            Trust("fake", TrustKind.ACCOUNT, "r", None, ALWAYS, source("t"), parties=("account",)),
            Trust("fake", TrustKind.SERVICE, "r", None, ALWAYS, source("t")),
        ),
        exposed=(exposed,),
    )
    graph = graph_of(
        Principal("fake", "r", PrincipalKind.ROLE, source("u")),
        Resource("fake", "b", "bucket", source("b")),
        cloud=cloud,
    )
    assert triples(graph.edges()) == [
        ("*", "holds", "b"),
        ("account", "can-assume", "r"),
        ("https://i.example", "federates", "r"),
    ]
    assert next(graph.nodes("public")).id == "*"


def test_the_same_edge_is_stated_once_and_undeclared_attributes_are_a_bug() -> None:
    twice = Membership("fake", "ana", "g", source("m"))
    graph = graph_of(twice, twice)
    assert len(list(graph.edges())) == 1
    with pytest.raises(InternalError, match="does not declare"):
        graph.add_node("x", NodeKind.GROUP, {"colour": "red"})


def hostile_graph():
    return graph_of(
        Principal("fake", HOSTILE, PrincipalKind.USER, source(HOSTILE), name=HOSTILE),
        RoleBinding("fake", "1", HOSTILE, (HOSTILE,), "b", source(HOSTILE), condition=HOSTILE),
    )


def test_json_lists_nodes_and_edges() -> None:
    document = to_json(hostile_graph())
    assert document["schema"] == "idtrans/graph/v1"
    assert {node["id"] for node in document["nodes"]} == {HOSTILE, "b"}
    assert json.loads(export(hostile_graph(), "json")) == document


def test_graphml_is_xml_whatever_the_names() -> None:
    root = ET.fromstring(export(hostile_graph(), "graphml"))  # noqa: S314 - reads what this package wrote
    names = {node.get("id") for node in root.iter("{http://graphml.graphdrawing.org/xmlns}node")}
    assert "b" in names
    assert all("\x1b" not in (name or "") for name in names)


def test_labels_cannot_break_out_of_mermaid_or_dot() -> None:
    mermaid = export(hostile_graph(), "mermaid").splitlines()
    assert len(mermaid) == 4
    assert all(line.count('"') in {0, 2} for line in mermaid)
    dot = export(hostile_graph(), "dot").splitlines()
    assert len(dot) == 3 + 2 + 1 + 1
    assert all(line.replace("\\\\", "").replace('\\"', "").count('"') in {0, 2} for line in dot)


def test_labels_of_dot_show_the_name_that_is_there() -> None:
    graph = graph_of(Principal("fake", "a\u202eb\nc\x1b", PrincipalKind.USER, source("x")))
    assert 'label="principal: a\ufffdb c\ufffd"' in export(graph, "dot")


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="json, graphml, mermaid, dot"):
        export(graph_of(), "png")
    assert list(EXPORTS) == ["json", "graphml", "mermaid", "dot"]
