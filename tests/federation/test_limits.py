"""Past a limit an answer is wide or unknown, never tight."""

from __future__ import annotations

from typing import Any

import pytest

from idtrans.algebra import ANY_TEXT, exact, glob, one_of
from idtrans.catalog import Alphabet, Slot, issuer
from idtrans.federation import _boxes, _customised, _judge, _nearest, _split, _walk, judge
from idtrans.federation._boxes import Box
from idtrans.federation._split import split
from idtrans.federation._tokens import Who, example_of, fill, outsiders_of
from idtrans.federation._walk import Values, is_empty, is_fixed, literal_start, sample
from idtrans.model.answers import Admission, TokenAnswer
from idtrans.model.errors import BudgetExceededError, InternalError
from idtrans.model.values import UNKNOWN, Reach
from tests.federation.tokens import codes, either, equal, like, trust

WORD = Alphabet(never=frozenset(":"))
DIGITS = Alphabet(only=frozenset("0123456789"))


@pytest.fixture(autouse=True)
def _forget():
    """Let no answer of another test stand in for one under a changed limit."""
    for cached in (_judge._solution, _split.split, _walk.map_of, _boxes._is_fixed):
        cached.cache_clear()
    yield
    for cached in (_judge._solution, _split.split, _walk.map_of, _boxes._is_fixed):
        cached.cache_clear()


def _github():
    found = issuer("github")
    assert found is not None
    return found


def test_a_question_past_the_algebras_budget_is_unknown(monkeypatch):
    def refuse(*_):
        raise BudgetExceededError("too much")

    monkeypatch.setattr(_judge, "_with_issuer", refuse)
    report = judge(trust(like("sub", "repo:acme/*"), provider_admits=equal("ref", "x")))
    assert (Reach.UNKNOWN, Reach.UNKNOWN, UNKNOWN) == (report.reach, report.provider_reach, report.tests_subject)
    assert (["TOO_LARGE"], "github", "shared") == (codes(report), report.issuer_kind, report.tenancy)
    assert judge(trust(like("sub", "repo:acme/*"))).provider_reach is None


def test_steps_are_limited(monkeypatch):
    monkeypatch.setattr(_judge, "MOST_STEPS", 0)
    report = judge(trust(equal("sub", "repo:acme/app:environment:prod")))
    assert (Reach.UNKNOWN, ["TOO_LARGE"]) == (report.reach, codes(report))


def test_steps_are_limited_among_customised_subjects(monkeypatch):
    monkeypatch.setattr(_customised, "MOST_STEPS", 0)
    report = judge(trust(like("sub", "repo:*@1/*@2:*")))
    assert Reach.UNKNOWN is report.reach
    assert "TOO_LARGE" in codes(report)


def test_too_many_boxes_leave_a_requirement_out(monkeypatch):
    monkeypatch.setattr(_boxes, "MOST_BOXES", 1)
    report = judge(trust(equal("repository", "acme/a", "acme/b"), equal("ref", "refs/heads/x", "refs/heads/y")))
    assert (Reach.UNKNOWN, True) == (report.reach, "TOO_LARGE" in codes(report))


def test_too_many_boxes_of_a_trust(monkeypatch):
    monkeypatch.setattr(_judge, "MOST_BOXES", 1)
    report = judge(either(equal("repository", "acme/a", "acme/b"), equal("repository_id", "2")))
    assert Reach.UNKNOWN is report.reach


def test_a_split_past_its_limit_is_free(monkeypatch):
    monkeypatch.setattr(_split, "MOST_PARTS", 1)
    found = split(~one_of(("ab", "cd")), (Slot("owner"), "b", Slot("repo")), _github())
    assert (({},), True) == (found.products, found.capped)


def test_a_walk_past_its_limit_is_free(monkeypatch):
    monkeypatch.setattr(_split, "MOST_STATES", 2)
    found = split(glob("*abcdef/x"), (Slot("owner"), "/", Slot("repo")), _github())
    assert found.capped


