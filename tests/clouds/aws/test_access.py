from __future__ import annotations

import pytest

from idtrans.algebra import Status, difference
from idtrans.clouds.aws import CLOUD
from idtrans.model.entities import Policy, PolicyStatement
from idtrans.model.estate import Estate
from idtrans.model.values import UNKNOWN, Effect, Layer
from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    APP,
    BUCKET,
    HERE,
    NOW,
    OBJECT,
    OTHER,
    SESSION,
    account,
    allow,
    ask,
    attached,
    boundary,
    bucket,
    deny,
    estate,
    identity,
    lower,
    managed,
    member,
    of,
    outcome,
    person,
    resource,
    trust,
)

CANONICAL = {"CanonicalUser": "a" * 64}
OWN = "arn:aws:s3:::${aws:username}/*"
OBJECTS = f"{BUCKET}/*"
UNREADABLE = {"StringMatches": {"a:b": "c"}}
KEY = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/1"
DEPLOY = f"arn:aws:iam::{ACCOUNT}:role/deploy"
BO = f"arn:aws:iam::{OTHER}:user/bo"
ROOT = f"arn:aws:iam::{ACCOUNT}:root"


@pytest.mark.parametrize(
    ("statements", "action", "target", "expected"),
    [
        ([allow("s3:*"), deny("S3:deleteobject")], "s3:DeleteObject", OBJECT, "explicit-deny"),
        ([allow("s3:*"), deny("S3:deleteobject")], "s3:GetObject", OBJECT, "allow"),
        ([allow("sqs:?etQueueAttributes")], "sqs:SetQueueAttributes", "*", "allow"),
        ([allow("sqs:?etQueueAttributes")], "sqs:ResetQueueAttributes", "*", "implicit-deny"),
        ([allow(None, NotAction=["iam:*", "organizations:*"])], "sts:AssumeRole", DEPLOY, "allow"),
        ([allow(None, NotAction="s3:GetObject")], "s3:GetObject", OBJECT, "implicit-deny"),
        ([allow(None, NotAction="s3:GetObject")], "notknown:Action", "*", "allow"),
        ([allow(None, "arn:aws:s3:::*", NotAction="s3:DeleteBucket")], "s3:PutObject", OBJECT, "allow"),
        ([allow(None, "arn:aws:s3:::*", NotAction="s3:DeleteBucket")], "s3:ListAllMyBuckets", "*", "implicit-deny"),
        ([allow(None, "arn:aws:s3:::*", NotAction="s3:DeleteBucket")], "iam:CreateUser", ANA, "implicit-deny"),
        (
            [allow("s3:*"), deny("s3:*", None, NotResource="arn:aws:s3:::safe/*")],
            "s3:GetObject",
            OBJECT,
            "explicit-deny",
        ),
        ([allow("s3:*"), deny("s3:*", None, NotResource="*")], "s3:GetObject", OBJECT, "allow"),
        ([allow("s3:GetObject", "arn:aws:s3:::example-data/*")], "s3:GetObject", OBJECT, "allow"),
        ([allow("s3:GetObject", "arn:aws:s3:::example-data/*")], "s3:GetObject", BUCKET, "implicit-deny"),
        ([allow("s3:GetObject", OWN)], "s3:GetObject", "arn:aws:s3:::ana/x", "allow"),
        (
            [allow("s3:GetObject", OWN)],
            "s3:GetObject",
            "arn:aws:s3:::bo/x",
            "implicit-deny",
        ),
        (
            [allow("s3:GetObject", "arn:aws:s3:::x-${aws:PrincipalTag/team, 'shared'}/*")],
            "s3:GetObject",
            "arn:aws:s3:::x-shared/readme",
            "allow",
        ),
        (
            [allow("s3:*", None, NotResource=[OWN, "arn:aws:s3:::z/*"])],
            "s3:GetObject",
            "arn:aws:s3:::ana/x",
            "implicit-deny",
        ),
        (
            [allow("ec2:CreateTags", Condition={"ForAllValues:StringEquals": {"aws:TagKeys": ["a"]}})],
            "ec2:CreateTags",
            "*",
            "allow",
        ),
        ([allow("s3:*", Condition={"Bool": {"aws:SecureTransport": "true"}})], "s3:GetObject", OBJECT, "implicit-deny"),
        # What is not understood is unknown, in allow and in deny.
        ([allow("s3:*", Condition=UNREADABLE)], "s3:GetObject", OBJECT, "unknown"),
        ([allow("s3:*"), deny("s3:*", Condition=UNREADABLE)], "s3:GetObject", OBJECT, "unknown"),
        (
            [allow("s3:*"), deny("s3:*", Condition=UNREADABLE)],
            "ec2:RunInstances",
            "*",
            "implicit-deny",
        ),
        ([allow("GetObject")], "s3:GetObject", OBJECT, "unknown"),
        ([allow("s3:GetObject", "my-bucket/*")], "s3:GetObject", OBJECT, "unknown"),
        ([allow(None)], "s3:GetObject", OBJECT, "unknown"),
        ([allow("s3:GetObject", None)], "s3:GetObject", OBJECT, "unknown"),
        ([{"Effect": "allow", "Action": "s3:*", "Resource": "*"}], "s3:GetObject", OBJECT, "unknown"),
        ([allow([{"Fn::If": ["C", "ec2:*", "s3:*"]}], [{"Fn::Sub": "x"}])], "s3:GetObject", OBJECT, "unknown"),
        ([allow("s3:*", Principal="*")], "s3:GetObject", OBJECT, "unknown"),
    ],
)
def test_identity_policies_decide(statements, action, target, expected):
    assert expected == outcome(estate(identity(ANA, *statements)), ANA, action, target)


