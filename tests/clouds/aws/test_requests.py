from __future__ import annotations

import pytest

from idtrans.algebra import ANY_TEXT, Has, Quantifier, Test, Truth, exact, one_of
from idtrans.clouds.aws import CLOUD
from idtrans.clouds.aws._actions import resource_hint
from idtrans.clouds.aws._arns import is_account, is_unique_id, read_arn
from idtrans.clouds.aws._keys import derive, inverse
from idtrans.clouds.aws._principals import account_language, role_language
from idtrans.model.decisions import Knowledge
from idtrans.model.entities import Principal, PrincipalKind
from idtrans.model.errors import UsageError
from idtrans.ports import Query
from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    APP,
    BUCKET,
    HERE,
    OBJECT,
    OTHER,
    SESSION,
    allow,
    bucket,
    estate,
    identity,
    lower,
    member,
    outcome,
    person,
    resource,
    trust,
)

ROOT = f"arn:aws:iam::{ACCOUNT}:root"


@pytest.mark.parametrize(
    ("text", "owned"),
    [
        (ANA, True),
        ("anonymous", True),
        ("service:ec2.amazonaws.com", True),
        ("ec2.amazonaws.com", True),
        ("logs.eu-west-1.amazonaws.com", True),
        ("ec2.amazonaws.com.cn", True),
        ("alexa-appkit.amazon.com", True),
        ("amazonaws.com", False),
        ("ec2.amazonaws.com.example", False),
        ("ec2.amazonaws.com\n", False),
        ("a@ec2.amazonaws.com", False),
        ("policy:#1", True),
        (ACCOUNT, True),
        ("AROAEXAMPLEID0000001", True),
        ("user:a@b.example", False),
        ("ana@b.example", False),
        ("entra:1", False),
    ],
)
def test_ids_of_aws_are_told_by_their_form(text, owned):
    assert owned is CLOUD.owns(text)


@pytest.mark.parametrize("text", ["sns.amazonaws.com", "service:sns.amazonaws.com"])
def test_a_service_is_asked_for_as_policies_spell_it(text):
    queue = f"arn:aws:sqs:eu-west-1:{ACCOUNT}:jobs"
    world = estate(resource(queue, allow("sqs:SendMessage", queue, Principal={"Service": "sns.amazonaws.com"})))
    assert "service:sns.amazonaws.com" == CLOUD.principal(text, world)
    assert "allow" == outcome(world, text, "sqs:SendMessage", queue)
    assert "implicit-deny" == outcome(world, "s3.amazonaws.com", "sqs:SendMessage", queue)


def test_principals_have_one_spelling():
    world = estate(person(ANA, aliases=("user/ana", "AIDAEXAMPLEID0000001")), person(APP, aliases=("both",)))
    for text in (ANA, "user/ana", "AIDAEXAMPLEID0000001"):
        assert ANA == CLOUD.principal(text, world)
    assert ROOT == CLOUD.principal(ACCOUNT, world)
    assert SESSION == CLOUD.principal(SESSION, world)


@pytest.mark.parametrize("text", ["ana", "ana@example.com", "AIDAEXAMPLEID0000009"])
def test_a_name_that_says_nothing_is_refused(text):
    with pytest.raises(UsageError, match="is no AWS principal"):
        CLOUD.principal(text, estate(person(ANA)))


def test_a_name_of_several_principals_is_refused():
    world = estate(person(ANA, aliases=("x",)), person(APP, aliases=("x",)))
    with pytest.raises(UsageError, match="names 2 principals"):
        CLOUD.principal("x", world)


@pytest.mark.parametrize(
    ("action", "target"),
    [("GetObject", OBJECT), ("s3:Get*", OBJECT), ("s3:GetObject", "my-bucket"), ("s3:", "*")],
)
def test_a_request_that_cannot_be_one_is_refused(action, target):
    with pytest.raises(UsageError, match="is no AWS"):
        CLOUD.request(Query(ANA, action, target), estate(person(ANA)))


