"""Trusts in the words of another cloud: the same, less, or nothing, but never more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from idtrans.algebra import Opaque, Truth
from idtrans.clouds import aws, azure, gcp
from idtrans.federation import Broader, TrustVerdict, is_contained, neutral_trust, translate_trust, translate_trusts
from idtrans.federation._distinct import distinct
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


@pytest.mark.parametrize("target", ["aws", "gcp", "azure"])
def test_trusts_under_one_name_get_names_of_their_own_in_any_order(target):
    cloud = "gcp" if target == "aws" else "aws"
    one = trust(equal("sub", PROD), cloud=cloud)
    elsewhere = replace(one, target=f"elsewhere/{one.target.rpartition('/')[2]}")
    two = trust(equal("sub", "repo:acme/app:ref:refs/heads/main"), cloud=cloud)
    [first, second, third] = translate_trusts((one, elsewhere, two), CLOUDS, target, Names())
    assert first.emissions != second.emissions
    assert [third, second, first] == list(translate_trusts((two, elsewhere, one), CLOUDS, target, Names()))
    [alone] = translate_trusts((one,), CLOUDS, target, Names())
    assert translate_trust(one, CLOUDS[target], Names()) == alone != first


def test_names_of_trusts_that_are_the_same_and_long_stay_apart():
    long = replace(trust(equal("sub", PROD), cloud="azure"), target="app/" + "x" * 40)
    found = distinct((each, neutral_trust(each)) for each in [long] * 3)
    [first, second, third] = [intent.name for each in found for intent in each.intents]
    assert 3 == len({first, second, third})
    assert [32, 32, 32] == [len(name) for name in (first, second, third)]
