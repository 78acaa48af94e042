from __future__ import annotations

import pytest

from idtrans.algebra import (
    ALWAYS,
    NEVER,
    ONE_CHAR,
    STAR,
    Both,
    Either,
    Has,
    IpSet,
    Language,
    Negation,
    Opaque,
    Quantifier,
    Template,
    Test,
    Truth,
    Variable,
    all_of,
    any_of,
    describe,
    exact,
    glob,
    leaves,
    negate,
    opaques,
    reduce,
    simplify,
    to_ast,
)
from idtrans.model.decisions import Knowledge, Request

A = Has("a")
B = Has("b", "aws:B")
C = Opaque("odd", "no such operator")
ONE, ANY, ALL = Quantifier


def request(knowledge=Knowledge.CLOSED, **context):
    return Request("p", "s:Get", "r/1", context, knowledge)


@pytest.mark.parametrize(
    ("built", "expected"),
    [
        (all_of(), ALWAYS),
        (any_of(), NEVER),
        (all_of(A), A),
        (all_of(A, A, ALWAYS), A),
        (all_of(A, NEVER), NEVER),
        (any_of(A, ALWAYS), ALWAYS),
        (any_of(A, NEVER, B), Either((A, B))),
        (all_of(all_of(A, B), C), Both((A, B, C))),
        (all_of(A, negate(A)), NEVER),
        (any_of(negate(A), A), ALWAYS),
        (all_of(A, any_of(A, B)), A),
        (any_of(A, all_of(A, B)), A),
        (negate(ALWAYS), NEVER),
        (negate(NEVER), ALWAYS),
        (negate(negate(A)), A),
        (simplify(Both((Both((A,)), Either((B, Negation(Negation(B))))))), Both((A, B))),
        (simplify(Negation(Both((A, NEVER)))), ALWAYS),
    ],
)
def test_building_simplifies(built, expected):
    assert expected == built


def test_opaque_symbols_are_equal_by_text():
    assert Opaque("x", "one reason") == Opaque("x", "another")
    assert hash(Opaque("x", "one reason")) == hash(Opaque("x", "another"))
    assert Opaque("x") != Opaque("y")
    assert Opaque("x") != "x"


IN_TEN = Test("aws:sourceip", ONE, IpSet.of(["10.0.0.0/8"]), label="aws:SourceIp")


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (ALWAYS, "always"),
        (NEVER, "never"),
        (A, "a is present"),
        (negate(B), "aws:B is absent"),
        (Test("k", ONE, exact("v"), label="K"), "K is `v`"),
        (Test("k", ANY, exact("v")), "some value of k is `v`"),
        (Test("k", ALL, exact("v"), Truth.TRUE), "every value of k is `v`"),
        (Test("k", ALL, exact("v")), "every value of k is `v` and there is one"),
        (Test("k", ONE, exact("v"), Truth.TRUE), "(k is `v` or it is absent)"),
        (negate(Test("k", ONE, exact("v"))), "(k is not `v` or it is absent)"),
        (all_of(A, any_of(B, C)), "a is present and (aws:B is present or `odd` (not understood))"),
        (Test("k", ONE, Template(("h/", Variable("u"), "/", STAR, ONE_CHAR))), "k is `h/${u}/*?`"),
        (Test("k", ONE, Template((Variable("u"),), negated=True)), "k is not `${u}`"),
    ],
)
def test_words(condition, words):
    assert words == describe(condition)


def test_words_of_addresses():
    assert describe(IN_TEN).startswith("aws:SourceIp ")
    assert "10.0.0.0/8" in describe(IN_TEN)


def test_tree():
    tree = to_ast(any_of(all_of(A, negate(C)), Test("k", ANY, exact("v"), label="K")))
    assert {
        "op": "or",
        "parts": [
            {
                "op": "and",
                "parts": [
                    {"op": "has", "key": "a"},
                    {"op": "not", "part": {"op": "opaque", "text": "odd", "reason": "no such operator"}},
                ],
            },
            {"op": "test", "key": "K", "quantifier": "any", "values": "`v`", "missing": "false"},
        ],
    } == tree
    assert [{"op": "always"}, {"op": "never"}] == [to_ast(ALWAYS), to_ast(NEVER)]


def test_leaves_and_opaques():
    condition = all_of(A, any_of(C, negate(B)), negate(C))
    assert [A, C, B, C] == list(leaves(Both((A, Either((C, Negation(B))), Negation(C)))))
    assert (C,) == opaques(condition)


