"""The parts of the search that have laws of their own."""

from __future__ import annotations

import pytest

from idtrans.algebra import (
    ANY_TEXT,
    EVERYTHING,
    NOTHING,
    ONE_CHAR,
    STAR,
    AllOf,
    AnyOf,
    Box,
    Except,
    Gate,
    Has,
    IpSet,
    Quantifier,
    Template,
    Test,
    Variable,
    all_of,
    any_of,
    exact,
    glob,
    negate,
)
from idtrans.algebra._search_bindings import bind, bindings, capture
from idtrans.algebra._search_branches import content, grants
from idtrans.algebra._search_domain import Domain
from idtrans.algebra._search_formula import (
    Constant,
    Group,
    Kind,
    assume,
    clauses,
    join,
    literals,
    opposite,
    refuse,
    resolve,
    units,
)
from idtrans.model.decisions import Request
from idtrans.model.values import Effect

TRUE, FALSE = Constant.TRUE, Constant.FALSE


def both(*parts):
    return join(Kind.AND, parts)


def either(*parts):
    return join(Kind.OR, parts)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (both(), TRUE),
        (either(), FALSE),
        (both(1), 1),
        (both(1, TRUE), 1),
        (both(1, FALSE), FALSE),
        (either(1, TRUE), TRUE),
        (both(1, -1), FALSE),
        (either(1, -1), TRUE),
        (both(1, both(2, 3)), Group(Kind.AND, frozenset((1, 2, 3)))),
        (assume(both(1, either(2, 3)), {1, -2}), 3),
        (assume(either(1, both(2, 3)), {1}), TRUE),
        (assume(TRUE, {1}), TRUE),
        (refuse(either(1, both(-2, 3)), frozenset((2,))), 1),
        (refuse(TRUE, frozenset((2,))), TRUE),
        (opposite(both(1, either(2, 3))), either(-1, both(-2, -3))),
        (opposite(TRUE), FALSE),
        (opposite(FALSE), TRUE),
        (resolve(both(either(-1, -2), either(both(1, 2), 3))), both(3, either(-1, -2))),
        (resolve(1), 1),
    ],
)
def test_formulas(formula, expected):
    assert expected == formula


def test_what_a_formula_is_made_of():
    formula = both(1, either(2, -3))
    assert frozenset((1,)) == units(formula)
    assert frozenset((1, either(2, -3))) == clauses(formula)
    assert frozenset((1, 2, -3)) == literals(formula)
    assert frozenset() == literals(TRUE)


@pytest.mark.parametrize(
    ("parts", "text", "found"),
    [
        ((Variable("u"),), "abc", {"u": "abc"}),
        (("home/", Variable("u")), "home/abc", {"u": "abc"}),
        (("home/", Variable("u"), "/", STAR), "home/abc/d/e", {"u": "abc"}),
        ((Variable("u"), "-", Variable("v")), "a-b-c", {"u": "a", "v": "b-c"}),
        ((Variable("u"), "-x"), "a-x-x", {"u": "a-x"}),
        ((ONE_CHAR, Variable("u")), "abc", {"u": "bc"}),
        ((STAR, "/", Variable("u")), "a/b", {"u": "b"}),
        (("fixed",), "fixed", {}),
    ],
)
def test_captures(parts, text, found):
    assert found == capture(Template(parts), text)


def test_captures_ignore_case_where_the_pattern_does():
    assert {"u": "Bob"} == capture(Template(("HOME/", Variable("u"), "/x"), fold=True), "home/Bob/X")


HOME = Test("resource", Quantifier.ONE, Template(("h/", Variable("u"))))


def tried(question, domain=None):
    start = Request("p", "a", "h/zoe", {"ip": ("10.0.0.1",)})
    return [binding["u"] for binding in bindings(question, start, domain or Domain())]


