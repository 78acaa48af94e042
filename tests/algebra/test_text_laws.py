"""Text languages against brute force and against `re`, on small alphabets."""

from __future__ import annotations

import re
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from idtrans.algebra import ANY_TEXT, NO_TEXT, arn_glob, exact, glob, leading, one_of
from idtrans.algebra._text_fold import fold_char, fold_text, has_case, spellings

TEXTS = ["".join(chars) for length in range(6) for chars in product("aAb", repeat=length)]
SHORT = [text for text in TEXTS if len(text) < 4]
FIELDS = ["", "a", "b", "ab"]

patterns = st.text("aAb*?", max_size=4)


def _expression(text: str, any_char: str = ".") -> str:
    return "".join({"*": f"{any_char}*", "?": any_char}.get(char, re.escape(char)) for char in text)


@st.composite
def atoms(draw):
    fold = draw(st.booleans())
    text = draw(patterns)
    if draw(st.booleans()):
        expression = re.compile(_expression(text), re.DOTALL | (re.IGNORECASE if fold else 0))
        return glob(text, fold=fold), lambda word: bool(expression.fullmatch(word))
    words = draw(st.lists(st.text("aAb", max_size=3), max_size=3))
    return one_of(words, fold=fold), lambda word: word.lower() in [w.lower() for w in words] if fold else word in words


def _combine(children):
    def both(pair):
        (one, first), (two, second) = pair
        return [
            (one & two, lambda word: first(word) and second(word)),
            (one | two, lambda word: first(word) or second(word)),
            (one - two, lambda word: first(word) and not second(word)),
            (~one, lambda word: not first(word)),
        ]

    return st.tuples(children, children).map(both).flatmap(st.sampled_from)


worlds = st.recursive(atoms(), _combine, max_leaves=6)


@given(patterns, st.text("aAb\n:", max_size=8), st.booleans())
def test_a_pattern_agrees_with_re(pattern, text, fold):
    expression = re.compile(_expression(pattern), re.DOTALL | (re.IGNORECASE if fold else 0))
    assert bool(expression.fullmatch(text)) is glob(pattern, fold=fold).matches(text)


@given(worlds)
def test_matching_agrees_with_brute_force(world):
    language, truth = world
    assert [truth(text) for text in TEXTS] == [language.matches(text) for text in TEXTS]


@given(worlds)
def test_the_witness_is_a_shortest_member(world):
    language, truth = world
    members = [text for text in TEXTS if truth(text)]
    witness = language.witness()
    assert (witness is None) is language.is_empty()
    if witness is None:
        assert members == []
    else:
        assert truth(witness)
        assert len(witness) <= min(map(len, members), default=len(witness))


@given(worlds, worlds)
def test_inclusion_and_overlap_agree_with_brute_force(one, two):
    (first, in_first), (second, in_second) = one, two
    if first.issubset(second):
        assert all(in_second(text) for text in TEXTS if in_first(text))
    else:
        assert (first - second).witness() is not None
    if not first.overlaps(second):
        assert not any(in_first(text) and in_second(text) for text in TEXTS)


@given(worlds)
def test_the_automaton_agrees_with_matching(world):
    language, truth = world
    automaton = language.automaton()
    for text in SHORT:
        state = automaton.run(text)
        assert truth(text) is automaton.accepts(state)
        assert automaton.is_dead(state) is (language & glob(text + "*")).is_empty()
        if automaton.is_total(state):
            assert glob(text + "*").issubset(language)


@given(worlds)
def test_letters_that_a_state_does_not_name_are_alike(world):
    automaton = world[0].automaton()
    for text in SHORT[:13]:
        state = automaton.run(text)
        fresh = automaton.step(state, automaton.fresh(state))
        for letter in set("aAbBc:é") - automaton.letters(state):
            assert fresh == automaton.step(state, letter)


@given(worlds, st.sampled_from(SHORT), st.sampled_from(SHORT))
def test_passages_hold_what_leads_there(world, first, second):
    automaton = world[0].automaton()
    start, end = automaton.run(first), automaton.run(first + second)
    passage = leading(automaton, start, end)
    assert passage.matches(second)
    expected = [automaton.run(text, start) == end for text in SHORT]
    assert expected == [passage.matches(text) for text in SHORT]
    walker = passage.automaton()
    assert expected == [walker.accepts(walker.run(text)) for text in SHORT]


@given(worlds, worlds, worlds)
def test_boolean_laws(one, two, three):
    a, b, c = one[0], two[0], three[0]
    assert a & b == b & a
    assert ~~a == a
    assert ~(a & b) == ~a | ~b
    assert (a & ~a).is_empty()
    assert (~(a | ~a)).is_empty()
    assert (a & (b | c)).issubset((a & b) | (a & c))
    assert a & ANY_TEXT == a
    assert a | NO_TEXT == a


@given(st.lists(st.text("ab*?", max_size=3), min_size=6, max_size=6).map(":".join))
def test_an_arn_pattern_agrees_with_re(pattern):
    *fields, resource = pattern.split(":", 5)
    expression = re.compile(":".join([*(_expression(field, "[^:]") for field in fields), _expression(resource)]))
    language = arn_glob(pattern)
    automaton = language.automaton()
    for chosen in product(FIELDS[:3], repeat=3):
        for resource_text in ("", "a", "b:a", "ab::"):
            text = ":".join((*chosen, "a", "b", resource_text))
            assert bool(expression.fullmatch(text)) is language.matches(text)
            assert language.matches(text) is automaton.accepts(automaton.run(text))


arn_patterns = st.lists(st.sampled_from(["", "*", "a", "a*", "?"]), min_size=6, max_size=6).map(":".join)


@given(arn_patterns, arn_patterns, st.text("a:*?", max_size=8))
def test_arn_questions_agree_with_the_automaton(one, two, three):
    """Witnesses and inclusions of ARN patterns among themselves and with plain patterns."""
    for first, second in ((arn_glob(one), arn_glob(two)), (arn_glob(one), glob(three)), (glob(three), arn_glob(one))):
        for language in (first & second, first - second):
            witness = language.witness()
            assert (witness is None) is language.is_empty()
            if witness is not None:
                assert language.matches(witness)
            for text in (one.replace("*", "a:").replace("?", "a"), two.replace("*", "").replace("?", "b"), three):
                assert witness is not None or not language.matches(text)


def test_folding_keeps_lengths_and_finds_every_spelling():
    for char in map(chr, range(0x20000)):
        folded = fold_char(char)
        assert len(folded) == 1
        assert folded == fold_char(folded)
        assert char in spellings(folded)
    high = "".join(map(chr, range(0x20000, 0x110000)))
    assert high == high.lower()


def test_folding_of_texts():
    assert "straße äω" == fold_text("STRAßE ÄΩ")
    assert [True, True, False] == [has_case("1a"), has_case("é"), has_case("1:*")]
    assert (glob("*é", fold=True) & exact("É")).matches("É")
