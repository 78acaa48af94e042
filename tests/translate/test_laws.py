"""What is written never gives more than was held, unless the verdict says so: judged on the natives alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idtrans.api import clouds
from idtrans.catalog import capabilities, capability
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.estate import Estate
from idtrans.model.intents import Scope
from idtrans.model.spans import Place
from idtrans.model.values import Layer, Verdict, rank
from idtrans.translate import IdMap, Pair, translate
from idtrans.translate._levels import read_scope
from idtrans.translate._recognise import recognise

READER = "arn:aws:iam::111122223333:role/reader"
ANA = "user:ana@b.example"
BUCKET = "arn:aws:s3:::data"
MAPPING = IdMap(
    principals=(Pair(READER, ANA), Pair(READER, "entra:cccccccc-0000-4000-8000-000000000009")),
    scopes=(
        Pair("111122223333", "projects/acme"),
        Pair("111122223333", "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001"),
    ),
    resources=(
        Pair(BUCKET, "//storage.googleapis.com/data"),
        Pair(
            BUCKET,
            "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001/resourceGroups/rg"
            "/providers/Microsoft.Storage/storageAccounts/stdata/blobServices/default/containers/data",
        ),
    ),
)
ACTIONS = sorted({name for each in capabilities() for name in each.column("aws").permissions})


def policy(actions: list[str], resources: list[str]):
    content = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": actions, "Resource": resources}]}
    hints = Hints(layer=Layer.IDENTITY, principal=READER)
    document = Document(Place("p.json"), Format.JSON, content, hints)
    aws = clouds()["aws"]
    shape = aws.recognise(document)
    assert shape is not None
    return estate_of(aws.parse(document, shape))


def estate_of(stated):
    entries = tuple(stated)
    assert not any(isinstance(entry, Unsupported) for entry in entries)
    return Estate(entries, datetime(2026, 11, 1, tzinfo=UTC))


def closure_of(cloud, estate):
    """Return the capabilities of everybody in an estate, by kind of scope, those that come with others too."""
    held = set()
    for principal in cloud.principals(estate):
        recognised = recognise(principal, "user", cloud.holdings(principal, estate), cloud)
        held |= {(wanted.scope.kind, wanted.capability) for wanted in recognised.intent.wanted}
    return held


@pytest.mark.parametrize("target", ["gcp", "azure"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    actions=st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=8, unique=True),
    resources=st.sampled_from([["*"], [BUCKET, f"{BUCKET}/*"], [f"{BUCKET}/logs/*"]]),
)
def test_the_target_gives_nothing_that_was_not_held(target, actions, resources):
    estate = policy(actions, resources)
    source, other = clouds()["aws"], clouds()[target]
    for found in translate(source, other, estate, principal=READER, mapping=MAPPING):
        assert rank(found.verdict) < rank(Verdict.BROADER) or not found.emission.natives
        written = estate_of(other.reread(found.emission.natives))
        wanted = {(read_scope(each.resource, source).kind, each.id) for each in found.capabilities}
        parts = {(kind, part) for kind, name in wanted for part in capability(name).parts}
        # A condition that keeps a capability out is none of the permissions: the grants that carry one are left out.
        gained = set() if any(grant.condition for grant in found.grants) else closure_of(other, written)
        assert gained <= wanted | parts


@pytest.mark.parametrize("target", ["gcp", "azure"])
@settings(max_examples=20, deadline=None)
@given(actions=st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=6, unique=True), seed=st.randoms())
def test_the_order_of_actions_does_not_matter(target, actions, seed):
    shuffled = list(actions)
    seed.shuffle(shuffled)
    one, other = (
        translate(clouds()["aws"], clouds()[target], policy(names, ["*"]), principal=READER, mapping=MAPPING)
        for names in (actions, shuffled)
    )

    assert [(each.verdict, each.grants, each.residue) for each in one] == [
        (each.verdict, each.grants, each.residue) for each in other
    ]


def test_a_resource_that_no_cloud_reads_is_itself():
    scope = read_scope("nothing that anybody knows", clouds()["aws"])

    assert Scope("resource", "nothing that anybody knows", {"resource": "nothing that anybody knows"}) == scope
