"""`idtrans translate` on documents that state trusts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from idtrans import report
from idtrans.cli import app
from idtrans.model.data import fixtures_dir

ACME = fixtures_dir() / "acme"
CREDENTIALS = ACME / "azure" / "federated-credentials-mi.json"
ROLE = "arn:aws:iam::111122223333:role/ci/deploy"
PROVIDER = "arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com"
ISSUER = "https://token.actions.githubusercontent.com"
PROD = "repo:acme/app:environment:prod"


def _policy(subject: str, **more: Any) -> dict[str, Any]:
    claims = {
        "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
        "token.actions.githubusercontent.com:sub": subject,
    }
    statement = {
        "Effect": "Allow",
        "Principal": {"Federated": PROVIDER},
        "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {"StringLike": claims},
    }
    return {"Version": "2012-10-17", "Statement": [{**statement, **more}]}


@pytest.fixture
def translated(tmp_path):
    """Translate a document; return the exit code and the JSON, checked against its schema."""

    def call(document, *words):
        path = document
        if isinstance(document, dict):
            path = tmp_path / "trust.json"
            path.write_text(json.dumps(document), "utf-8")
        done = CliRunner().invoke(app, ["translate", str(path), *words, "--format", "json", "--quiet"])
        found = json.loads(done.stdout)
        report.schemas()[found["schema"]].model_validate(found)
        return done.exit_code, found

    return call


@pytest.mark.parametrize("emit", ["native", "cli", "terraform"])
@pytest.mark.parametrize("target", ["gcp", "azure"])
def test_a_trust_alone_is_translated(translated, target, emit):
    code, found = translated(_policy(PROD), "--to", target, "--emit", emit)
    assert (0, []) == (code, found["translations"])
    (trust,) = found["trusts"]
    assert ("exact", "workload", target) == (trust["verdict"], trust["reach"], trust["target"])
    assert ("aws", ISSUER) == (trust["source"]["cloud"], trust["source"]["issuer"])
    assert {emit} == {artifact["format"] for artifact in trust["artifacts"]}
    assert trust["placeholders"]


def test_a_trust_that_cannot_be_said_is_refused(translated):
    code, found = translated(_policy("repo:acme/*"), "--to", "azure")
    (trust,) = found["trusts"]
    assert (1, "refused", None, []) == (code, trust["verdict"], trust["reach"], trust["artifacts"])
    assert trust["losses"]


def test_broader_is_asked_for(translated):
    condition = {"StringEquals": {"token.actions.githubusercontent.com:sub": PROD}}
    condition["StringEquals"]["token.actions.githubusercontent.com:ref"] = "refs/heads/main"
    document = _policy(PROD, Condition=condition)
    for more, expected in (((), (1, "refused")), (("--allow-broader",), (0, "broader"))):
        code, found = translated(document, "--to", "azure", *more)
        (trust,) = found["trusts"]
        assert expected == (code, trust["verdict"])


def test_a_role_that_is_known_by_its_trust_alone(translated):
    code, found = translated(_policy(PROD), "--to", "gcp", "--principal", ROLE)
    assert (3, []) == (code, found["translations"])
    assert [ROLE] == [trust["source"]["principal"] for trust in found["trusts"]]
    assert any("were not read" in unread["reason"] for unread in found["not_evaluated"])


def test_other_principals_of_a_trust_are_still_told(translated):
    both = {"Federated": PROVIDER, "AWS": "arn:aws:iam::111122223333:role/other"}
    actions = ["sts:AssumeRole", "sts:AssumeRoleWithWebIdentity"]
    code, found = translated(_policy(PROD, Principal=both, Action=actions), "--to", "gcp")
    assert 1 == code
    assert "arn:aws:iam::111122223333:role/other" in {entry["principal"] for entry in found["translations"]}


def test_one_principal_of_many(translated):
    role = "arn:aws:iam::111122223333:role/ci/GitHubDeployProd"
    for principal, expected in ((role, [role]), ("arn:aws:iam::111122223333:user/alice.martin", [])):
        _, found = translated(ACME, "--to", "gcp", "--principal", principal)
        assert ("idtrans/translation/v1", principal) == (found["schema"], found["principal"])
        assert expected == [trust["source"]["principal"] for trust in found["trusts"]]


def test_trusts_without_tokens_are_none(translated):
    _, found = translated(ACME, "--to", "gcp")
    assert all(trust["source"]["issuer"] for trust in found["trusts"])
    assert {"aws", "azure"} == {trust["source"]["cloud"] for trust in found["trusts"]}
    assert found["translations"]
    assert not any(entry["principal"].startswith("federated:") for entry in found["translations"])


@pytest.mark.parametrize(
    ("setting", "code", "said"),
    [
        ("aws-account-id=111122223333", 0, ""),
        ("aws-acount-id=111122223333", 2, "nothing here is named by `aws-acount-id` (names here: "),
    ],
)
def test_names_fill_what_trusts_ask_for(setting, code, said):
    done = CliRunner().invoke(app, ["translate", str(CREDENTIALS), "--to", "aws", "--set", setting])
    assert (code, True) == (done.exit_code, said in done.stderr)
    assert "<AWS_ACCOUNT_ID>" not in done.stdout


def test_the_trusts_stand_after_the_grants():
    done = CliRunner().invoke(app, ["translate", str(ACME), "--to", "gcp", "--quiet"])
    lines = done.stdout.splitlines()
    heads = [line for line in lines if " to gcp  (" in line]
    trusts = [": trust of " in line for line in heads]
    assert sorted(trusts) == trusts
    assert lines[-1].endswith(f" translations, {sum(trusts)} trusts")
