"""Reach of trusts in GitHub, by the family of subjects that people write."""

from __future__ import annotations

import pytest

from idtrans.algebra import Has, Opaque, Quantifier, Truth, any_of, exact, glob, negate
from idtrans.algebra import Test as ClaimTest
from idtrans.federation import Admission, PinnedBy, Pinning, admits, judge
from idtrans.model.values import UNKNOWN, Reach
from idtrans.ports import Note
from tests.federation.tokens import GITHUB, NARROW_CLAIMS, codes, either, equal, like, trust, unlike

AUD = equal("aud", "sts.amazonaws.com")
ALL = {"quantifier": Quantifier.ALL, "missing": Truth.TRUE}
OR_ABSENT = {"missing": Truth.TRUE}
WORKFLOW = "acme/ci/.github/workflows/deploy.yml@refs/heads/main"


@pytest.mark.parametrize(
    ("conditions", "reach", "pinned_by"),
    [
        # One workload.
        ([equal("sub", "repo:acme/app:ref:refs/heads/main")], Reach.WORKLOAD, PinnedBy.NAMES),
        ([equal("sub", "repo:acme/app:environment:prod")], Reach.WORKLOAD, PinnedBy.NAMES),
        ([equal("sub", "repo:acme/app:environment:a%3Ab")], Reach.WORKLOAD, PinnedBy.NAMES),
        ([equal("sub", "repo:acme/app:pull_request")], Reach.WORKLOAD, PinnedBy.NAMES),
        ([equal("sub", "repo:acme@1001/app@2002:ref:refs/heads/main")], Reach.WORKLOAD, PinnedBy.IDS),
        (
            [equal("sub", "repo:acme/app:environment:prod", "repo:acme/lib:environment:prod")],
            Reach.WORKLOAD,
            PinnedBy.NAMES,
        ),
        ([equal("sub", "repo:acme/app:environment:x"), equal("repository_id", "2002")], Reach.WORKLOAD, PinnedBy.IDS),
        ([like("sub", "repo:acme/app:*"), equal("environment", "prod")], Reach.WORKLOAD, PinnedBy.NAMES),
        ([like("sub", "repo:acme/app:*"), equal("ref", "refs/heads/main")], Reach.WORKLOAD, PinnedBy.NAMES),
        ([like("sub", "repo:acme/app:*"), equal("job_workflow_ref", WORKFLOW)], Reach.WORKLOAD, PinnedBy.NAMES),
        (
            [ClaimTest("sub", Quantifier.ONE, exact("REPO:acme/app:environment:prod", fold=True))],
            Reach.WORKLOAD,
            PinnedBy.NAMES,
        ),
        ([equal("repository", "acme/app"), equal("ref", "refs/heads/main")], Reach.WORKLOAD, PinnedBy.NAMES),
        (
            [equal("repository_owner_id", "1"), like("sub", "repo:*/app:environment:prod")],
            Reach.WORKLOAD,
            PinnedBy.MIXED,
        ),
        # One repository.
        ([like("sub", "repo:acme/app:ref:refs/heads/*")], Reach.PROJECT, PinnedBy.NAMES),
        ([like("sub", "repo:acme/app:environment:*")], Reach.PROJECT, PinnedBy.NAMES),
        ([like("sub", "repo:acme/app:*")], Reach.PROJECT, PinnedBy.NAMES),
        ([like("sub", "repo:acme/app:*", "repo:acme/lib:*")], Reach.PROJECT, PinnedBy.NAMES),
        ([like("sub", "repo:acme/app:*", **ALL)], Reach.PROJECT, PinnedBy.NAMES),
        ([like("sub", "repo:acme/app:*", **OR_ABSENT)], Reach.PROJECT, PinnedBy.NAMES),
        ([like("sub", "repo:acme/app:*"), equal("environment", "prod", **OR_ABSENT)], Reach.PROJECT, PinnedBy.NAMES),
        ([like("sub", "repo:acme/app:*", "repo:acme@*/app@*:*")], Reach.PROJECT, PinnedBy.NAMES),
        ([equal("repository_id", "2002")], Reach.PROJECT, PinnedBy.IDS),
        ([equal("repository_id", "2002"), like("sub", "*")], Reach.PROJECT, PinnedBy.IDS),
        # One owner.
        ([like("sub", "repo:acme/*")], Reach.TENANT, PinnedBy.NAMES),
        ([like("sub", "repo:acme/app?:*")], Reach.TENANT, PinnedBy.NAMES),
        ([like("sub", "repo:acme/*:environment:prod")], Reach.TENANT, PinnedBy.NAMES),
        ([like("sub", "repo:acme@1*")], Reach.TENANT, PinnedBy.NAMES),
        ([like("sub", "repo:acme@1/*")], Reach.TENANT, PinnedBy.IDS),
        ([equal("repository_owner", "acme")], Reach.TENANT, PinnedBy.NAMES),
        ([equal("repository_owner_id", "1"), unlike("sub", "repo:evil/*")], Reach.TENANT, PinnedBy.IDS),
        ([equal("enterprise_id", "9"), like("sub", "repo:*/app:environment:prod")], Reach.TENANT, PinnedBy.IDS),
        # Anybody at GitHub.
        ([], Reach.PLATFORM, PinnedBy.NONE),
        ([like("sub", "*")], Reach.PLATFORM, PinnedBy.NONE),
        ([like("sub", "repo:acme*")], Reach.PLATFORM, PinnedBy.NONE),
        ([like("sub", "repo:acm?/app:environment:prod")], Reach.PLATFORM, PinnedBy.NONE),
        ([like("sub", "repo:????/*")], Reach.PLATFORM, PinnedBy.NONE),
        ([like("sub", "repo:*/app:ref:refs/heads/main")], Reach.PLATFORM, PinnedBy.NONE),
        ([like("sub", "repo:acme/app:ref:refs/heads/main", "*")], Reach.PLATFORM, PinnedBy.NONE),
        ([unlike("sub", "repo:evil/*")], Reach.PLATFORM, PinnedBy.NONE),
        ([ClaimTest("sub", Quantifier.ONE, ~exact(""))], Reach.PLATFORM, PinnedBy.NONE),
        ([equal("job_workflow_ref", WORKFLOW)], Reach.PLATFORM, PinnedBy.NONE),
        ([equal("ref", "refs/heads/main")], Reach.PLATFORM, PinnedBy.NONE),
        ([equal("environment", "prod", **OR_ABSENT)], Reach.PLATFORM, PinnedBy.NONE),
        ([equal("repository_owner", "acme", **OR_ABSENT), Has("ref")], Reach.TENANT, PinnedBy.NAMES),
        ([equal("enterprise", "acme", **OR_ABSENT)], Reach.PLATFORM, PinnedBy.NONE),
        # Customised subjects of strangers.
        ([like("sub", "repo:acme*@123456/*")], Reach.PLATFORM, PinnedBy.NONE),
        ([like("sub", "repo:*@1/*@2:*")], Reach.PLATFORM, PinnedBy.NONE),
        ([like("sub", "repo:*/app@456:environment:prod")], Reach.PLATFORM, PinnedBy.NONE),
        ([like("sub", "*:acme/app:*")], Reach.PLATFORM, PinnedBy.NONE),
        ([like("sub", "*repo:acme/app:*")], Reach.PLATFORM, PinnedBy.NONE),
        ([like("sub", "repository_visibility:private*")], Reach.PLATFORM, PinnedBy.NONE),
        ([equal("sub", "actor:octocat")], Reach.PLATFORM, PinnedBy.NONE),
        ([equal("sub", "repository_owner:acme:environment:prod")], Reach.TENANT, PinnedBy.NAMES),
        ([equal("sub", "repository_id:2002")], Reach.PROJECT, PinnedBy.IDS),
        ([like("sub", "repo:acme/*:ref:refs/heads/*"), Has("environment")], Reach.TENANT, PinnedBy.NAMES),
        # Nobody.
        ([equal("sub", "repo:acme/app:*")], Reach.DEAD, PinnedBy.NONE),
        ([equal("sub", "repo:acme/app:ref:refs/tags/*")], Reach.DEAD, PinnedBy.NONE),
        ([equal("sub", "Repo:acme/app:environment:prod")], Reach.DEAD, PinnedBy.NONE),
        ([equal("sub", "repo:acme/app:pull-request")], Reach.DEAD, PinnedBy.NONE),
        ([equal("sub", "repo:acme/app:ref:main")], Reach.DEAD, PinnedBy.NONE),
        ([equal("sub", "repo:acme/app:ref:refs/heads/a"), equal("ref", "refs/heads/b")], Reach.DEAD, PinnedBy.NONE),
        ([like("sub", "repo:acme/app:*"), equal("iss", "https://gitlab.com")], Reach.DEAD, PinnedBy.NONE),
        ([equal("sub", "repo:acme/app:environment:a"), equal("environment", "b")], Reach.DEAD, PinnedBy.NONE),
        ([equal("sub", "repo:acme/app:environment:a"), negate(Has("sub"))], Reach.DEAD, PinnedBy.NONE),
    ],
)
def test_reach_and_what_pins_it(conditions, reach, pinned_by):
    report = judge(trust(AUD, *conditions))
    assert (reach, pinned_by) == (report.reach, report.pinned_by)