def test_values_to_try():
    assert {"zoe", "x", None} == set(tried(HOME))
    assert "bob" in tried(all_of(HOME, negate(Test("resource", Quantifier.ONE, exact("h/bob")))))
    assert "amy" in tried(all_of(HOME, Test("u", Quantifier.ONE, exact("amy"))))
    other = Test("resource", Quantifier.ONE, Template((STAR, "/", Variable("v"), "y")))
    assert "y" in tried(all_of(HOME, other))
    address = Test("ip", Quantifier.ONE, Template((Variable("u"),)))
    assert "10.0.0.1" in tried(all_of(address, Test("ip", Quantifier.ONE, IpSet.of(["10.0.0.0/8"]))))


def test_values_to_try_for_a_derived_key():
    domain = Domain(derived=frozenset(("u",)))
    assert [None] == tried(HOME, domain)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (HOME, Test("resource", Quantifier.ONE, exact("h/bob"))),
        (Test("u", Quantifier.ONE, glob("b*")), all_of()),
        (Test("u", Quantifier.ONE, glob("a*")), any_of()),
        (Has("u"), all_of()),
        (Has("v"), Has("v")),
        (negate(Has("v")), negate(Has("v"))),
        (any_of(Has("u"), Has("v")), all_of()),
        (all_of(Has("u"), Has("v")), Has("v")),
    ],
)
def test_binding_a_value(condition, expected):
    assert expected == bind(condition, {"u": "bob"})


def test_binding_an_absent_key():
    assert any_of() == bind(Has("u"), {"u": None})
    assert any_of() == bind(Test("u", Quantifier.ONE, glob("*")), {"u": None})


def test_patterns_within_patterns():
    user = Variable("u")
    narrow, wide = Template(("h/", user, "/x")), Template(("h/", user, "/", STAR))
    assert narrow.is_within(wide)
    assert not wide.is_within(narrow)
    assert not narrow.is_within(Template(("h/", Variable("v"), "/", STAR)))
    assert not narrow.is_within(Template(("h/", Variable("u", "default"), "/", STAR)))
    assert not narrow.is_within(Template(("h/", ONE_CHAR, "/", STAR)))
    assert not narrow.is_within(Template(wide.parts, fold=True))
    private = chr(0xF0000)
    assert not Template(("h/", user, private)).is_within(Template(("h/", user, STAR)))


def test_arn_patterns_within_arn_patterns():
    def arn(*parts):
        return Template(parts, segmented=True)

    user = Variable("u")
    assert arn("arn:aws:s3:::b/", user, "/x").is_within(arn("arn:aws:s3:::b/", user, "/", STAR))
    assert not arn("arn:aws:", user, ":::b").is_within(arn("arn:aws:", user, ":::", STAR))
    assert arn("arn:aws:", user, ":::b").widest().matches("arn:aws:a:b:::b")


def box(name):
    return Box(Effect.ALLOW, "identity", ANY_TEXT, exact(name), ANY_TEXT)


@pytest.mark.parametrize(
    ("access", "names"),
    [
        (NOTHING, []),
        (EVERYTHING, [None]),
        (box("a"), ["a"]),
        (Gate("g", "scp", AnyOf((box("a"), box("b")))), ["a", "b"]),
        (AllOf((EVERYTHING, AnyOf((box("a"), box("b"))), box("c"))), ["a", "b"]),
        (Except(AnyOf((box("a"), EVERYTHING)), box("b")), ["a", None]),
    ],
)
def test_one_grant_for_each_statement(access, names):
    found = [one.box and min(one.box.actions.members() or ()) for one in grants(access)]
    assert names == found


def test_limits_do_not_depend_on_order_and_names():
    one = AllOf((box("a"), Gate("g", "scp", AnyOf((box("b"), box("c"))))))
    two = AllOf((AnyOf((box("c"), box("b"))), box("a")))
    assert content(one) == content(two)
    inner = Except(EVERYTHING, one)
    assert content(inner) == content(Except(EVERYTHING, two))
    assert content(inner) != content(EVERYTHING)
    (first,), (second,) = grants(Except(box("x"), inner)), grants(Except(box("x"), Except(EVERYTHING, two)))
    assert first.limits == second.limits