def test_variables_are_plain_text_in_the_old_version():
    statement = allow("s3:GetObject", "arn:aws:s3:::home/${aws:username}/*")
    world = estate(identity(ANA, statement, version="2008-10-17"))
    assert "implicit-deny" == outcome(world, ANA, "s3:GetObject", "arn:aws:s3:::home/ana/x")
    assert "allow" == outcome(world, ANA, "s3:GetObject", "arn:aws:s3:::home/${aws:username}/x")


def test_a_session_has_the_policies_and_the_arn_of_its_role():
    condition = {"ArnNotEquals": {"aws:PrincipalArn": APP}}
    world = estate(
        identity(APP, allow("s3:GetObject")),
        resource(BUCKET, deny("s3:*", [BUCKET, OBJECTS], Principal="*", Condition=condition)),
    )
    assert "allow" == outcome(world, SESSION, "s3:GetObject", OBJECT)
    other = f"arn:aws:sts::{ACCOUNT}:assumed-role/other/s1"
    assert "explicit-deny" == outcome(world, other, "s3:GetObject", OBJECT)


def test_the_path_of_a_role_is_not_in_the_arn_of_its_sessions():
    role = f"arn:aws:iam::{ACCOUNT}:role/team/app"
    world = estate(identity(role, allow("s3:GetObject")))
    assert "allow" == outcome(world, SESSION, "s3:GetObject", OBJECT)


def test_groups_and_managed_policies_add_up():
    group, policy = f"arn:aws:iam::{ACCOUNT}:group/g", f"arn:aws:iam::{ACCOUNT}:policy/p"
    world = estate(
        person(ANA),
        member(ANA, group),
        [entity for entity in identity(group, allow("s3:GetObject")) if isinstance(entity, Policy)],
        managed(policy, allow("ec2:Describe*"), deny("sns:*"), deny("s3:GetObject", "arn:aws:s3:::secret/*")),
        attached(policy, ANA),
        attached("arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess", group),
    )
    assert "allow" == outcome(world, ANA, "s3:GetObject", OBJECT)
    assert "allow" == outcome(world, ANA, "s3:ListBucket", BUCKET)
    assert "allow" == outcome(world, ANA, "ec2:DescribeInstances", "*")
    assert "explicit-deny" == outcome(world, ANA, "s3:GetObject", "arn:aws:s3:::secret/x")
    # A deny that was understood leaves nothing in doubt.
    assert () == CLOUD.doubts(ANA, world)
    assert 2 == len(CLOUD.denials(ANA, world))


