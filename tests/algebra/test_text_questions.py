"""Emptiness, witnesses, inclusion and overlap of text languages, and what happens past the budget."""

from __future__ import annotations

import pytest

from idtrans.algebra import (
    ANY_TEXT,
    NO_TEXT,
    TextBudget,
    arn_glob,
    exact,
    glob,
    intersection,
    leading,
    one_of,
    prefix,
    union,
)
from idtrans.algebra._text_nodes import Words
from idtrans.model.errors import BudgetExceededError

CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pytest.mark.parametrize(
    ("expected", "language"),
    [
        ("", ANY_TEXT),
        (None, NO_TEXT),
        ("b", one_of(["ccc", "b", "dd"])),
        ("x", glob("?")),
        ("ab", glob("a*b")),
        ("ax", glob("a*") - exact("a")),
        ("ab", glob("*a*") & glob("*b*")),
        ("b", glob("a*c") | exact("b")),
        ("x", ANY_TEXT - glob("*a*") - exact("")),
        (None, glob("a*b") - glob("a*")),
        (None, glob("a?") & glob("a")),
        (None, glob("a?") & glob("?b?")),
        (None, glob("?") - glob("?")),
        ("xx", ~glob("?") & ~exact("")),
        ("A", exact("a", fold=True) - exact("a")),
        (None, exact("a", fold=True) - one_of("aA")),
        (None, glob("a*", fold=True) - glob("A*", fold=True)),
        ("a", glob("a*", fold=True) - glob("A*")),
        ("xé", glob("?É", fold=True) & glob("*é")),
        ("arn:aws:s3:::b/", arn_glob("arn:aws:s3:::b/*")),
        (None, arn_glob("arn:aws:s3:::b/*") - glob("arn:aws:s3:*")),
        (None, arn_glob("arn:aws:s3:*:1:b") - arn_glob("arn:aws:*:*:*:b")),
        ("arn:aws:s3::::", glob("arn:aws:s3::::*") & arn_glob("arn:aws:s3:::*")),
        ("arn:aws:s3::::a", glob("arn:aws:s3:*:a") & arn_glob("arn:aws:s3:::*:*")),
        (None, arn_glob("arn:aws:s3::1*:*") & arn_glob("arn:aws:s3:::*")),
    ],
)
def test_witness(expected, language):
    assert expected == language.witness()
    assert (expected is None) is language.is_empty()


def test_witness_when_all_readable_letters_are_named():
    banned = "abcdefghijklmnopqrstuvwxyz0123456789-_"
    language = glob("?") - union(prefix(char, fold=True) for char in banned)
    assert "\N{INVERTED EXCLAMATION MARK}" == language.witness()
    assert "\N{CENT SIGN}" == (language - exact("\N{INVERTED EXCLAMATION MARK}")).witness()


@pytest.mark.parametrize(
    ("small", "large", "expected"),
    [
        (glob("a*b"), glob("a*"), True),
        (glob("a*"), glob("a*b"), False),
        (glob("a*b?"), glob("a*"), True),
        (glob("a*"), glob("a?*"), False),
        (glob("a?*"), glob("a*"), True),
        (glob("a?b"), glob("a?*"), True),
        (glob("repo:acme/*:ref:*"), glob("repo:acme/*"), True),
        (glob("arn:aws:iam::*:role/*x"), glob("arn:aws:iam::1:role/a-*"), False),
        (glob("a*"), glob("A*", fold=True), True),
        (glob("A*", fold=True), glob("a*"), False),
        (glob("A*", fold=True), glob("?*"), True),
        (one_of(["ab", "ac"]), glob("a*"), True),
        (glob("a*"), glob("ab*") | glob("a*"), True),
        (glob("ab*") | glob("ac*"), glob("a*"), True),
        (glob("a*"), glob("ab*") | (glob("a*") - glob("ab*")), True),
        (glob("?"), one_of("ab") | (glob("?") - one_of("ab")), True),
        (NO_TEXT, NO_TEXT, True),
        (ANY_TEXT, NO_TEXT, False),
        (arn_glob("arn:aws:s3:::a/*"), arn_glob("arn:aws:s3:::*"), True),
        (arn_glob("arn:aws:s3:*"), arn_glob("arn:aws:s3:::*"), False),
        (glob("arn:aws:s3:::a*"), arn_glob("arn:aws:s3:::*"), True),
        (glob("arn:aws:s3:*:b"), arn_glob("arn:aws:s3:*:*:b"), False),
        (arn_glob("arn:aws:s3:*:*:b"), glob("arn:aws:s3:*:b"), True),
    ],
)
def test_inclusion(small, large, expected):
    assert expected is small.issubset(large)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        (glob("a*"), glob("*b"), True),
        (glob("a*"), glob("b*"), False),
        (glob("a?"), glob("?a"), True),
        (glob("*ab*"), glob("*ba*"), True),
        (glob("??"), glob("???"), False),
        (glob("a*?"), glob("?b*"), True),
        (arn_glob("arn:aws:s3:::a*"), arn_glob("arn:*:s3:*:*:*b"), True),
        (arn_glob("arn:aws:s3:::a"), arn_glob("arn:*:s3:::*b*"), False),
        (arn_glob("arn:aws:s3:::?*a"), arn_glob("arn:aws:s3:::b*"), True),
        (exact("a"), exact("A", fold=True), True),
    ],
)
def test_overlap(one, two, expected):
    assert expected is one.overlaps(two)
    assert expected is two.overlaps(one)


