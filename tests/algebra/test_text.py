"""Text languages: what they match, what they simplify to and how they are said."""

from __future__ import annotations

import pickle
from itertools import accumulate
from operator import and_

import pytest

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    NEVER,
    NO_TEXT,
    ONE_CHAR,
    STAR,
    Kind,
    arn_glob,
    arn_pieces,
    containing,
    exact,
    glob,
    intersection,
    one_of,
    pieces,
    prefix,
    suffix,
    union,
)
from idtrans.model.errors import BudgetExceededError

ARN = "arn:aws:s3:::bucket/a:b/c"


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (glob("*"), "", True),
        (glob("a*c"), "abc", True),
        (glob("a*c"), "ac", True),
        (glob("a*a"), "a", False),
        (glob("a?c"), "abc", True),
        (glob("a?c"), "ac", False),
        (glob("?"), "\n", True),
        (glob("*?"), "", False),
        (glob("[a]"), "a", False),
        (glob("[a]"), "[a]", True),
        (glob("*ab*ab*"), "aab", False),
        (glob("*ab*ab*"), "xabyabz", True),
        (glob("a*", fold=True), "ABC", True),
        (glob("a*"), "ABC", False),
        (glob(""), "", True),
        (glob(""), "a", False),
        (exact("a*"), "ab", False),
        (exact("a*"), "a*", True),
        (exact("Ä", fold=True), "ä", True),
        (exact("k", fold=True), "\N{KELVIN SIGN}", False),
        (exact("ß", fold=True), "ss", False),
        (one_of(["a", "B"], fold=True), "b", True),
        (one_of([]), "", False),
        (prefix("a*"), "a*b", True),
        (prefix("a*"), "ab", False),
        (suffix(".com"), "a.com", True),
        (suffix(".com"), "a.como", False),
        (containing("?"), "a?b", True),
        (containing("?"), "ab", False),
        (pieces(["*", STAR]), "*x", True),
        (pieces(["*", STAR]), "x", False),
        (pieces([ONE_CHAR, STAR, ONE_CHAR, STAR]), "a", False),
        (pieces([ONE_CHAR, STAR, ONE_CHAR, STAR]), "ab", True),
        (~glob("a*"), "b", True),
        (~glob("a*"), "a", False),
        (glob("a*") & glob("*b"), "ab", True),
        (glob("a*") & glob("*b"), "a", False),
        (glob("a*") | glob("*b"), "a", True),
        (glob("a*") | glob("*b"), "c", False),
        (glob("a*") - glob("ab*"), "ac", True),
        (glob("a*") - glob("ab*"), "abc", False),
    ],
)
def test_matching(language, text, expected):
    assert expected is language.matches(text)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("*", "not an arn", True),
        ("**", "not an arn", True),
        (ARN, ARN, True),
        ("arn:aws:s3:::bucket/*", ARN, True),
        ("arn:aws:s3:::bucket/*c", ARN, True),
        ("arn:aws:s3:::b?cket/*", ARN, True),
        ("arn:*:s3:::bucket/*", ARN, True),
        ("arn:aws:s3:*:*:bucket/*", ARN, True),
        ("arn:aws*:s3:::bucket/*", ARN, True),
        # A wildcard of the first five fields does not cross a colon.
        ("arn:aws:s3:*:bucket/*", ARN, False),
        ("arn:*:bucket/a:b/c:*:*:*", ARN, False),
        ("arn:aws:s3??bucket/*", ARN, False),
        ("arn:aws:s3:::*x", ARN, False),
        # Short patterns: a star at the end leaves the other fields open.
        ("arn:aws:s3:*", ARN, True),
        ("arn:aws:sqs:*", ARN, False),
        ("arn:aws:s*", ARN, True),
        ("arn:aws:s3", ARN, False),
        ("arn:aws:s3:", ARN, False),
        ("arn:aws:s3:*", "arn:aws:s3:eu", False),
        ("*:bucket", "arn:aws:s3:::bucket", False),
        ("ARN:aws:s3:::bucket/*", ARN, False),
        ("", "", False),
    ],
)
def test_arn_matching(pattern, text, expected):
    assert expected is arn_glob(pattern).matches(text)