@pytest.mark.parametrize(
    ("conditions", "pinning"),
    [
        ([equal("sub", "repo:acme/app:environment:prod")], Pinning.FIXED),
        ([like("sub", "repo:acme/*")], Pinning.FIXED),
        ([like("sub", "repo:acme*")], Pinning.PREFIX),
        ([like("sub", "repo:acme-*/app:*")], Pinning.PREFIX),
        ([like("sub", "repo:acme*@123456/*")], Pinning.PREFIX),
        ([like("sub", "repo:*/app:*")], Pinning.OPEN),
        ([like("sub", "repo:acme*", "*")], Pinning.OPEN),
        ([], Pinning.OPEN),
        ([equal("sub", "repo:acme/app:*")], Pinning.FIXED),
    ],
)
def test_how_the_owner_is_tied_down(conditions, pinning):
    assert pinning == judge(trust(AUD, *conditions)).pinning


@pytest.mark.parametrize(
    ("conditions", "tested"),
    [
        ([], False),
        ([like("sub", "*")], False),
        ([equal("job_workflow_ref", WORKFLOW)], False),
        ([equal("ref", "refs/heads/main")], False),
        ([Opaque("x")], UNKNOWN),
        ([like("sub", "repo:*")], True),
        ([equal("repository_owner_id", "1")], True),
        ([unlike("sub", "repo:evil/*")], True),
        ([equal("sub", "repo:acme/app:*")], True),
        ([equal("iss", "https://gitlab.com")], True),
    ],
)
def test_whether_the_subject_is_tested(conditions, tested):
    assert tested is judge(trust(AUD, *conditions)).tests_subject


