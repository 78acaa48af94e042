"""What the tests of this room share: conditions and trusts written by hand."""

from __future__ import annotations

from idtrans.algebra import Quantifier, Test, Truth, all_of, any_of, glob, one_of, union
from idtrans.model.spans import Place, Source
from idtrans.ports import Trust, TrustKind

GITHUB = "https://token.actions.githubusercontent.com"
EKS = "https://oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D"
NARROW_CLAIMS = frozenset(
    {
        "actor",
        "actor_id",
        "amr",
        "aud",
        "enterprise_id",
        "environment",
        "job_workflow_ref",
        "ref",
        "repository",
        "repository_id",
        "repository_owner_id",
        "sub",
        "workflow",
    }
)
"""What a cloud of few condition keys sees of a GitHub token."""


def equal(claim, *values, **kind):
    return _test(claim, one_of(values), **kind)


def like(claim, *patterns, **kind):
    return _test(claim, union(map(glob, patterns)), **kind)


def unlike(claim, *patterns, missing=Truth.TRUE):
    return _test(claim, ~union(map(glob, patterns)), missing=missing)


def _test(claim, values, missing=Truth.FALSE, quantifier=Quantifier.ONE):
    return Test(claim, quantifier, values, missing)


def trust(*conditions, issuer=GITHUB, **parts):
    """Return a trust that asks for all conditions."""
    fields = {
        "cloud": "fake",
        "kind": TrustKind.WEB_IDENTITY,
        "target": "role/deploy",
        "source": Source(Place("t.json")),
    }
    return Trust(**{**fields, "issuer": issuer, "admits": all_of(*conditions), **parts})


def either(*conditions, **parts):
    """Return a trust that asks for one of some conditions."""
    return trust(any_of(*conditions), **parts)


def codes(report):
    return [note.code for note in report.notes]
