"""Laws of evaluation and search, held against every request of small random worlds."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    EVERYTHING,
    NEVER,
    NOTHING,
    RESOURCE,
    STAR,
    AllOf,
    AnyOf,
    Both,
    Box,
    Either,
    Except,
    Gate,
    Has,
    Negation,
    Opaque,
    Quantifier,
    Status,
    Template,
    Test,
    Truth,
    Variable,
    all_of,
    any_of,
    decide,
    difference,
    differences,
    evaluate,
    exact,
    glob,
    holds,
    negate,
    reduce,
)
from idtrans.model.decisions import Knowledge, Outcome, Request
from idtrans.model.values import Effect

TEXTS = ("", "a", "b", "aa", "ab", "ba", "bb")
SETS = tuple(chain.from_iterable(combinations(("a", "b", "ab"), size) for size in range(3)))
CLOSED = tuple(
    Request(principal, action, resource, {"k": k, "m": m}, Knowledge.CLOSED)
    for principal, action, resource, k, m in product(
        ("a", "b"), ("a", "ab", "b"), ("", "a", "ab", "ba"), [(), *((text,) for text in TEXTS)], SETS
    )
)

patterns = st.sampled_from(("a", "b", "ab", "a*", "*b", "*", "?", "a?", "*a*", "b*"))
languages = st.one_of(
    st.builds(glob, patterns),
    st.builds(lambda text: ~glob(text), patterns),
    st.builds(lambda one, two: glob(one) | exact(two), patterns, st.sampled_from(TEXTS)),
)
truths = st.sampled_from((Truth.TRUE, Truth.FALSE))
single_tests = st.builds(Test, st.just("k"), st.just(Quantifier.ONE), languages, truths)
plural_tests = st.builds(Test, st.just("m"), st.sampled_from((Quantifier.ANY, Quantifier.ALL)), languages, truths)
presence = st.builds(Has, st.sampled_from(("k", "m")))
opaques = st.builds(Opaque, st.sampled_from(("strange", "odd")))
templates = st.builds(
    Template,
    st.sampled_from(
        (
            (Variable("k"),),
            ("a", Variable("k")),
            (Variable("k"), STAR),
            (Variable("k", "b"), "b"),
        )
    ),
    st.booleans(),
)


def conditions(leaf):
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds(all_of, inner, inner), st.builds(any_of, inner, inner), st.builds(negate, inner)
        ),
        max_leaves=4,
    )


def boxes(leaf, effect=Effect.ALLOW, resources=languages):
    return st.builds(
        Box,
        st.just(effect),
        st.just("identity"),
        st.sampled_from((ANY_TEXT, exact("a"))),
        languages,
        resources,
        conditions(leaf),
    )


def accesses(box):
    many = st.lists(box, max_size=3).map(lambda found: AnyOf(tuple(found)))
    return st.one_of(
        many,
        st.builds(Except, many, many),
        st.builds(lambda one, two: AllOf((one, Gate("limit", "scp", two))), many, many),
        st.builds(lambda one, two, three: Except(AllOf((one, two)), three), many, many, box),
        st.sampled_from((EVERYTHING, NOTHING)),
    )


PLAIN = st.one_of(single_tests, plural_tests, presence)
plain_accesses = accesses(boxes(PLAIN))
unclear_accesses = accesses(boxes(st.one_of(PLAIN, opaques)))
template_tests = st.builds(Test, st.just(RESOURCE), st.just(Quantifier.ONE), templates)
template_accesses = accesses(
    boxes(
        st.one_of(single_tests, template_tests),
        resources=st.one_of(languages, templates, st.tuples(languages, templates)),
    )
)


def shows(new, old, request):
    return evaluate(new, request).truth is Truth.TRUE and evaluate(old, request).truth is Truth.FALSE


@given(plain_accesses, plain_accesses)
@settings(max_examples=60)
def test_difference_agrees_with_brute_force(new, old):
    found = difference(new, old)
    if found.status is Status.WITNESS:
        assert shows(new, old, found.witness)
        return
    assert Status.EMPTY is found.status
    assert [] == [request for request in CLOSED if shows(new, old, request)]


@given(unclear_accesses, unclear_accesses)
@settings(max_examples=60)
def test_what_is_not_understood_never_yields_a_false_empty(new, old):
    found = difference(new, old)
    if found.status is Status.WITNESS:
        assert shows(new, old, found.witness)
    elif found.status is Status.EMPTY:
        assert [] == [request for request in CLOSED if shows(new, old, request)]
        for strange, odd in product((True, False), repeat=2):
            chosen = {"strange": strange, "odd": odd}
            settled_new, settled_old = settle(new, chosen), settle(old, chosen)
            assert [] == [request for request in CLOSED[::7] if shows(settled_new, settled_old, request)]


def settle(access, chosen):
    """Put constants in for the opaque symbols."""
    match access:
        case Box():
            return replace(access, condition=settle_condition(access.condition, chosen))
        case Gate(part=part):
            return settle(part, chosen)
        case Except(base, minus):
            return Except(settle(base, chosen), settle(minus, chosen))
        case _:
            return type(access)(tuple(settle(part, chosen) for part in access.parts))


def settle_condition(condition, chosen):
    match condition:
        case Opaque(text):
            return ALWAYS if chosen[text] else NEVER
        case Both(parts):
            return all_of(*(settle_condition(part, chosen) for part in parts))
        case Either(parts):
            return any_of(*(settle_condition(part, chosen) for part in parts))
        case Negation(part):
            return negate(settle_condition(part, chosen))
        case _:
            return condition


@given(template_accesses, template_accesses)
@settings(max_examples=60)
def test_variables_never_yield_a_false_empty(new, old):
    found = difference(new, old)
    if found.status is Status.WITNESS:
        assert shows(new, old, found.witness)
    elif found.status is Status.EMPTY:
        assert [] == [request for request in CLOSED if shows(new, old, request)]


KNOWN: tuple[dict[str, tuple[str, ...]], ...] = ({}, {"k": ("a",)}, {"m": ("a", "b")}, {"k": ()})


@given(st.one_of(plain_accesses, template_accesses))
@settings(max_examples=60)
def test_the_residual_agrees_with_every_completion(access):
    for action, resource, known in product(("a",), ("a", "ab"), KNOWN):
        answer = evaluate(access, Request("a", action, resource, known))
        for completion in CLOSED[:56:3]:
            whole = replace(completion, principal="a", action=action, resource=resource)
            whole = replace(whole, context={**completion.context, **known})
            assert evaluate(access, whole).residual == reduce(answer.residual, whole)
            assert evaluate(access, whole).truth is holds(access, whole)
        assert answer.truth is holds(access, Request("a", action, resource, known))


@given(plain_accesses)
@settings(max_examples=40)
def test_nothing_differs_from_itself(access):
    assert Status.EMPTY is difference(access, access).status
    assert Status.EMPTY is difference(AnyOf((access, access)), access).status


@given(plain_accesses, boxes(PLAIN), boxes(PLAIN, Effect.DENY))
@settings(max_examples=40)
def test_allows_only_add_and_denies_only_take(access, allow, deny):
    assert Status.EMPTY is difference(access, AnyOf((access, allow))).status
    assert Status.EMPTY is difference(Except(access, deny), access).status


@given(plain_accesses, plain_accesses)
@settings(max_examples=40)
def test_one_answer_for_each_statement(new, old):
    answers = differences(new, old)
    assert difference(new, old).status is (
        Status.WITNESS if any(one.status is Status.WITNESS for one in answers) else Status.EMPTY
    )
    for one in answers:
        assert (one.witness is None) is (one.status is Status.EMPTY)


WORLDS = [dict(zip(("strange", "odd"), chosen, strict=True)) for chosen in product((True, False), repeat=2)]
OUTCOMES = {
    Truth.TRUE: {Outcome.ALLOW},
    Truth.FALSE: {Outcome.EXPLICIT_DENY, Outcome.IMPLICIT_DENY},
}


@given(st.one_of(plain_accesses, unclear_accesses))
@settings(max_examples=40)
def test_outcomes_follow_from_truth(access):
    for request in CLOSED[::97]:
        outcome = decide(access, request).outcome
        truth = evaluate(access, request).truth
        if truth is not Truth.UNKNOWN:
            assert outcome in OUTCOMES[truth]
        elif outcome is not Outcome.UNKNOWN:
            # Whatever the symbols stand for, it comes to the same.
            [same] = {evaluate(settle(access, chosen), request).truth for chosen in WORLDS}
            assert outcome in OUTCOMES[same]