@pytest.mark.parametrize(
    "conditions",
    [
        [],
        [like("sub", "repo:acme*")],
        [like("sub", "repo:*/app:ref:refs/heads/main")],
        [like("sub", "repo:*@1/*@2:*")],
        [like("sub", "repo:*/app@456:environment:prod")],
        [like("sub", "*:acme/app:*")],
        [equal("job_workflow_ref", WORKFLOW)],
        [like("repo_property_team", "platform*")],
    ],
)
def test_two_strangers_of_different_owners_get_in(conditions):
    subject = trust(AUD, *conditions)
    first, second = judge(subject).outsiders
    assert [Admission.YES] * 2 == [admits(subject, token).admitted for token in (first, second)]
    assert first["repository_owner"] != second["repository_owner"]
    assert first["repository_owner_id"] != second["repository_owner_id"]
    assert GITHUB == first["iss"]


def test_a_stranger_registers_the_open_end():
    report = judge(trust(AUD, like("sub", "repo:acme*")))
    assert "repo:acme-stranger/app:environment:production" == report.example


def test_no_outsider_where_no_stranger_gets_in():
    report = judge(trust(AUD, equal("sub", "repo:acme/app:environment:prod")))
    assert ((), ("repo:acme/app:environment:prod",)) == (report.outsiders, report.admits)
    assert "repo:acme/app:environment:prod" == report.example


def test_examples_are_few_and_distinct():
    report = judge(trust(AUD, like("sub", "repo:acme/*")))
    assert 3 == len(report.admits) == len(set(report.admits))


@pytest.mark.parametrize(
    ("subject", "nearest", "why"),
    [
        ("repo:acme/app:*", "repo:acme/app:environment:production", "`*` and `?` stand for themselves"),
        ("repo:acme/app:pull-request", "repo:acme/app:pull_request", "underscore"),
        ("repo:acme/app:ref:main", "repo:acme/app:ref:refs/heads/main", "in full"),
        ("repo:acme/app:branch:main", "repo:acme/app:ref:refs/heads/main", "named as a ref"),
        ("Repo:acme/app:environment:prod", "repo:acme/app:environment:prod", "upper and lower case"),
        ("acme/app", "repo:octo-org/octo-repo:environment:production", "meets the test of `sub`"),
    ],
)
def test_the_nearest_subject_of_a_dead_trust(subject, nearest, why):
    found = judge(trust(AUD, equal("sub", subject))).nearest
    assert found is not None
    assert nearest == found.subject
    assert why in found.why


