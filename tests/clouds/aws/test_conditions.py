from __future__ import annotations

from dataclasses import replace

import pytest

from idtrans.algebra import ALWAYS, NEVER, Opaque, Truth, opaques, reduce
from idtrans.clouds.aws._conditions import compile_test, words
from idtrans.clouds.aws._operators import OPERATORS, Absence, read_operator
from idtrans.clouds.aws._patterns import resource_pattern
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.entities import ConditionTest
from tests.clouds.aws.builders import HERE

NEW, OLD = "2012-10-17", "2008-10-17"
ROLE = "arn:aws:iam::111122223333:role/reader"


def holds(
    operator: str, key: str, values: tuple[str, ...], context: dict[str, tuple[str, ...]], version: str = NEW
) -> Truth:
    request = Request("p", "s3:GetObject", "arn:aws:s3:::b/x", context, Knowledge.CLOSED)
    found = reduce(compile_test(operator, key, values, version), request)
    if found == ALWAYS:
        return Truth.TRUE
    return Truth.FALSE if found == NEVER else Truth.UNKNOWN


T, F, U = Truth.TRUE, Truth.FALSE, Truth.UNKNOWN


@pytest.mark.parametrize(
    ("operator", "listed", "given", "expected"),
    [
        ("StringEquals", ("a", "b"), ("b",), T),
        ("StringEquals", ("a",), ("A",), F),
        ("StringEquals", ("a*",), ("ab",), F),
        ("StringEquals", ("a*",), ("a*",), T),
        ("StringEqualsIgnoreCase", ("a",), ("A",), T),
        ("StringNotEqualsIgnoreCase", ("a",), ("A",), F),
        ("StringLike", ("a*",), ("ab",), T),
        ("StringLike", ("a?",), ("abc",), F),
        ("StringNotLike", ("a*",), ("ab",), F),
        ("StringNotLike", ("a*",), ("b",), T),
        # Negated operators with several values hold when none of them matches.
        ("StringNotEquals", ("eu-west-1", "eu-central-1"), ("eu-west-1",), F),
        ("StringNotEquals", ("eu-west-1", "eu-central-1"), ("us-east-1",), T),
        # Absent keys.
        ("StringEquals", ("a",), (), F),
        ("StringNotEquals", ("a",), (), T),
        ("StringEqualsIfExists", ("a",), (), T),
        ("StringEqualsIfExists", ("a",), ("b",), F),
        ("StringNotEqualsIfExists", ("a",), (), T),
        ("NumericLessThan", ("5",), (), F),
        ("NotIpAddress", ("10.0.0.0/8",), (), T),
        ("ForAllValues:StringEquals", ("a", "b"), (), T),
        ("ForAnyValue:StringEquals", ("a",), (), F),
        ("ForAnyValue:StringNotEquals", ("a",), (), F),
        ("ForAnyValue:StringEqualsIfExists", ("a",), (), T),
        # Keys of several values.
        ("ForAllValues:StringEquals", ("a", "b"), ("a", "b"), T),
        ("ForAllValues:StringEquals", ("a", "b"), ("a", "c"), F),
        ("ForAnyValue:StringLike", ("a*",), ("x", "ab"), T),
        ("ForAnyValue:StringLike", ("a*",), ("x",), F),
        ("ForAnyValue:StringNotEquals", ("a",), ("a", "b"), T),
        ("StringEquals", ("a",), ("a", "b"), U),
        # Numbers, dates, addresses, booleans, binary values.
        ("NumericEquals", ("1", "2"), ("2.0",), T),
        ("NumericNotEquals", ("1", "2"), ("2",), F),
        ("NumericLessThan", ("5",), ("5",), F),
        ("NumericLessThanEquals", ("5",), ("5",), T),
        ("NumericGreaterThan", ("5", "100"), ("6",), T),
        ("NumericGreaterThanEquals", ("5",), ("4",), F),
        ("DateLessThan", ("2026-01-01T00:00:00Z",), ("2025-12-31T23:59:59Z",), T),
        ("DateGreaterThan", ("2026-01-01T00:00:00Z",), ("1000000000",), F),
        ("IpAddress", ("203.0.113.0/24", "2001:db8::/32"), ("203.0.113.9",), T),
        ("IpAddress", ("203.0.113.9",), ("203.0.113.9",), T),
        ("IpAddress", ("0.0.0.0/0",), ("2001:db8::1",), F),
        ("NotIpAddress", ("203.0.113.0/24",), ("203.0.113.9",), F),
        ("Bool", ("True",), ("true",), T),
        ("Bool", ("false",), ("true",), F),
        ("BinaryEquals", ("QmluYXJ5",), ("QmluYXJ5",), T),
        # ARNs, field by field; Equals and Like are the same.
        ("ArnEquals", ("arn:aws:iam::111122223333:role/*",), (ROLE,), T),
        ("ArnLike", ("arn:aws:iam::*:role/reader",), (ROLE,), T),
        ("ArnLike", ("arn:aws:iam:*:role/reader",), (ROLE,), F),
        ("ArnNotEquals", (ROLE,), (ROLE,), F),
        ("ArnNotLike", (ROLE,), (), T),
        # Null.
        ("Null", ("true",), (), T),
        ("Null", ("true",), ("x",), F),
        ("Null", ("false",), ("x",), T),
        ("Null", ("true", "false"), (), T),
    ],
)
def test_an_operator_compares_as_documented(operator, listed, given, expected):
    context = {"some:key": given} if given else {}
    assert expected is holds(operator, "Some:KEY", listed, context)