def test_a_customised_template_past_its_limit_may_be_anything(monkeypatch):
    monkeypatch.setattr(_split, "MOST_PARTS", 0)
    report = judge(trust(like("sub", "actor:*x*y"), equal("ref", "refs/heads/main")))
    assert Reach.UNKNOWN is report.reach


def test_what_the_algebra_cannot_tell_dead_is_alive():
    class Tired:
        def is_dead(self, state):
            raise BudgetExceededError("too much")

    tired: Any = Tired()
    assert not _split.is_dead(tired, object())


def test_a_token_that_does_not_replay_is_a_bug(monkeypatch):
    monkeypatch.setattr(_judge, "admits", lambda *_: TokenAnswer(Admission.NO))
    with pytest.raises(InternalError, match="does not replay"):
        judge(trust(like("sub", "repo:acme*")))


def test_repairs_are_limited(monkeypatch):
    monkeypatch.setattr(_nearest, "MOST_REPAIRS", 0)
    assert judge(trust(equal("sub", "repo:acme/app:*"))).nearest is None


@pytest.mark.parametrize(
    ("language", "alphabet", "expected"),
    [
        (exact("ab"), WORD, (False, True, "ab", "ab")),
        (exact("a:b"), WORD, (True, False, "", None)),
        (exact(""), WORD, (True, False, "", None)),
        (exact(""), Alphabet(empty=True), (False, True, "", "")),
        (one_of(("Ab", "aB")), WORD, (False, True, "", "aB")),
        (exact("ab", fold=True), WORD, (False, True, "", "ab")),
        (exact("ab", fold=True) & glob("*b"), WORD, (False, True, "", "ab")),
        (one_of(("ab", "ac")), WORD, (False, False, "a", "ab")),
        (glob("ab*"), WORD, (False, False, "ab", "ab")),
        (glob("ab*") & glob("*:"), WORD, (True, False, "", None)),
        (ANY_TEXT, WORD, (False, False, "", "x")),
        (glob("1?"), DIGITS, (False, False, "1", "10")),
        (glob("?a"), DIGITS, (True, False, "", None)),
        (glob("?"), Alphabet(only=frozenset("7")), (False, True, "7", "7")),
        (glob("*") & glob("a*") & ~glob("a?*"), WORD, (False, True, "a", "a")),
    ],
)
def test_values_inside_an_alphabet(language, alphabet, expected):
    """Say whether there is none, whether there is one, how all begin, and one of them."""
    values = Values(language, alphabet)
    assert expected == (is_empty(values), is_fixed(values), literal_start(values), sample(values))


def test_a_preferred_value_is_taken_when_it_is_one():
    assert "main" == sample(Values(ANY_TEXT, WORD), ("a:b", "main"))


def test_values_past_the_limit_are_neither_fixed_nor_empty(monkeypatch):
    monkeypatch.setattr(_walk, "MOST_STATES", 2)
    values = Values(glob("?bcdefg"), WORD)
    assert (False, False, "") == (is_empty(values), is_fixed(values), literal_start(values))
    assert sample(values) is None


def test_an_alphabet_that_excludes_every_usual_letter():
    usual = frozenset(map(chr, range(0x21, 0xA5)))
    assert chr(0xA5) == sample(Values(ANY_TEXT, Alphabet(never=usual)))


def test_a_box_without_values_has_no_token():
    github = _github()
    empty = Box(github, github.shapes[0], {"owner": exact("a:b")})
    assert fill(empty, {}, who=Who.OWN) is None
    assert (None, ()) == (example_of(empty), outsiders_of(empty, "https://x"))
    nothing = Box(github, github.shapes[0], subject=())
    assert (None, ()) == (example_of(nothing), outsiders_of(nothing, "https://x"))


def test_walks_end_in_time(monkeypatch):
    monkeypatch.setattr(_walk, "_MOST_SECONDS", -1.0)
    report = judge(trust(like("sub", "*a*/b*:*")))
    assert (Reach.UNKNOWN, ["TOO_LARGE"]) == (report.reach, codes(report))
