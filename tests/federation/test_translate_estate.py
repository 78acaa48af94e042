"""Trusts of a whole estate in another cloud."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from idtrans import api, report
from idtrans.federation import TrustVerdict
from idtrans.model.data import fixtures_dir
from idtrans.model.errors import UsageError


@pytest.fixture(scope="module")
def acme():
    return api.load([str(fixtures_dir() / "acme")], now=datetime(2026, 11, 1, tzinfo=UTC))


@pytest.mark.parametrize("target", ["aws", "azure", "gcp"])
def test_every_trust_of_the_other_clouds_has_a_verdict(acme, target):
    found = api.translate_trusts(acme, target)
    assert found
    assert target not in {each.source.cloud for each in found}
    assert all(each.losses for each in found if each.verdict is not TrustVerdict.EXACT)
    assert TrustVerdict.BROADER not in {each.verdict for each in found}


def test_names_that_nothing_asks_for_are_typing_errors(acme):
    with pytest.raises(UsageError):
        api.translate_trusts(acme, "gcp", names={"nothing": "x"})
    with pytest.raises(UsageError):
        api.translate_trusts(acme, "moon")


def role_of(*subjects):
    issuer = "token.actions.githubusercontent.com"
    statements = [
        {
            "Effect": "Allow",
            "Principal": {"Federated": f"arn:aws:iam::111122223333:oidc-provider/{issuer}"},
            "Action": "sts:AssumeRoleWithWebIdentity",
            "Condition": {"StringEquals": {f"{issuer}:aud": "sts.amazonaws.com", f"{issuer}:sub": subject}},
        }
        for subject in subjects
    ]
    return {"Version": "2012-10-17", "Statement": statements}


@pytest.mark.parametrize("names", [(), ("prod",), ("prod", "test", "main")], ids=["none", "one", "three"])
def test_every_statement_of_a_trust_is_shown(tmp_path, names):
    path = tmp_path / "trust.json"
    path.write_text(json.dumps(role_of(*(f"repo:acme/app:environment:{name}" for name in names)), indent=1), "utf-8")
    answer = api.trust(api.load([path]))
    found = [source.pointer for each in answer.trusts for source in (each.source, *each.further_sources)]
    assert [f"/Statement/{number}" for number in range(len(names))] == found
    told = report.text(answer)
    assert max(len(names) - 1, 0) == told.count("stated in")
    assert [len(names) - 1] * len(answer.trusts) == [
        len(each["further_sources"]) for each in json.loads(report.json_v1(answer))["trusts"]
    ]
