"""Wide unions: looking only at the parts that can hold a request changes no answer and no reason."""

from __future__ import annotations

from dataclasses import replace
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
    Choice,
    Except,
    Gate,
    Language,
    Opaque,
    Quantifier,
    Template,
    Test,
    Variable,
    arn_glob,
    decide,
    evaluate,
    exact,
    glob,
    holds,
    one_of,
)
from idtrans.algebra._shelves import Shelf, heads_of_texts, stack_of
from idtrans.algebra._text_heads import heads_of
from idtrans.model.decisions import Request
from idtrans.model.values import Effect

CHOICE = Choice("k is v", key="k", patterns=(exact("v"),))
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
    assert parts[:1] == stack_of(AnyOf(parts), "S3:GetObject").about("*")
    assert () == stack_of(AnyOf(parts), "iam:GetUser").about("*")


def test_of_many_parts_only_those_on_the_resource_are_looked_at():
    parts = tuple(box(glob("s3:*"), arn_glob(f"arn:aws:s3:::app-{number}/*")) for number in range(100))
    open_ = box(glob("s3:Get*"), Template(("arn:aws:s3:::", Variable("aws:username"))))
    inner = Gate("gate", "resource", AllOf(()))
    union = AnyOf((*parts, open_, inner))
    assert (parts[7], open_, inner) == stack_of(union, "s3:GetObject").about("arn:aws:s3:::app-7/x")
    assert union.shelves is not None
    assert AnyOf(union.parts) == union
    assert hash(AnyOf(union.parts)) == hash(union)
    assert "shelves" not in repr(union)


@pytest.mark.parametrize(
    ("more", "impersonal"),
    [
        ({}, True),
        ({"condition": Opaque("it is so")}, True),
        ({"condition": Test("k", Quantifier.ONE, exact("v"))}, False),
        ({"condition": CHOICE}, False),
        ({"principals": exact("p")}, False),
        ({"resources": Template((Variable("k"),))}, False),
    ],
    ids=["nothing", "a symbol", "a key", "a choice", "a principal", "a variable"],
)
def test_what_looks_at_action_and_resource_alone_is_walked_once(more, impersonal):
    each = Box(Effect.ALLOW, "identity", ANY_TEXT, glob("s3:*"), exact("r"), name="s")
    union = AnyOf((replace(each, **more), replace(each, resources=exact("other"))))
    assert impersonal == stack_of(union, "s3:GetObject").impersonal


def test_an_answer_that_is_kept_is_the_answer_of_its_request():
    unclear = box(glob("s3:*"), glob("odd-*"), "unclear")
    part = AnyOf((box(glob("s3:*"), glob("a*"), "letter"), replace(unclear, condition=Opaque("it is so"))))
    access = AllOf((box(ANY_TEXT, name="all"), Gate("gate", "resource", part)))
    asked = [("s3:Get", "a"), ("s3:Get", "a"), ("s3:Get", "b"), ("s3:Put", "odd-a"), ("s3:Get", "odd-a"), ("x:y", "a")]
    for principal, (action, resource) in product("pq", asked * 2):
        request = Request(principal, action, resource)
        fresh = AllOf((access.parts[0], Gate("gate", "resource", AnyOf(part.parts))))
        assert evaluate(fresh, request) == evaluate(access, request)
        assert evaluate(fresh, request).truth is holds(access, request)
    taken = Except(box(ANY_TEXT, name="all"), part)
    refused = decide(taken, Request("p", "s3:Get", "a"))
    assert ["letter"] == [reason.statement for reason in refused.reasons]


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