def test_a_managed_policy_that_was_not_read_is_unknown_and_says_how_to_read_it():
    world = estate(person(ANA), attached("arn:aws:iam::aws:policy/SomethingElse", ANA))
    assert "unknown" == outcome(world, ANA, "s3:GetObject", OBJECT)
    [doubt] = CLOUD.doubts(ANA, world)
    assert "`arn:aws:iam::aws:policy/SomethingElse` is attached but was not read" in doubt.reason
    assert "get-policy-version" in doubt.reason


def test_a_principal_that_no_document_describes_is_unknown():
    world = estate(person(ANA))
    assert "implicit-deny" == outcome(world, ANA, "s3:GetObject", OBJECT)
    assert "unknown" == outcome(world, APP, "s3:GetObject", OBJECT)


def test_a_boundary_limits_identity_policies():
    world = estate(
        identity(ANA, allow("s3:*"), allow("ec2:*")),
        boundary(ANA, allow("s3:*"), deny("s3:DeleteObject")),
    )
    assert "allow" == outcome(world, ANA, "s3:GetObject", OBJECT)
    assert "explicit-deny" == outcome(world, ANA, "s3:DeleteObject", OBJECT)
    assert "implicit-deny" == outcome(world, ANA, "ec2:RunInstances", "*")


@pytest.mark.parametrize(
    ("principal", "caller", "expected"),
    [
        # A role is limited by its boundary, what names the session, a user or everyone is not.
        ({"AWS": APP}, SESSION, "implicit-deny"),
        ({"AWS": APP}, APP, "implicit-deny"),
        ({"AWS": SESSION}, SESSION, "allow"),
        ({"AWS": SESSION}, APP, "implicit-deny"),
        ({"AWS": SESSION}, f"{SESSION}2", "implicit-deny"),
        ({"AWS": ANA}, ANA, "allow"),
        ("*", SESSION, "allow"),
        ({"AWS": "*"}, ANA, "allow"),
        # The account only lets its identity policies decide.
        ({"AWS": ACCOUNT}, ANA, "implicit-deny"),
        ({"AWS": ROOT}, ANA, "implicit-deny"),
    ],
)
def test_grants_of_a_resource_policy_in_the_same_account(principal, caller, expected):
    world = estate(
        person(APP),
        person(ANA),
        boundary(APP, allow("ec2:*")),
        boundary(ANA, allow("ec2:*")),
        resource(BUCKET, allow("s3:GetObject", OBJECTS, Principal=principal)),
    )
    assert expected == outcome(world, caller, "s3:GetObject", OBJECT)


@pytest.mark.parametrize(
    ("principal", "statements", "expected"),
    [
        ({"AWS": OTHER}, [], "implicit-deny"),
        ({"AWS": OTHER}, [allow("s3:*")], "allow"),
        ({"AWS": BO}, [], "implicit-deny"),
        ({"AWS": BO}, [allow("s3:*")], "allow"),
        ("*", [], "implicit-deny"),
        ("*", [allow("s3:*")], "allow"),
        ({"AWS": ANA}, [allow("s3:*")], "implicit-deny"),
        (CANONICAL, [allow("s3:*")], "unknown"),
    ],
)
def test_across_accounts_both_sides_must_allow(principal, statements, expected):
    world = estate(
        person(BO),
        identity(BO, *statements) if statements else [],
        account(ACCOUNT),
        resource(BUCKET, allow("s3:GetObject", OBJECTS, Principal=principal)),
    )
    assert expected == outcome(world, BO, "s3:GetObject", OBJECT)


def test_a_resource_of_another_account_whose_policy_was_not_read_is_unknown():
    world = estate(identity(ANA, allow("sqs:*")))
    assert "unknown" == outcome(world, ANA, "sqs:SendMessage", f"arn:aws:sqs:eu-west-1:{OTHER}:q")
    assert "allow" == outcome(world, ANA, "sqs:SendMessage", f"arn:aws:sqs:eu-west-1:{ACCOUNT}:q")
    elsewhere = estate(identity(ANA, allow("s3:*")), bucket(BUCKET, OTHER))
    assert "unknown" == outcome(elsewhere, ANA, "s3:GetObject", OBJECT)


