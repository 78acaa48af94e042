from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idtrans.algebra import decide, evaluate
from idtrans.clouds.aws import CLOUD
from idtrans.clouds.aws._planes import expand
from idtrans.model.data import fixtures_dir
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.estate import Estate
from idtrans.model.spans import Place
from idtrans.model.values import Layer
from idtrans.ports import Cloud, Query
from tests.clouds.aws.builders import ACCOUNT, ANA, BUCKET, NOW, OBJECT, account, allow, deny, estate, identity

FOLDER = fixtures_dir() / "acme" / "aws"
ADAPTER: Cloud = CLOUD
HINTS = {
    layer: Hints(cloud="aws", kind="aws.policy", layer=layer, principal=principal, resource=resource)
    for layer, principal, resource in (
        (Layer.IDENTITY, ANA, None),
        (Layer.RESOURCE, None, BUCKET),
        (Layer.TRUST, ANA, None),
    )
}


def everything(world: Estate) -> None:
    """Ask every question of an estate."""
    for principal in CLOUD.principals(world):
        assert CLOUD.owns(principal)
        request = CLOUD.request(Query(principal, "s3:GetObject", OBJECT), world)
        decide(CLOUD.access(principal, world), request)
        CLOUD.holdings(principal, world)
        CLOUD.doubts(principal, world)
        assert CLOUD.shown(request).action == "s3:GetObject"
    for trust in CLOUD.trusts(world):
        assert "aws" == trust.cloud
    CLOUD.exposures(world)
    CLOUD.grants(world)
    CLOUD.domain(world)


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the sample estate is not there")
def test_every_question_has_an_answer_on_the_sample_estate():
    entities = [*account(ACCOUNT)]
    for path in sorted(FOLDER.rglob("*.json")):
        document = Document(Place(path.name), Format.JSON, json.loads(path.read_text("utf-8")))
        shape = ADAPTER.recognise(document)
        if shape is not None:
            entities += [found for found in ADAPTER.parse(document, shape) if not isinstance(found, Unsupported)]
    world = Estate(tuple(entities), NOW)
    everything(world)
    assert CLOUD.trusts(world)
    assert CLOUD.exposures(world)
    assert CLOUD.grants(world)


def test_an_empty_estate_has_nothing():
    world = Estate((), NOW)
    assert ((), (), (), ()) == (
        CLOUD.principals(world),
        CLOUD.trusts(world),
        CLOUD.exposures(world),
        CLOUD.grants(world),
    )
    assert "aws" == CLOUD.name


def test_answers_are_kept_in_the_estate():
    world = Estate(tuple(account(ACCOUNT)), NOW)
    assert CLOUD.access(ANA, world) is CLOUD.access(ANA, world)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["", "*", "s3:*", ACCOUNT, "arn:aws:s3:::b", "${x", "Allow"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["AWS", "a:b", "StringEquals"]), inner, max_size=2)
    ),
    max_leaves=4,
)
VALID = [
    allow(["s3:Get*"], OBJECT, Principal={"AWS": [ACCOUNT]}, Condition={"StringEquals": {"aws:PrincipalOrgID": "o-1"}}),
    deny(None, None, NotAction="s3:*", NotResource="*", NotPrincipal={"AWS": ANA}),
    allow("sts:AssumeRoleWithWebIdentity", None, Principal={"Federated": "accounts.google.com"}),
]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    statement=st.sampled_from(VALID),
    element=st.sampled_from(["Effect", "Action", "Resource", "Principal", "NotPrincipal", "Condition", "NotAction"]),
    value=JSON,
    layer=st.sampled_from(sorted(HINTS)),
)
def test_hostile_statements_get_answers_too(statement, element, value, layer):
    content = {"Version": "2012-10-17", "Statement": [{**statement, element: value}]}
    document = Document(Place("x"), Format.JSON, content, HINTS[layer])
    entities = [found for found in CLOUD.parse(document, "aws.policy") if not isinstance(found, Unsupported)]
    everything(Estate(tuple(entities), NOW))


@settings(max_examples=40, deadline=None)
@given(
    actions=st.lists(st.sampled_from(["s3:GetObject", "s3:*", "ec2:*", "sns:Publish"]), min_size=1, max_size=3),
    asked=st.sampled_from(["s3:GetObject", "ec2:RunInstances", "sns:Publish"]),
)
def test_a_deny_never_adds_and_an_allow_never_removes(actions, asked):
    worlds = [
        estate(identity(ANA, *statements))
        for statements in (
            [allow(actions[:1])],
            [allow(actions)],
            [allow(actions), deny(actions[:1])],
        )
    ]
    found = []
    for world in worlds:
        request = CLOUD.request(Query(ANA, asked, "*", closed=True), world)
        found.append(evaluate(CLOUD.access(ANA, world), request).truth.value)
    assert found[0] <= found[1]
    assert found[2] <= found[1]


def test_patterns_of_actions_are_expanded_by_the_catalogue():
    assert ("sqs:GetQueueAttributes", "sqs:SetQueueAttributes") == expand("sqs:?etQueueAttributes")
    assert ("sqs:Other",) == expand("sqs:Other")
    assert () == expand("none:*")
