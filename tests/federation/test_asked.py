"""Tokens asked for by name, for every issuer: what is written, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from idtrans.clouds import aws, azure, gcp
from idtrans.federation import AskedTokens, asked_intent, aws_caller_intent, federate
from idtrans.federation._asked import MOST_COMBINATIONS
from idtrans.model.artifacts import LossEffect
from idtrans.model.errors import UsageError
from idtrans.model.intents import ClaimPin, Names
from idtrans.model.values import Reach

CLOUDS: dict[str, Any] = {"aws": aws.CLOUD, "azure": azure.CLOUD, "gcp": gcp.CLOUD}
UUID = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
EKS = "https://oidc.eks.eu-west-1.amazonaws.com/id/AB"


def ask(kind, *, any_part=(), issuer=None, audience=None, name=None, reach=Reach.WORKLOAD, **parts):
    listed = {key: (value,) if isinstance(value, str) else tuple(value) for key, value in parts.items()}
    return asked_intent(AskedTokens(kind, listed, frozenset(any_part), issuer, audience, name, reach))


def written(intent, *clouds, **names):
    result = federate(intent, CLOUDS, clouds, Names({key.replace("_", "-"): value for key, value in names.items()}))
    return {target.cloud: target for target in result.targets}


@pytest.mark.parametrize(
    ("kind", "parts", "subject", "clouds"),
    [
        (
            "gitlab",
            {"project": "acme/team/app", "ref": "main"},
            "project_path:acme/team/app:ref_type:branch:ref:main",
            "aws azure gcp",
        ),
        (
            "gitlab",
            {"project": "acme/app", "ref": "v1", "ref_type": "tag"},
            "project_path:acme/app:ref_type:tag:ref:v1",
            "aws azure gcp",
        ),
        (
            "terraform-cloud",
            {"organization": "acme", "project": "Default Project", "workspace": "prod"},
            "organization:acme:project:Default Project:workspace:prod:run_phase:*",
            "aws gcp",
        ),
        (
            "terraform-cloud",
            {"organization": "acme", "project": "core", "workspace": "prod", "phase": "apply"},
            "organization:acme:project:core:workspace:prod:run_phase:apply",
            "aws azure gcp",
        ),
        (
            "bitbucket",
            {"workspace": "acme", "repository": UUID, "environment": UUID},
            f"{{{UUID}}}:{{{UUID}}}:{{*}}",
            "aws gcp",
        ),
        (
            "circleci",
            {"organization": "o", "project": "p", "user": "u", "origin": "github.com/acme/app", "ref": "refs/heads/x"},
            "org/o/project/p/user/u/vcs-origin/github.com/acme/app/vcs-ref/refs/heads/x",
            "aws azure gcp",
        ),
        (
            "buildkite",
            {"organization": "acme", "pipeline": "app", "ref": "refs/heads/main"},
            "organization:acme:pipeline:app:ref:refs/heads/main:commit:*:step:*",
            "aws gcp",
        ),
        (
            "azure-devops",
            {"organization_id": UUID, "organization": "acme", "project": "my app", "connection": "prod"},
            "sc://acme/my app/prod",
            "aws azure gcp",
        ),
        (
            "spacelift",
            {"account": "acme", "space": "prod", "stack": "app", "run_type": "TRACKED", "scope": "write"},
            "space:prod:stack:app:run_type:TRACKED:scope:write",
            "aws azure gcp",
        ),
        (
            "vercel",
            {"team": "acme", "project": "app", "environment": "production"},
            "owner:acme:project:app:environment:production",
            "aws azure gcp",
        ),
        (
            "pulumi",
            {"organization": "acme", "environment": "core/prod"},
            "pulumi:environments:org:acme:env:core/prod",
            "aws azure gcp",
        ),
        ("google", {"subject": "104837261950482716395"}, "104837261950482716395", "aws azure gcp"),
        ("entra", {"tenant": UUID, "object": UUID}, UUID, "aws azure gcp"),
        (
            "aws",
            {"issuer_id": "0a1b", "account": "111122223333", "role": "deploy"},
            "arn:aws:iam::111122223333:role/deploy",
            "azure gcp",
        ),
        (
            "kubernetes",
            {"issuer": EKS, "namespace": "prod", "service_account": "app"},
            "system:serviceaccount:prod:app",
            "aws azure gcp",
        ),
        (
            "kubernetes",
            {"issuer": "https://k8s.acme.example/", "namespace": "prod", "service_account": "app"},
            "system:serviceaccount:prod:app",
            "aws azure gcp",
        ),
        (
            "spiffe",
            {"issuer": "https://spire.acme.example", "domain": "acme.example", "path": "ns/prod/sa/app"},
            "spiffe://acme.example/ns/prod/sa/app",
            "aws azure gcp",
        ),
        (
            "forgejo",
            {"repo": "acme/app", "ref": "refs/heads/main"},
            "repo:acme/app:ref:refs/heads/main",
            "aws azure gcp",
        ),
        (
            "scalr",
            {"account": "acme", "environment": "prod", "workspace": "app"},
            "account:acme:environment:prod:workspace:app",
            "aws azure gcp",
        ),
        ("github-audit-log", {"enterprise": "acme"}, "https://github.com/acme", "aws azure gcp"),
        ("generic", {"issuer": "https://ci.example.com", "subject": "job-1"}, "job-1", "aws azure gcp"),
    ],
)
def test_what_is_asked_for_reads_back_as_a_workload(kind, parts, subject, clouds):
    intent = ask(kind, **parts)
    assert ((subject,), Reach.WORKLOAD) == (intent.subjects, intent.reach)
    found = written(intent, *clouds.split())
    assert {Reach.WORKLOAD} == {target.reach for target in found.values()}


def test_several_values_are_alternatives():
    intent = ask("kubernetes", issuer=EKS, namespace="prod", service_account=("a", "b", "a"))
    assert ("system:serviceaccount:prod:a", "system:serviceaccount:prod:b") == intent.subjects
    found = written(intent, *CLOUDS)
    assert 2 == len(found["azure"].emission.natives)
    assert LossEffect.SPLIT is found["azure"].losses[-1].effect


def test_what_the_subject_does_not_say_is_tested_beside_it():
    intent = ask("gitlab", project="acme/app", ref="main", project_id="22", environment="prod")
    assert (ClaimPin("project_id", ("22",)), ClaimPin("environment", ("prod",))) == intent.pins
    found = written(intent, "aws", "gcp")
    assert ["claim environment"] == [loss.feature for loss in found["aws"].losses]
    assert () == found["gcp"].losses


def test_names_of_a_shared_issuer_are_a_loss_where_it_has_ids():
    shared = written(ask("gitlab", project="acme/app", ref="main"), "gcp")["gcp"]
    assert ["name instead of id"] == [loss.feature for loss in shared.losses]
    own = ask("gitlab", project="acme/app", ref="main", issuer="https://git.acme.example")
    assert () == written(own, "gcp")["gcp"].losses
    assert () == written(ask("forgejo", repo="acme/app", ref="refs/heads/main"), "gcp")["gcp"].losses


def test_a_part_may_be_anything_on_purpose():
    assert Reach.PROJECT is ask("gitlab", project="acme/app", any_part=("ref",)).reach
    assert Reach.TENANT is ask("terraform-cloud", organization="acme", any_part=("project", "workspace")).reach
    assert Reach.PROJECT is ask("bitbucket", workspace="acme", repository=UUID, reach=Reach.PROJECT).reach


def test_shapes_that_say_the_same_are_all_let_in():
    intent = ask("codefresh", account="1", pipeline="2")
    assert ("account:1:pipeline:2", "account:1:pipeline:2:*") == intent.subjects


def test_the_audience_is_the_issuers_own_where_it_chooses():
    assert "https://vercel.com/acme" == ask("vercel", team="acme", project="a", environment="b").audience
    assert "mine" == ask("google", subject="123", audience="mine").audience
    run = ask("terraform-cloud", organization="acme", project="core", workspace="prod")
    provider = written(run, "aws")["aws"].emission.natives[1]
    assert ["aws.workload.identity"] == provider.content["ClientIDList"]


def test_the_audience_of_google_has_a_key_of_its_own():
    trust = written(ask("google", subject="123"), "aws")["aws"].emission.natives[0].content
    tests = trust["Statement"][0]["Condition"]["StringEquals"]
    assert {"accounts.google.com:oaud": "sts.amazonaws.com", "accounts.google.com:sub": "123"} == tests


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"kind": "nope"}, "no issuer whose tokens"),
        ({"kind": "cognito"}, "no issuer whose tokens"),
        ({"kind": "gitlab", "colour": "red"}, "`colour` is no part"),
        ({"kind": "gitlab", "project": "acme"}, "`acme` is no `project`"),
        ({"kind": "gitlab", "project": "acme/*", "ref": "main"}, "is no `project`"),
        ({"kind": "gitlab", "project": "acme/app ", "ref": "main"}, "is no `project`"),
        ({"kind": "gitlab", "project": "acme/app"}, "also says `ref`"),
        ({"kind": "gitlab", "ref": "main"}, "also says"),
        ({"kind": "google", "any_part": ("subject",)}, "nothing says"),
        ({"kind": "google", "subject": "abc"}, "is no `subject`"),
        ({"kind": "google", "subject": "1" * 90 + "x"}, "is no `subject`"),
        ({"kind": "kubernetes", "namespace": "a", "service_account": "b"}, "is not known"),
        ({"kind": "gitlab", "project": "a/b", "ref": "c", "issuer": "https://gitlab.com/"}, "no token says"),
        ({"kind": "vercel", "team": "a", "project": "b", "environment": "c", "issuer": "https://x.y"}, "of kind"),
        ({"kind": "generic", "subject": "a", "issuer": "https://gitlab.com"}, "of kind `gitlab`"),
        ({"kind": "bitbucket", "workspace": "acme", "repository": UUID}, "a whole project would get in"),
        ({"kind": "bitbucket", "workspace": ("a", "b"), "repository": UUID}, "one trust has one issuer"),
        ({"kind": "gitlab", "any_part": ("project",), "ref": "main"}, "strangers would get in"),
        ({"kind": "circleci", "organization": "o", "project": "p", "origin": "x"}, "no claim|a whole"),
        ({"kind": "kubernetes", "issuer": EKS, "namespace": map(str, range(101)), "service_account": "a"}, "101 comb"),
        ({"kind": "google", "subject": "123", "name": "a b"}, "is no name"),
    ],
)
def test_what_is_refused(asked, message):
    with pytest.raises(UsageError, match=message):
        ask(**asked)
    assert 100 == MOST_COMBINATIONS


def test_a_cloud_that_does_not_test_what_keeps_others_out_is_refused():
    intent = ask("buildkite", pipeline_id=UUID, organization_id=UUID, reach=Reach.PROJECT)
    assert {Reach.PROJECT} == {target.reach for target in written(intent, "aws", "gcp").values()}
    with pytest.raises(UsageError, match="does not test what keeps others out"):
        written(intent, "azure")


def test_aws_takes_no_tokens_of_its_own():
    intent = ask("aws", issuer_id="0a1b", account="111122223333", role="deploy")
    with pytest.raises(UsageError, match="`aws` takes no tokens"):
        written(intent, "aws")


def test_callers_of_aws_need_no_tokens_at_gcp():
    intent = aws_caller_intent("111122223333", ("deploy", "ci"))
    found = written(intent, "gcp")["gcp"]
    assert Reach.WORKLOAD is found.reach
    provider, binding = (native.content for native in found.emission.natives)
    assert {"accountId": "111122223333"} == provider["aws"]
    starts = ["arn:aws:sts::111122223333:assumed-role/deploy/", "arn:aws:sts::111122223333:assumed-role/ci/"]
    assert all(start in provider["attributeCondition"] for start in starts)
    assert all(member.endswith((":assumed-role/deploy", ":assumed-role/ci")) for member in _members(binding))
    assert "create-aws" in found.emission.commands[1].words
    for cloud in ("aws", "azure"):
        with pytest.raises(UsageError):
            written(intent, cloud)


def _members(binding):
    return binding[0]["policy"]["bindings"][0]["members"]


@pytest.mark.parametrize(("account", "roles"), [("1", ("a",)), ("111122223333", ()), ("111122223333", ("a/*",))])
def test_callers_of_aws_that_cannot_be_meant(account, roles):
    with pytest.raises(UsageError):
        aws_caller_intent(account, roles)


@pytest.mark.parametrize(
    ("resource", "word"),
    [
        ("//storage.googleapis.com/projects/_/buckets/data", "gs://data"),
        ("//cloudresourcemanager.googleapis.com/projects/p-1", "p-1"),
    ],
)
def test_a_resource_of_gcp_is_opened_directly(resource, word):
    intent = ask("kubernetes", issuer=EKS, namespace="prod", service_account="app")
    found = written(intent, "gcp", gcp_role="roles/viewer", gcp_resource=resource)["gcp"]
    assert Reach.WORKLOAD is found.reach
    binding = found.emission.natives[1].content
    assert (resource, "roles/viewer") == (binding[0]["resource"], binding[0]["policy"]["bindings"][0]["role"])
    assert word in found.emission.commands[-1].words
    assert word.removeprefix("gs://") in found.emission.terraform[-1].body.values()


@pytest.mark.parametrize(
    "names",
    [
        {"gcp_role": "roles/viewer"},
        {"gcp_resource": "//storage.googleapis.com/projects/_/buckets/data"},
        {"gcp_role": "roles/viewer", "gcp_resource": "//pubsub.googleapis.com/projects/p/topics/t"},
        {"gcp_role": "roles/viewer", "gcp_resource": "//storage.googleapis.com/projects/_/buckets/a/objects/b"},
    ],
)
def test_direct_access_that_cannot_be_written(names):
    with pytest.raises(UsageError):
        written(ask("google", subject="123"), "gcp", **names)


def test_an_expression_of_azure_names_the_id_of_the_project():
    intent = ask("gitlab", project="acme/app", project_id="22", any_part=("ref", "ref_type"))
    (credential,) = written(intent, "azure")["azure"].emission.natives
    expression = credential.content["claimsMatchingExpression"]["value"]
    assert "claims['project_id'] eq '22'" in expression
    with pytest.raises(UsageError, match="asks for an id"):
        written(ask("gitlab", project="acme/app", any_part=("ref",)), "azure")
    own = ask("gitlab", project="acme/app", project_id="22", any_part=("ref",), issuer="https://git.acme.example")
    with pytest.raises(UsageError, match="cannot say the wildcard"):
        written(own, "azure")