def test_a_bucket_belongs_to_the_only_account_and_to_an_unknown_one_beside_several():
    policy = resource(BUCKET, allow("s3:GetObject", OBJECTS, Principal={"AWS": ANA}), account=None)
    alone = estate(person(ANA), policy)
    assert "allow" == outcome(alone, ANA, "s3:GetObject", OBJECT)
    several = estate(person(ANA), account(OTHER), policy, identity(APP, allow("s3:*")))
    assert "unknown" == outcome(several, ANA, "s3:GetObject", OBJECT)
    assert "unknown" == outcome(several, APP, "s3:GetObject", OBJECT)


@pytest.mark.parametrize(
    ("principal", "statements", "expected"),
    [
        ({"AWS": ROOT}, [allow("kms:*")], "allow"),
        ({"AWS": ROOT}, [], "implicit-deny"),
        ({"AWS": ANA}, [], "allow"),
        ({"AWS": APP}, [allow("kms:*")], "implicit-deny"),
    ],
)
def test_a_key_policy_must_let_the_account_in(principal, statements, expected):
    world = estate(
        person(ANA),
        identity(ANA, *statements) if statements else [],
        resource(KEY, allow("kms:*", Principal=principal)),
    )
    assert expected == outcome(world, ANA, "kms:Decrypt", KEY)


@pytest.mark.parametrize(
    ("principal", "statements", "expected"),
    [
        ({"AWS": ROOT}, [allow("sts:AssumeRole")], "allow"),
        ({"AWS": ROOT}, [], "implicit-deny"),
        ({"AWS": ANA}, [], "allow"),
        ({"Service": "ec2.amazonaws.com"}, [allow("sts:*")], "implicit-deny"),
    ],
)
def test_a_trust_policy_must_let_the_caller_in(principal, statements, expected):
    world = estate(
        person(ANA),
        identity(ANA, *statements) if statements else [],
        trust(allow("sts:AssumeRole", None, Principal=principal)),
    )
    assert expected == outcome(world, ANA, "sts:AssumeRole", DEPLOY)


def test_many_trusts_that_are_alike_are_asked_together():
    roles = [f"arn:aws:iam::{ACCOUNT}:role/r{number}" for number in range(30)]
    trusts = [trust(allow("sts:AssumeRole", None, Principal={"AWS": ACCOUNT}), role=role) for role in roles]
    world = estate(
        identity(ANA, allow("sts:AssumeRole")), *trusts, trust(allow("sts:AssumeRole", None, Principal={"AWS": APP}))
    )
    answer = ask(world, ANA, "sts:AssumeRole", roles[7])
    assert "allow" == answer.outcome.value
    assert "the trust policies of 30 resources" in [reason.statement for reason in answer.reasons]
    assert "implicit-deny" == outcome(world, ANA, "sts:AssumeRole", DEPLOY)


def test_a_trust_policy_says_nothing_about_managing_the_role():
    world = estate(identity(ANA, allow("iam:GetRole")), trust(allow("sts:AssumeRole", None, Principal={"AWS": APP})))
    assert "allow" == outcome(world, ANA, "iam:GetRole", DEPLOY)


@pytest.mark.parametrize(
    ("listed", "caller", "expected"),
    [
        ([ANA, ROOT], ANA, "allow"),
        ([ANA], ANA, "unknown"),
        ([ROOT], ANA, "explicit-deny"),
        ([APP, ROOT, SESSION], SESSION, "allow"),
        ([APP, ROOT], SESSION, "unknown"),
        ([SESSION], SESSION, "unknown"),
        ([BO], ANA, "explicit-deny"),
        ([ROOT], ROOT, "allow"),
    ],
)
def test_a_deny_for_all_but_some_spares_who_is_listed_in_full(listed, caller, expected):
    world = estate(
        identity(ANA, allow("s3:*")),
        identity(APP, allow("s3:*")),
        resource(BUCKET, deny("s3:*", OBJECTS, NotPrincipal={"AWS": listed})),
    )
    assert expected == outcome(world, caller, "s3:GetObject", OBJECT)


def test_a_deny_for_all_but_some_spares_no_principal_with_a_boundary():
    world = estate(
        identity(ANA, allow("s3:*")),
        boundary(ANA, allow("*")),
        resource(BUCKET, deny("s3:*", OBJECTS, NotPrincipal={"AWS": [ANA, ROOT]})),
    )
    assert "explicit-deny" == outcome(world, ANA, "s3:GetObject", OBJECT)


