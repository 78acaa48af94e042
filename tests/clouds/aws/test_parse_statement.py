from __future__ import annotations

import pytest

from idtrans.clouds.aws._parse_statement import lower_statement
from idtrans.model.entities import ConditionTest, PolicyPrincipal
from idtrans.model.spans import Place, Source
from idtrans.model.values import UNKNOWN, Effect

SOURCE = Source(Place("p.json"), "/Statement/0")
READ = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::logs/*"}


def lowered(**changes):
    return lower_statement({**READ, **changes}, SOURCE)


def test_strings_and_lists_say_the_same():
    listed = lowered(Action=["s3:GetObject"], Resource=["arn:aws:s3:::logs/*"])
    assert lowered() == listed
    assert (("s3:GetObject",), ("arn:aws:s3:::logs/*",), ()) == (listed.actions, listed.resources, listed.doubts)


@pytest.mark.parametrize(
    ("expected", "effect"),
    [(Effect.ALLOW, "Allow"), (Effect.DENY, "Deny")],
)
def test_effects(expected, effect):
    statement = lowered(Effect=effect)
    assert (expected, ()) == (statement.effect, statement.doubts)


@pytest.mark.parametrize("effect", ["allow", "DENY", "Allow ", "", None, 1, ["Allow"], {"Ref": "Effect"}])
def test_another_spelling_of_the_effect_is_invalid(effect):
    statement = lowered(Effect=effect)
    assert statement.effect is UNKNOWN
    assert statement.doubts[0].startswith("invalid effect")


def test_a_missing_effect_is_invalid():
    statement = lower_statement({"Action": "s3:*", "Resource": "*"}, SOURCE)
    assert (UNKNOWN, ("invalid effect: the statement has no `Effect`",)) == (statement.effect, statement.doubts)


@pytest.mark.parametrize("raw", [None, "Allow", 3, [READ], True])
def test_a_statement_that_is_no_object_is_unknown(raw):
    statement = lower_statement(raw, SOURCE)
    assert statement.effect is UNKNOWN
    assert "is not an object" in statement.doubts[0]


@pytest.mark.parametrize(
    ("expected", "principal"),
    [
        ([("*", "*")], "*"),
        ([("AWS", "*")], {"AWS": "*"}),
        ([("AWS", "111122223333")], {"AWS": 111122223333}),
        ([("AWS", "arn:aws:iam::111122223333:root"), ("AWS", "111122223333")],
         {"AWS": ["arn:aws:iam::111122223333:root", "111122223333"]}),
        ([("AWS", "AROAIIAUMPBEXAMPLEID1")], {"AWS": "AROAIIAUMPBEXAMPLEID1"}),
        ([("AWS", "arn:aws-us-gov:iam::111122223333:role/x")], {"AWS": "arn:aws-us-gov:iam::111122223333:role/x"}),
        ([("Service", "ec2.amazonaws.com"), ("Federated", "accounts.google.com")],
         {"Service": ["ec2.amazonaws.com"], "Federated": "accounts.google.com"}),
        ([("CanonicalUser", "79a59d")], {"CanonicalUser": "79a59d"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("element", ["Principal", "NotPrincipal"])
def test_principals_are_kept_as_written(expected, principal, element):
    statement = lowered(**{element: principal})
    found = statement.principals if element == "Principal" else statement.not_principals
    assert tuple(PolicyPrincipal(kind, value) for kind, value in expected) == found
    assert statement.doubts == ()


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        ("neither `*` nor an object", {"Principal": "arn:aws:iam::111122223333:root"}),
        ("`Principal` is an empty object", {"Principal": {}}),
        ("`Principal` is an empty list", {"Principal": {"AWS": []}}),
        ("unknown kind `aws`", {"Principal": {"aws": "*"}}),
        ("is not resolved", {"Principal": {"Fn::GetAtt": ["Role", "Arn"]}}),
        ("is not resolved", {"Principal": {"AWS": {"Fn::Sub": "arn:aws:iam::${Account}:root"}}}),
        ("is not resolved", {"Principal": {"AWS": "${aws_iam_role.deploy.arn}"}}),
        ("is no text", {"Principal": {"AWS": [None]}}),
        ("is no text", {"Principal": None}),
        ("both `Principal` and `NotPrincipal`", {"Principal": "*", "NotPrincipal": "*"}),
        ("both `Action` and `NotAction`", {"NotAction": "s3:*"}),
        ("both `Resource` and `NotResource`", {"NotResource": "*"}),
        ("`Action` is an empty list", {"Action": []}),
        ("is not resolved", {"Action": {"Ref": "Action"}}),
        ("is not resolved", {"Action": "${aws:username}"}),
        ("is not resolved", {"Resource": {"Fn::Sub": "arn:aws:s3:::${Bucket}/*"}}),
        ("is not resolved", {"Resource": ["arn:aws:s3:::ok", {"Fn::ImportValue": "bucket"}]}),
        ("is not resolved", {"Resource": {"!Sub": "arn:aws:s3:::${Bucket}"}}),
        ("is not resolved", {"Principal": {"!GetAtt": "Role.Arn"}}),
        ("is not resolved", {"Resource": "${aws_s3_bucket.logs.arn}/*"}),
        ("is not resolved", {"Resource": "arn:${AWS::Partition}:s3:::logs"}),
        ("is not resolved", {"Resource": "arn:aws:s3:::${var.bucket}"}),
        ("is not resolved", {"Resource": 'arn:aws:s3:::${local.env == "prod" ? "a" : "b"}'}),
        ("is not resolved", {"Resource": "arn:aws:s3:::${}"}),
        ("is no text", {"Resource": {"a": 1, "b": 2}}),
        ("is no text", {"Resource": None}),
        ("unknown statement element `Actions`", {"Actions": "s3:*"}),
        ("unknown statement element `action`", {"action": "s3:*"}),
        ("malformed condition `null`", {"Condition": None}),
        ("malformed condition `[]`", {"Condition": []}),
        ("malformed condition: `aws:SourceIp` is `10.0.0.0/8`", {"Condition": {"aws:SourceIp": "10.0.0.0/8"}}),
        ("malformed condition: `StringEquals` is `[", {"Condition": {"StringEquals": ["a"]}}),
        ("`StringEquals` tests no condition key", {"Condition": {"StringEquals": {}}}),
        ("`aws:SourceVpce` is an empty list", {"Condition": {"StringEquals": {"aws:SourceVpce": []}}}),
        ("is no text", {"Condition": {"StringEquals": {"aws:SourceVpce": None}}}),
        ("is not resolved", {"Condition": {"StringEquals": {"aws:SourceVpce": "${var.vpce}"}}}),
        ("is not resolved", {"Condition": {"StringEquals": {"${local.issuer}:sub": "x"}}}),
    ],
)
def test_what_is_not_understood_is_a_doubt(expected, changes):
    doubts = lowered(**changes).doubts
    assert len(doubts) == 1
    assert expected in doubts[0]


def test_neither_action_is_a_doubt():
    statement = lower_statement({"Effect": "Allow", "Resource": "*"}, SOURCE)
    assert ("neither `Action` nor `NotAction`",) == statement.doubts


def test_unresolved_parts_are_kept_so_that_different_ones_differ():
    first, second = (lowered(Resource=["*", {"Ref": name}]) for name in ("A", "B"))
    assert ("*", '{"Ref": "A"}') == first.resources
    assert first.resources != second.resources


@pytest.mark.parametrize(
    "resource",
    [
        "arn:aws:s3:::home/${aws:username}/*",
        "arn:aws:s3:::home/${aws:PrincipalTag/cost center}/*",
        "arn:aws:s3:::home/${aws:PrincipalTag/team, 'nobody'}/*",
        "arn:aws:s3:::home/${token.actions.githubusercontent.com:sub}",
        "arn:aws:s3:::odd${*}${?}${$}",
        "arn:aws:s3:::plain$name",
    ],
)
def test_policy_variables_are_no_templates(resource):
    statement = lowered(Resource=resource)
    assert ((resource,), ()) == (statement.resources, statement.doubts)


def test_condition_values_become_text_as_in_aws():
    block = {
        "Bool": {"aws:SecureTransport": False, "aws:MultiFactorAuthPresent": [True]},
        "NumericLessThan": {"s3:max-keys": [10, 2.5, 3.0]},
    }
    statement = lowered(Condition=block)
    below = SOURCE.at("Condition")
    assert statement.doubts == ()
    assert (
        ConditionTest("Bool", "aws:SecureTransport", ("false",), below.at("Bool", "aws:SecureTransport")),
        ConditionTest("Bool", "aws:MultiFactorAuthPresent", ("true",), below.at("Bool", "aws:MultiFactorAuthPresent")),
        ConditionTest("NumericLessThan", "s3:max-keys", ("10", "2.5", "3"), below.at("NumericLessThan", "s3:max-keys")),
    ) == statement.conditions


def test_an_empty_condition_is_none():
    assert ((), ()) == (lowered(Condition={}).conditions, lowered(Condition={}).doubts)


@pytest.mark.parametrize(("expected", "sid"), [("Read", "Read"), ("1", 1), (None, None), (None, {"a": 1})])
def test_a_sid_is_a_label(expected, sid):
    assert (expected, ()) == (lowered(Sid=sid).sid, lowered(Sid=sid).doubts)


def test_long_and_hostile_texts_are_shortened_in_messages():
    (doubt,) = lowered(**{"x`\n" + "y" * 500: 1}).doubts
    assert f"unknown statement element `x' {'y' * 77}...`" == doubt
