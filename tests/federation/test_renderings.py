"""One intent, three clouds: a token gets the same verdict from each, but for what the ledger says.

Tokens mix what was asked for with what strangers have, in every shape of the grammar.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.catalog import issuer
from idtrans.clouds import aws, azure, gcp
from idtrans.federation import (
    Admission,
    AskedTokens,
    GithubIds,
    GithubJob,
    SubjectFormat,
    _judge,
    admits,
    asked_intent,
    federate,
    github_intent,
)
from idtrans.federation._asked_reach import condition_of_intent
from idtrans.federation._boxes import Box
from idtrans.federation._claims import Reading
from idtrans.federation._tokens import Who, fill, token_of
from idtrans.model.artifacts import LossEffect
from idtrans.model.documents import Unsupported
from idtrans.model.errors import UsageError
from idtrans.model.estate import Estate
from idtrans.model.intents import Names
from idtrans.model.values import Reach
from tests.federation.tokens import trust

CLOUDS: dict[str, Any] = {"aws": aws.CLOUD, "azure": azure.CLOUD, "gcp": gcp.CLOUD}
UUID = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"


def _asked(kind, issuer=None, any_part=(), **parts):
    listed = {key: value if isinstance(value, tuple) else (value,) for key, value in parts.items()}
    return asked_intent(AskedTokens(kind, listed, frozenset(any_part), issuer, reach=Reach.PROJECT))


INTENTS = {
    "github-environment": github_intent("acme/app", GithubJob(environment="prod"), ids=GithubIds("2002", "1001")),
    "github-both": github_intent(
        "acme/app",
        GithubJob(environment=("dev", "prod"), ref="refs/heads/main"),
        ids=GithubIds("2002", "1001"),
        subject_format=SubjectFormat.BOTH,
    ),
    "github-refs": github_intent("acme/app", GithubJob(ref=("refs/heads/main", "refs/tags/v1"))),
    "gitlab": _asked("gitlab", project="acme/app", ref=("main", "next"), project_id="22"),
    "gitlab-any-ref": _asked("gitlab", any_part=("ref", "ref_type"), project="acme/app", project_id="22"),
    "gitlab-environment": _asked("gitlab", project="acme/app", ref="main", environment="prod"),
    "terraform-cloud": _asked("terraform-cloud", organization="acme", project="core", workspace="prod"),
    "buildkite": _asked("buildkite", organization="acme", pipeline="app", ref="refs/heads/main", pipeline_id=UUID),
    "bitbucket": _asked("bitbucket", workspace="acme", repository=UUID, environment=UUID),
    "vercel": _asked("vercel", team="acme", project="app", environment="production", project_id="prj_1"),
    "google": _asked("google", subject=("123", "456")),
    "entra": _asked("entra", tenant=UUID, object=UUID),
    "aws": _asked("aws", issuer_id="0a1b", account="111122223333", role=("deploy", "ci/build")),
    "kubernetes": _asked(
        "kubernetes",
        issuer="https://oidc.eks.eu-west-1.amazonaws.com/id/AB",
        namespace="prod",
        service_account=("a", "b"),
    ),
    "forgejo": _asked("forgejo", repo="acme/app", ref="refs/heads/main"),
    "scalr": _asked("scalr", account="acme", environment="prod", workspace="app"),
}
WORDS = ("acme", "app", "prod", "dev", "main", "next", "core", "1001", "2002", "22", "123", "456", "production", UUID)
MORE = (
    "refs/heads/main",
    "refs/tags/v1",
    "deploy",
    "ci/build",
    "111122223333",
    "a",
    "b",
    "prj_1",
    "branch",
    "tag",
    "aws",
)


@cache
def _rendered(name):
    """Return the trusts of each cloud that can say an intent, and the claims that it leaves out."""
    intent, found = INTENTS[name], {}
    for cloud, adapter in CLOUDS.items():
        try:
            (target,) = federate(intent, {cloud: adapter}, [cloud], Names()).targets
        except UsageError:
            continue
        read = adapter.reread(target.emission.natives)
        entities = tuple(each for each in read if not isinstance(each, Unsupported))
        trusts = adapter.trusts(Estate(entities, datetime(2026, 11, 1, tzinfo=UTC)))
        dropped = {loss.feature.strip("`").split("`")[-1].split()[-1] for loss in target.losses if _drops(loss)}
        found[cloud] = ([each for each in trusts if each.issuer == intent.issuer], frozenset(dropped))
    return found


def _drops(loss):
    return loss.effect is LossEffect.DROP and loss.feature.startswith("claim")


@st.composite
def _tokens(draw, name):
    intent = INTENTS[name]
    table = issuer(intent.issuer_kind)
    assert table is not None
    shape = draw(st.sampled_from(table.shapes))
    values = {}
    for component in table.components.values():
        known = shape.limits.get(component.name, component.values)
        asked = [word for word in (*WORDS, *MORE) if _is_value(word, component) and known.matches(word)]
        others = [sample for sample in component.samples if known.matches(sample)] or list(component.samples)
        values[component.name] = draw(st.sampled_from((*asked, *others)))
    tested = frozenset(claim for claim, each in shape.claims.items() if each.templates and "*" not in claim)
    return dict(token_of(Box(table, shape, tested=tested), values, intent.issuer))


def _is_value(word, component):
    alphabet = component.alphabet
    inside = alphabet.only is None or set(word) <= alphabet.only
    return inside and not set(word) & alphabet.never


def _verdict(trusts, token):
    """Return whether one of the trusts takes a token that is meant for it."""
    for each in trusts:
        audience = each.audiences[0] if each.audiences else "sts.amazonaws.com"
        meant = {**token, "aud": audience, "oaud": "sts.amazonaws.com"}
        if admits(each, meant).admitted is Admission.YES:
            return True
    return False


@pytest.mark.parametrize("name", INTENTS)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_three_clouds_agree(name, data):
    intent = INTENTS[name]
    token = data.draw(_tokens(name))
    meant = _verdict([trust(condition_of_intent(intent), issuer=intent.issuer)], token)
    rendered = _rendered(name)
    assert rendered
    for cloud, (trusts, dropped) in rendered.items():
        left = replace(intent, pins=tuple(pin for pin in intent.pins if pin.claim not in dropped))
        said = _verdict([trust(condition_of_intent(left), issuer=intent.issuer)], token)
        assert said == _verdict(trusts, token), cloud
        # What a cloud says is never less than what was meant, and more only where the ledger says so.
        assert said or not meant
        assert dropped or said == meant


@pytest.mark.parametrize("name", INTENTS)
def test_what_is_meant_gets_in_everywhere(name):
    intent = INTENTS[name]
    solution = _judge._solution(condition_of_intent(intent), Reading(intent.issuer), intent.issuer_kind)
    assert solution.boxes
    for box in solution.boxes:
        values = fill(box, {}, who=Who.OWN)
        tested = frozenset(claim for claim, each in box.shape.claims.items() if each.templates and "*" not in claim)
        assert values is not None
        token = dict(token_of(replace(box, tested=tested), values, intent.issuer))
        for cloud, (trusts, _) in _rendered(name).items():
            assert _verdict(trusts, token), cloud
