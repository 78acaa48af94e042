"""z3 reads pairs of policy documents in an encoding of its own and must find the differences that the search finds."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from idtrans.algebra import Status, difference
from idtrans.clouds.aws import CLOUD
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.estate import Estate
from idtrans.model.spans import Place
from tests.clouds.aws.builders import NOW
from tests.reference.solver import NotTakenError, Question

z3: Any = pytest.importorskip("z3", reason="z3-solver is not installed; `pip install idtrans[test]` brings it")

Json = dict[str, Any]
SHARDS = 4
QUESTIONS = 40
"""Of each shard."""

ACTIONS = ("s3:GetObject", "s3:Get*", "S3:PUT*", "s3:*Object", "*", "sqs:SendMessage", "s3:?etObject")
RESOURCES = (
    "*",
    "arn:aws:s3:::a/*",
    "arn:aws:s3:::a*",
    "arn:aws:s3:::*/x",
    "arn:aws:s3:::a/x",
    "arn:aws:s3:*:*:a/?",
    "arn:aws:sqs:eu-*:111122223333:q",
)
TESTS: tuple[tuple[str, str, Any], ...] = (
    ("StringEquals", "aws:UserAgent", ["a", "b"]),
    ("StringNotEquals", "aws:UserAgent", "a"),
    ("StringLike", "aws:UserAgent", "a*"),
    ("StringNotLike", "aws:UserAgent", ["a*", "*b"]),
    ("StringLikeIfExists", "aws:UserAgent", "?"),
    ("StringEqualsIfExists", "aws:UserAgent", "b"),
    ("StringNotEqualsIfExists", "aws:UserAgent", "b"),
    ("Null", "aws:UserAgent", "true"),
    ("Null", "aws:UserAgent", "false"),
    ("ArnLike", "aws:SourceArn", "arn:aws:sns:*:111122223333:*"),
    ("ArnNotEquals", "aws:SourceArn", "arn:aws:sns:eu-west-1:111122223333:t"),
    ("IpAddress", "aws:SourceIp", ["10.0.0.0/8", "192.168.1.1"]),
    ("NotIpAddress", "aws:SourceIp", "10.1.0.0/16"),
    ("IpAddress", "aws:SourceIp", "0.0.0.0/0"),
    ("NumericLessThan", "s3:max-keys", "10"),
    ("NumericGreaterThanEquals", "s3:max-keys", "5"),
    ("NumericNotEquals", "s3:max-keys", "7"),
    ("Bool", "aws:ViaAWSService", "true"),
    ("BoolIfExists", "aws:ViaAWSService", "false"),
)


def _statement(random: Random) -> Json:
    found: Json = {
        "Effect": random.choice(("Allow", "Allow", "Allow", "Deny")),
        random.choice(("Action", "Action", "Action", "NotAction")): random.sample(ACTIONS, random.randint(1, 2)),
        random.choice(("Resource", "Resource", "Resource", "NotResource")): random.sample(
            RESOURCES, random.randint(1, 2)
        ),
    }
    conditions: Json = {}
    for operator, key, values in random.sample(TESTS, random.choice((0, 0, 1, 2))):
        conditions.setdefault(operator, {})[key] = values
    return found | ({"Condition": conditions} if conditions else {})


def _pair(seed: int) -> tuple[Json, Json]:
    """Return NEW and OLD; often one holds the other's statements, so that both answers occur."""
    random = Random(seed)
    old = [_statement(random) for _ in range(random.randint(1, 4))]
    new = [_statement(random) for _ in range(random.randint(1, 3))]
    kind = random.randrange(7)
    if kind == 0:
        new = [one for one in old if one["Effect"] == "Deny" or random.random() < 0.6] or old
    elif kind == 1:
        old = [*old, *new] if all(one["Effect"] == "Allow" for one in old) else [*new, *old[:1]]
    elif kind == 2:
        new = [*random.sample(old, len(old)), _statement(random) | {"Effect": "Deny"}]
    return {"Version": "2012-10-17", "Statement": new}, {"Version": "2012-10-17", "Statement": old}


def _estate(document: Json) -> Estate:
    read = Document(Place("pair.json"), Format.JSON, document, Hints(cloud="aws", kind="aws.policy"))
    return Estate(tuple(one for one in CLOUD.parse(read, "aws.policy") if not isinstance(one, Unsupported)), NOW)


def _found(new: Json, old: Json) -> bool | None:
    after, before = _estate(new), _estate(old)
    principals = sorted({*CLOUD.principals(after), *CLOUD.principals(before)})
    domain = CLOUD.domain(after)
    found = {
        difference(CLOUD.access(one, after), CLOUD.access(one, before), domain=domain).status for one in principals
    }
    return True if Status.WITNESS in found else None if Status.UNKNOWN in found else False


@pytest.mark.parametrize("shard", range(SHARDS))
def test_generated_pairs(shard: int) -> None:
    answers: dict[bool | None, int] = {True: 0, False: 0, None: 0}
    for seed in range(shard * QUESTIONS, (shard + 1) * QUESTIONS):
        new, old = _pair(seed)
        expected = Question(z3, new, old).answer()
        answers[expected] += 1
        if expected is not None:
            assert (seed, expected) == (seed, _found(new, old))
    assert answers[True] >= 8
    assert answers[False] >= 8
    assert answers[None] <= 10


def test_labelled_pairs(shared: Any) -> None:
    cases = json.loads((shared / "data/aws_no_new_access.json").read_text())["cases"]
    for case in cases:
        found = Question(z3, case["candidate"], case["reference"]).answer()
        assert (case["name"], case["expected"] == "FAIL") == (case["name"], found)


@pytest.mark.parametrize(
    "more",
    [
        {"NotPrincipal": "*"},
        {"Resource": "arn:aws:s3:::${aws:username}"},
        {"Condition": {"ForAnyValue:StringLike": {"aws:TagKeys": "a"}}},
        {"Condition": {"StringLike": {"aws:UserAgent": "${aws:username}"}}},
        {"Condition": {"StringEqualsIgnoreCase": {"aws:UserAgent": "a"}}},
        {"Condition": {"IpAddress": {"aws:SourceIp": "2001:db8::/32"}}},
        {"Condition": {"DateLessThan": {"aws:CurrentTime": "2026-01-01T00:00:00Z"}}},
    ],
)
def test_what_the_encoding_does_not_take(more: Json) -> None:
    statement = {"Effect": "Allow", "Action": "*", "Resource": "*"} | more
    with pytest.raises(NotTakenError):
        Question(z3, {"Statement": statement}, {"Statement": []})
