"""Whatever a trust looks like: a token that gets in is inside the reach that was reported.

Tokens are made from GitHub's documentation by a generator of its own, which shares no code with the engine. A trust
names `acme`, its repository `app` and their ids at most, so a token of `zulu` that gets in is a stranger's.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.algebra import Quantifier, Truth, all_of, any_of, exact, glob, negate
from idtrans.algebra import Test as ClaimTest
from idtrans.federation import Admission, admits, judge
from idtrans.model.values import Reach, rank
from tests.federation.tokens import GITHUB, trust

MINE = {"owner": "acme", "owner_id": "1", "repo": "app", "repo_id": "2"}
SIBLING = {"owner": "acme", "owner_id": "1", "repo": "tool", "repo_id": "77"}
STRANGER = {"owner": "zulu", "owner_id": "88", "repo": "app", "repo_id": "99"}
IMPOSTOR = {"owner": "acme-zulu", "owner_id": "188", "repo": "app", "repo_id": "299"}

PIECES = (
    "*",
    "*",
    "?",
    "repo:",
    "acme",
    "/",
    "app",
    "@1",
    "@2",
    ":",
    ":environment:",
    "environment:",
    "prod",
    ":ref:",
    "refs/heads/main",
    ":pull_request",
    "repository_owner:",
    "repository_id:2",
)
SUBJECTS = (
    "repo:acme/app:environment:prod",
    "repo:acme/app:ref:refs/heads/main",
    "repo:acme/app:*",
    "repo:acme/*",
    "repo:acme*",
    "repo:acme@1/app@2:*",
    "repo:*@1/*@2:*",
    "repo:*/app@2:environment:prod",
    "repository_owner:acme:*",
    "*:acme/app:*",
)
ENVIRONMENTS = ("prod", "other", "x/app@2", "@1/", "acme/app", "@1/x@2", "refs/heads/main")
REFS = ("refs/heads/main", "refs/heads/other", "refs/heads/acme/app@2", "refs/tags/@1/x@2")

subjects = st.one_of(st.sampled_from(SUBJECTS), st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join))
languages = st.one_of(subjects.map(glob), subjects.map(exact), subjects.map(lambda text: ~glob(text)))
missing = st.sampled_from((Truth.FALSE, Truth.FALSE, Truth.TRUE))
quantifiers = st.sampled_from(tuple(Quantifier))
subject_tests = st.builds(ClaimTest, st.just("sub"), quantifiers, languages, missing)
other_tests = st.builds(
    ClaimTest,
    st.sampled_from(("environment", "repository", "repository_id", "repository_owner", "repository_owner_id", "ref")),
    quantifiers,
    st.sampled_from(("prod", "acme/app", "acme/*", "acme*", "2", "1", "1*", "acme", "refs/heads/main", "*")).map(glob),
    missing,
)
tests = st.one_of(subject_tests, subject_tests, other_tests)
conditions = st.recursive(
    tests,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: all_of(*parts)),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: any_of(*parts)),
        inner.map(negate),
    ),
    max_leaves=5,
)


@st.composite
def tokens(draw):
    """Return who owns a token, and its claims."""
    who = draw(st.sampled_from((MINE, SIBLING, STRANGER, IMPOSTOR)))
    event = draw(st.sampled_from(("environment", "pull_request", "ref")))
    environment, ref = draw(st.sampled_from(ENVIRONMENTS)), draw(st.sampled_from(REFS))
    claims = {
        "iss": GITHUB,
        "aud": "any",
        "repository": "{owner}/{repo}".format(**who),
        "repository_id": who["repo_id"],
        "repository_owner": who["owner"],
        "repository_owner_id": who["owner_id"],
        "ref": "refs/pull/7/merge" if event == "pull_request" else ref,
        "workflow": draw(st.sampled_from(ENVIRONMENTS)),
    }
    if event == "environment":
        claims["environment"] = environment
    context = {"environment": f"environment:{environment}", "pull_request": "pull_request", "ref": f"ref:{ref}"}[event]
    named = "repo:{owner}/{repo}".format(**who)
    home = draw(st.sampled_from((named, "repo:{owner}@{owner_id}/{repo}@{repo_id}".format(**who))))
    claims["sub"] = f"{home}:{context}"
    if draw(st.booleans()):
        keys = {key: f"{key}:{claims[key]}" for key in claims if key not in {"iss", "aud", "sub"}}
        keys |= {"repo": home, "context": context}
        chosen = draw(st.lists(st.sampled_from(sorted(keys)), min_size=1, max_size=4, unique=True))
        claims["sub"] = ":".join(keys[key] for key in chosen)
    return who, claims


def _least_reach(who):
    """Return the narrowest reach of a trust that lets a token in, where it names `acme` and `app` at most."""
    if who in (STRANGER, IMPOSTOR):
        return Reach.PLATFORM
    return Reach.TENANT if who is SIBLING else Reach.WORKLOAD


@settings(max_examples=40)
@given(conditions, st.lists(tokens(), min_size=12, max_size=12))
def test_who_gets_in_is_inside_the_reach(condition, shown):
    subject = trust(condition)
    report = judge(subject)
    for who, claims in shown:
        if admits(subject, claims).admitted is Admission.YES:
            assert rank(report.reach) >= rank(_least_reach(who)), claims["sub"]


@settings(max_examples=40)
@given(conditions)
def test_strangers_are_shown_where_they_get_in(condition):
    subject = trust(condition)
    report = judge(subject)
    assert (report.reach is Reach.PLATFORM) == bool(report.outsiders)
    for token in report.outsiders:
        assert Admission.YES is admits(subject, token).admitted


@settings(max_examples=25)
@given(conditions, conditions)
def test_an_alternative_never_narrows_and_a_demand_never_widens(one, two):
    reach = rank(judge(trust(one)).reach)
    assert rank(judge(trust(any_of(one, two))).reach) >= reach or judge(trust(one)).reach is Reach.UNKNOWN
    both = judge(trust(all_of(one, two))).reach
    assert both is Reach.UNKNOWN or rank(both) <= reach