def test_a_living_trust_has_no_nearest_subject():
    assert judge(trust(AUD, like("sub", "repo:acme/*"))).nearest is None


def test_a_dead_trust_beyond_repair_has_none():
    assert judge(trust(equal("sub", "a"), equal("repository", "b"), equal("ref", "c"))).nearest is None


def test_a_claim_that_the_cloud_does_not_see_is_absent():
    iss = equal("iss", GITHUB)
    report = judge(trust(AUD, equal("sub", "repo:acme/app:environment:dev"), iss, claims=NARROW_CLAIMS))
    assert Reach.DEAD is report.reach
    assert report.nearest is not None
    assert "`iss`" in report.nearest.why
    ignored = equal("iss", "other", **ALL)
    report = judge(trust(AUD, equal("sub", "repo:acme/app:environment:dev"), ignored, claims=NARROW_CLAIMS))
    assert Reach.WORKLOAD is report.reach


@pytest.mark.parametrize(
    ("issuer", "reach", "tenancy"),
    [
        (GITHUB, Reach.PLATFORM, "shared"),
        ("https://vstoken.actions.githubusercontent.com", Reach.PLATFORM, "shared"),
        (f"{GITHUB}/acme", Reach.TENANT, "tenant"),
        ("https://token.actions.acme.ghe.com", Reach.TENANT, "tenant"),
        ("https://token.actions.acme.ghe.com/acme", Reach.TENANT, "tenant"),
        ("https://github.example.com/_services/token", Reach.TENANT, "private"),
        (f"{GITHUB}/", Reach.DEAD, "shared"),
        ("https://TOKEN.actions.githubusercontent.com", Reach.DEAD, "shared"),
    ],
)
def test_the_url_says_who_shares_the_issuer(issuer, reach, tenancy):
    report = judge(trust(AUD, issuer=issuer))
    assert (reach, tenancy, "github") == (report.reach, report.tenancy, report.issuer_kind)


def test_an_issuer_that_is_not_spelled_as_tokens_do_is_dead():
    report = judge(trust(AUD, like("sub", "repo:acme/app:*"), issuer=f"{GITHUB}/"))
    assert ["ISSUER_MISMATCH"] == codes(report)
    assert report.nearest is not None
    assert GITHUB in report.nearest.why


def test_an_enterprise_issuer_counts_only_what_pins_the_project():
    report = judge(trust(AUD, like("sub", "repo:*@1/*@2:environment:prod"), issuer=f"{GITHUB}/acme"))
    assert Reach.WORKLOAD is report.reach
    report = judge(trust(AUD, like("sub", "repo:*/app:environment:prod"), issuer=f"{GITHUB}/acme"))
    assert (Reach.TENANT, PinnedBy.NONE) == (report.reach, report.pinned_by)


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([equal("sub", "repo:acme@1/app@2:environment:prod")], []),
        ([equal("sub", "repo:acme/app:environment:prod")], ["LEGACY_SUBJECT_ONLY", "MUTABLE_NAME"]),
        ([equal("sub", "repo:acme/app:environment:prod"), equal("repository_id", "2")], ["LEGACY_SUBJECT_ONLY"]),
        ([equal("sub", "repo:acme@1/app@2:pull_request")], ["PULL_REQUEST"]),
        ([like("sub", "repo:acme/app:*", "repo:acme@*/app@*:*")], ["MUTABLE_NAME", "OPEN_IDS"]),
        (
            [equal("sub", "repo:acme-123456/app-456789:environment:x")],
            ["DASHED_IDS", "LEGACY_SUBJECT_ONLY", "MUTABLE_NAME"],
        ),
        (
            [equal("repository_id", "2"), like("job_workflow_ref", "acme/ci/.github/workflows/d.yml@*")],
            ["WORKFLOW_REF_OPEN"],
        ),
        ([], ["NO_SUBJECT"]),
        ([equal("job_workflow_ref", WORKFLOW)], ["NO_SUBJECT", "WORKFLOW_ONLY"]),
        ([like("sub", "repo:*@1/*@2:*")], ["STRANGER_CUSTOM_SUBJECT"]),
        ([equal("sub", "repository_id:2002")], ["CUSTOM_SUBJECT_ONLY"]),
        ([equal("sub", "actor:octocat")], ["CUSTOM_SUBJECT_ONLY", "STRANGER_CUSTOM_SUBJECT"]),
        ([equal("repository_id", "2"), equal("environment", "x", **OR_ABSENT)], ["ABSENT_CLAIM"]),
        ([equal("repository_id", "2"), Opaque("odd")], ["UNREAD_CONDITION"]),
        ([equal("repository_id", "2"), equal("no_such_claim", "x")], ["UNREAD_CONDITION"]),
    ],
)
def test_remarks(conditions, expected):
    assert expected == codes(judge(trust(AUD, *conditions)))


