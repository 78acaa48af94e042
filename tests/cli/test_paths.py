"""`idtrans paths`."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from idtrans import report
from idtrans.cli import app

ACCOUNT = "111122223333"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/deploy"
ISSUER = "token.actions.githubusercontent.com"


@pytest.fixture
def run(tmp_path):
    """Return a function that asks for paths in one trust policy."""
    statement = {
        "Effect": "Allow",
        "Principal": {"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{ISSUER}"},
        "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {"StringLike": {f"{ISSUER}:sub": "repo:acme/app:*"}},
    }

    def ask(start, end, *words, **more):
        stated = {**statement, **more}
        policy = {"Version": "2012-10-17", "Statement": [stated]}
        role = {"Arn": ROLE, "RoleName": "deploy", "Path": "/", "AssumeRolePolicyDocument": policy}
        path = tmp_path / "roles.json"
        path.write_text(json.dumps({"RoleDetailList": [role]}), "utf-8")
        return CliRunner().invoke(app, ["paths", "--from", start, "--to", end, "--in", str(path), *words])

    return ask


@pytest.mark.parametrize(
    ("start", "code"),
    [(f"https://{ISSUER}", 0), ("repository=acme/app", 0), ("repository=acme/web", 1), ("nobody", 1)],
)
def test_the_exit_code_says_whether_there_is_one(run, start, code):
    assert code == run(start, ROLE).exit_code


def test_text(run):
    done = run("repository=acme/app", ROLE)
    assert "1 way from repository=acme/app to" in done.stdout
    assert f"federates {ROLE} by token (reach: project)" in done.stdout
    assert "roles.json:1" in done.stdout


def test_json_keeps_its_schema(run):
    found = json.loads(run("repository=acme/app", "*deploy", "--format", "json").stdout)
    report.schemas()[found["schema"]].model_validate(found)
    assert [f"https://{ISSUER}"] == [chain["principal"] for chain in found["chains"]]


def test_an_end_that_is_not_there(run):
    done = run("*", "nothing")
    assert 2 == done.exit_code


def test_what_was_not_understood(run):
    assert 3 == run("nobody", ROLE, Effect="Perhaps").exit_code
