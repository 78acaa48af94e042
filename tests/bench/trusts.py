"""Trusts for the bench: ten thousand different ones in the shapes that people write, from a fixed seed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from idtrans.algebra import Quantifier, Test, all_of, glob
from idtrans.federation import judge
from idtrans.model.spans import Place, Source
from idtrans.ports import Trust, TrustKind

if TYPE_CHECKING:
    from collections.abc import Iterator

MANY = 10_000
GITHUB = "https://token.actions.githubusercontent.com"
FORMS = (
    (GITHUB, "repo:{0}/{1}:ref:refs/heads/main"),
    (GITHUB, "repo:{0}/{1}:environment:prod"),
    (GITHUB, "repo:{0}@{2}/{1}@{3}:environment:prod"),
    (GITHUB, "repo:{0}/{1}:*"),
    (GITHUB, "repo:{0}/*"),
    ("https://oidc.eks.eu-west-1.amazonaws.com/id/{2}", "system:serviceaccount:{0}:{1}"),
    ("https://app.terraform.io", "organization:{0}:project:core:workspace:{1}:run_phase:*"),
    ("https://gitlab.com", "project_path:{0}/{1}:ref_type:branch:ref:main"),
)


def judge_many() -> None:
    """Judge all of them."""
    for trust in _trusts():
        judge(trust)


def _trusts() -> Iterator[Trust]:
    chosen = random.Random(1)
    for number in range(MANY):
        issuer, subject = FORMS[number % len(FORMS)]
        words = [f"{word}{chosen.randrange(10**6)}" for word in ("org", "repo", "", "")]
        tests = [Test("sub", Quantifier.ONE, glob(subject.format(*words)))]
        yield Trust(
            "bench",
            TrustKind.WEB_IDENTITY,
            "role/deploy",
            issuer.format(*words),
            all_of(*tests),
            Source(Place("bench")),
        )