@pytest.mark.parametrize(
    ("quantifier", "values", "missing", "given", "expected"),
    [
        (ONE, glob("a*"), Truth.FALSE, ("ab",), ALWAYS),
        (ONE, glob("a*"), Truth.FALSE, ("b",), NEVER),
        (ONE, glob("a*"), Truth.FALSE, (), NEVER),
        (ONE, ~glob("a*"), Truth.TRUE, (), ALWAYS),
        (ANY, glob("a*"), Truth.FALSE, ("b", "ab"), ALWAYS),
        (ANY, glob("a*"), Truth.FALSE, ("b", "c"), NEVER),
        (ANY, ~glob("a*"), Truth.FALSE, (), NEVER),
        (ALL, glob("a*"), Truth.TRUE, ("a", "ab"), ALWAYS),
        (ALL, glob("a*"), Truth.TRUE, ("a", "b"), NEVER),
        (ALL, glob("a*"), Truth.TRUE, (), ALWAYS),
    ],
)
def test_quantifiers(quantifier, values, missing, given, expected):
    test = Test("k", quantifier, values, missing)
    assert expected == reduce(test, request(k=given))
    assert negate(expected) == reduce(negate(test), request(k=given))


def test_many_values_under_a_plain_operator_are_not_understood():
    left = reduce(Test("k", ONE, glob("a*"), label="aws:K"), request(k=("a", "b")))
    assert isinstance(left, Opaque)
    assert "`aws:K`" in left.reason


def test_an_unclear_answer_for_an_absent_key_is_not_understood():
    assert isinstance(reduce(Test("k", ONE, glob("a*"), Truth.UNKNOWN), request()), Opaque)


def test_keys_that_are_not_given():
    test = Test("k", ONE, glob("a*"))
    assert NEVER == reduce(test, request())
    assert test == reduce(test, request(Knowledge.OPEN))
    assert NEVER == reduce(test, request(Knowledge.OPEN, k=()))
    assert A == reduce(all_of(A, B), request(Knowledge.OPEN, b=("x",)))
    assert NEVER == reduce(A, request())


HOME = Template(("r/", Variable("n")))


@pytest.mark.parametrize(
    ("template", "context", "knowledge", "expected"),
    [
        (HOME, {"n": ("1",)}, Knowledge.CLOSED, ALWAYS),
        (HOME, {"n": ("2",)}, Knowledge.CLOSED, NEVER),
        (HOME, {"n": ("*",)}, Knowledge.CLOSED, NEVER),
        (HOME, {}, Knowledge.CLOSED, NEVER),
        (Template(("q/", Variable("n"))), {}, Knowledge.OPEN, NEVER),
        (Template(("q/", Variable("n")), negated=True), {}, Knowledge.OPEN, ALWAYS),
        (Template(("r/", Variable("n")), negated=True), {}, Knowledge.CLOSED, ALWAYS),
        (Template(("r/", Variable("n")), negated=True), {"n": ("1",)}, Knowledge.CLOSED, NEVER),
        (Template(("r/", Variable("n", "1"))), {}, Knowledge.CLOSED, ALWAYS),
        (Template(("R/", Variable("n")), fold=True), {"n": ("1",)}, Knowledge.CLOSED, ALWAYS),
    ],
)
def test_variables(template, context, knowledge, expected):
    assert expected == reduce(Test("resource", ONE, template), request(knowledge, **context))


def test_open_variables_stay():
    test = Test("resource", ONE, Template((Variable("m"), "/", Variable("n"))))
    left = reduce(test, request(Knowledge.OPEN, m=("r",)))
    assert Test("resource", ONE, Template(("r", "/", Variable("n")))) == left
    assert ALWAYS == reduce(left, request(n=("1",)))
    of_absent = Test("k", ONE, HOME, Truth.TRUE)
    assert ALWAYS == reduce(of_absent, request(Knowledge.OPEN, k=()))


def test_a_variable_with_many_values_is_not_understood():
    left = reduce(Test("resource", ONE, HOME), request(n=("1", "2")))
    assert isinstance(left, Opaque)
    assert "`n` has several values" in left.reason


def test_variables_in_arns_stay_in_their_field():
    arn = Template(("arn:aws:s3:::b/", Variable("n"), "/", STAR), segmented=True)
    assert arn.widest().matches("arn:aws:s3:::b/a:b/c")
    bound = arn.bind({"n": "x"})
    assert isinstance(bound, Language)
    assert bound.matches("arn:aws:s3:::b/x/1")
    assert not bound.matches("arn:aws:s3:::b/y/1")
    early = Template(("arn:aws:", Variable("n"), ":::b"), segmented=True)
    assert early.widest().matches("arn:aws:s:3:::b")
