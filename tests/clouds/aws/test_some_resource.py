"""Requests for `*`: literal for actions that take nothing else, some resource for the others."""

from __future__ import annotations

import pytest

from idtrans.access import can
from idtrans.clouds.aws import CLOUD, _some_resource
from idtrans.model.errors import BudgetExceededError
from idtrans.ports import Query
from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    BUCKET,
    OTHER,
    allow,
    ask,
    attached,
    deny,
    estate,
    identity,
    outcome,
    person,
    resource,
)

OBJECTS = f"{BUCKET}/*"
QUEUE = f"arn:aws:sqs:eu-west-1:{ACCOUNT}:jobs"
OWN = "arn:aws:s3:::home-${aws:username}/*"


@pytest.mark.parametrize(
    ("statements", "action", "expected"),
    [
        ([allow("s3:ListAllMyBuckets")], "s3:ListAllMyBuckets", "allow"),
        ([allow("s3:ListAllMyBuckets", BUCKET)], "s3:ListAllMyBuckets", "implicit-deny"),
        ([allow("s3:*"), deny("s3:*", None, NotResource=OBJECTS)], "s3:ListAllMyBuckets", "explicit-deny"),
        ([allow("notknown:Action", BUCKET)], "notknown:Action", "implicit-deny"),
        ([allow("s3:GetObject", OBJECTS)], "s3:GetObject", "allow"),
        ([allow("s3:GetObject", BUCKET)], "s3:GetObject", "implicit-deny"),
        ([allow("s3:ListBucket", BUCKET)], "s3:ListBucket", "allow"),
        ([allow("s3:ListBucket", OBJECTS)], "s3:ListBucket", "implicit-deny"),
        ([allow("s3:GetObject", OWN)], "s3:GetObject", "allow"),
        ([allow("s3:GetObject", "arn:aws:s3:::x-${aws:PrincipalTag/none}/*")], "s3:GetObject", "implicit-deny"),
        ([allow("s3:GetObject", None, NotResource=OWN)], "s3:GetObject", "allow"),
        ([allow("s3:*"), deny("s3:*", None, NotResource=OBJECTS)], "s3:GetObject", "allow"),
        ([allow("s3:*"), deny("s3:*", ["arn:aws:s3:::*", "arn:aws:s3:*:*:*"])], "s3:GetObject", "explicit-deny"),
        ([allow("s3:*"), deny("s3:*", OBJECTS)], "s3:GetObject", "allow"),
        ([allow("s3:GetObject", OBJECTS), deny("s3:*", OBJECTS)], "s3:GetObject", "implicit-deny"),
        ([allow("sqs:SendMessage", QUEUE)], "sqs:SendMessage", "allow"),
        ([allow("sqs:SendMessage", QUEUE)], "sqs:ReceiveMessage", "implicit-deny"),
        ([allow("sqs:SendMessage", "arn:aws:sqs:*:*:jobs")], "sqs:SendMessage", "allow"),
        ([allow("iam:PassRole", f"arn:aws:iam::{ACCOUNT}:role/a?")], "iam:PassRole", "allow"),
        # nothing is known of the queues of other accounts
        ([allow("sqs:*"), deny("sqs:*", f"arn:aws:sqs:*:{ACCOUNT}:*")], "sqs:SendMessage", "unknown"),
    ],
)
def test_a_star(statements, action, expected) -> None:
    assert expected == outcome(estate(person(ANA), identity(ANA, *statements)), ANA, action, "*")


def test_the_answer_says_which_resource_it_is_about() -> None:
    world = estate(person(ANA), identity(ANA, allow("sqs:SendMessage")))
    found = can(CLOUD, world, Query(ANA, "sqs:SendMessage", "*", closed=True))
    assert ("allow", "*") == (found.outcome.value, found.request.resource)
    [note] = found.notes
    assert note.startswith(f"`*` stands for some resource, here `arn:aws:sqs:us-east-1:{ACCOUNT}:")


def test_the_star_itself_needs_no_note() -> None:
    world = estate(person(ANA), identity(ANA, allow("s3:*")))
    assert () == can(CLOUD, world, Query(ANA, "s3:ListAllMyBuckets", "*", closed=True)).notes


def test_what_depends_on_keys_is_conditional() -> None:
    condition = {"StringEquals": {"aws:SourceVpc": "vpc-1"}}
    world = estate(person(ANA), identity(ANA, allow("s3:GetObject", OBJECTS, Condition=condition)))
    assert "conditional" == ask(world, ANA, "s3:GetObject", "*", closed=False).outcome.value


def test_keys_follow_the_resource_that_is_tried() -> None:
    condition = {"StringEquals": {"aws:ResourceAccount": ACCOUNT}}
    world = estate(person(ANA), identity(ANA, allow("sqs:*", Condition=condition)))
    assert "allow" == outcome(world, ANA, "sqs:SendMessage", "*")


def test_resources_of_others_count() -> None:
    queue = f"arn:aws:sqs:eu-west-1:{OTHER}:theirs"
    statements = resource(queue, allow("sqs:SendMessage", queue, Principal={"AWS": ANA}), account=OTHER)
    world = estate(person(ANA), identity(ANA, allow("sqs:*", queue)), statements)
    assert "allow" == outcome(world, ANA, "sqs:SendMessage", "*")


def test_policies_of_aws_are_not_the_only_ones() -> None:
    world = estate(person(ANA), attached("arn:aws:iam::aws:policy/AdministratorAccess", ANA))
    assert "allow" == outcome(world, ANA, "iam:DeletePolicy", "*")


def test_many_statements_are_tried_one_by_one_in_the_end(monkeypatch) -> None:
    monkeypatch.setattr(_some_resource, "_MOST", 2)
    statements = [allow("s3:GetObject", f"arn:aws:s3:::b{number}/*") for number in range(5)]
    closed = [deny("s3:GetObject", f"arn:aws:s3:::b{number}/*") for number in range(4)]
    world = estate(person(ANA), identity(ANA, *statements, *closed))
    assert "allow" == outcome(world, ANA, "s3:GetObject", "*")


class _TooLarge:
    def __and__(self, other):
        return self

    def __sub__(self, other):
        return self

    def is_empty(self):
        raise BudgetExceededError("too large")

    def witness(self):
        raise BudgetExceededError("too large")


def test_what_is_too_large_to_split_stays_whole() -> None:
    region = _TooLarge()
    assert [region, region] == _some_resource._split(region, region)  # type: ignore[arg-type]
    assert _some_resource._witness(region) is None  # type: ignore[arg-type]
