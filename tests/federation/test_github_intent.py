"""What is written for GitHub, and what is refused."""

from __future__ import annotations

import pytest

from idtrans.federation import Breadth, GithubIds, GithubJob, SubjectFormat, github_intent, github_losses
from idtrans.model.artifacts import LossEffect
from idtrans.model.errors import UsageError
from idtrans.model.intents import ClaimPin
from idtrans.model.values import Reach

PROD = GithubJob(environment="prod")
IDS = GithubIds("2002", "1001")


@pytest.mark.parametrize(
    ("job", "subject"),
    [
        (PROD, "repo:acme/app:environment:prod"),
        (GithubJob(environment="prod:east 1"), "repo:acme/app:environment:prod%3Aeast 1"),
        (GithubJob(ref="refs/heads/main"), "repo:acme/app:ref:refs/heads/main"),
        (GithubJob(ref="refs/tags/v1.2"), "repo:acme/app:ref:refs/tags/v1.2"),
        (GithubJob(ref="refs/heads/feature/a@b"), "repo:acme/app:ref:refs/heads/feature/a@b"),
        (GithubJob(breadth=Breadth.PULL_REQUEST), "repo:acme/app:pull_request"),
        (GithubJob(breadth=Breadth.ANY), "repo:acme/app:*"),
        (GithubJob(workflow=".github/workflows/deploy.yml@refs/heads/main"), "repo:acme/app:*"),
    ],
)
def test_the_subject_of_a_job(job, subject):
    intent = github_intent("acme/app", job)
    assert (subject,) == intent.subjects
    assert (Reach.PROJECT if job.breadth is Breadth.ANY else Reach.WORKLOAD) is intent.reach


def test_ids_make_the_subject_immutable_and_are_pinned():
    intent = github_intent("acme/app", PROD, ids=IDS)
    assert ("repo:acme@1001/app@2002:environment:prod",) == intent.subjects
    assert (ClaimPin("repository_id", ("2002",)), ClaimPin("repository_owner_id", ("1001",))) == intent.pins


def test_the_subject_by_name_can_be_asked_for_beside_ids():
    intent = github_intent("acme/app", PROD, ids=IDS, subject_format=SubjectFormat.DEFAULT)
    assert ("repo:acme/app:environment:prod",) == intent.subjects
    assert 2 == len(intent.pins)
    alone = github_intent("acme/app", PROD, ids=GithubIds("2002"), subject_format=SubjectFormat.DEFAULT)
    assert (ClaimPin("repository_id", ("2002",)),) == alone.pins


def test_both_subjects_for_the_time_of_the_change():
    intent = github_intent("acme/app", PROD, ids=IDS, subject_format=SubjectFormat.BOTH)
    assert ("repo:acme/app:environment:prod", "repo:acme@1001/app@2002:environment:prod") == intent.subjects


def test_several_limits_at_once():
    job = GithubJob("prod", "refs/heads/main", "acme/ci/.github/workflows/deploy.yaml@" + "a" * 40)
    intent = github_intent("acme/app", job)
    assert ("repo:acme/app:environment:prod",) == intent.subjects
    workflow = ClaimPin("job_workflow_ref", ("acme/ci/.github/workflows/deploy.yaml@" + "a" * 40,))
    assert (ClaimPin("ref", ("refs/heads/main",)), workflow) == intent.pins


def test_a_workflow_of_the_repository_itself():
    intent = github_intent("acme/app", GithubJob(workflow=".github/workflows/d.yml@refs/heads/main"))
    assert (ClaimPin("job_workflow_ref", ("acme/app/.github/workflows/d.yml@refs/heads/main",)),) == intent.pins


@pytest.mark.parametrize(
    ("repository", "job", "name", "expected"),
    [
        ("acme/app", PROD, None, "app-prod"),
        ("acme/.github", PROD, None, "github-prod"),
        ("acme/9lives", PROD, None, "github-9lives-prod"),
        ("acme/App_One", GithubJob(ref="refs/heads/release/1.2"), None, "app-one-1-2"),
        ("acme/app", GithubJob(breadth=Breadth.ANY), None, "app-any"),
        ("acme/app", GithubJob(workflow=".github/workflows/d.yml@refs/heads/main"), None, "app-workflow"),
        ("acme/app", PROD, "deploy", "deploy"),
    ],
)
def test_the_base_name(repository, job, name, expected):
    assert expected == github_intent(repository, job, name=name).name


