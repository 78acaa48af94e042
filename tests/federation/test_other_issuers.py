"""Reach of trusts in issuers other than GitHub."""

from __future__ import annotations

import pytest

from idtrans.algebra import IpSet, NumberSet, Quantifier, Template, Truth, Variable
from idtrans.algebra import Test as ClaimTest
from idtrans.federation import Admission, PinnedBy, Pinning, admits, judge
from idtrans.model.values import UNKNOWN, Reach
from idtrans.ports import Note, TrustKind
from tests.federation.tokens import EKS, codes, equal, like, trust, unlike

TERRAFORM = "https://app.terraform.io"
COGNITO = "https://cognito-identity.amazonaws.com"
GOOGLE = "https://accounts.google.com"
GITLAB = "https://gitlab.com"
POOL = "eu-west-1:11111111-2222-4333-8444-555555555555"
ANY = {"quantifier": Quantifier.ANY}
ALL = {"quantifier": Quantifier.ALL, "missing": Truth.TRUE}


@pytest.mark.parametrize(
    ("issuer", "conditions", "reach", "pinned_by"),
    [
        (
            TERRAFORM,
            [like("sub", "organization:*:project:*:workspace:prod:run_phase:apply")],
            Reach.PLATFORM,
            PinnedBy.NONE,
        ),
        (
            TERRAFORM,
            [like("sub", "organization:acme*:project:*:workspace:*:run_phase:*")],
            Reach.PLATFORM,
            PinnedBy.NONE,
        ),
        (TERRAFORM, [like("sub", "organization:acme:*")], Reach.TENANT, PinnedBy.NAMES),
        (TERRAFORM, [like("sub", "organization:acme:project:core:*")], Reach.PROJECT, PinnedBy.NAMES),
        (
            TERRAFORM,
            [like("sub", "organization:acme:project:core:workspace:prod:run_phase:*")],
            Reach.WORKLOAD,
            PinnedBy.NAMES,
        ),
        (TERRAFORM, [equal("terraform_workspace_id", "ws-1")], Reach.WORKLOAD, PinnedBy.IDS),
        (TERRAFORM, [equal("sub", "organization:acme:workspace:prod")], Reach.DEAD, PinnedBy.NONE),
        (GITLAB, [equal("sub", "project_path:acme/app:ref_type:branch:ref:main")], Reach.WORKLOAD, PinnedBy.NAMES),
        (GITLAB, [equal("sub", "project_path:acme/team/app:ref_type:branch:ref:main")], Reach.WORKLOAD, PinnedBy.NAMES),
        (GITLAB, [like("sub", "project_path:acme/app:*")], Reach.PROJECT, PinnedBy.NAMES),
        (GITLAB, [like("sub", "project_path:acme/*")], Reach.TENANT, PinnedBy.NAMES),
        (GITLAB, [like("sub", "project_path:acme*")], Reach.PLATFORM, PinnedBy.NONE),
        (GITLAB, [like("sub", "project_path:*:ref_type:branch:ref:main")], Reach.PLATFORM, PinnedBy.NONE),
        (GITLAB, [equal("project_id", "22")], Reach.PROJECT, PinnedBy.IDS),
        (GITLAB, [equal("namespace_id", "7"), like("sub", "*:ref:main")], Reach.TENANT, PinnedBy.IDS),
        (
            GITLAB,
            [equal("sub", "project_path:acme/app:ref_type:branch:ref:refs/heads/main")],
            Reach.WORKLOAD,
            PinnedBy.NAMES,
        ),
        ("https://gitlab.example.com", [], Reach.TENANT, PinnedBy.NONE),
        (GOOGLE, [equal("sub", "104837261950482716395")], Reach.WORKLOAD, PinnedBy.IDS),
        (GOOGLE, [equal("aud", "x")], Reach.PLATFORM, PinnedBy.NONE),
        (GOOGLE, [equal("email", "robot@acme.iam.gserviceaccount.com")], Reach.PLATFORM, PinnedBy.NONE),
        (GOOGLE, [equal("sub", "robot@acme.iam.gserviceaccount.com")], Reach.DEAD, PinnedBy.NONE),
        (GOOGLE, [equal("google/organization_number", "123456789012")], Reach.TENANT, PinnedBy.IDS),
        (COGNITO, [equal("amr", "authenticated", **ANY)], Reach.PLATFORM, PinnedBy.NONE),
        (COGNITO, [equal("aud", POOL), equal("amr", "authenticated", **ANY)], Reach.PROJECT, PinnedBy.IDS),
        (COGNITO, [equal("aud", POOL)], Reach.ANYONE, PinnedBy.NONE),
        (COGNITO, [], Reach.ANYONE, PinnedBy.NONE),
        (COGNITO, [equal("aud", POOL), equal("amr", "unauthenticated", **ANY)], Reach.ANYONE, PinnedBy.NONE),
        (COGNITO, [equal("aud", POOL), unlike("amr", "unauthenticated")], Reach.PROJECT, PinnedBy.IDS),
        (
            COGNITO,
            [equal("aud", POOL), equal("amr", "authenticated", "accounts.google.com", **ALL)],
            Reach.PROJECT,
            PinnedBy.IDS,
        ),
        (COGNITO, [equal("sub", "eu-west-1:1")], Reach.WORKLOAD, PinnedBy.IDS),
        (EKS, [equal("sub", "system:serviceaccount:app:reader")], Reach.WORKLOAD, PinnedBy.NAMES),
        (EKS, [like("sub", "system:serviceaccount:app:*")], Reach.PROJECT, PinnedBy.NAMES),
        (EKS, [like("sub", "system:serviceaccount:*:reader")], Reach.TENANT, PinnedBy.NONE),
        (EKS, [like("sub", "system:serviceaccount:*")], Reach.TENANT, PinnedBy.NONE),
        (EKS, [equal("aud", "sts.amazonaws.com")], Reach.TENANT, PinnedBy.NONE),
        (EKS, [equal("sub", "system:serviceaccount:app/reader")], Reach.DEAD, PinnedBy.NONE),
        ("https://ci.example.com", [equal("sub", "job-1")], Reach.WORKLOAD, PinnedBy.IDS),
        ("https://ci.example.com", [like("sub", "job-*")], Reach.UNKNOWN, PinnedBy.NONE),
        ("https://ci.example.com", [], Reach.UNKNOWN, PinnedBy.NONE),
        ("https://ci.example.com", [equal("sub", "a"), equal("sub", "b")], Reach.DEAD, PinnedBy.NONE),
        ("https://ci.example.com", [equal("sub", "a"), equal("team", "b")], Reach.WORKLOAD, PinnedBy.IDS),
    ],
)
def test_reach(issuer, conditions, reach, pinned_by):
    report = judge(trust(*conditions, issuer=issuer))
    assert (reach, pinned_by) == (report.reach, report.pinned_by)