def test_arn_options():
    assert arn_glob("ARN:aws:S3:::*", fold=True).matches(ARN.upper())
    assert not arn_glob("arn:aws:s3:::*", fold=False).matches(ARN.upper())
    assert arn_glob("arn:aws:iam:*:1:*", fold=True).fold
    assert not arn_glob("::*::1:*", fold=True).fold
    assert (exact("arn:aws:s3:::b", fold=True) & arn_glob("arn:aws:s3:*::b")).matches("arn:aws:s3:::b")
    assert arn_pieces(["arn:aws:s3:::bucket/", "*", STAR]).matches("arn:aws:s3:::bucket/*/x")
    assert not arn_pieces(["arn:aws:s3:::bucket/", "*", STAR]).matches("arn:aws:s3:::bucket/x")


def test_constant_matching_cost():
    """Patterns that make a backtracking matcher run for ages."""
    text = "a" * 10_000
    assert glob("*a" * 30).matches(text)
    assert not glob("*a" * 30 + "b").matches(text)
    assert not glob("*a?" * 30 + "b").matches(text)
    assert not glob("*" + ("a?" * 1_000 + "b*") * 3).matches(text)
    assert arn_glob("a*" * 200 + ":" + ("a*" * 200 + ":") * 4 + "a?*").matches((text + ":") * 5 + text)


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (ANY_TEXT, glob("*")),
        (ANY_TEXT, prefix("")),
        (exact("a"), glob("a")),
        (glob("a*"), glob("a**")),
        (glob("?*"), glob("*?")),
        (exact("1"), exact("1", fold=True)),
        (glob("1*"), glob("1*", fold=True)),
        (exact("ab", fold=True), exact("AB", fold=True)),
        (one_of(["a", "b"]), exact("a") | exact("b")),
        (exact(ARN), arn_glob(ARN)),
        (glob("arn:aws:s3:::b/*"), arn_glob("arn:aws:s3:::b/*")),
        (NO_TEXT, exact("arn:aws:s3:::b", fold=True) & arn_glob("arn:*:s3:::c", fold=True)),
        (NO_TEXT, exact("::::1:2", fold=True) & arn_glob("::*:::3")),
        (arn_glob("arn:aws:s3:*:*:*"), arn_glob("arn:aws:s3:*")),
        (NO_TEXT, glob("a*") & ~glob("a*")),
        (ANY_TEXT, glob("a*") | ~glob("a*")),
        (NO_TEXT, glob("a*") & glob("b*")),
        (NO_TEXT, glob("*a", fold=True) & glob("*b")),
        (NO_TEXT, arn_glob("arn:aws:s3:::*") & glob("arn:aws:iam*")),
        (NO_TEXT, exact("a") & exact("b")),
        (NO_TEXT, exact("a", fold=True) & glob("b*", fold=True)),
        (exact("ab"), one_of(["ab", "b"]) & glob("a*")),
        (exact("b"), one_of(["ab", "b"]) - glob("a*")),
        (exact("B"), exact("b", fold=True) & exact("B")),
        (glob("a*"), glob("a*") & ANY_TEXT),
        (NO_TEXT, glob("a*") & NO_TEXT),
        (ANY_TEXT, glob("a*") | ANY_TEXT),
        (glob("a*"), glob("a*") | NO_TEXT),
        (ANY_TEXT, ~NO_TEXT),
        (NO_TEXT, ~ANY_TEXT),
        (glob("a*"), ~~glob("a*")),
        (glob("a*") & glob("*b*"), glob("*b*") & glob("a*")),
        (glob("a*"), glob("a*") & (glob("a*") | glob("*b*"))),
        ((glob("a*") & glob("*c*")) - glob("*b*"), (glob("*b*") | glob("*c*")) & glob("a*") & ~glob("*b*")),
        (glob("*c*") - glob("*b*"), (glob("*b*") | (glob("*c*") & ~glob("*d*")) | glob("*c*")) - glob("*b*")),
        (NO_TEXT, (glob("a*") | glob("b*")) - glob("a*") - glob("b*")),
        (~one_of(["a", "b"]), ~exact("a") & ~exact("b")),
        (union([glob("a*"), glob("b*"), exact("c")]), glob("a*") | glob("b*") | exact("c")),
        (intersection([glob("a*"), glob("*b")]), glob("a*") & glob("*b")),
        (NO_TEXT, union([])),
        (ANY_TEXT, intersection([])),
    ],
)
def test_simplification(expected, actual):
    assert expected == actual
    assert hash(expected) == hash(actual)


