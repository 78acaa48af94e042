"""`idtrans federate` for issuers of every kind."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from idtrans.cli import app

WHERE = "//storage.googleapis.com/projects/_/buckets/data"


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(json.dumps(content), "utf-8")
        return path

    return write


@pytest.fixture
def run():
    runner = CliRunner()
    return lambda *words: runner.invoke(app, [str(word) for word in words])


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("gitlab", "--part", "project=acme/app", "--part", "ref=main", "--to", "azure"), 0),
        (("gitlab", "--subject-part", "project=acme/app", "--any", "ref", "--to", "aws"), 0),
        (("gitlab", "--part", "project=acme/app", "--to", "aws"), 2),
        (("gitlab", "--part", "project", "--to", "aws"), 2),
        (("gitlab", "--repo", "acme/app", "--to", "aws"), 2),
        (("nobody", "--part", "project=acme/app", "--to", "aws"), 2),
        (("bitbucket", "--part", "workspace=acme", "--part", "repository=0a", "--reach", "project", "--to", "gcp"), 0),
        (("aws-native", "--part", "account=111122223333", "--part", "role=deploy", "--to", "gcp"), 0),
        (("aws-native", "--part", "role=deploy", "--to", "gcp"), 2),
        (("google", "--part", "subject=123", "--audience", "x", "--to", "aws"), 0),
        (("google", "--part", "subject=123", "--gcp-direct", "--to", "gcp"), 2),
        (("google", "--part", "subject=123", "--set", "gcp-role=roles/viewer", "--to", "gcp"), 2),
        (("github", "--repo", "acme/app", "--part", "project=x", "--environment", "prod", "--to", "aws"), 2),
        (("github", "--environment", "prod", "--to", "aws"), 2),
        (
            (
                *("github", "--repo", "acme/app", "--environment", "dev", "--environment", "prod", "--to", "aws"),
                *("--issuer", "https://token.actions.acme.ghe.com", "--audience", "x"),
            ),
            0,
        ),
    ],
)
def test_federate_any_issuer(run, words, code):
    assert code == run("federate", *words).exit_code


def test_federate_opens_a_resource_directly(run):
    words = ("--set", "gcp-role=roles/viewer", "--set", f"gcp-resource={WHERE}", "--gcp-direct")
    done = run("federate", "google", "--part", "subject=123", "--to", "gcp", *words)
    assert (0, True) == (done.exit_code, WHERE in done.stdout)


def test_federate_reads_what_github_says_of_a_repository(run, file):
    saved = file("sub.json", {"use_default": True, "sub_claim_prefix": "repo:acme@1/app@2"})
    done = run("federate", "github", "--repo-info", saved, "--environment", "prod", "--to", "aws")
    assert (0, True) == (done.exit_code, "repo:acme@1/app@2:environment:prod" in done.stdout)
    other = run("federate", "github", "--repo", "acme/b", "--repo-info", saved, "--environment", "p", "--to", "aws")
    assert 2 == other.exit_code