def test_an_allow_for_all_but_some_lets_everyone_else_in():
    world = estate(
        person(ANA),
        person(APP),
        resource(BUCKET, allow("s3:GetObject", OBJECTS, NotPrincipal={"AWS": [ANA, ROOT]})),
    )
    assert "implicit-deny" == outcome(world, ANA, "s3:GetObject", OBJECT)
    assert "allow" == outcome(world, APP, "s3:GetObject", OBJECT)
    assert "allow" == outcome(world, "anonymous", "s3:GetObject", OBJECT)


@pytest.mark.parametrize(
    ("principal", "caller", "expected"),
    [
        ("*", "anonymous", "allow"),
        ({"AWS": "*"}, "anonymous", "allow"),
        ({"*": "*"}, "anonymous", "allow"),
        ({"*": APP}, APP, "unknown"),
        ({"AWS": ACCOUNT}, "anonymous", "implicit-deny"),
        ({"Service": "logs.amazonaws.com"}, "service:logs.amazonaws.com", "allow"),
        ({"Service": "logs.amazonaws.com"}, "service:sns.amazonaws.com", "implicit-deny"),
        ({"AWS": "AROAEXAMPLEID0000001"}, APP, "implicit-deny"),
        (CANONICAL, f"canonical:{'a' * 64}", "allow"),
        ({"AWS": f"arn:aws:iam::{ACCOUNT}:role/*"}, APP, "unknown"),
        ({"AWS": "someone"}, APP, "unknown"),
    ],
)
def test_callers_beside_the_identities_of_the_account(principal, caller, expected):
    world = estate(person(APP), resource(BUCKET, allow("s3:GetObject", OBJECTS, Principal=principal)))
    assert expected == outcome(world, caller, "s3:GetObject", OBJECT)


def test_a_deny_of_a_canonical_user_may_hit_anyone():
    world = estate(
        identity(ANA, allow("s3:*")),
        resource(BUCKET, deny("s3:*", OBJECTS, Principal=CANONICAL)),
    )
    assert "unknown" == outcome(world, ANA, "s3:GetObject", OBJECT)


def test_a_deny_of_the_own_account_hits_all_its_identities():
    world = estate(identity(ANA, allow("s3:*")), resource(BUCKET, deny("s3:*", OBJECTS, Principal={"AWS": ROOT})))
    assert "explicit-deny" == outcome(world, ANA, "s3:GetObject", OBJECT)


def test_a_statement_without_principal_in_a_resource_policy_matches_nobody():
    world = estate(person(ANA), resource(BUCKET, allow("s3:GetObject", OBJECTS)))
    assert "implicit-deny" == outcome(world, ANA, "s3:GetObject", OBJECT)


def test_a_resource_policy_speaks_of_its_own_resource_only():
    world = estate(person(ANA), resource(BUCKET, allow("s3:GetObject", "*", Principal="*")))
    assert "allow" == outcome(world, ANA, "s3:GetObject", OBJECT)
    assert "implicit-deny" == outcome(world, ANA, "s3:GetObject", "arn:aws:s3:::other/x")
    templated = estate(person(ANA), resource(BUCKET, allow("s3:GetObject", OWN, Principal="*")))
    assert "implicit-deny" == outcome(templated, ANA, "s3:GetObject", "arn:aws:s3:::ana/x")


def test_a_resource_policy_of_an_unknown_resource_is_unknown():
    policies = lower(allow("kms:Decrypt", Principal={"AWS": ANA}), layer=Layer.RESOURCE)
    world = estate(person(ANA), policies)
    assert "unknown" == outcome(world, ANA, "kms:Decrypt", KEY)
    denies = lower(deny("kms:Decrypt", Principal={"AWS": ANA}), layer=Layer.RESOURCE)
    assert "unknown" == outcome(estate(identity(ANA, allow("kms:*")), denies), ANA, "kms:Decrypt", KEY)


