"""The symbolic search against z3 on small questions: two readings of the same statements that share no code."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from idtrans.algebra import Status, difference
from tests.algebra.solver import Question, Said, access_of

z3: Any = pytest.importorskip("z3", reason="z3-solver is not installed; `pip install idtrans[test]` brings it")

ACTIONS = ("s3:Get*", "s3:*", "s3:GetObject", "*", "s3:?et*", "sqs:Send*")
RESOURCES = ("*", "arn:aws:s3:::a/*", "arn:aws:s3:::a*", "arn:aws:s3:::*/x", "arn:aws:s3:*:*:a/b", "arn:aws:s3:::a/b")
VALUES = ("10.*", "*", "a", "ab*", "*b", "?")
QUESTIONS = 60


def _said(random: Random) -> Said:
    return Said(
        random.choice(("allow", "allow", "allow", "deny")),
        tuple(random.sample(ACTIONS, random.randint(1, 2))),
        tuple(random.sample(RESOURCES, random.randint(1, 2))),
        tuple(random.sample(VALUES, random.choice((0, 0, 1, 2)))),
        negated=random.random() < 0.4,
    )


def _question(seed: int) -> tuple[tuple[Said, ...], tuple[Said, ...]]:
    """Return NEW and OLD; often one holds the other's statements, so that both answers occur."""
    random = Random(seed)
    old = tuple(_said(random) for _ in range(random.randint(1, 3)))
    new = tuple(_said(random) for _ in range(random.randint(1, 2)))
    kind = random.randrange(3)
    return (old[:-1] or old, old) if kind == 0 else (new, (*old, *new) if kind == 1 else old)


def test_z3_gives_the_same_answers() -> None:
    answers = {True: 0, False: 0, None: 0}
    for seed in range(QUESTIONS):
        new, old = _question(seed)
        expected = Question(z3, new, old).answer()
        answers[expected] += 1
        if expected is not None:
            found = difference(access_of(new), access_of(old))
            assert (seed, Status.WITNESS if expected else Status.EMPTY) == (seed, found.status)
    assert answers[True] > 15
    assert answers[False] > 15
    assert answers[None] < 10