@pytest.mark.parametrize(
    ("operator", "values"),
    [
        ("StringMatches", ("a",)),
        ("stringequals", ("a",)),
        ("ForSomeValue:StringEquals", ("a",)),
        ("ForAnyValue:Null", ("true",)),
        ("NullIfExists", ("true",)),
        ("Null", ("maybe",)),
        ("Bool", ("yes",)),
        ("NumericEquals", ("${aws:x}",)),
        ("NumericLessThan", ("five",)),
        ("DateLessThan", ("tomorrow",)),
        ("IpAddress", ("10.0.0.0/99",)),
        ("BinaryEquals", ("no base 64!",)),
        ("StringEquals", ()),
        ("StringEquals", ("${aws:username",)),
        ("StringEquals", ("${}",)),
    ],
)
def test_what_is_not_an_operator_or_a_value_is_unknown(operator, values):
    found = compile_test(operator, "aws:Key", values, NEW)
    assert isinstance(found, Opaque)
    assert found.reason


def test_equal_unknown_conditions_are_the_same_symbol_whatever_the_case_of_the_key():
    assert compile_test("What", "aws:A", ("x",), NEW) == compile_test("What", "AWS:a", ("x",), NEW)
    assert compile_test("What", "aws:A", ("x",), NEW) != compile_test("What", "aws:A", ("y",), NEW)


@pytest.mark.parametrize(
    ("operator", "value", "given", "version", "expected"),
    [
        ("StringEquals", "${aws:username}", ("ana",), NEW, T),
        ("StringEquals", "${aws:username}", ("bo",), NEW, F),
        ("StringEquals", "${aws:username}", ("${aws:username}",), OLD, T),
        ("StringEquals", "${AWS:UserName}", ("ana",), NEW, T),
        ("StringLike", "home/${aws:username}/*", ("home/ana/x",), NEW, T),
        ("StringLike", "${aws:PrincipalTag/team, 'shared'}-*", ("shared-x",), NEW, T),
        ("StringEquals", "${aws:PrincipalTag/team}", ("x",), NEW, F),
        ("StringNotEquals", "${aws:PrincipalTag/team}", ("x",), NEW, T),
        ("StringNotEquals", "${aws:username}", ("ana",), NEW, F),
        ("StringLike", "a${*}b", ("a*b",), NEW, T),
        ("StringLike", "a${*}b", ("axb",), NEW, F),
        ("StringLike", "a${?}${$}", ("a?$",), NEW, T),
        ("StringEquals", "a${*}", ("a*",), NEW, T),
        ("ArnLike", "arn:aws:iam::111122223333:user/${aws:username}", ("arn:aws:iam::111122223333:user/ana",), NEW, T),
        ("ArnLike", "arn:aws:iam::*:user/${*}", ("arn:aws:iam::111122223333:user/*",), NEW, T),
    ],
)
def test_variables_have_a_meaning_in_texts_and_arns_of_the_new_version_only(operator, value, given, version, expected):
    context = {"some:key": given, "aws:username": ("ana",)}
    assert expected is holds(operator, "some:key", (value,), context, version)


