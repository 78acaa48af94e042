"""Wide unions: looking only at the parts that can hold a request changes no answer and no reason."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    AllOf,
    AnyOf,
    Box,
    Except,
    Gate,
    Language,
    Template,
    Variable,
    arn_glob,
    decide,
    evaluate,
    exact,
    glob,
    holds,
    one_of,
)
from idtrans.algebra._shelves import Shelf, heads_of_texts, parts_about
from idtrans.algebra._text_heads import heads_of
from idtrans.model.decisions import Request
from idtrans.model.values import Effect

ACTIONS = (
    "s3:GetObject",
    "S3:getobject",
    "s3:*",
    "*",
    "s*:GetObject",
    "s3*",
    "sqs:Send*",
    "storage.objects.get",
    "storage.*",
    "Microsoft.Storage/storageAccounts/read",
    "microsoft.storage/*/read",
    "*/read",
    "?3:GetObject",
)
RESOURCES = ("arn:aws:s3:::a/*", "arn:aws:s3:::b/x", "*", "arn:aws:s3:::ab*", "arn:*:s3:::a/x")
ASKED = (
    "s3:GetObject",
    "s3:PutObject",
    "sqs:SendMessage",
    "storage.objects.get",
    "Microsoft.Storage/storageAccounts/read",
    "odd",
)
TARGETS = ("arn:aws:s3:::a/x", "arn:aws:s3:::b/x", "arn:aws:s3:::ab", "*", "projects/p")


def box(actions: Language, resources: Language | Template = ANY_TEXT, name: str = "", **more: object) -> Box:
    return Box(Effect.ALLOW, "identity", ANY_TEXT, actions, resources, ALWAYS, name, **more)  # type: ignore[arg-type]


def one_by_one(parts: tuple[Box, ...]) -> AnyOf:
    """Return the same union without a group that is wide enough to be kept by what it is about."""
    found = AnyOf(parts[:1])
    for part in parts[1:]:
        found = AnyOf((found, part))
    return found


EVERY = tuple(
    box(actions, arn_glob(resource), f"{action} on {resource}, {number}")
    for number, (action, resource) in enumerate(product(ACTIONS, RESOURCES))
    for actions in (glob(action, fold=True) if number % 5 else ~glob(action, fold=True),)
)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("action", ASKED)
def test_a_wide_union_answers_like_its_parts_one_by_one(action, target):
    request = Request("p", action, target)
    wide, narrow = AnyOf(EVERY), one_by_one(EVERY)
    assert holds(narrow, request) is holds(wide, request)
    assert evaluate(narrow, request) == evaluate(wide, request)
    taken = Except(box(ANY_TEXT, name="all"), AnyOf(EVERY))
    assert decide(Except(taken.base, narrow), request) == decide(taken, request)


@given(
    st.lists(st.sampled_from(EVERY), max_size=40),
    st.sampled_from(ASKED),
    st.sampled_from(TARGETS),
)
def test_any_union_answers_like_its_parts_one_by_one(parts, action, target):
    request = Request("p", action, target)
    assert evaluate(one_by_one(tuple(parts)), request) == evaluate(AnyOf(tuple(parts)), request)


def test_only_parts_on_the_service_of_an_action_are_looked_at():
    parts = tuple(box(glob(f"{service}:Get*", fold=True)) for service in ("s3", "sqs", "ec2", "sns"))
    assert parts[:1] == parts_about(AnyOf(parts), Request("p", "S3:GetObject", "*"))
    assert () == parts_about(AnyOf(parts), Request("p", "iam:GetUser", "*"))


def test_of_many_parts_only_those_on_the_resource_are_looked_at():
    parts = tuple(box(glob("s3:*"), arn_glob(f"arn:aws:s3:::app-{number}/*")) for number in range(100))
    open_ = box(glob("s3:Get*"), Template(("arn:aws:s3:::", Variable("aws:username"))))
    inner = Gate("gate", "resource", AllOf(()))
    union = AnyOf((*parts, open_, inner))
    asked = Request("p", "s3:GetObject", "arn:aws:s3:::app-7/x")
    assert (parts[7], open_, inner) == parts_about(union, asked)
    assert union.shelves is not None
    assert AnyOf(union.parts) == union
    assert hash(AnyOf(union.parts)) == hash(union)
    assert "shelves" not in repr(union)


def test_few_parts_are_not_sorted_out():
    union = AnyOf((box(glob("s3:*")), box(glob("sqs:*"))))
    assert union.parts == parts_about(union, Request("p", "ec2:RunInstances", "*"))
    assert union.shelves is None


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        (exact("a"), "a", True),
        (exact("a", fold=True), "A", True),
        (glob("ab*"), "abc", True),
        (glob("*b"), "ab", True),
        (glob("ab*") & ~exact("abc"), "abd", True),
        (~exact("a"), "b", True),
        (one_of(map(str, range(1000))), "x", True),
        (exact("a"), "b", False),
        (glob("ab*"), "a", False),
        (one_of(("a", "b")), "c", False),
    ],
)
def test_a_shelf_finds_at_least_what_matches(language, text, found):
    assert ([1] if found else []) == Shelf([(heads_of(language.node), 1)]).about(text)


@pytest.mark.parametrize(
    ("resources", "words", "heads"),
    [
        (exact("a"), {"a"}, ()),
        ((exact("a"), glob("b*")), {"a"}, ("b",)),
        (Template(("b", Variable("k"))), set(), ("b",)),
        (Template(("b", Variable("k")), negated=True), set(), ("",)),
    ],
    ids=["word", "several", "variable", "all but a variable"],
)
def test_what_resources_start_with(resources, words, heads):
    found = heads_of_texts(resources)
    assert (words, heads) == (set(found.words), found.heads)
