"""Remarks that the reach alone does not say, each with a stable code."""

from __future__ import annotations

import pytest

from idtrans.federation import Admission, admits, judge
from idtrans.model.values import Reach
from tests.federation.tokens import EKS, GITHUB, codes, equal, like, trust

TERRAFORM = "https://app.terraform.io"
RUN = "organization:acme:project:core:workspace:prod:run_phase:"


@pytest.mark.parametrize(
    ("subject", "code", "noted"),
    [
        (trust(equal("sub", "sts.amazonaws.com")), "AUDIENCE_UNDER_SUB", True),
        (trust(equal("sub", "api://AzureADTokenExchange"), issuer=EKS), "AUDIENCE_UNDER_SUB", True),
        (trust(equal("sub", "aws.workload.identity"), issuer=TERRAFORM), "AUDIENCE_UNDER_SUB", True),
        (trust(equal("sub", "repo:acme/app:pull_request")), "AUDIENCE_UNDER_SUB", False),
        (trust(audiences=("a", "b")), "SEVERAL_AUDIENCES", True),
        (trust(equal("aud", "a"), audiences=("a", "b")), "SEVERAL_AUDIENCES", False),
        (trust(audiences=("a",)), "SEVERAL_AUDIENCES", False),
        # A provider of Google Cloud takes its own name with and without the scheme.
        (trust(audiences=("//iam.googleapis.com/p", "https://iam.googleapis.com/p")), "SEVERAL_AUDIENCES", False),
        (trust(like("sub", f"{RUN}*"), issuer=TERRAFORM), "PLAN_PHASE", True),
        (trust(equal("sub", f"{RUN}apply"), issuer=TERRAFORM), "PLAN_PHASE", False),
        (trust(like("sub", "organization:acme:*"), issuer=TERRAFORM), "PLAN_PHASE", False),
        (trust(issuer=f" {GITHUB}"), "ISSUER_MISMATCH", True),
        (trust(issuer="https://ci.example.com "), "ISSUER_MISMATCH", True),
        (trust(issuer="https://ci.example.com/"), "ISSUER_MISMATCH", False),
    ],
)
def test_a_remark(subject, code, noted):
    assert noted is (code in codes(judge(subject)))


def test_who_chooses_the_audience_is_said_where_it_is_all_that_is_tested():
    def message(subject):
        return next(note.message for note in judge(subject).notes if note.code == "NO_SUBJECT")

    assert "chooses its audience" in message(trust(equal("aud", "sts.amazonaws.com")))
    assert "chooses its audience" not in message(trust())
    vercel = trust(equal("aud", "https://vercel.com/acme"), issuer="https://oidc.vercel.com")
    assert "NO_SUBJECT" not in codes(judge(vercel))


def test_blanks_around_an_unknown_issuer_let_nobody_in():
    assert Reach.DEAD is judge(trust(equal("sub", "x"), issuer="https://ci.example.com ")).reach


def test_claims_inside_of_an_object_are_tested_by_their_path():
    subject = trust(equal("kubernetes.io.namespace", "prod"), issuer=EKS)
    assert Reach.PROJECT is judge(subject).reach
    token = {"sub": "system:serviceaccount:prod:app", "kubernetes.io": {"namespace": "prod", "pod": {"name": "x"}}}
    assert Admission.YES is admits(subject, token).admitted
    assert Admission.NO is admits(subject, {**token, "kubernetes.io": {"namespace": "dev"}}).admitted
