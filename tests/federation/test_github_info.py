"""What GitHub says of the subjects of a repository, several jobs at once, and other issuers of GitHub."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from idtrans.clouds import aws, gcp
from idtrans.federation import (
    Breadth,
    GithubIds,
    GithubJob,
    SubjectFormat,
    customised,
    federate,
    github_info,
    github_intent,
    github_issuer,
)
from idtrans.model.errors import UsageError
from idtrans.model.intents import ClaimPin, Names
from idtrans.model.values import Reach

CLOUDS: dict[str, Any] = {"aws": aws.CLOUD, "gcp": gcp.CLOUD}
PLAIN = {"use_default": True, "sub_claim_prefix": "repo:acme/app"}
WITH_IDS = {"use_default": True, "use_immutable_subject": False, "sub_claim_prefix": "repo:acme@1001/app@2002"}


def _intent(info, job):
    found = github_intent(info.repository, job, ids=info.ids, subject_format=info.subject_format)
    return customised(found, info)


@pytest.mark.parametrize(
    ("content", "style", "subject"),
    [
        (PLAIN, SubjectFormat.DEFAULT, "repo:acme/app:environment:prod"),
        # The prefix counts, whatever the flag says.
        (WITH_IDS, SubjectFormat.IMMUTABLE, "repo:acme@1001/app@2002:environment:prod"),
        (
            {**PLAIN, "use_default": False, "include_claim_keys": ["repo", "context", "ref"]},
            SubjectFormat.DEFAULT,
            "repo:acme/app:environment:prod:ref:refs/heads/main",
        ),
        (
            {**WITH_IDS, "use_default": False, "include_claim_keys": ["repository_id", "environment"]},
            SubjectFormat.IMMUTABLE,
            "repository_id:2002:environment:prod",
        ),
        (
            {**PLAIN, "use_default": False, "include_claim_keys": ["repository_owner", "repository", "context"]},
            SubjectFormat.DEFAULT,
            "repository_owner:acme:repository:acme/app:environment:prod",
        ),
        ({**PLAIN, "include_claim_keys": ["actor"]}, SubjectFormat.DEFAULT, "repo:acme/app:environment:prod"),
    ],
)
def test_the_subject_as_the_repository_spells_it(content, style, subject):
    info = github_info(content)
    intent = _intent(info, GithubJob(environment="prod", ref="refs/heads/main"))
    assert (style, (subject,)) == (info.subject_format, intent.subjects)
    found = federate(intent, CLOUDS, CLOUDS, Names())
    assert {Reach.WORKLOAD} == {target.reach for target in found.targets}
    assert "prod" == yaml.safe_load(found.workflow)["jobs"]["deploy"]["environment"]


@pytest.mark.parametrize("content", [[], {}, {"sub_claim_prefix": 1}, {"sub_claim_prefix": "repo:acme"}])
def test_another_document_is_refused(content):
    with pytest.raises(UsageError, match="sub_claim_prefix"):
        github_info(content)


def test_a_key_that_the_intent_does_not_name_is_refused():
    info = github_info({**PLAIN, "use_default": False, "include_claim_keys": ["repo", "actor"]})
    with pytest.raises(UsageError, match="also says `actor`"):
        _intent(info, GithubJob(environment="prod"))


def test_several_jobs_are_alternatives():
    environments = github_intent(
        "acme/app", GithubJob(environment=("dev", "prod"), ref=("refs/heads/a", "refs/tags/b"))
    )
    assert ("repo:acme/app:environment:dev", "repo:acme/app:environment:prod") == environments.subjects
    assert (ClaimPin("ref", ("refs/heads/a", "refs/tags/b")),) == environments.pins
    refs = github_intent(
        "acme/app",
        GithubJob(ref=("refs/heads/a", "refs/heads/b", "refs/tags/c")),
        ids=GithubIds("2", "1"),
        subject_format=SubjectFormat.BOTH,
    )
    assert 6 == len(refs.subjects)
    found = federate(refs, CLOUDS, CLOUDS, Names())
    assert {Reach.WORKLOAD} == {target.reach for target in found.targets}
    trigger = {"push": {"branches": ["a", "b"], "tags": ["c"]}}
    assert trigger == yaml.safe_load(found.workflow)[True]
    file = ".github/workflows/{}.yml@refs/heads/main"
    flows = github_intent("acme/app", GithubJob(workflow=(file.format("a"), file.format("b"))))
    assert 2 == len(flows.pins[0].values)


@pytest.mark.parametrize(
    ("url", "reach"),
    [
        ("https://token.actions.githubusercontent.com/acme", Reach.WORKLOAD),
        ("https://token.actions.acme.ghe.com", Reach.WORKLOAD),
        ("https://github.acme.example/_services/token", Reach.WORKLOAD),
    ],
)
def test_other_issuers_of_github(url, reach):
    intent = github_issuer(github_intent("acme/app", GithubJob(environment="prod")), url)
    found = federate(intent, CLOUDS, CLOUDS, Names())
    assert ({reach}, url) == ({target.reach for target in found.targets}, found.intent.issuer)


@pytest.mark.parametrize("url", ["https://gitlab.com", "https://token.actions.githubusercontent.com/acme/"])
def test_urls_that_are_no_issuers_of_github(url):
    intent = github_intent("acme/app", GithubJob(breadth=Breadth.ANY))
    with pytest.raises(UsageError):
        github_issuer(intent, url)