def test_the_root_user_may_do_everything_that_is_not_denied():
    world = estate(account(ACCOUNT), person(ANA), resource(BUCKET, deny("s3:*", OBJECTS, Principal="*")))
    assert "allow" == outcome(world, ACCOUNT, "ec2:RunInstances", "*")
    assert "explicit-deny" == outcome(world, ROOT, "s3:GetObject", OBJECT)


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (ACCOUNT, {"s3:GetObject": "allow", "s3:DeleteBucket": "explicit-deny", "ec2:RunInstances": "implicit-deny"}),
        ("ou-1", {"s3:GetObject": "allow", "s3:DeleteBucket": "explicit-deny", "ec2:RunInstances": "implicit-deny"}),
        ("ou-2", {"s3:GetObject": "unknown", "s3:DeleteBucket": "unknown", "ec2:RunInstances": "unknown"}),
        (None, {"s3:GetObject": "allow", "s3:DeleteBucket": "unknown", "ec2:RunInstances": "unknown"}),
    ],
)
def test_a_service_control_policy_is_certain_where_its_place_is_known(scope, expected):
    statements = [allow("s3:*"), deny("s3:DeleteBucket")]
    if scope == "ou-2":
        statements = [allow("sns:*"), deny("s3:DeleteBucket")]
    world = estate(
        account(ACCOUNT, "ou-1"), identity(ANA, allow("*")), lower(*statements, layer=Layer.SCP, scope=scope)
    )
    found = {action: outcome(world, ANA, action, OBJECT if action == "s3:GetObject" else "*") for action in expected}
    assert expected == found
    assert (scope in {ACCOUNT, "ou-1"}) is (not CLOUD.doubts(ANA, world))


def test_a_service_control_policy_does_not_reach_a_service_linked_role():
    role = f"arn:aws:iam::{ACCOUNT}:role/aws-service-role/x.amazonaws.com/AWSServiceRoleForX"
    world = estate(identity(role, allow("*")), lower(deny("*"), layer=Layer.SCP, scope=ACCOUNT))
    assert "allow" == outcome(world, role, "s3:GetObject", OBJECT)


@pytest.mark.parametrize(
    ("layer", "statement", "expected"),
    [
        (Layer.RCP, deny("s3:*", Principal="*"), "unknown"),
        (Layer.RCP, deny("kms:*", Principal="*"), "allow"),
        (Layer.ENDPOINT, allow("s3:*", Principal="*"), "allow"),
        (Layer.ENDPOINT, allow("ec2:*", Principal="*"), "unknown"),
        (Layer.SESSION, allow("ec2:*"), "implicit-deny"),
        (Layer.SESSION, allow("s3:*"), "allow"),
    ],
)
def test_other_layers_are_never_ignored(layer, statement, expected):
    hints = {"principal": ANA} if layer is Layer.SESSION else {}
    world = estate(identity(ANA, allow("s3:*")), lower(statement, layer=layer, **hints))
    assert expected == outcome(world, ANA, "s3:GetObject", OBJECT)


def test_keys_that_are_not_given_make_the_answer_conditional():
    world = estate(identity(ANA, allow("s3:*", Condition={"IpAddress": {"aws:SourceIp": "203.0.113.0/24"}})))
    answer = ask(world, ANA, "s3:GetObject", OBJECT, closed=False)
    assert "conditional" == answer.outcome.value
    assert "aws:SourceIp" in str(answer.condition)