def test_a_number_is_an_id_like_any_other():
    number = ClaimTest("google/organization_number", Quantifier.ONE, NumberSet.equal("123456789012"))
    assert Reach.TENANT is judge(trust(number, issuer=GOOGLE)).reach
    above = ClaimTest("google/organization_number", Quantifier.ONE, NumberSet.above("1"))
    assert Reach.UNKNOWN is judge(trust(above, issuer=GOOGLE)).reach


def test_addresses_and_variables_are_not_read():
    address = ClaimTest("ip", Quantifier.ONE, IpSet.of(("10.0.0.0/8",)))
    assert Reach.UNKNOWN is judge(trust(address, issuer=GOOGLE)).reach
    variable = ClaimTest("sub", Quantifier.ONE, Template((Variable("aws:username"),)))
    assert Reach.UNKNOWN is judge(trust(variable, issuer=GOOGLE)).reach


def test_strangers_of_a_pool_of_another_customer():
    subject = trust(equal("amr", "authenticated", **ANY), issuer=COGNITO)
    first, second = judge(subject).outsiders
    assert first["aud"] != second["aud"]
    assert "authenticated" in first["amr"]
    assert [Admission.YES] * 2 == [admits(subject, token).admitted for token in (first, second)]


def test_guests_are_remarked_on():
    assert "GUEST_ACCESS" in codes(judge(trust(equal("aud", POOL), issuer=COGNITO)))
    users = trust(equal("aud", POOL), equal("amr", "authenticated", **ANY), issuer=COGNITO)
    assert "GUEST_ACCESS" not in codes(judge(users))


def test_an_open_organization_prefix():
    assert Pinning.PREFIX is judge(trust(like("sub", "organization:acme*:*"), issuer=TERRAFORM)).pinning


def test_a_subject_under_the_audience_of_a_cluster():
    report = judge(trust(equal("aud", "system:serviceaccount:app:reader"), issuer=EKS))
    assert "SUBJECT_UNDER_AUD" in codes(report)


@pytest.mark.parametrize(
    ("kind", "reach", "pinning", "tested"),
    [
        (TrustKind.ACCOUNT, Reach.TENANT, Pinning.FIXED, True),
        (TrustKind.ACCOUNT, Reach.ANYONE, Pinning.OPEN, False),
        (TrustKind.SERVICE, Reach.PLATFORM, Pinning.OPEN, False),
        (TrustKind.SERVICE, Reach.DEAD, Pinning.FIXED, True),
        (TrustKind.SAML, None, Pinning.OPEN, UNKNOWN),
        (TrustKind.WEB_IDENTITY, Reach.UNKNOWN, Pinning.OPEN, UNKNOWN),
    ],
)
def test_without_a_token_issuer_the_adapter_knows(kind, reach, pinning, tested):
    note = Note("B", "b")
    report = judge(trust(issuer=None, kind=kind, reach=reach, notes=(note, Note("A", "a"))))
    assert (reach or Reach.UNKNOWN, "none", "none") == (report.reach, report.issuer_kind, report.tenancy)
    assert (pinning, tested, PinnedBy.NONE) == (report.pinning, report.tests_subject, report.pinned_by)
    assert ["A", "B"] == codes(report)
