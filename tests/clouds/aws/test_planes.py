"""Which actions a pattern stands for."""

from __future__ import annotations

import pytest

from idtrans.algebra import glob
from idtrans.catalog import aws_service_actions
from idtrans.clouds.aws._planes import expand

_PATTERNS = (
    "sqs:*",
    "SQS:*",
    "sqs:get*",
    "SQS:Get*",
    "sqs:Get**",
    "sqs:*queue*",
    "sqs:?et*",
    "sqs:nothing*",
    "sqs*",
    "nosuch:*",
    "*",
    "\u212ams:*",
    "kms:\u212a*",
)


@pytest.mark.parametrize("pattern", _PATTERNS)
def test_shapes_with_a_quick_way_agree_with_the_language(pattern: str) -> None:
    names = aws_service_actions(pattern.partition(":")[0].lower())
    expected = tuple(name for name in names if glob(pattern, fold=True).matches(name))
    assert expected == expand(pattern)


def test_an_action_without_wildcard_is_itself() -> None:
    assert ("nosuch:Action",) == expand("nosuch:Action")


def test_another_letter_of_the_same_lower_case_is_no_letter_of_a_service() -> None:
    assert () == expand("\u212ams:*")
