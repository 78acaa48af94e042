"""Chains across clouds, by the documents that make them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from idtrans import api
from idtrans.model.data import rules_dir
from idtrans.model.decisions import HopKind, Outcome
from idtrans.model.errors import UsageError

pytestmark = pytest.mark.skipif(
    not (rules_dir() / "roles" / "gcp.toml").is_file(), reason="the role table is not there"
)

GITHUB = "https://token.actions.githubusercontent.com"
ACCOUNT = "111122223333"
OUTBOUND = "https://0123abcd.tokens.sts.global.api.aws"
POOL = "projects/123456789012/locations/global/workloadIdentityPools/aws"
NUMBER = "104837261950482716395"
ADDRESS = "deploy@proj-a.iam.gserviceaccount.com"
SERVICE_ACCOUNT = f"serviceAccount:{ADDRESS}"
APP = "entra:77777777-0000-4000-8000-000000000001"
WEB = "sts:AssumeRoleWithWebIdentity"


def arn(role):
    return f"arn:aws:iam::{ACCOUNT}:role/{role}"


def trust(provider, issuer, **tests):
    keyed = {f"{issuer}:{claim}": value for claim, value in tests.items()}
    statement = {"Effect": "Allow", "Principal": {"Federated": provider}, "Action": WEB}
    return {"Version": "2012-10-17", "Statement": [{**statement, "Condition": {"StringLike": keyed}}]}


@pytest.fixture
def estate(tmp_path):
    """Read GitHub to AWS, AWS to Google, Google to AWS, and Google to Azure."""
    github = "token.actions.githubusercontent.com"
    provider = {
        "name": f"{POOL}/providers/p",
        "oidc": {"issuerUri": OUTBOUND},
        "attributeMapping": {"google.subject": "assertion.sub"},
        "state": "ACTIVE",
    }
    account = {
        "name": f"projects/proj-a/serviceAccounts/{ADDRESS}",
        "email": ADDRESS,
        "uniqueId": NUMBER,
        "projectId": "proj-a",
    }
    member = f"principal://iam.googleapis.com/{POOL}/subject/{arn('deploy')}"
    bindings = {"bindings": [{"role": "roles/iam.workloadIdentityUser", "members": [member]}]}
    held = {"bindings": [{"role": "roles/storage.admin", "members": [SERVICE_ACCOUNT]}]}
    audience = "api://AzureADTokenExchange"
    credential = {"name": "c", "issuer": "https://accounts.google.com", "subject": NUMBER, "audiences": [audience]}
    roles = {"Arn": arn("deploy"), "RoleName": "deploy", "RoleId": "AROA1", "Path": "/"}
    first = trust(f"arn:aws:iam::{ACCOUNT}:oidc-provider/{github}", github, sub="repo:acme/app:*")
    documents = [
        ({"RoleDetailList": [{**roles, "AssumeRolePolicyDocument": first}]}, {}),
        (provider, {}),
        (account, {}),
        (bindings, {"resource": f"//iam.googleapis.com/projects/proj-a/serviceAccounts/{ADDRESS}"}),
        (held, {"resource": "//storage.googleapis.com/projects/_/buckets/data"}),
        (
            trust("accounts.google.com", "accounts.google.com", sub=NUMBER),
            {"layer": "trust", "principal": arn("from-google")},
        ),
        ([credential], {"principal": APP}),
    ]
    listed = []
    for number, (content, hints) in enumerate(documents):
        (tmp_path / f"{number}.json").write_text(json.dumps(content), "utf-8")
        listed.append({"path": f"{number}.json", **hints})
    (tmp_path / "estate.yaml").write_text(json.dumps(listed), "utf-8")
    read = api.load([tmp_path], now=datetime(2026, 11, 1, tzinfo=UTC))
    assert () == read.errors
    return read


def steps(answer):
    return [[(hop.party, hop.kind.value, hop.target) for hop in chain.hops] for chain in answer.chains]


@pytest.mark.parametrize(
    "start",
    [
        GITHUB,
        "https://token.*",
        "repository=acme/app",
        "sub=repo:acme/app:ref:refs/heads/main",
        "sub=repo:acme/*",
        "repository_owner=acme",
    ],
)
def test_a_repository_walks_through_one_cloud_into_another(estate, start):
    answer = api.paths(estate, start, arn("from-google"))
    into_aws = (GITHUB, "federates", arn("deploy"))
    into_google = (arn("deploy"), "federates", SERVICE_ACCOUNT)
    back = (SERVICE_ACCOUNT, "federates", arn("from-google"))
    assert [[into_aws, into_google, back]] == steps(answer)
    assert Outcome.CONDITIONAL is answer.chains[0].outcome
    assert all(hop.source.path for hop in answer.chains[0].hops)


@pytest.mark.parametrize(
    "start", ["repository=acme/other", "sub=repo:evil/*", "sub=x", "https://gitlab.com", "nobody", arn("other")]
)
def test_who_gets_no_such_token_gets_nowhere(estate, start):
    assert [] == steps(api.paths(estate, start, arn("from-google")))


def test_into_azure(estate):
    [chain] = steps(api.paths(estate, "repository=acme/app", APP))
    assert [GITHUB, arn("deploy"), SERVICE_ACCOUNT] == [party for party, _, _ in chain]


@pytest.mark.parametrize("start", [SERVICE_ACCOUNT, ADDRESS, NUMBER, "serviceAccount:deploy@*"])
def test_names_and_aliases(estate, start):
    assert [[(SERVICE_ACCOUNT, "federates", APP)]] == steps(api.paths(estate, start, APP))


def test_a_place_that_a_role_is_held_on(estate):
    bucket = "//storage.googleapis.com/projects/_/buckets/data"
    [chain] = api.paths(estate, "repository=acme/app", bucket).chains
    assert (HopKind.HOLDS, "roles/storage.admin", bucket) == (
        chain.hops[-1].kind,
        chain.hops[-1].through,
        chain.hops[-1].target,
    )


def test_only_so_many(estate):
    every = api.paths(estate, "*", arn("from-google"))
    assert len(every.chains) > 2
    lengths = [len(chain.hops) for chain in every.chains]
    assert sorted(lengths) == lengths
    assert every.chains[:2] == api.paths(estate, "*", arn("from-google"), most=2).chains


def test_an_end_that_nothing_is_called(estate):
    with pytest.raises(UsageError, match="nothing in the input is called `nowhere`"):
        api.paths(estate, "*", "nowhere")


def test_a_circle_ends(tmp_path):
    def role(name, other):
        statement = {"Effect": "Allow", "Principal": {"AWS": arn(other)}, "Action": "sts:AssumeRole"}
        document = {"Version": "2012-10-17", "Statement": [statement]}
        return {"Arn": arn(name), "RoleName": name, "Path": "/", "AssumeRolePolicyDocument": document}

    (tmp_path / "a.json").write_text(json.dumps({"RoleDetailList": [role("a", "b"), role("b", "a")]}), "utf-8")
    estate = api.load([tmp_path], now=datetime(2026, 11, 1, tzinfo=UTC))
    assert [[(arn("b"), "can-assume", arn("a"))]] == steps(api.paths(estate, "*", arn("a")))
