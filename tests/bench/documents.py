"""Steps over single documents: expansion of actions, and differences of a pair."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Any

from idtrans.algebra import difference
from idtrans.clouds.aws._planes import expand
from tests.algebra.solver import Question, Said, access_of
from tests.bench.peers import ABSENT, module
from tests.bench.table import Row, at_least, seconds, shown

PATTERNS = ("s3:Get*", "ec2:Describe*", "iam:*", "lambda:*Function*", "dynamodb:*", "logs:Put*", "sqs:*", "kms:*")
QUESTIONS = 12


def expansion() -> Iterator[Row]:
    """Yield how long it takes to list the actions that patterns match, beside policyuniverse."""
    peer = module("policyuniverse.expander_minimizer")
    patterns = list(PATTERNS)
    for pattern in patterns:
        expand(pattern)
    # Of many documents most share their patterns, so the second look-up is what counts; the first is shown too.
    first = seconds(lambda: [expand.__wrapped__(pattern) for _ in range(20) for pattern in patterns], 3) / 20
    own = seconds(lambda: [expand(pattern) for _ in range(1000) for pattern in patterns], 3) / 1000
    if peer is None:
        yield Row("expansion of 8 action patterns", shown(own), "policyuniverse absent", target=">= 100x")
        return
    document = {"Statement": [{"Effect": "Allow", "Action": patterns, "Resource": "*"}]}
    theirs = seconds(lambda: peer.expand_policy(policy=document, expand_deny=True), 3)
    yield at_least("expansion of 8 action patterns, first", first, ("policyuniverse", theirs), 100)
    yield at_least("expansion of 8 action patterns, seen before", own, ("policyuniverse", theirs), 100)


def _pair(seed: int) -> tuple[tuple[Said, ...], tuple[Said, ...]]:
    random = Random(seed)
    actions = ("s3:Get*", "s3:PutObject", "s3:List*", "sqs:*", "dynamodb:Query")
    resources = ("arn:aws:s3:::app-?/*", "arn:aws:s3:::*/logs/*", "arn:aws:sqs:eu-*:111122223333:q-*", "*")

    def said() -> Said:
        effect = "allow" if random.random() < 0.75 else "deny"
        tests = ("10.*",) * random.randrange(2)
        return Said(effect, tuple(random.sample(actions, 2)), tuple(random.sample(resources, 2)), tests)

    old = tuple(said() for _ in range(4))
    return (*old[:2], said()), old


def differences() -> Iterator[Row]:
    """Yield how long it takes to tell whether one document grants what another does not, beside z3."""
    z3 = module("z3")
    pairs = [_pair(seed) for seed in range(QUESTIONS)]
    own = []
    for new, old in pairs:
        held = access_of(new), access_of(old)
        own.append(seconds(lambda: difference(*held), 3))  # noqa: B023 - run at once
    if z3 is None:
        yield Row("difference of two documents", shown(statistics.median(own)), f"z3 {ABSENT}", target=">= 200x")
        return
    theirs = [_asked(z3, new, old) for new, old in pairs]
    yield at_least(
        "difference of two documents, median", statistics.median(own), ("z3", statistics.median(theirs)), 200
    )


def _asked(z3: Any, new: tuple[Said, ...], old: tuple[Said, ...]) -> float:
    question = Question(z3, new, old)
    begin = process_time()
    question.answer()
    return process_time() - begin