@pytest.mark.parametrize(
    ("expected", "language"),
    [
        ("anything", ANY_TEXT),
        ("nothing", NO_TEXT),
        ("``", exact("")),
        ("`a*`", glob("a*")),
        ("`a\\*`", exact("a*")),
        ("`a` or `b`", one_of(["b", "a"])),
        ("`a` in any case", exact("A", fold=True)),
        ("`a?*` in any case", glob("A?*", fold=True)),
        ("not `a*`", ~glob("a*")),
        ("not (`a` or `b`)", ~one_of("ab")),
        ("`*b*` and `a*`", glob("a*") & glob("*b*")),
        ("`a*` and not `*b*`", glob("a*") - glob("*b*")),
        ("(`*c*` and not `a*`) or `b*`", glob("b*") | (glob("*c*") - glob("a*"))),
        ("`1`, `2`, `3`, `4`, `5`, `6` or `7`", one_of("1234567")),
        ("`1`, `2`, `3`, `4`, `5`, `6` or 2 more", one_of("12345678")),
        ("`arn:*:s3:::b/*`", arn_glob("arn:*:s3:::b/*")),
        ("`arn:aws:s3:*::b/*` in any case", arn_glob("arn:AWS:s3:*::B/*", fold=True)),
    ],
)
def test_description(expected, language):
    assert expected == language.describe()
    assert expected == str(language)


def test_members():
    assert frozenset({"a", "b"}) == one_of("ab").members()
    assert frozenset() == NO_TEXT.members()
    assert frozenset({"1"}) == exact("1", fold=True).members()
    assert exact("a", fold=True).members() is None
    assert glob("a?").members() is None
    assert (glob("a*") | exact("b")).members() is None


def test_fold_flag():
    assert [True, False] == [glob("a*", fold=True).fold, glob("a*").fold]
    assert [True, True] == [(~exact("a", fold=True)).fold, (glob("a*") | exact("b", fold=True)).fold]


def test_kind_and_pickling():
    language = (glob("a*") - one_of(["ab", "ac"])) | arn_glob("arn:aws:s3:*::b/*", fold=True)
    assert Kind.TEXT is language.kind
    assert language == pickle.loads(pickle.dumps(language))  # noqa: S301 - written one line above


def test_many_words():
    names = [f"service{number % 200}:Action{number}" for number in range(13_000)]
    folded = one_of(names, fold=True)
    assert folded.matches("SERVICE5:action5")
    assert not folded.matches("service5:Action6")
    assert "service5:" == (glob("service5:*", fold=True) - folded).witness()
    assert folded.issubset(glob("service*", fold=True))


def test_nesting_limit():
    def nested(levels):
        language = glob("*a*")
        for number in range(levels):
            language = (language & glob(f"*{number}x*")) | glob(f"*{number}y*")
        return language

    assert nested(45).matches("44y")
    with pytest.raises(BudgetExceededError, match="nested more than 100 levels deep"):
        nested(60)


def test_chained_conjunctions_stay_flat():
    chain = [*accumulate((glob(f"*{number}*") for number in range(300)), and_)]
    assert chain[-1] == intersection(glob(f"*{number}*") for number in range(300))


@pytest.mark.parametrize(
    "language", [glob("a*b", fold=True), arn_glob("arn:aws:s3:*:*:a?"), one_of(("a", "b")), ~glob("a*")]
)
def test_a_copy_is_equal_and_built_anew(language):
    copied = pickle.loads(pickle.dumps(language))  # noqa: S301 - made here
    assert language == copied
    assert hash(language) == hash(copied)


@pytest.mark.parametrize("constant", [ALWAYS, NEVER])
def test_constants_stay_single(constant):
    assert constant is pickle.loads(pickle.dumps(constant))  # noqa: S301 - made here
