"""Trusts in the words of another cloud: the same, less, or nothing, but never more."""

from __future__ import annotations

from typing import Any

import pytest

from idtrans.algebra import Opaque, Truth
from idtrans.clouds import aws, azure, gcp
from idtrans.federation import Broader, TrustVerdict, is_contained, neutral_trust, translate_trust, translate_trusts
from idtrans.model.artifacts import LossEffect
from idtrans.model.errors import UsageError
from idtrans.model.intents import Names
from tests.federation.tokens import EKS, NARROW_CLAIMS, either, equal, like, trust, unlike

CLOUDS: dict[str, Any] = {"aws": aws.CLOUD, "azure": azure.CLOUD, "gcp": gcp.CLOUD}
AUD = equal("aud", "sts.amazonaws.com")
PROD = "repo:acme/app:environment:prod"


@pytest.mark.parametrize(
    ("subject", "verdicts"),
    [
        (trust(AUD, equal("sub", PROD)), "exact exact exact"),
        (trust(AUD, equal("sub", PROD, "repo:acme/app:pull_request")), "exact exact exact"),
        (trust(AUD, like("sub", "repo:acme/app:*")), "exact refused exact"),
        (trust(AUD, like("sub", "repo:acme/app:*"), equal("repository_id", "2")), "exact exact exact"),
        (trust(AUD, equal("sub", PROD), equal("repository_id", "2"), claims=NARROW_CLAIMS), "exact refused exact"),
        # What AWS has no key for would be left out.
        (trust(equal("sub", PROD), equal("event_name", "push")), "refused refused exact"),
        (trust(equal("repository_id", "2"), equal("ref", "refs/heads/main")), "exact refused exact"),
        (either(equal("sub", PROD), equal("repository_id", "2")), "exact exact exact"),
        (trust(equal("sub", PROD), Opaque("x", "y")), "refused refused refused"),
        (either(equal("sub", PROD), Opaque("x", "y")), "narrower narrower narrower"),
        (trust(unlike("sub", "repo:evil/*")), "refused refused refused"),
        (trust(equal("sub", PROD), unlike("environment", "dev")), "refused refused refused"),
        (trust(equal("sub", PROD), equal("environment", "prod", missing=Truth.TRUE)), "narrower narrower narrower"),
        (trust(like("sub", "repo:acme/app?:*")), "refused refused refused"),
        (trust(equal("sub", "system:serviceaccount:a:b"), issuer=EKS), "exact exact exact"),
        (trust(issuer=None), "refused refused refused"),
    ],
)
def test_the_verdict_of_each_cloud(subject, verdicts):
    found = [translate_trust(subject, CLOUDS[name], Names()) for name in ("aws", "azure", "gcp")]
    assert verdicts == " ".join(each.verdict.value for each in found)
    for each in found:
        assert bool(each.emissions) == (each.verdict is not TrustVerdict.REFUSED)
        assert each.losses or each.verdict is TrustVerdict.EXACT


def test_more_than_an_identity_holds_is_split_and_counted():
    subject = trust(equal("sub", *(f"repo:acme/app:environment:e{number}" for number in range(50))))
    found = translate_trust(subject, CLOUDS["azure"], Names())
    assert (TrustVerdict.EXACT, 50) == (found.verdict, sum(len(each.natives) for each in found.emissions))
    assert all(len(each.natives) <= 20 for each in found.emissions)
    (split,) = [loss for loss in found.losses if loss.feature == "several identities"]
    assert (LossEffect.SPLIT, True) == (split.effect, f"{len(found.emissions)} identities" in split.why)


def test_broader_is_on_purpose_only():
    subject = trust(equal("sub", PROD), equal("event_name", "push"))
    found = translate_trust(subject, CLOUDS["aws"], Names(), broader=Broader.ALLOW)
    assert (TrustVerdict.BROADER, 1) == (found.verdict, len(found.emissions))


def test_trusts_of_the_target_itself_stay():
    own = trust(equal("sub", PROD), cloud="aws")
    other = trust(equal("sub", PROD), cloud="azure")
    (found,) = translate_trusts((own, other), CLOUDS, "aws", Names())
    assert other is found.source
    with pytest.raises(UsageError, match="is not a cloud"):
        translate_trusts((own,), CLOUDS, "moon", Names())


@pytest.mark.parametrize(
    ("inner", "outer", "contained"),
    [
        (trust(equal("sub", PROD)), trust(like("sub", "repo:acme/*")), True),
        (trust(like("sub", "repo:acme/*")), trust(equal("sub", PROD)), False),
        # The grammar decides: tokens with this subject are of this repository.
        (trust(equal("sub", PROD)), trust(equal("repository", "acme/app")), True),
        (trust(equal("sub", PROD)), trust(equal("ref", "refs/heads/main")), False),
        (trust(equal("sub", PROD), equal("aud", "a")), trust(equal("sub", PROD), equal("aud", "b")), True),
        (trust(equal("sub", PROD)), trust(Opaque("x", "y")), False),
        (trust(equal("sub", "repository_owner:acme")), trust(equal("repository_owner", "acme")), True),
        (trust(equal("sub", "actor:acme")), trust(equal("repository_owner", "acme")), False),
        (trust(issuer=None), trust(), False),
        (trust(issuer=EKS), trust(), False),
    ],
)
def test_one_trust_inside_another(inner, outer, contained):
    assert contained is is_contained(inner, outer)


def test_what_cannot_be_told_in_time_is_not_inside(monkeypatch):
    from idtrans.federation import _contained

    monkeypatch.setattr(_contained, "MOST_STEPS", 0)
    assert not is_contained(trust(like("sub", "*a*:x:*")), trust(like("sub", "*b*c*")))


def test_alternatives_that_test_different_claims_are_apart():
    found = neutral_trust(either(equal("sub", PROD), equal("repository_id", "2")))
    assert ["deploy-1", "deploy-2"] == [intent.name for intent in found.intents]
    assert {LossEffect.SPLIT} == {loss.effect for loss in found.losses}