@pytest.mark.parametrize(
    ("operator", "given", "expected"),
    [
        ("StringEquals", ("ana",), T),
        ("StringEquals", ("x",), T),
        ("StringEquals", ("y",), F),
        ("StringNotEquals", ("ana",), F),
        ("StringNotEquals", ("y",), T),
        ("ForAnyValue:StringEquals", ("y", "ana"), T),
        ("ForAllValues:StringNotEquals", ("y", "z"), T),
        # Neither of these is one test for each pattern.
        ("ForAllValues:StringEquals", ("ana", "x"), T),
        ("ForAllValues:StringEquals", ("ana", "y"), F),
        ("ForAllValues:StringEquals", (), T),
        ("ForAnyValue:StringNotEquals", ("ana",), F),
        ("ForAnyValue:StringNotEquals", ("ana", "x"), F),
        ("ForAnyValue:StringNotEquals", ("ana", "y"), T),
        ("ForAnyValue:StringNotEquals", (), F),
        ("ForAnyValue:StringNotEqualsIfExists", (), T),
        ("ForAllValues:StringEqualsIgnoreCase", ("ANA", "X"), T),
        ("ForAllValues:StringLike", ("ana", "x"), T),
    ],
)
def test_plain_values_and_variables_stand_side_by_side(operator, given, expected):
    context = {"some:key": given, "aws:username": ("ana",)}
    assert expected is holds(operator, "some:key", ("x", "${aws:username}"), context)


@pytest.mark.parametrize(
    ("operator", "listed", "tags", "expected"),
    [
        # A variable without value matches nothing, whatever stands beside it.
        ("ForAllValues:StringLike", ("x", "${aws:PrincipalTag/team}"), {}, T),
        ("ForAllValues:StringLike", ("y", "${aws:PrincipalTag/team}"), {}, F),
        ("ForAnyValue:StringNotLike", ("x", "${aws:PrincipalTag/team}"), {}, F),
        ("ForAnyValue:StringNotLike", ("y", "${aws:PrincipalTag/team}"), {}, T),
        ("ForAllValues:StringLike", ("y", "${aws:PrincipalTag/team, 'x'}"), {}, T),
        ("ForAllValues:StringLike", ("${aws:PrincipalTag/team}*", "y"), {"aws:principaltag/team": ("x",)}, T),
        # A value that is put in has no wildcards.
        ("ForAllValues:StringLike", ("${aws:PrincipalTag/team}", "y"), {"aws:principaltag/team": ("*",)}, F),
        # A key of several values is no variable.
        ("ForAllValues:StringLike", ("${aws:PrincipalTag/team}", "y"), {"aws:principaltag/team": ("x", "z")}, U),
    ],
)
def test_many_values_wait_for_the_variables_of_their_patterns(operator, listed, tags, expected):
    assert expected is holds(operator, "some:key", listed, {"some:key": ("x",), **tags})


def test_many_values_of_patterns_are_one_symbol_until_they_are_known():
    waiting = compile_test("ForAllValues:StringLike", "A", ("x", "${aws:username}"), NEW)
    request = Request("p", "s3:GetObject", "arn:aws:s3:::b/x", {"aws:username": ("ana",)}, Knowledge.OPEN)
    assert waiting == reduce(waiting, request)
    assert waiting == compile_test("ForAllValues:StringLike", "a", ("${aws:username}", "x"), NEW)
    assert waiting != compile_test("ForAllValues:StringEquals", "a", ("${aws:username}", "x"), NEW)
    open_ = replace(request, context={"a": ("x",)})
    assert waiting == reduce(waiting, open_)


