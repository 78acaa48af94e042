"""Cutting along a template without an automaton says the same as putting the template together."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.algebra import STAR, Wildcard, exact, glob, one_of, pieces, union
from idtrans.catalog import Slot, issuer
from idtrans.federation import _split, judge
from idtrans.federation._customised import _is_settled
from idtrans.federation._cut import Text, cut, text_of
from idtrans.federation._split import split
from idtrans.model.values import Reach
from tests.federation.tokens import like, trust

OWNER, REPO, ENVIRONMENT = Slot("owner"), Slot("repo"), Slot("environment")
SUBJECT = ("repo:", OWNER, "/", REPO, ":environment:", ENVIRONMENT)
IDS = ("repo:", OWNER, "@", Slot("owner_id"), "/", REPO, "@", Slot("repo_id"), ":pull_request")
VALUES = {
    "owner": ("acme", "a"),
    "repo": ("app", "a"),
    "environment": ("prod", "a/b@1"),
    "owner_id": ("1",),
    "repo_id": ("2",),
}
PIECES = ("repo:", "acme", "a", "/", "app", "@", "1", "2", ":", ":environment:", "prod", ":pull_request", "a/b@1")


def _github():
    found = issuer("github")
    assert found is not None
    return found


def _fits(parts, values):
    return all(language.matches(values[name]) for name, language in parts.items())


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.booleans(),
    st.sampled_from((SUBJECT, IDS)),
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in VALUES.items()}),
)
def test_a_cut_holds_what_the_template_makes(literal, open_, template, values):
    text = "".join(values[part.component] if isinstance(part, Slot) else part for part in template)
    pattern = pieces((literal, STAR) if open_ else (literal,))
    named = {part.component: values[part.component] for part in template if isinstance(part, Slot)}
    found = split(pattern, template, _github())
    assert not found.capped
    inside = [parts for parts in found.products if _fits(parts, {**values, **named})]
    assert pattern.matches(text) == bool(inside)


@pytest.mark.parametrize(
    ("text", "template", "expected"),
    [
        (Text("repo:acme/app:environment:prod", open=False), SUBJECT, {"owner", "repo", "environment"}),
        (Text("repo:acme/app:", open=True), SUBJECT, {"owner", "repo"}),
        (Text("repo:acme", open=True), SUBJECT, {"owner"}),
        (Text("repo:", open=True), SUBJECT, set()),
        (Text("", open=True), SUBJECT, set()),
        (Text("repo:acme/app:environment:prod", open=True), SUBJECT, {"owner", "repo", "environment"}),
    ],
)
def test_what_is_named(text, template, expected):
    (found,) = cut(text, template, _github()) or ()
    assert expected == set(found)


@pytest.mark.parametrize(
    "text",
    [
        Text("repo:acme/app", open=False),
        Text("repo:/app:environment:prod", open=False),
        Text("repo:acme@1/app:environment:prod", open=False),
        Text("organization:acme", open=True),
        Text("repo:acme/app:environment:a:b", open=True),
    ],
)
def test_what_the_template_never_makes(text):
    assert () == cut(text, SUBJECT, _github())


def test_what_is_not_plain():
    assert cut(Text("ab", open=False), (OWNER, REPO), _github()) is None
    assert cut(Text("ab", open=False), (OWNER, "b"), _github()) is None
    assert text_of(("a", STAR, "b")) is None
    assert text_of((STAR,)) is None
    assert text_of(("a", Wildcard.ONE_CHAR)) is None
    two = split(exact("acme/acme"), (OWNER, "/", OWNER), _github())
    assert (1, 0) == (len(two.products), len(split(exact("acme/b"), (OWNER, "/", OWNER), _github()).products))


@pytest.mark.parametrize(
    ("pattern", "settled"),
    [
        ("repo:acme/*", True),
        ("repo:acme@1/*", True),
        ("repo:acme*", False),
        ("repo:*", False),
        ("re*", False),
        ("repository_owner:acme:*", True),
        ("repository_owner:acme*", False),
        ("environment:prod*", False),
        ("nothing:acme:*", True),
    ],
)
def test_whose_subject_it_is_can_be_plain_from_its_beginning(pattern, settled):
    github = _github()
    assert github.customised is not None
    assert settled is _is_settled(pieces(_tokens(pattern)), github.customised, github)


def _tokens(pattern):
    head = pattern.removesuffix("*")
    return (head, STAR) if head != pattern else (head,)


def test_a_hundred_patterns_are_cut_one_by_one():
    report = judge(trust(like("sub", *(f"repo:acme/r{number}:*" for number in range(100)))))
    assert Reach.PROJECT is report.reach


def test_a_long_list_of_hard_patterns_ends_with_an_upper_bound(monkeypatch):
    monkeypatch.setattr(_split, "MOST_HARD", 2)
    found = split(union(map(glob, ("*:a/b:*", "*:c/d:*", "*:e/f:*"))), SUBJECT, _github())
    assert (({},), True) == (found.products, found.capped)
    monkeypatch.setattr(_split, "MOST_LISTED", 2)
    assert split(one_of(("repo:a", "repo:b", "repo:c")), SUBJECT, _github()).capped
