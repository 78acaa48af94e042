"""Trusts as facts for rules."""

from __future__ import annotations

import pytest

from idtrans.federation import judge, trust_facts
from idtrans.model.values import UNKNOWN, Reach
from idtrans.ports import TrustKind
from tests.federation.tokens import GITHUB, equal, like, trust


def _fact(subject):
    return trust_facts((subject,), (judge(subject),))[0]


def test_a_stranger_is_the_example_of_an_open_trust():
    fact = _fact(trust(like("sub", "repo:acme*"), whole_pool=True))
    assert ("fake", "role/deploy", "web-identity") == (fact.cloud, fact.subject, fact.trust_kind)
    assert ("github", GITHUB, "shared") == (fact.issuer_kind, fact.issuer, fact.tenancy)
    assert (Reach.PLATFORM, "none", "prefix", True) == (fact.reach, fact.pinned_by, fact.pinning, fact.tests_subject)
    assert "repo:acme-stranger/app:environment:production" == fact.example
    assert fact.whole_pool


def test_where_there_is_one_stage_its_reach_is_the_providers():
    assert Reach.WORKLOAD is _fact(trust(equal("sub", "repo:a/b:environment:c"))).provider_reach
    two = trust(equal("sub", "repo:a/b:environment:c"), provider_admits=like("sub", "repo:a/*"))
    assert Reach.TENANT is _fact(two).provider_reach


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (TrustKind.ACCOUNT, True, True),
        (TrustKind.ACCOUNT, False, False),
        (TrustKind.ACCOUNT, None, UNKNOWN),
        (TrustKind.SERVICE, None, False),
    ],
)
def test_external_ids(kind, given, expected):
    subject = trust(issuer=None, kind=kind, reach=Reach.TENANT, external_id=given, outside_account="999988887777")
    fact = _fact(subject)
    assert expected is fact.external_id
    assert ("none", "", "999988887777", "") == (fact.issuer_kind, fact.issuer, fact.outside_account, fact.example)


def test_each_note_code_once():
    fact = _fact(trust(equal("sub", "repo:acme/app:environment:prod")))
    assert ("LEGACY_SUBJECT_ONLY", "MUTABLE_NAME") == fact.notes


def test_reports_belong_to_trusts():
    with pytest.raises(ValueError, match="shorter"):
        trust_facts((trust(),), ())
