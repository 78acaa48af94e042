"""What a search looks at: statements that may meet, and known actions as bit sets."""

from __future__ import annotations

from random import Random

import pytest

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    EVERYTHING,
    NOTHING,
    STAR,
    AllOf,
    AnyOf,
    Box,
    Contents,
    Except,
    Gate,
    Has,
    Opaque,
    Status,
    Template,
    Truth,
    Variable,
    all_of,
    arn_glob,
    difference,
    exact,
    glob,
    holds,
    one_of,
)
from idtrans.algebra._search_actions import Roster, roster_of
from idtrans.algebra._search_sieve import Reach, Sieve, is_plainly_within
from idtrans.algebra._text_heads import heads_of
from idtrans.model.decisions import Request
from idtrans.model.values import Effect

ACTIONS = ("EC2:Run", "s3-outposts:Get", "s3:Get", "s3:get", "s3:GetAcl", "S3:Put", "sqs:Send")


def allow(resources=ANY_TEXT, actions=ANY_TEXT, principals=ANY_TEXT, condition=ALWAYS):
    return Box(Effect.ALLOW, "identity", principals, actions, resources, condition)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        (exact("a"), exact("a"), True),
        (exact("a"), exact("b"), False),
        (exact("A", fold=True), exact("a"), True),
        (exact("A"), exact("a"), True),
        (one_of(("a", "b")), one_of(("b", "c")), True),
        (exact("ab"), glob("a*"), True),
        (exact("ba"), glob("a*"), False),
        (glob("a*b"), glob("ab*"), True),
        (glob("ab*"), glob("a*b"), True),
        (glob("a*"), glob("b*"), False),
        (glob("a*"), glob("*b"), True),
        (glob("*a"), exact("b"), True),
        (ANY_TEXT, exact("b"), True),
        (~exact("a"), exact("b"), True),
        (glob("a*") & ~exact("ab"), glob("b*"), False),
        (glob("a*") | glob("b*"), glob("b?"), True),
        (glob("a*") | glob("b*"), glob("c?"), False),
        (exact("x") | glob("b*"), exact("x"), True),
        (arn_glob("arn:aws:s3:*:*:a"), exact("arn:aws:sqs:x:y:a"), False),
        (arn_glob("arn:aws:s3:*:*:a"), exact("arn:aws:s3:x:y:a"), True),
        (exact("É", fold=True), glob("é*"), True),
        (one_of(()), ANY_TEXT, False),
        (one_of(()), glob("a*"), False),
    ],
)
def test_whether_two_sets_may_meet(one, two, expected):
    left, right = heads_of(one.node), heads_of(two.node)
    assert (expected, expected) == (left.may_meet(right), right.may_meet(left))


def _texts(random):
    def letters():
        return "".join(random.choice("aBb*?") for _ in range(random.randint(0, 4)))

    fold = random.random() < 0.3
    found = glob(letters(), fold=fold)
    for _ in range(random.randrange(3)):
        other = glob(letters(), fold=random.random() < 0.3)
        found = random.choice((found | other, found & other, found & ~other))
    return found


def test_sets_that_overlap_may_meet():
    random, met = Random(1), 0
    for _ in range(2_000):
        one, two = _texts(random), _texts(random)
        if one.overlaps(two):
            met += 1
            assert heads_of(one.node).may_meet(heads_of(two.node)), (str(one), str(two))
    assert 500 < met < 1_900


def _boxes(random, count):
    heads = ("a", "ab", "abc", "b", "ba", "*", "c*d")

    def texts():
        found = [random.choice(heads) + random.choice(("", "*", "?")) for _ in range(random.randint(1, 2))]
        return glob(found[0]) if len(found) == 1 else glob(found[0]) | glob(found[1])

    return tuple(
        allow(
            texts() if random.random() < 0.8 else (texts(), Template(("a", Variable("k"), STAR))),
            random.choice((texts(), ANY_TEXT)),
            random.choice((texts(), ANY_TEXT)),
            random.choice((ALWAYS, ALWAYS, Has("k"))),
        )
        for _ in range(count)
    )


REQUESTS = tuple(
    Request(principal, action, resource, {"k": k})
    for principal in ("a", "ba")
    for action in ("ab", "b")
    for resource in ("a", "ab", "abcx", "bax", "cxd")
    for k in ((), ("b",))
)


