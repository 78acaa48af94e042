"""Vault: logins, policies and the cloud credentials that they reach."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from idtrans.api import graph, load, trust
from idtrans.clouds.vault import READER
from idtrans.clouds.vault._paths import capabilities, fits
from idtrans.clouds.vault._policy_text import PathRule, PolicyTextError, read_policy
from idtrans.federation import Admission, admits, judge
from idtrans.model.entities import Policy, PolicyStatement
from idtrans.model.spans import Place, Source
from idtrans.model.values import Effect, Reach

GITHUB = "https://token.actions.githubusercontent.com"
ROLE = "vault:auth/jwt/role/deploy"
CONFIG = {"data": {"oidc_discovery_url": GITHUB, "bound_issuer": ""}}
HCL = """
# What the training job needs.
path "aws/creds/ml-training" { capabilities = ["read"] }
path "gcp/impersonated-account/+/token" {
  capabilities = ["read", "update"]
}
path "azure/creds/*" { policy = "write" }
path "azure/creds/prod" { capabilities = ["deny"] }
"""


def role(**fields):
    bounds = {"bound_audiences": ["https://github.com/acme"], "role_type": "jwt", "user_claim": "sub", **fields}
    return {"request_id": "1", "lease_duration": 0, "data": {"bound_claims_type": "string", **bounds}}


def estate_of(folder, content, **hints):
    (folder / "vault.json").write_text(json.dumps(content), "utf-8")
    (folder / "estate.yaml").write_text(json.dumps([{"path": "vault.json", **hints}]), "utf-8")
    return load([folder], now=datetime(2026, 11, 1, tzinfo=UTC))


@pytest.fixture
def only(tmp_path):
    """Return a function that reads one role with its configuration, and returns its trust."""

    def read(**fields):
        estate = estate_of(tmp_path, {"auth/jwt/role/deploy": role(**fields), "auth/jwt/config": CONFIG})
        assert () == estate.unsupported
        [found] = READER.trusts(estate)
        assert (ROLE, GITHUB) == (found.target, found.issuer)
        return found

    return read


@pytest.mark.parametrize(
    ("fields", "reach"),
    [
        ({"bound_subject": "repo:acme@1/app@2:environment:prod"}, Reach.WORKLOAD),
        ({"bound_claims": {"repository_id": "2", "environment": "prod"}}, Reach.WORKLOAD),
        ({"bound_claims": {"repository_id": ["2", "3"]}}, Reach.PROJECT),
        ({"bound_claims": {"sub": "repo:acme/*"}, "bound_claims_type": "glob"}, Reach.TENANT),
        ({"bound_claims": {"sub": "repo:acme*"}, "bound_claims_type": "glob"}, Reach.PLATFORM),
        ({"bound_claims": {"sub": "repo:acme?/app:environment:prod"}, "bound_claims_type": "glob"}, Reach.DEAD),
        ({"bound_claims": {"environment": "prod"}}, Reach.PLATFORM),
        ({}, Reach.PLATFORM),
        ({"bound_claims": {"sub": "repo:acme/*"}}, Reach.DEAD),
        ({"bound_subject": "repo:acme/app:environment:prod", "bound_audiences": []}, Reach.DEAD),
        (
            {"bound_subject": "repo:acme/app:environment:prod", "bound_audiences": [], "role_type": "oidc"},
            Reach.WORKLOAD,
        ),
        ({"bound_claims": {"/enterprise/id": "1"}}, Reach.UNKNOWN),
        ({"bound_claims": {"run_attempt": 1}}, Reach.UNKNOWN),
    ],
)
def test_reach(only, fields, reach):
    assert reach is judge(only(**fields)).reach


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"bound_claims": {"sub": ["repo:acme/*"]}}, "LITERAL_WILDCARD"),
        ({"bound_subject": "x", "bound_audiences": []}, "NO_AUDIENCE"),
        ({"bound_subject": "x", "token_bound_cidrs": ["10.0.0.0/8"]}, "NETWORK_BOUND"),
    ],
)
def test_remarks(only, fields, code):
    assert code in {note.code for note in only(**fields).notes}


def test_every_bound_claim_must_be_there(only):
    found = only(bound_claims={"repository_id": "2", "environment": ["prod", "stage"]})
    token = {"iss": GITHUB, "aud": "https://github.com/acme", "sub": "x", "repository_id": "2"}
    assert Admission.NO is admits(found, token).admitted
    assert Admission.YES is admits(found, {**token, "environment": "stage"}).admitted
    assert Admission.NO is admits(found, {**token, "environment": "stage", "aud": "sts.amazonaws.com"}).admitted


def test_without_its_configuration_nothing_is_known_of_the_issuer(tmp_path):
    estate = estate_of(tmp_path, role(bound_subject="x"), resource="auth/jwt/role/deploy")
    [found] = READER.trusts(estate)
    assert (None, Reach.UNKNOWN) == (found.issuer, judge(found).reach)
    assert "CONFIG_NOT_SUPPLIED" in {note.code for note in found.notes}
    [answer] = trust(estate).trusts
    assert ("vault", ROLE) == (answer.cloud, answer.target)


def secrets():
    return {
        "auth/jwt/config": CONFIG,
        "auth/jwt/role/deploy": role(bound_subject="repo:acme@1/app@2:environment:prod", token_policies=["ML"]),
        "sys/policies/acl/ml": {"data": {"name": "ml", "policy": HCL}},
        "aws/roles/ml-training": {
            "data": {"credential_type": "assumed_role", "role_arns": ["arn:aws:iam::111122223333:role/ml"]}
        },
        "aws/roles/other": {
            "data": {"credential_type": "iam_user", "policy_arns": ["arn:aws:iam::aws:policy/ReadOnly"]}
        },
        "gcp/impersonated-account/etl": {"data": {"service_account_email": "etl@p.iam.gserviceaccount.com"}},
        "gcp/roleset/keys": {
            "data": {"secret_type": "service_account_key", "service_account_email": "k@p.iam.gserviceaccount.com"}
        },
        "azure/roles/dev": {"data": {"application_object_id": "AAAAAAAA-0000-4000-8000-000000000001"}},
        "azure/roles/prod": {"data": {"application_object_id": "bbbbbbbb-0000-4000-8000-000000000001"}},
    }


def test_which_role_reaches_which_cloud_identity(tmp_path):
    estate = estate_of(tmp_path, secrets())
    assert () == estate.unsupported
    steps = {(step.party, step.target): step.permission for step in READER.impersonations(estate)}
    reached = {target: permission for (party, target), permission in steps.items() if party == ROLE}
    assert {
        "vault:aws/creds/ml-training": "read aws/creds/ml-training",
        "vault:gcp/impersonated-account/etl/token": "read gcp/impersonated-account/etl/token",
        "vault:azure/creds/dev": "read azure/creds/dev",
    } == reached
    assert "assumed_role, short-lived" == steps["vault:aws/creds/ml-training", "arn:aws:iam::111122223333:role/ml"]
    key = steps["vault:gcp/roleset/keys/key", "serviceAccount:k@p.iam.gserviceaccount.com"]
    assert key.endswith("static")
    assert ("vault:azure/creds/dev", "entra:aaaaaaaa-0000-4000-8000-000000000001") in steps


def test_the_graph_goes_from_the_issuer_through_vault_into_a_cloud(tmp_path):
    found = graph(estate_of(tmp_path, secrets()))
    ends = {(edge.source, edge.target) for edge in found.edges()}
    walk = [GITHUB, ROLE, "vault:aws/creds/ml-training", "arn:aws:iam::111122223333:role/ml"]
    assert [] == [pair for pair in pairwise(walk) if pair not in ends]


def test_credentials_that_only_a_policy_names(tmp_path):
    content = {
        "auth/jwt/role/a": role(token_policies=["p"]),
        "sys/policies/acl/p": {"name": "p", "rules": 'path "cloud/sts/x" { capabilities = ["update"] }'},
        "auth/jwt/role/b": role(policies="root"),
        "aws/roles/y": {"data": {"credential_type": "federation_token"}},
    }
    steps = {(step.party, step.target) for step in READER.impersonations(estate_of(tmp_path, content))}
    assert ("vault:auth/jwt/role/a", "vault:cloud/sts/x") in steps
    assert ("vault:auth/jwt/role/b", "vault:aws/creds/y") in steps


READ = (PathRule("secret/x", ("read",)),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('path "secret/x" { capabilities = ["read"] }', READ),
        ('path "secret/x" {\n capabilities = ["read",]\n}\n// end', READ),
        ('/* a */ name = "p"\npath "secret/x" { capabilities = ["read"] }', READ),
        ('{"path": {"secret/x": {"capabilities": ["read"]}}}', READ),
        ('{"path": [{"secret/x": [{"capabilities": ["read"]}]}]}', READ),
        ('path "secret/x" { policy = "read" }', (PathRule("secret/x", ("read", "list")),)),
        ('{"path": {"secret/x": {"policy": "deny"}}}', (PathRule("secret/x", ("deny",)),)),
        ('path "x" { comment = "nothing" }', (PathRule("x", ()),)),
        (
            'path "x" { capabilities = ["read"] allowed_parameters = { "a" = [1, true], b = [] } }',
            (PathRule("x", ("read",), ("allowed_parameters",)),),
        ),
        ("", ()),
    ],
)
def test_policies_in_both_notations_and_spellings(text, expected):
    assert expected == read_policy(text)


@pytest.mark.parametrize(
    "text",
    [
        'path "x" {',
        'path "x"',
        "path [1] {}",
        'path "x" { capabilities = "read" }',
        'path "x" { policy = "admin" }',
        'path "x" { a = ] }',
        "other {}",
        "path 'x' {}",
        '{"path": 1}',
        "{",
        "[" * 5,
        'path "x" { a = ' + "[" * 100,
        '{"path": {"x": 1}}',
        " " * 200_001,
    ],
)
def test_what_is_no_policy_is_refused(text):
    with pytest.raises(PolicyTextError):
        read_policy(text)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("a/b", "a/b", True),
        ("a/b", "a/bc", False),
        ("a/b*", "a/bc/d", True),
        ("*", "a", True),
        ("a/+/c", "a/b/c", True),
        ("a/+/c", "a/b/d/c", False),
        ("a/+/c*", "a/b/cd/e", True),
        ("a/+/*", "a/b/c/d", True),
        ("a/+", "a/b", True),
        ("a/+/c", "a/b", False),
    ],
)
def test_patterns(pattern, path, expected):
    assert expected is fits(pattern, path)


def statement(path, *actions):
    effect = Effect.DENY if "deny" in actions else Effect.ALLOW
    return PolicyStatement(effect, Source(Place("p")), actions=actions, resources=(path,))


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([("a/*", "read"), ("a/b", "list")], {"list"}),
        ([("a/*", "read"), ("a/b", "deny")], set()),
        ([("a/*", "deny"), ("a/b", "read")], {"read"}),
        ([("a/b", "read"), ("a/b", "update")], {"read", "update"}),
        ([("a/b", "read"), ("a/b", "deny")], set()),
        ([("+/b", "read"), ("a/*", "list")], {"list"}),
        ([("a/+", "read"), ("a/*", "list")], {"read"}),
        ([("c", "read")], set()),
    ],
)
def test_the_most_specific_pattern_decides(rules, expected):
    assert expected == capabilities([statement(path, action) for path, action in rules], "a/b")


def test_what_is_not_understood_is_reported(tmp_path):
    content = {"sys/policies/acl/p": {"name": "p", "policy": "path {"}}
    [found] = estate_of(tmp_path, content).unsupported
    assert "vault:sys/policies/acl/p" == found.subject
    for answer in (role(), CONFIG | {"request_id": "1"}, {"request_id": "1", "data": {"role_arns": []}}):
        [found] = estate_of(tmp_path, answer).unsupported
        assert "nothing says which path" in found.reason
    [found] = estate_of(tmp_path, {"policy": 'path "x" { }'}).unsupported
    assert "nothing says which path" in found.reason


def test_a_limit_on_parameters_is_a_doubt(tmp_path):
    content = {
        "sys/policies/acl/p": {"name": "p", "policy": 'path "x" { capabilities = ["read"] allowed_parameters = {} }'}
    }
    [policy] = estate_of(tmp_path, content).of(Policy, "vault")
    assert policy.statements[0].doubts


@pytest.mark.parametrize(
    "content", [{"data": {"bound_claims": {}}}, [1], {"Version": "2012-10-17"}, {"policy": "x"}, []]
)
def test_what_may_be_something_else_is_left_alone(tmp_path, content):
    assert [None] == [entry.shape for entry in estate_of(tmp_path, content).inputs if entry.path == "vault.json"]


def test_a_list_of_answers(tmp_path):
    content = [{"name": "a", "policy": 'path "x" { capabilities = ["read"] }'}, {"name": "b", "policy": "path {"}]
    estate = estate_of(tmp_path, content)
    assert ["vault:sys/policies/acl/a"] == [policy.id for policy in estate.of(Policy, "vault")]
    assert 1 == len(estate.unsupported)


def bare(folder, text, **hints):
    (folder / "deploy.hcl").write_text(text, "utf-8")
    (folder / "estate.yaml").write_text(json.dumps([{"path": "deploy.hcl", **hints}]), "utf-8")
    return load([folder], now=datetime(2026, 11, 1, tzinfo=UTC))


def test_files_of_bare_hcl_are_policies_with_lines(tmp_path):
    estate = bare(tmp_path, HCL, resource="sys/policies/acl/deploy")
    [policy] = estate.of(Policy)
    assert () == estate.unsupported
    assert "deploy" == policy.name
    assert [3, 4, 7, 8] == [each.source.line for each in policy.statements]
    assert [("read",), ("read", "update")] == [each.actions for each in policy.statements[:2]]


def test_a_policy_in_hcl_that_nothing_names_is_reported(tmp_path):
    estate = bare(tmp_path, HCL)
    assert [] == list(estate.of(Policy))
    [problem] = estate.unsupported
    assert "give it as `resource`" in problem.reason


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('path "x" {\n  capabilities = [\n}\n', 3),
        ('path "x" {}\n\npath "y" { capabilities = "read" }\n', 3),
        ('path "x" {}\n\n;', 3),
        ('path "x" {\n', 1),
        ('path "x" { a = ' + "[" * 1000, 1),
    ],
    ids=["bracket", "capabilities", "token", "end", "depth"],
)
def test_broken_policies_in_hcl_are_reported_with_their_line(tmp_path, text, line):
    estate = bare(tmp_path, text, resource="sys/policies/acl/deploy")
    assert [] == list(estate.of(Policy))
    [problem] = estate.unsupported
    assert (line, True) == (problem.source.line, "`deploy` is not understood" in problem.reason)
