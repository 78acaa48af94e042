"""The target never gives more than the source, by the evaluators that are written from the vendors' pages alone."""

from __future__ import annotations

import copy
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from idtrans.clouds.aws._adapter import Aws
from idtrans.clouds.azure._adapter import Azure
from idtrans.clouds.gcp._adapter import Gcp
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.estate import Estate
from idtrans.model.spans import Place
from idtrans.model.values import Layer, Verdict, rank
from idtrans.translate import IdMap, Pair, translate
from tests.translate.oracle import ANA, READER, STORE, SUBSCRIPTION, USER, VAULT, Situation, exceeds, situations

if TYPE_CHECKING:
    from collections.abc import Callable

    from idtrans.model.artifacts import Native
    from idtrans.model.translations import Translation
    from idtrans.ports import Cloud

Json = dict[str, Any]

WORLDS = 60
CASES = 80
NOTICED_WITHIN = 120
TARGETS: dict[str, Cloud] = {"gcp": Gcp(), "azure": Azure()}
MAPPING = IdMap(
    principals=(Pair(READER, ANA), Pair(READER, f"entra:{USER}")),
    scopes=(Pair("111122223333", "projects/acme"), Pair("111122223333", SUBSCRIPTION)),
    resources=(
        *(
            Pair(f"arn:aws:s3:::{name}", f"{STORE}/blobServices/default/containers/{name}")
            for name in ("data", "other")
        ),
        *(Pair(f"arn:aws:s3:::{name}", f"//storage.googleapis.com/{name}") for name in ("data", "other")),
        Pair("arn:aws:secretsmanager:eu-west-1:111122223333:secret:s1-??????", VAULT),
        Pair(
            "arn:aws:secretsmanager:eu-west-1:111122223333:secret:s1-??????",
            "//secretmanager.googleapis.com/projects/acme/secrets/s1",
        ),
    ),
)
DATA = "arn:aws:s3:::data"
CONDITIONS: list[Json | None] = [
    *[None] * 8,
    {"DateLessThan": {"aws:CurrentTime": "2027-01-01T00:00:00Z"}},
    {"DateGreaterThan": {"aws:CurrentTime": "2027-01-01T00:00:00Z"}},
    {"StringEquals": {"aws:ResourceTag/env": "prod"}},
    {"StringNotEquals": {"aws:ResourceTag/env": "prod"}},
    {"StringEquals": {"s3:ExistingObjectTag/env": "prod"}},
    {"StringNotEquals": {"s3:ExistingObjectTag/env": "prod"}},
    {"StringLike": {"s3:prefix": "logs/*"}},
    {"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}},
    {"Bool": {"aws:MultiFactorAuthPresent": "true"}},
    {"Bool": {"aws:SecureTransport": "true"}},
    {"StringEquals": {"aws:ResourceTag/env": "prod"}, "DateLessThan": {"aws:CurrentTime": "2027-01-01T00:00:00Z"}},
]
ACTIONS = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:ListBucket", "s3:GetBucketPolicy"]
ACTIONS += ["secretsmanager:GetSecretValue", "s3:*", "s3:Get*", "s3:*Object"]
RESOURCES = ["*", DATA, f"{DATA}/*", f"{DATA}/*", f"{DATA}/logs/*", f"{DATA}/secret/*", "arn:aws:s3:::other/*"]
RESOURCES += ["arn:aws:s3:::*", "arn:aws:secretsmanager:*:*:secret:s1-??????"]


def policy(random: Random) -> Json:
    """Draw a policy of a few allows and denies."""
    effects = ["Allow"] * random.randint(1, 3) + ["Deny"] * random.choice((0, 0, 0, 1, 2))
    return {"Version": "2012-10-17", "Statement": [statement(random, effect) for effect in effects]}


def statement(random: Random, effect: str) -> Json:
    found: Json = {"Effect": effect, "Action": random.sample(ACTIONS, random.choice((1, 1, 1, 2, 3)))}
    found["Resource"] = random.sample(RESOURCES, random.choice((1, 1, 2)))
    condition = random.choice(CONDITIONS)
    return found if condition is None else {**found, "Condition": condition}


def translated(document: Json, target: str, **options: Any) -> Translation | None:
    hints = Hints(layer=Layer.IDENTITY, principal=READER)
    read = Document(Place("p.json"), Format.JSON, document, hints)
    stated = list(Aws().parse(read, Aws().recognise(read) or ""))
    entities = tuple(entry for entry in stated if not isinstance(entry, Unsupported))
    estate = Estate(entities, datetime(2026, 6, 1, tzinfo=UTC))
    found = translate(Aws(), TARGETS[target], estate, principal=READER, mapping=MAPPING, **options)
    return found[0] if found else None


@pytest.mark.parametrize("target", ["gcp", "azure"])
@pytest.mark.parametrize("shard", range(4))
def test_the_target_never_exceeds_the_source(target, shard):
    written = 0
    for seed in range(shard * WORLDS, (shard + 1) * WORLDS):
        random = Random(seed)
        document = policy(random)
        found = translated(document, target)
        if found is None or rank(found.verdict) >= rank(Verdict.BROADER):
            assert found is None or not found.emission.natives
            continue
        written += 1
        beyond = exceeds(document, target, found.emission.natives, situations(random, CASES))
        assert [] == beyond, (seed, document, beyond[0], found.verdict)
    assert written > WORLDS / 10


def unconditional(natives: tuple[Native, ...]) -> tuple[Native, ...]:
    """Forget the conditions of grants."""
    kept = copy.deepcopy(natives)
    for native in kept:
        rows = native.content if isinstance(native.content, list) else [native.content]
        for row in rows:
            row.pop("condition", None)
            for binding in row.get("policy", {}).get("bindings", ()):
                binding.pop("condition", None)
    return kept


def undenied(natives: tuple[Native, ...]) -> tuple[Native, ...]:
    """Forget the denies and grant what they deny."""
    return tuple(
        replace(native, content=[{"resource": "//cloudresourcemanager.googleapis.com/projects/acme", "policy": _OPEN}])
        if native.kind == "gcp.search-all-iam-policies"
        else native
        for native in natives
        if native.kind != "gcp.deny-policies"
    )


_OPEN: Json = {"bindings": [{"role": "roles/storage.objectUser", "members": [ANA]}]}


def widened(natives: tuple[Native, ...]) -> tuple[Native, ...]:
    """Grant on everything what is granted on one bucket."""
    kept = copy.deepcopy(natives)
    for native in kept:
        for row in native.content if isinstance(native.content, list) else [native.content]:
            if "policy" in row:
                row["resource"] = "//cloudresourcemanager.googleapis.com/projects/acme"
            if "principalId" in row:
                row["scope"] = SUBSCRIPTION
    return kept


@pytest.mark.parametrize(
    ("target", "plant"),
    [
        ("gcp", unconditional),
        ("azure", unconditional),
        ("gcp", undenied),
        ("gcp", widened),
        ("azure", widened),
    ],
)
def test_planted_errors_are_noticed(target: str, plant: Callable[[tuple[Native, ...]], tuple[Native, ...]]) -> None:
    for seed in range(NOTICED_WITHIN):
        random = Random(seed)
        document = policy(random)
        found = translated(document, target)
        if found is not None and found.emission.natives:
            planted = plant(found.emission.natives)
            if exceeds(document, target, planted, situations(random, CASES)):
                return
    pytest.fail("the oracle sees nothing")


def test_the_evaluators_see_grants_at_all():
    from tests.translate.oracle import GRANTS, OPERATIONS, source_grants

    document = {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Action": ["s3:GetObject", "s3:ListBucket"], "Resource": [DATA, f"{DATA}/*"]}
        ],
    }
    for target in TARGETS:
        found = translated(document, target)
        assert found is not None
        granted = {each.name for each in OPERATIONS if GRANTS[target](found.emission.natives, Situation(each))}
        assert {"read", "list"} == granted
    assert {"read", "list"} == {each.name for each in OPERATIONS if source_grants(document, Situation(each))}