@pytest.mark.parametrize(
    "repository",
    ["acme", "acme/", "/app", "acme/app/x", "acme/..", "ac*me/app", "acme@1/app", 'acme/a"b', "acme/app\n", "-a/b", ""],
)
def test_a_repository_that_is_none(repository):
    with pytest.raises(UsageError, match="repository"):
        github_intent(repository, PROD)


@pytest.mark.parametrize(
    "environment",
    [
        "",
        "*",
        "a?b",
        'a"b',
        "a'b",
        "a\nb",
        "${{ x }}",
        "$HOME",
        "a`b",
        "a\\b",
        " a",
        "a%3Ab",
        "<a>",
        "x" * 256,
        "a\u2028b",
    ],
)
def test_an_environment_that_cannot_be_meant(environment):
    with pytest.raises(UsageError, match="environment"):
        github_intent("acme/app", GithubJob(environment=environment))


@pytest.mark.parametrize(
    "ref",
    [
        "main",
        "heads/main",
        "refs/heads/",
        "refs/heads/*",
        "refs/heads/a b",
        "refs/heads/a..b",
        "refs/heads/a.lock",
        "refs/heads/a@{b",
        "refs/heads/a'b",
        "refs/heads/${x}",
        "refs/heads/a\n",
        "refs/pull/1/merge",
        "refs/heads/a:b",
        "refs/heads/a/",
    ],
)
def test_a_ref_that_is_none(ref):
    with pytest.raises(UsageError, match="ref"):
        github_intent("acme/app", GithubJob(ref=ref))


@pytest.mark.parametrize(
    "workflow",
    [
        "deploy.yml",
        ".github/workflows/deploy.yml",
        ".github/workflows/deploy.yml@main",
        ".github/workflows/*.yml@refs/heads/main",
        "a b/c/.github/workflows/deploy.yml@refs/heads/main",
        ".github/workflows/deploy.sh@refs/heads/main",
    ],
)
def test_a_workflow_that_is_none(workflow):
    with pytest.raises(UsageError):
        github_intent("acme/app", GithubJob(workflow=workflow))


@pytest.mark.parametrize(
    ("job", "ids", "form", "name", "message"),
    [
        (GithubJob(), None, None, None, "which jobs"),
        (GithubJob("prod", breadth=Breadth.ANY), None, None, None, "exclude each other"),
        (GithubJob(ref="refs/heads/a", breadth=Breadth.PULL_REQUEST), None, None, None, "exclude each other"),
        (PROD, GithubIds("2002"), None, None, "ids"),
        (PROD, GithubIds(owner_id="1001"), None, None, "ids"),
        (PROD, None, SubjectFormat.IMMUTABLE, None, "ids"),
        (PROD, None, SubjectFormat.BOTH, None, "ids"),
        (PROD, GithubIds("x", "1"), None, None, "repository id"),
        (PROD, GithubIds("1", "1 or 1"), None, None, "owner id"),
        (PROD, GithubIds("01", "1"), None, None, "repository id"),
        (PROD, None, None, "a b", "name"),
        (PROD, None, None, "", "name"),
    ],
)
def test_what_is_not_asked_well_is_refused(job, ids, form, name, message):
    with pytest.raises(UsageError, match=message):
        github_intent("acme/app", job, ids=ids, subject_format=form, name=name)


def test_a_long_text_is_shown_in_part():
    with pytest.raises(UsageError) as caught:
        github_intent("a" * 5000, PROD)
    assert len(caught.value.message) < 200


@pytest.mark.parametrize(
    ("ids", "form", "effects"),
    [
        (None, None, [LossEffect.WIDEN, LossEffect.NARROW]),
        (IDS, SubjectFormat.DEFAULT, [LossEffect.NARROW]),
        (IDS, None, [LossEffect.NARROW]),
        (IDS, SubjectFormat.BOTH, []),
    ],
)
def test_what_a_form_costs(ids, form, effects):
    intent = github_intent("acme/app", PROD, ids=ids, subject_format=form)
    losses = github_losses(intent)
    assert effects == [loss.effect for loss in losses]
    assert ids is not None or "2026-07-15" in losses[1].why