def test_a_request_of_a_user_carries_what_follows_from_it():
    world = estate(person(ANA, aliases=("AIDAEXAMPLEID0000001",), attributes={"Team": "data"}), bucket(BUCKET, OTHER))
    query = Query(ANA, "S3:getobject", OBJECT, {"aws:SourceIp": ("10.0.0.1",)})
    request = CLOUD.request(query, world)
    assert ("s3:GetObject", Knowledge.OPEN) == (request.action, request.knowledge)
    expected = {
        "aws:currenttime": ("2026-09-01T12:00:00Z",),
        "aws:epochtime": ("1788264000",),
        "aws:resourceaccount": (OTHER,),
        "s3:resourceaccount": (OTHER,),
        "aws:principalarn": (ANA,),
        "aws:principalaccount": (ACCOUNT,),
        "aws:principaltype": ("User",),
        "aws:principalisawsservice": ("false",),
        "aws:principalservicename": (),
        "aws:principaltag/team": ("data",),
        "aws:username": ("ana",),
        "aws:userid": ("AIDAEXAMPLEID0000001",),
        "aws:sourceip": ("10.0.0.1",),
    }
    assert expected == dict(request.context)
    shown = CLOUD.shown(request)
    assert ("10.0.0.1",) == shown.context["aws:SourceIp"]
    assert ("data",) == shown.context["aws:PrincipalTag/team"]
    assert "aws:PrincipalServiceName" not in shown.context


def test_a_session_carries_the_keys_of_its_role():
    role = f"arn:aws:iam::{ACCOUNT}:role/team/app"
    world = estate(person(role, attributes={"env": "prod"}))
    request = CLOUD.request(Query(SESSION, "s3:GetObject", OBJECT, closed=True), world)
    assert (role,) == request.context["aws:principalarn"]
    assert ("AssumedRole",) == request.context["aws:principaltype"]
    assert ("prod",) == request.context["aws:principaltag/env"]
    assert () == request.context["aws:username"]
    assert Knowledge.CLOSED is request.knowledge


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        (ROOT, {"aws:principaltype": ("Account",), "aws:principalarn": (ROOT,)}),
        (APP, {"aws:principaltype": ("AssumedRole",), "aws:principalarn": (APP,)}),
        (f"arn:aws:sts::{ACCOUNT}:federated-user/x", {"aws:principaltype": ("FederatedUser",)}),
        ("anonymous", {"aws:principaltype": ("Anonymous",), "aws:principalarn": None}),
        ("service:sns.amazonaws.com", {"aws:principalisawsservice": ("true",), "aws:principalarn": None}),
        ("federated:x", {"aws:principaltype": None}),
    ],
)
def test_keys_that_follow_from_a_principal(caller, expected):
    found = derive(caller)
    assert expected == {key: found.get(key) for key in expected}


def test_given_keys_win_and_documents_have_none():
    world = estate(lower(allow("s3:*")))
    request = CLOUD.request(Query("policy:#1", "new:Thing", "*", {"aws:PrincipalArn": (ANA,)}), world)
    assert "new:Thing" == request.action
    assert {"aws:currenttime", "aws:epochtime", "aws:principalarn"} == set(request.context)


def test_principals_are_all_that_hold_access_or_are_named():
    group = f"arn:aws:iam::{ACCOUNT}:group/g"
    named = {
        "AWS": [OTHER, ACCOUNT, f"arn:aws:iam::{OTHER}:role/x", "AROAEXAMPLEID0000001"],
        "Service": "sns.amazonaws.com",
    }
    world = estate(
        person(ANA),
        identity(APP, allow("s3:*")),
        member(ANA, group),
        resource(BUCKET, allow("s3:*", BUCKET, Principal=named), allow("s3:*", BUCKET, Principal="*")),
        lower(allow("s3:*")),
    )
    expected = (
        "anonymous",
        APP,
        ANA,
        f"arn:aws:iam::{OTHER}:role/x",
        f"arn:aws:iam::{OTHER}:root",
        "service:sns.amazonaws.com",
        "policy:#1",
    )
    assert expected == CLOUD.principals(world)


def test_groups_are_no_principals():
    group = f"arn:aws:iam::{ACCOUNT}:group/g"
    world = estate([Principal("aws", group, PrincipalKind.GROUP, HERE)], person(ANA))
    assert (ANA,) == CLOUD.principals(world)


