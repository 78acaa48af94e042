"""One token at the door."""

from __future__ import annotations

import pytest

from idtrans.algebra import NEVER, Opaque
from idtrans.federation import Admission, admits
from idtrans.ports import TrustKind
from tests.federation.tokens import EKS, GITHUB, NARROW_CLAIMS, equal, like, trust

AUD = equal("aud", "sts.amazonaws.com")
TOKEN = {"iss": GITHUB, "aud": "sts.amazonaws.com", "sub": "repo:acme/app:environment:prod"}


@pytest.mark.parametrize(
    ("conditions", "claims", "admitted"),
    [
        ([AUD, like("sub", "repo:acme/app:*")], {}, "yes"),
        ([AUD, like("sub", "repo:acme/*:ref:refs/heads/*")], {"ref": "refs/heads/main"}, "no"),
        ([AUD, like("sub", "repo:acme/*")], {"sub": "repo:Acme/app:ref:refs/heads/main"}, "no"),
        ([AUD, equal("sub", "repo:acme/app:environment:production")], {}, "no"),
        ([equal("sub", "repo:acme/app:ref:refs/tags/*")], {"sub": "repo:acme/app:ref:refs/tags/v1"}, "no"),
        ([equal("sub", "repo:acme/app:environment:prod")], {"sub": "repo:acme@1/app@2:environment:prod"}, "no"),
        ([AUD, equal("iss", "https://gitlab.com")], {}, "no"),
        ([AUD, equal("iss", GITHUB)], {}, "yes"),
        ([AUD], {"iss": f"{GITHUB}/"}, "no"),
        ([AUD], {"iss": "https://gitlab.com"}, "no"),
        ([AUD, equal("environment", "prod")], {}, "no"),
        ([AUD, Opaque("odd")], {}, "unknown"),
        ([equal("aud", "other"), Opaque("odd")], {}, "no"),
        ([AUD, equal("run_attempt", "1")], {"run_attempt": 1}, "yes"),
        ([AUD, equal("ref_protected", "true")], {"ref_protected": True}, "yes"),
        ([equal("aud", "b")], {"aud": ["b"]}, "yes"),
        ([equal("aud", "b")], {"aud": ["a", "b"]}, "unknown"),
        ([AUD, equal("tags", "x")], {"tags": {"a": "b"}}, "unknown"),
        ([AUD, equal("tags", "x")], {"tags": [{"a": "b"}]}, "unknown"),
        ([NEVER], {}, "no"),
    ],
)
def test_what_a_token_gets(conditions, claims, admitted):
    answer = admits(trust(*conditions), {**TOKEN, **claims})
    assert Admission(admitted) is answer.admitted
    assert answer.reasons


def test_a_token_that_does_not_say_its_issuer_is_of_the_trusts():
    subject = trust(like("sub", "repo:acme/app:*"), equal("iss", GITHUB))
    assert Admission.YES is admits(subject, {"sub": "repo:acme/app:pull_request"}).admitted


def test_a_service_account_under_the_wrong_claim():
    subject = trust(equal("aud", "system:serviceaccount:app:reader"), issuer=EKS)
    answer = admits(subject, {"aud": "sts.amazonaws.com", "sub": "system:serviceaccount:app:reader"})
    assert Admission.NO is answer.admitted
    assert "aud is `sts.amazonaws.com`" in answer.reasons[0]


def test_reasons_name_what_failed_only():
    answer = admits(trust(AUD, equal("environment", "prod"), like("sub", "repo:acme/*")), TOKEN)
    assert ("needs environment is `prod`; environment is absent",) == answer.reasons


def test_a_claim_that_the_cloud_does_not_see_is_absent():
    subject = trust(AUD, equal("repository_owner", "acme"), claims=NARROW_CLAIMS)
    assert Admission.NO is admits(subject, {**TOKEN, "repository_owner": "acme"}).admitted


def test_the_provider_refuses_other_audiences():
    subject = trust(like("sub", "repo:acme/*"), audiences=("a", "b"))
    assert Admission.NO is admits(subject, TOKEN).admitted
    assert Admission.YES is admits(subject, {**TOKEN, "aud": "b"}).admitted
    assert Admission.YES is admits(subject, {"sub": TOKEN["sub"]}).admitted


@pytest.mark.parametrize(
    ("kind", "condition", "admitted"),
    [
        (TrustKind.ACCOUNT, AUD, Admission.NO),
        (TrustKind.SERVICE, AUD, Admission.NO),
        (TrustKind.WEB_IDENTITY, NEVER, Admission.NO),
        (TrustKind.WEB_IDENTITY, Opaque("pool"), Admission.UNKNOWN),
    ],
)
def test_without_an_issuer(kind, condition, admitted):
    assert admitted is admits(trust(condition, issuer=None, kind=kind), TOKEN).admitted