@pytest.mark.parametrize("seed", range(40))
def test_sifted_access_is_the_same_among_the_requests_of_the_statement(seed):
    random, sieve = Random(seed), Sieve()
    large, small = AnyOf(_boxes(random, 40)), AnyOf(_boxes(random, 3))
    access = random.choice((large, Except(large, small), AllOf((Gate("g", "scp", small), large)), Except(small, large)))
    seen = 0
    for box in _boxes(random, 12):
        sifted = sieve.sift(access, sieve.reach(box))
        for request in REQUESTS:
            if holds(box, request) is Truth.TRUE:
                seen += 1
                assert holds(access, request) is holds(sifted, request)
    assert seen > 20


def test_what_begins_otherwise_is_left_out():
    sieve = Sieve()
    parts = tuple(allow(glob(f"r{number}/*"), exact("s3:Get", fold=True)) for number in range(100))
    reach = Reach.of(allow(glob("r7*"), glob("s3:*", fold=True)))
    assert AnyOf((parts[7], *parts[70:80])) == sieve.sift(AnyOf(parts), reach)
    assert NOTHING is sieve.sift(AnyOf(parts), Reach.of(allow(exact("r7"))))
    assert NOTHING is sieve.sift(AnyOf(parts), Reach.of(allow(glob("r7*"), exact("sqs:Send"))))
    assert AnyOf(parts) == sieve.sift(AnyOf(parts), Reach.of(allow()))
    assert parts[7] == sieve.sift(Except(parts[7], parts[8]), reach)
    assert NOTHING is sieve.sift(Except(parts[8], parts[7]), reach)
    assert NOTHING is sieve.sift(AllOf((parts[7], parts[8])), reach)
    assert EVERYTHING == sieve.sift(EVERYTHING, reach)


def test_alternatives_that_are_no_statements_are_always_looked_at():
    parts = (*(allow(exact(f"r{number}")) for number in range(30)), Except(allow(), allow(exact("r1"))))
    reach = Reach.of(allow(exact("r1")))
    assert AnyOf((parts[1], Except(parts[-1].base, parts[-1].minus))) == Sieve().sift(AnyOf(parts), reach)


SURE = Opaque("odd")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (allow(), allow(exact("a")), True),
        (allow(), allow(glob("a*"), condition=SURE), True),
        (allow(condition=SURE), allow(), False),
        (allow(condition=SURE), allow(condition=all_of(SURE, Has("k"))), True),
        (allow(condition=all_of(SURE, Has("k"))), allow(condition=SURE), False),
        (allow(glob("a*")), allow(one_of(("ab", "ac"))), True),
        (allow(glob("a*")), allow(one_of(("ab", "b"))), False),
        (allow(glob("ab*")), allow(exact("ab", fold=True)), False),
        (allow(glob("ab*", fold=True)), allow(exact("AB", fold=True)), True),
        (allow(glob("a*") | glob("b*")), allow(glob("b*")), True),
        (allow(Template((Variable("k"),))), allow(Template((Variable("k"),))), True),
        (allow(Template((Variable("k"),))), allow(exact("a")), False),
        (allow(actions=exact("a")), allow(actions=exact("a")), True),
        (allow(actions=exact("a")), allow(), False),
        (allow(principals=exact("a")), allow(), False),
        (AnyOf((allow(exact("a")), allow(exact("b")))), allow(exact("b")), True),
        (Except(allow(), allow(exact("b"))), allow(exact("b")), False),
        (NOTHING, allow(), False),
    ],
)
def test_what_is_plainly_within(old, new, expected):
    assert expected is is_plainly_within(new, old)
    if expected:
        assert Status.EMPTY is difference(new, old).status


@pytest.mark.parametrize("seed", range(10))
def test_known_actions_are_those_that_match(seed):
    random, roster = Random(seed), Roster(ACTIONS)
    words = ("s3:Get", "S3:GET", "s3:*", "*", "?3:Get*", "sqs:Send", "É", "s3-*", "x", "S3:P*")
    for _ in range(30):
        found = glob(random.choice(words), fold=random.random() < 0.6)
        for _ in range(random.randrange(3)):
            other = glob(random.choice(words), fold=random.random() < 0.6)
            found = random.choice((found | other, found & ~other, found & other, found | arn_glob("arn:a:*:c:d:e")))
        expected = [action for action in ACTIONS if found.matches(action)]
        assert expected == list(roster.picked(roster.among(found)))


def test_a_roster_is_read_from_a_place_on_and_round():
    roster = roster_of(ACTIONS)
    assert roster is roster_of(tuple(ACTIONS))
    some = roster.among(glob("s3:*", fold=True))
    assert ["s3:GetAcl", "S3:Put", "s3:Get", "s3:get"] == list(roster.picked(some, roster.place("s3:GetAcl")))
    assert [True, True, False, False] == [name in roster for name in ("s3:Get", "s3:get", "s3:GET", "zz")]
    assert [] == list(Roster(()).picked(Roster(()).among(ANY_TEXT)))