def test_the_domain_derives_keys_unless_documents_stand_for_anyone():
    known = CLOUD.domain(estate(person(f"arn:aws:iam::{ACCOUNT}:role/team/app"), identity(ANA, allow("sqs:*"))))
    assert known.derive is not None
    assert (f"arn:aws:iam::{ACCOUNT}:role/team/app",) == known.derive(SESSION)["aws:principalarn"]
    assert {"sqs:SendMessage", "s3:GetObject"} <= set(known.actions)
    assert CLOUD.domain(estate(lower(allow("s3:*")))).derive is None


@pytest.mark.parametrize(
    ("action", "inside", "outside"),
    [
        ("s3:GetObject", OBJECT, "*"),
        ("sqs:SendMessage", f"arn:aws:sqs:eu-west-1:{ACCOUNT}:q", OBJECT),
        ("s3:ListAllMyBuckets", "*", OBJECT),
    ],
)
def test_a_witness_acts_on_what_its_action_is_about(action, inside, outside):
    found = resource_hint(action)
    assert found is not None
    assert (True, False) == (found.matches(inside), found.matches(outside))
    assert resource_hint("none:Such") is None


def about(key: str, values: object, missing: Truth = Truth.FALSE) -> Test:
    return Test(key, Quantifier.ONE, values, missing)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("atom", "inside", "outside"),
    [
        (about("aws:principalarn", exact(APP)), SESSION, ANA),
        (about("aws:principalarn", one_of((ANA, APP))), ANA, ROOT),
        (about("aws:principalarn", ~exact(APP)), ANA, SESSION),
        (about("aws:principalarn", ~exact(APP), Truth.TRUE), "anonymous", APP),
        (about("aws:principalaccount", exact(ACCOUNT)), SESSION, "anonymous"),
        (Has("aws:principalarn"), ANA, "service:x"),
    ],
)
def test_a_test_of_a_derived_key_is_a_set_of_principals(atom, inside, outside):
    found = inverse(atom)
    assert found is not None
    assert (True, False) == (found.matches(inside), found.matches(outside))


@pytest.mark.parametrize(
    "atom",
    [about("aws:sourceip", ANY_TEXT), about("aws:principalarn", ANY_TEXT & ~exact("a") | ~exact("b"))],
)
def test_other_tests_are_no_set_of_principals(atom):
    found = inverse(atom)
    assert found is None or found.matches(ANA)


def test_arns_are_taken_apart_by_field():
    arn = read_arn("arn:aws:sts::111122223333:assumed-role/app/s:1")
    assert arn is not None
    assert ("assumed-role", "app", "s:1") == (arn.kind, arn.second, arn.name)
    assert read_arn("urn:aws:sts::1:x") is None
    assert (True, False) == (is_account(ACCOUNT), is_account(f"{ACCOUNT}1"))
    assert (True, False) == (is_unique_id("AROAEXAMPLEID0000001"), is_unique_id("AROA"))


def test_languages_of_principals():
    assert role_language("x").matches("x")
    assert account_language(ACCOUNT).matches(ROOT)
    assert not account_language(ACCOUNT).matches(f"arn:aws:iam::{OTHER}:root")


def test_a_malformed_session_is_not_a_role():
    session = f"arn:aws:sts::{ACCOUNT}:assumed-role"
    world = estate(person(ANA), trust(allow("sts:AssumeRole", None, Principal={"AWS": session})))
    assert "unknown" == outcome(world, session, "sts:AssumeRole", f"arn:aws:iam::{ACCOUNT}:role/deploy")


def test_services_have_their_own_names_for_the_accounts():
    world = estate(person(ANA), bucket(BUCKET, OTHER))
    key = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/1"
    for action, target, name, expected in (
        ("kms:Decrypt", key, "kms:calleraccount", (ACCOUNT,)),
        ("s3:GetObject", OBJECT, "s3:resourceaccount", (OTHER,)),
        ("s3:GetObject", "arn:aws:s3:::elsewhere/a", "kms:calleraccount", None),
        ("sqs:SendMessage", key, "s3:resourceaccount", None),
    ):
        assert expected == CLOUD.request(Query(ANA, action, target), world).context.get(name)
    assert "kms:calleraccount" not in CLOUD.request(Query("anonymous", "kms:Decrypt", key), world).context