def test_a_document_without_owner_is_asked_by_its_number():
    world = estate(lower(allow("s3:GetObject")), lower(deny("s3:*")))
    assert ("policy:#1", "policy:#2") == CLOUD.principals(world)
    assert "allow" == outcome(world, "policy:#1", "s3:GetObject", OBJECT)
    assert "explicit-deny" == outcome(world, "policy:#2", "s3:GetObject", OBJECT)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([allow("s3:GetObject")], [allow("s3:GetObject", OBJECTS)], Status.EMPTY),
        ([allow("s3:GetObject", OBJECTS)], [allow("s3:GetObject")], Status.WITNESS),
        ([allow("s3:*"), deny("s3:Put*")], [allow("s3:Get*")], Status.EMPTY),
        ([allow(["s3:GetObject"])], [{**allow("S3:getobject"), "Sid": "Other"}], Status.EMPTY),
        ([allow("s3:*")], [allow("s3:*", Condition={"What": {"a:b": "c"}})], Status.EMPTY),
        ([allow("s3:Get*")], [allow("s3:*", Condition={"What": {"a:b": "c"}})], Status.UNKNOWN),
        (
            [allow("s3:*", Condition={"What": {"a:b": "c"}})],
            [allow("s3:Get*", Condition={"What": {"a:b": "c"}})],
            Status.EMPTY,
        ),
        (
            [allow("s3:*", Condition={"ArnLike": {"aws:PrincipalArn": ANA}})],
            [allow("s3:*", Condition={"ArnLike": {"aws:PrincipalArn": [ANA, APP]}})],
            Status.WITNESS,
        ),
    ],
)
def test_two_bare_documents_are_compared_whatever_their_names(old, new, expected):
    before, after = estate(lower(*old)), estate(lower(*new))
    found = difference(of("policy:#1", after), of("policy:#1", before), domain=CLOUD.domain(after))
    assert expected is found.status


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"AWS": ACCOUNT}, {"AWS": ANA}, Status.EMPTY),
        ({"AWS": ANA}, {"AWS": ACCOUNT}, Status.WITNESS),
        ({"AWS": ANA}, "*", Status.WITNESS),
        ({"AWS": APP}, {"AWS": SESSION}, Status.EMPTY),
        ({"AWS": ACCOUNT}, {"AWS": ROOT}, Status.EMPTY),
        ("*", {"Service": "sns.amazonaws.com"}, Status.EMPTY),
    ],
)
def test_two_bare_resource_policies_are_compared_by_whom_they_name(old, new, expected):
    before, after = (
        estate(resource(BUCKET, allow("s3:GetObject", OBJECTS, Principal=principal), account=None))
        for principal in (old, new)
    )
    found = difference(of("policy:#1", after), of("policy:#1", before), domain=CLOUD.domain(after))
    assert expected is found.status


def test_without_identities_a_resource_policy_is_taken_at_its_word():
    policy = resource(
        BUCKET,
        allow("s3:GetObject", OBJECTS, Principal={"AWS": ANA}),
        allow("s3:ListBucket", BUCKET, Principal={"AWS": OTHER}),
        deny("s3:GetObject", f"{BUCKET}/secret/*", Principal="*"),
        account=None,
    )
    world = estate(policy)
    assert "allow" == outcome(world, ANA, "s3:GetObject", OBJECT)
    assert "explicit-deny" == outcome(world, ANA, "s3:GetObject", f"{BUCKET}/secret/x")
    assert "unknown" == outcome(world, BO, "s3:ListBucket", BUCKET)
    assert "allow" == outcome(world, OTHER, "s3:ListBucket", BUCKET)


def test_statements_made_by_hand_may_have_any_shape():
    odd = (
        PolicyStatement(UNKNOWN, HERE, actions=("*",), resources=("*",)),
        PolicyStatement(Effect.ALLOW, HERE, actions=("s3:*",), not_actions=("s3:*",), resources=("*",)),
        PolicyStatement(Effect.ALLOW, HERE, actions=("s3:*",), resources=("*",), not_resources=("*",)),
    )
    for statement in odd:
        policy = Policy("aws", f"{ANA}#identity/x", Layer.IDENTITY, ANA, "2012-10-17", (statement,), HERE)
        assert "unknown" == outcome(Estate((policy,), NOW), ANA, "s3:GetObject", OBJECT)


def test_a_policy_that_was_not_read_as_a_whole_may_hold_anything():
    statement = PolicyStatement(Effect.ALLOW, HERE, actions=("s3:*",), resources=("*",))
    policy = Policy("aws", "x", Layer.IDENTITY, ANA, "2012-10-17", (statement,), HERE, doubts=("a duplicate key",))
    assert "unknown" == outcome(Estate((policy,), NOW), ANA, "ec2:RunInstances", "*")


def test_a_policy_of_an_unknown_layer_is_a_document_by_itself():
    statement = PolicyStatement(Effect.ALLOW, HERE, actions=("s3:*",), resources=("*",))
    policy = Policy("aws", "x", UNKNOWN, UNKNOWN, "2012-10-17", (statement,), HERE)
    assert "allow" == outcome(Estate((policy,), NOW), "policy:#1", "s3:GetObject", OBJECT)