@pytest.mark.parametrize(
    ("operator", "listed", "given", "expected"),
    [
        ("NumericEquals", "5", ("five",), F),
        ("NumericLessThan", "5", ("five",), F),
        ("DateGreaterThan", "2026-01-01T00:00:00Z", ("tomorrow",), F),
        ("IpAddress", "10.0.0.0/8", ("hello",), F),
        ("IpAddress", "10.0.0.0/8", ("2001:db8::1",), F),
        ("ArnLike", "arn:aws:iam::*:role/*", ("hello",), F),
        ("ArnNotLike", "arn:aws:iam::*:role/*", ("hello",), T),
        # No page says whether a value that is no number meets "not that number".
        ("NumericNotEquals", "5", ("five",), U),
        ("NumericNotEqualsIfExists", "5", ("five",), U),
        ("DateNotEquals", "2026-01-01T00:00:00Z", ("tomorrow",), U),
        ("NotIpAddress", "10.0.0.0/8", ("hello",), U),
        ("NotIpAddress", "10.0.0.0/8", ("2001:db8::1",), T),
        ("ForAnyValue:NumericNotEquals", "5", ("five", "6"), T),
        ("ForAnyValue:NumericNotEquals", "5", ("five", "5"), U),
        ("ForAllValues:NumericNotEquals", "5", ("five", "6"), U),
        ("ForAllValues:NumericNotEquals", "5", ("five", "5"), F),
        ("ForAllValues:NumericEquals", "5", ("five", "5"), F),
    ],
)
def test_values_of_another_kind_never_match(operator, listed, given, expected):
    assert expected is holds(operator, "some:key", (listed,), {"some:key": given})


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_every_operator_reads_itself_and_its_variants(name):
    found = read_operator(name)
    assert found is not None
    assert OPERATORS[name] == found.operator
    assert Absence.FAILS is found.if_exists
    assert OPERATORS[name] == OPERATORS[found.text]
    for variant in (f"{name}IfExists", f"ForAnyValue:{name}", f"ForAllValues:{name}IfExists"):
        applied = read_operator(variant)
        assert (name == "Null") is (applied is None)
        assert applied is None or applied == read_operator(applied.text)


@pytest.mark.parametrize(
    ("text", "resource", "matched"),
    [
        ("*", "anything", True),
        ("arn:aws:s3:::b/*", "arn:aws:s3:::b/x/y:z", True),
        ("arn:aws:s3:::b", "arn:aws:s3:::B", False),
        ("arn:aws:sqs:*", "arn:aws:sqs:eu-west-1:111122223333:q", True),
        ("arn:aws:sqs:*:q", "arn:aws:sqs:eu-west-1:111122223333:q", False),
        ("arn:aws:sqs:eu-*:111122223333:q", "arn:aws:sqs:eu-west-1:111122223333:q", True),
    ],
)
def test_a_resource_pattern_matches_field_by_field(text, resource, matched):
    pattern = resource_pattern(text, NEW)
    assert pattern is not None
    assert matched is pattern.matches(resource)  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["", "my-bucket/*", "arn:aws:s3:${aws:x}::${aws:y}", "arn:aws:s3:::b/${x", "s3:::b"])
def test_what_is_no_resource_pattern_is_told(text):
    assert resource_pattern(text, NEW) is None


def test_conditions_are_written_out_for_people():
    tests = (
        ConditionTest("StringEquals", "aws:PrincipalOrgID", ("o-1",), HERE),
        ConditionTest("Bool", "aws:SecureTransport", ("true", "false"), HERE),
    )
    assert "StringEquals aws:PrincipalOrgID o-1 and Bool aws:SecureTransport true | false" == words(tests)
    assert words(()) is None
    assert not opaques(ALWAYS)