def test_a_roster_forgets_when_it_is_full(monkeypatch):
    monkeypatch.setattr("idtrans.algebra._search_actions._KEPT", 2)
    roster = Roster(ACTIONS)
    expected = {"sqs:Send": 1, "none": 0, "s3:*": 3, "*": 7}
    for _ in range(2):
        assert expected == {text: roster.among(glob(text)).bit_count() for text in expected}


MANY = tuple(allow(glob(f"r{number}/*")) for number in range(200))
DENIED = tuple(allow(glob(f"r1{number}/secret*")) for number in range(30))


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        (allow(glob("r1*")), AnyOf(MANY), Status.WITNESS),
        (allow(glob("r1*/*")), AnyOf(MANY), Status.WITNESS),
        (allow(glob("r7/*x")), AnyOf(MANY), Status.EMPTY),
        (allow(glob("r7/*") | glob("r8/*")), AnyOf(MANY), Status.EMPTY),
        (allow(glob("r1*")), AnyOf((*MANY, allow(glob("r1?*")))), Status.WITNESS),
        (allow(glob("r1?*")), AnyOf((*MANY, allow(glob("r1*")))), Status.EMPTY),
        (allow(glob("r1*/a*")), Except(allow(glob("r1*")), AnyOf(DENIED)), Status.WITNESS),
        (allow(glob("r1?/a*")), Except(allow(glob("r1*")), AnyOf(DENIED)), Status.EMPTY),
        (allow(glob("r1?/a")), Except(allow(glob("r1*")), AnyOf(DENIED)), Status.EMPTY),
        (allow(glob("r1*/s*")), Except(allow(glob("r1*")), AnyOf(DENIED)), Status.WITNESS),
        (Except(allow(glob("r1*/s*")), AnyOf(DENIED)), allow(exact("r1x/s")), Status.WITNESS),
        (Except(allow(glob("r1*/s*")), AnyOf(DENIED)), Except(allow(), AnyOf(DENIED)), Status.EMPTY),
        (Except(allow(glob("r1*")), AnyOf((*MANY, allow(exact("r1"))))), NOTHING, Status.WITNESS),
        (Except(allow(glob("r1?/*")), AnyOf((*MANY, allow(glob("r1*"))))), NOTHING, Status.EMPTY),
        (allow(glob("r1*"), condition=SURE), AnyOf(MANY), Status.UNKNOWN),
        (allow(glob("r1/*")), AnyOf(tuple(allow(glob(f"r1/{n}*"), condition=SURE) for n in range(40))), Status.WITNESS),
        (allow(glob("r1/*")), AnyOf((*MANY[2:], *(allow(glob("r1*"), condition=SURE),) * 20)), Status.UNKNOWN),
    ],
)
def test_one_statement_against_many(new, old, expected):
    found = difference(new, old)
    assert expected is found.status
    if found.witness is not None:
        assert (Truth.TRUE, Truth.FALSE) == (holds(new, found.witness), holds(old, found.witness))


@pytest.mark.parametrize("seed", range(30))
def test_what_many_statements_do_not_grant_is_found(seed):
    random = Random(seed)
    old, new = AnyOf(_boxes(random, 25)), random.choice(_boxes(random, 5))
    shown = any(holds(new, one) is Truth.TRUE and holds(old, one) is Truth.FALSE for one in REQUESTS)
    found = difference(new, old)
    assert not (shown and found.status is Status.EMPTY)
    if found.witness is not None:
        assert (Truth.TRUE, Truth.FALSE) == (holds(new, found.witness), holds(old, found.witness))


def test_contents_are_numbered_by_what_is_held():
    contents = Contents()
    one, two = allow(exact("a")), allow(exact("b"))
    named = Box(Effect.DENY, "scp", ANY_TEXT, ANY_TEXT, exact("a"), ALWAYS, "another name")
    same = (
        (one, named),
        (AnyOf((one, two)), AnyOf((two, named, one))),
        (AllOf((one, two)), AllOf((two, one))),
        (Except(one, two), Gate("g", "scp", Except(named, two))),
        (NOTHING, AnyOf(())),
    )
    for left, right in same:
        assert contents.number(left) == contents.number(right)
    assert len(same) == len({contents.number(left) for left, _ in same})
    assert contents.number(AnyOf((one,))) != contents.number(AllOf((one,)))
    assert contents.number(Except(one, two)) != contents.number(Except(two, one))
