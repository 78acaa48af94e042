"""Writing trust for several clouds: what is written is read back and judged."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest
import yaml

from idtrans.algebra import Condition
from idtrans.clouds import aws, azure, gcp
from idtrans.federation import (
    Admission,
    Breadth,
    GithubIds,
    GithubJob,
    SubjectFormat,
    admits,
    federate,
    github_intent,
    github_workflow,
)
from idtrans.model.artifacts import Argv, Emission, Loss, LossEffect, Native
from idtrans.model.documents import Unsupported
from idtrans.model.errors import InternalError, UsageError
from idtrans.model.estate import Estate
from idtrans.model.intents import FederationIntent, Names
from idtrans.model.spans import NOWHERE
from idtrans.model.values import Reach
from tests.federation.tokens import GITHUB, equal, like, trust

CLOUDS: dict[str, Any] = {"aws": aws.CLOUD, "azure": azure.CLOUD, "gcp": gcp.CLOUD}
IDS = GithubIds("2002", "1001")
PROD = github_intent("acme/app", GithubJob(environment="prod"), ids=IDS)
DROPPED = Loss("ref", LossEffect.DROP, "the fake cannot")


@dataclass
class FakeCloud:
    """A cloud that writes what the test says, whatever was asked for."""

    written: tuple[Condition, ...] = ()
    issuer: str = GITHUB
    name: str = "fake"
    seen: list[Native] = field(default_factory=list)

    def emit_federation(self, intent, names):
        return Emission(natives=(Native("fake.trust", "trust", {"name": names.get("role")}),), losses=(DROPPED,))

    def reread(self, natives):
        self.seen += natives
        return [Unsupported("an odd member", NOWHERE)]

    def trusts(self, estate):
        assert 1 == len(estate.unsupported)
        return tuple(trust(condition, issuer=self.issuer) for condition in self.written)


def _only(cloud) -> dict[str, Any]:
    return {"fake": cloud}


def test_what_was_written_is_read_back_and_judged():
    cloud = FakeCloud((equal("sub", "repo:acme@1001/app@2002:environment:prod"),))
    result = federate(PROD, _only(cloud), ["fake", "fake"], Names())
    (target,) = result.targets
    assert ("fake", Reach.WORKLOAD) == (target.cloud, target.reach)
    assert [{"name": "<ROLE>"}] == [native.content for native in cloud.seen]
    assert DROPPED == target.losses[-1]
    assert "subject with ids" == target.losses[0].feature


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ((like("sub", "repo:acme/app:*"),), "reaches `project`, and `workload` was asked for"),
        ((like("sub", "repo:acme*"),), "reaches `platform`"),
        ((equal("sub", "repo:acme/app:environment:a"), like("sub", "repo:*")), "reaches `platform`"),
        ((equal("sub", "repo:acme/app:*"),), "lets nobody in"),
        ((), "is not found"),
    ],
)
def test_what_does_not_read_back_as_asked_is_a_bug(written, message):
    with pytest.raises(InternalError, match=message):
        federate(PROD, _only(FakeCloud(written)), ["fake"], Names())


def test_trusts_of_other_issuers_are_not_counted():
    cloud = FakeCloud((equal("sub", "x"),), issuer="https://example.com")
    with pytest.raises(InternalError, match="is not found"):
        federate(PROD, _only(cloud), ["fake"], Names())


def test_a_target_that_is_no_cloud():
    with pytest.raises(UsageError, match="`moon` is not a cloud") as caught:
        federate(PROD, _only(FakeCloud()), ["moon"], Names())
    assert "`fake`" in (caught.value.advice or "")


def test_other_issuers_have_no_workflow():
    intent = FederationIntent("https://ci.example.com", "generic", "ci", ("job-1",))
    cloud = FakeCloud((equal("sub", "job-1"),), issuer=intent.issuer)
    result = federate(intent, _only(cloud), ["fake"], Names())
    assert ("", (DROPPED,)) == (result.workflow, result.targets[0].losses)


JOBS = {
    "environment": GithubJob(environment="prod"),
    "ref": GithubJob(ref="refs/heads/main"),
    "pull-request": GithubJob(breadth=Breadth.PULL_REQUEST),
    "any": GithubJob(breadth=Breadth.ANY),
    "environment-and-ref": GithubJob("prod", "refs/heads/main"),
}


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
@pytest.mark.parametrize("form", [*SubjectFormat, None])
def test_three_clouds_say_the_same(job, form):
    ids = IDS if form is not None else None
    intent = github_intent("acme/app", job, ids=ids, subject_format=form)
    targets = list(CLOUDS)
    if "*" in intent.subjects[0] and ids is None:
        # Entra asks for an id beside a pattern.
        targets.remove("azure")
        with pytest.raises(UsageError):
            federate(intent, CLOUDS, ["azure"], Names())
    result = federate(intent, CLOUDS, targets, Names({"aws-account-id": "111122223333"}))
    assert {intent.reach} == {target.reach for target in result.targets}
    assert targets == [target.cloud for target in result.targets]


def _workflow(job, **names):
    intent = github_intent("acme/app", job, ids=IDS)
    return yaml.safe_load(federate(intent, CLOUDS, ["aws", "gcp", "azure"], Names(names)).workflow)


def test_the_job_may_ask_for_a_token_and_nothing_else():
    workflow = _workflow(GithubJob(environment="prod:east"))
    job = workflow["jobs"]["deploy"]
    assert ({}, {"id-token": "write", "contents": "read"}) == (workflow["permissions"], job["permissions"])
    assert "prod:east" == job["environment"]


def test_each_cloud_has_a_login_step():
    steps = _workflow(GithubJob(environment="prod"), **{"aws-account-id": "111122223333"})["jobs"]["deploy"]["steps"]
    assert [
        "actions/checkout@v6",
        "aws-actions/configure-aws-credentials@v6",
        "google-github-actions/auth@v3",
        "azure/login@v3",
    ] == [step["uses"] for step in steps]
    assert "arn:aws:iam::111122223333:role/app-prod" == steps[1]["with"]["role-to-assume"]
    provider = steps[2]["with"]["workload_identity_provider"]
    assert provider.startswith(
        "projects/<GCP_PROJECT_NUMBER>/locations/global/workloadIdentityPools/app-prod/providers/"
    )
    assert "<GCP_SERVICE_ACCOUNT>@<GCP_PROJECT_ID>.iam.gserviceaccount.com" == steps[2]["with"]["service_account"]
    assert "<AZURE_TENANT_ID>" == steps[3]["with"]["tenant-id"]


def test_a_service_account_given_in_full_is_taken_as_it_is():
    workflow = _workflow(GithubJob(environment="prod"), **{"gcp-service-account": "d@p.iam.gserviceaccount.com"})
    assert "d@p.iam.gserviceaccount.com" == workflow["jobs"]["deploy"]["steps"][2]["with"]["service_account"]


@pytest.mark.parametrize(
    ("job", "trigger"),
    [
        (GithubJob(ref="refs/heads/main"), {"push": {"branches": ["main"]}}),
        (GithubJob(ref="refs/tags/v1"), {"push": {"tags": ["v1"]}}),
        (GithubJob(breadth=Breadth.PULL_REQUEST), {"pull_request": None}),
        (GithubJob(environment="prod"), {"workflow_dispatch": None}),
        (GithubJob(breadth=Breadth.ANY), {"workflow_dispatch": None}),
    ],
)
def test_what_starts_the_workflow(job, trigger):
    # YAML 1.1 reads the key `on` as true.
    assert trigger == _workflow(job)[True]


def test_names_are_text_and_no_yaml():
    text = github_workflow(PROD, {"aws": Emission()}, Names({"aws-region": 'x"\n- run: "evil'}))
    assert 'x"\n- run: "evil' == yaml.safe_load(text)["jobs"]["deploy"]["steps"][1]["with"]["aws-region"]


def test_names_cannot_run_in_the_workflow():
    names = Names({"aws-region": "${{ github.event.issue.title }}"})
    with pytest.raises(UsageError, match="expression"):
        github_workflow(PROD, {"aws": Emission()}, names)
    kept = github_workflow(PROD, {"aws": Emission()}, Names({"aws-region": "${{ vars.AWS_REGION }}"}))
    assert "${{ vars.AWS_REGION }}" in kept


def test_what_an_emission_does_not_say_is_named_after_the_intent():
    emissions = {
        "aws": Emission(commands=(Argv(("aws", "iam", "create-role", "--role-name")),)),
        "gcp": Emission(natives=(Native("x", "x", {"a": ["b", 1, None]}),)),
        "elsewhere": Emission(),
    }
    text = github_workflow(replace(PROD, subjects=()), emissions, Names())
    assert "role/app-prod" in text
    assert "workloadIdentityPools/app-prod/providers/<GCP_PROVIDER>" in text
    assert 3 == text.count("uses:")


@pytest.mark.parametrize("name", CLOUDS)
def test_the_token_of_the_job_gets_in_and_its_neighbour_does_not(name):
    cloud = CLOUDS[name]
    read = cloud.reread(cloud.emit_federation(PROD, Names()).natives)
    estate = Estate(
        tuple(each for each in read if not isinstance(each, Unsupported)), datetime(2026, 11, 1, tzinfo=UTC)
    )
    token = {
        "iss": GITHUB,
        "sub": "repo:acme@1001/app@2002:environment:prod",
        "environment": "prod",
        "ref": "refs/heads/main",
        "repository": "acme/app",
        "repository_id": "2002",
        "repository_owner": "acme",
        "repository_owner_id": "1001",
    }
    found = [each for each in cloud.trusts(estate) if each.issuer == GITHUB]
    assert found
    for each in found:
        audience = each.audiences[0] if each.audiences else "sts.amazonaws.com"
        assert Admission.YES is admits(each, {**token, "aud": audience}).admitted
        neighbour = {**token, "aud": audience, "sub": "repo:acme@1001/app@2002:environment:dev", "environment": "dev"}
        assert Admission.NO is admits(each, neighbour).admitted