def test_a_subject_under_the_audience_is_remarked_on():
    assert "SUBJECT_UNDER_AUD" in codes(judge(trust(equal("aud", "repo:acme/app:environment:prod"))))


def test_the_adapters_remarks_come_first_and_are_sorted():
    notes = (Note("WRONG_ACTION", "w"), Note("NO_SUBJECT", "the adapter's words"))
    report = judge(trust(AUD, notes=notes))
    assert (Note("NO_SUBJECT", "the adapter's words"), Note("WRONG_ACTION", "w")) == report.notes


@pytest.mark.parametrize(
    ("conditions", "reach"),
    [
        ([Opaque("odd")], Reach.UNKNOWN),
        ([negate(Opaque("odd"))], Reach.UNKNOWN),
        ([equal("no_such_claim", "x")], Reach.UNKNOWN),
        ([equal("sub", "repo:a/b:environment:c", missing=Truth.UNKNOWN)], Reach.WORKLOAD),
        ([like("sub", "*", missing=Truth.UNKNOWN)], Reach.UNKNOWN),
        ([like("sub", "repo:acme/app:*"), Opaque("odd")], Reach.PROJECT),
        ([equal("sub", "repo:acme/app:*"), Opaque("odd")], Reach.DEAD),
    ],
)
def test_what_was_not_understood_is_taken_to_hold(conditions, reach):
    assert reach is judge(trust(AUD, *conditions)).reach


def test_an_open_alternative_beside_an_unread_one_is_platform():
    assert Reach.PLATFORM is judge(either(Opaque("odd"), like("sub", "repo:*"))).reach


def test_statements_are_alternatives():
    tight, loose = equal("sub", "repo:acme/app:environment:prod"), like("sub", "repo:acme/*")
    assert Reach.TENANT is judge(either(tight, loose)).reach
    assert PinnedBy.MIXED is judge(either(tight, equal("repository_id", "2"))).pinned_by


def test_a_deny_narrows():
    report = judge(trust(like("sub", "repo:acme/*"), negate(unlike("sub", "repo:acme/app:environment:prod"))))
    assert Reach.WORKLOAD is report.reach


def test_the_provider_is_judged_alone_too():
    report = judge(trust(equal("repository", "acme/app"), provider_admits=equal("ref", "refs/heads/main")))
    assert (Reach.PROJECT, Reach.PLATFORM) == (report.reach, report.provider_reach)
    assert "PROVIDER_OPEN" in codes(report)
    report = judge(trust(equal("repository", "acme/app"), provider_admits=equal("repository_owner", "acme")))
    assert Reach.TENANT is report.provider_reach
    assert "PROVIDER_OPEN" not in codes(report)


def test_audiences_of_the_provider_hold_as_well():
    assert Reach.DEAD is judge(trust(equal("aud", "a"), audiences=("b", "c"))).reach
    assert Reach.PLATFORM is judge(trust(equal("aud", "b"), audiences=("b", "c"))).reach


def test_what_has_too_many_cases_is_never_tight():
    claims = ("actor", "actor_id", "workflow", "head_ref", "base_ref", "event_name", "sha")
    parts = [any_of(*(like(claim, f"*{number}*") for claim in claims)) for number in range(6)]
    report = judge(trust(*parts, equal("repository_id", "2")))
    assert (Reach.PROJECT, True) == (report.reach, "TOO_LARGE" in codes(report))
    assert Reach.UNKNOWN is judge(trust(*parts)).reach
    many = any_of(*(equal("actor", f"a{number}") for number in range(600)))
    assert Reach.UNKNOWN is judge(trust(many)).reach


def test_a_glob_of_many_stars_is_judged():
    assert judge(trust(like("sub", "repo:" + "*a" * 12))).reach in {Reach.PLATFORM, Reach.UNKNOWN}
    assert judge(trust(like("sub", *(f"repo:*{n}/*{n}:*" for n in range(8))))).reach is Reach.PLATFORM


def test_globs_that_share_a_claim_are_intersected_first():
    report = judge(trust(like("sub", "repo:acme*"), like("sub", "repo:*/app:*"), like("sub", "*:environment:prod")))
    assert Reach.PLATFORM is report.reach
    assert glob("repo:acme*/app:environment:prod").matches(report.example)