def test_budget_is_an_error_and_names_itself():
    language = (glob("?" * 300) & glob("*b")) - glob("?*b")
    with pytest.raises(BudgetExceededError, match=r"needs more than 100 states or 400000 steps"):
        language.is_empty(budget=TextBudget(states=100))
    with pytest.raises(BudgetExceededError, match="-1 seconds"):
        language.witness(budget=TextBudget(seconds=-1))
    assert language.is_empty()


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ((exact("/a/b") | prefix("/a/b/")) & glob("*/c/d/*"), False),
        (glob("*/c/d/*") & (prefix("/a/") | prefix("/b/")), False),
        ((glob("a*") & glob("*b*")) | exact("c"), False),
    ],
)
def test_a_member_that_is_plain_to_see_needs_no_walk(language, expected):
    assert expected is language.is_empty(budget=TextBudget(states=0))


def test_a_found_member_wins_over_the_budget():
    infixes = intersection(glob(f"*k{letter}*") for letter in CAPITALS)
    witness = infixes.witness(budget=TextBudget(states=50))
    assert witness is not None
    assert infixes.matches(witness)
    assert not infixes.is_empty()
    alternative = (glob("?" * 300) & glob("*b")) - glob("?*b")
    assert "d" == (alternative | exact("d")).witness(budget=TextBudget(states=50))
    assert not (alternative | exact("d")).is_empty(budget=TextBudget(states=50))
    with pytest.raises(BudgetExceededError):
        (alternative | (alternative & glob("*e*"))).is_empty(budget=TextBudget(states=50))


def test_walking_an_automaton():
    automaton = glob("repo:acme/*").automaton()
    state = automaton.run("repo:")
    assert frozenset("a") == automaton.letters(state)
    assert "x" == automaton.fresh(state)
    assert automaton.is_dead(automaton.step(state, "b"))
    assert not automaton.is_dead(state)
    assert not automaton.accepts(state)
    end = automaton.run("acme/", state)
    assert automaton.is_total(end)
    assert automaton.accepts(end)
    assert end == automaton.step(end, "q")
    assert frozenset() == automaton.letters(end)
    assert glob("repo:acme/*").automaton() == automaton
    assert hash(glob("repo:acme/*").automaton()) == hash(automaton)


def test_dead_states_that_do_not_look_dead():
    automaton = ((glob("a?b*") & glob("ab?*")) - glob("?bb*")).automaton()
    assert automaton.is_dead(automaton.start)
    assert automaton.is_dead(automaton.run("a"))
    other = ((glob("*a?") & glob("*?b")) | glob("c*d?")).automaton()
    assert [False] * 4 == [other.is_dead(other.run(text)) for text in ("", "a", "cd", "ab")]


def test_passages():
    automaton = glob("repo:*/*:ref:*").automaton()
    start, end = automaton.run("repo:"), automaton.run("repo:a/")
    passage = leading(automaton, start, end)
    assert "/" == passage.witness()
    assert passage.matches("acme/app")
    assert not passage.matches("acme")
    assert "acme/" == (passage & glob("acme*")).witness()
    assert not passage.is_empty()
    assert "a part of a longer text" == passage.describe()
    assert not passage.fold
    assert "A/" == (exact("a/", fold=True) & passage & glob("A*")).witness()
    assert (leading(exact("a", fold=True).automaton(), False, True) & exact("a")).is_empty()
    assert ANY_TEXT.issubset(leading(ANY_TEXT.automaton(), True, True))
    assert leading(automaton, start, False).is_empty()
    assert passage == leading(automaton, start, end)


def test_a_nested_state_is_flattened():
    language = (glob("a*") | (glob("*b*") & glob("*c*"))) & glob("*d*")
    automaton = language.automaton()
    assert automaton.accepts(automaton.run("xbcd"))
    assert not automaton.accepts(automaton.run("xbd"))


def test_the_machine_of_a_word_list_by_itself():
    machine = Words(frozenset({"ab", "a\U0010ffff", "a"}), fold=True).machine()
    dead = machine.step("b", "b")
    assert dead is None
    assert machine.step(dead, "a") is None
    assert not machine.accepts(dead)
    assert frozenset() == machine.letters(dead)
    assert frozenset("aA") == machine.letters("")
    assert frozenset("bB\U0010ffff") == machine.letters("a")
