"""Steps over single documents: expansion of actions."""

from __future__ import annotations

from collections.abc import Iterator

from idtrans.clouds.aws._planes import expand
from tests.bench.peers import module
from tests.bench.table import Row, at_least, seconds, shown

PATTERNS = ("s3:Get*", "ec2:Describe*", "iam:*", "lambda:*Function*", "dynamodb:*", "logs:Put*", "sqs:*", "kms:*")


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
