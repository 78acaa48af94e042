from __future__ import annotations

import json
from typing import Any

import pytest

from idtrans.algebra import ALWAYS, reduce
from idtrans.catalog import aws_service_actions
from idtrans.clouds.aws import CLOUD
from idtrans.model.artifacts import Argv, Emission, JsonArgument, JsonEncode, LossEffect, Native, Reference
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.documents import Unsupported
from idtrans.model.entities import IdentityProvider, Policy
from idtrans.model.errors import InternalError, UsageError
from idtrans.model.estate import Estate
from idtrans.model.intents import ClaimPin, FederationIntent, Names, Scope
from idtrans.model.values import Layer
from idtrans.ports import GrantPlan, RoleUse
from tests.clouds.aws.builders import ACCOUNT, ANA, NOW

GITHUB = "token.actions.githubusercontent.com"
SUBJECT = "repo:acme@1/app@2:environment:prod"


def store(bucket: str = "my-bucket", **parts: str) -> Scope:
    return Scope("object-store", f"arn:aws:s3:::{bucket}", {"bucket": bucket, **parts})


def plan(*permissions: str, scope: Scope | None = None, principal: str = ANA, condition: str | None = None) -> Emission:
    use = RoleUse(scope or store(), ("object.read",), permissions, None, condition)
    return CLOUD.emit_grants(GrantPlan(principal, (use,), "read my bucket"))


def statements(emission: Emission) -> list[Any]:
    content: list[Any] = emission.natives[0].content["Statement"]
    return content


def words(command: Argv) -> list[str]:
    return [json.dumps(word.content) if isinstance(word, JsonArgument) else word for word in command.words]


def test_actions_get_the_narrowest_resource_they_take():
    found = statements(plan("s3:GetObject", "s3:ListBucket", "s3:GetObjectVersion", "s3:ListAllMyBuckets"))
    expected = [
        {"Effect": "Allow", "Action": ["s3:GetObject", "s3:GetObjectVersion"], "Resource": "arn:aws:s3:::my-bucket/*"},
        {"Effect": "Allow", "Action": ["s3:ListBucket"], "Resource": "arn:aws:s3:::my-bucket"},
        {"Effect": "Allow", "Action": ["s3:ListAllMyBuckets"], "Resource": "*"},
    ]
    assert expected == found


def test_a_prefix_limits_objects_and_listing():
    found = statements(plan("s3:GetObject", "s3:ListBucket", "s3:GetBucketLocation", scope=store(prefix="in/")))
    expected = [
        {"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": "arn:aws:s3:::my-bucket/in/*"},
        {
            "Effect": "Allow",
            "Action": ["s3:ListBucket"],
            "Resource": "arn:aws:s3:::my-bucket",
            "Condition": {"StringLike": {"s3:prefix": ["in/*"]}},
        },
        {"Effect": "Allow", "Action": ["s3:GetBucketLocation"], "Resource": "arn:aws:s3:::my-bucket"},
    ]
    assert expected == found


def test_conditions_are_kept_and_other_scopes_are_taken_as_written():
    block = '{"Bool": {"aws:SecureTransport": "true"}}'
    [statement] = statements(plan("sns:Publish", scope=Scope("topic", "arn:aws:sns:x:1:t"), condition=block))
    assert ("arn:aws:sns:x:1:t", json.loads(block)) == (statement["Resource"], statement["Condition"])
    [anywhere] = statements(plan("sns:Publish", scope=Scope("topic", "projects/x")))
    assert "*" == anywhere["Resource"]
    found = statements(plan("s3:NewThing"))
    assert ["arn:aws:s3:::my-bucket", "arn:aws:s3:::my-bucket/*"] == sorted(each["Resource"] for each in found)


@pytest.mark.parametrize("condition", ["request.time < now", "[1]"])
def test_a_condition_of_another_language_is_refused(condition):
    with pytest.raises(UsageError, match="no condition block of AWS"):
        plan("s3:GetObject", condition=condition)


@pytest.mark.parametrize(
    ("principal", "command", "block"),
    [
        (ANA, ["attach-user-policy", "--user-name", "ana"], ("aws_iam_user_policy_attachment", {"user": "ana"})),
        (
            f"arn:aws:iam::{ACCOUNT}:role/team/app",
            ["attach-role-policy", "--role-name", "app"],
            ("aws_iam_role_policy_attachment", {"role": "app"}),
        ),
        (
            f"arn:aws:sts::{ACCOUNT}:assumed-role/app/s",
            ["attach-role-policy", "--role-name", "app"],
            ("aws_iam_role_policy_attachment", {"role": "app"}),
        ),
        (
            f"arn:aws:iam::{ACCOUNT}:group/g",
            ["attach-group-policy", "--group-name", "g"],
            ("aws_iam_group_policy_attachment", {"group": "g"}),
        ),
        (
            "<AWS_ROLE_NAME>",
            ["attach-role-policy", "--role-name", "<AWS_ROLE_NAME>"],
            ("aws_iam_role_policy_attachment", {"role": "<AWS_ROLE_NAME>"}),
        ),
    ],
)
def test_a_policy_is_created_and_attached(principal, command, block):
    found = plan("s3:GetObject", principal=principal)
    create, attach = map(words, found.commands)
    assert ["aws", "iam", "create-policy", "--policy-name", "read-my-bucket"] == create[:5]
    assert command == attach[2:5]
    account = "<AWS_ACCOUNT_ID>" if principal.startswith("<") else ACCOUNT
    assert f"arn:aws:iam::{account}:policy/read-my-bucket" == attach[6]
    policy, attachment = found.terraform
    assert ("aws_iam_policy", "read_my_bucket") == policy.labels
    assert isinstance(policy.body["policy"], JsonEncode)
    kind, named = block
    assert kind == attachment.labels[0]
    assert {**named, "policy_arn": Reference("aws_iam_policy.read_my_bucket.arn")} == attachment.body
    assert (("<AWS_ROLE_NAME>", "<AWS_ACCOUNT_ID>") if principal.startswith("<") else ()) == found.placeholders


def test_other_partitions_are_kept():
    [statement] = statements(plan("s3:GetObject", principal=f"arn:aws-cn:iam::{ACCOUNT}:user/ana"))
    assert "arn:aws-cn:s3:::my-bucket/*" == statement["Resource"]


def test_emitted_grants_are_read_back():
    found = list(CLOUD.reread(plan("s3:GetObject", "s3:ListBucket").natives))
    assert [] == [entity for entity in found if isinstance(entity, Unsupported)]
    [policy] = [entity for entity in found if isinstance(entity, Policy)]
    assert (Layer.IDENTITY, 2) == (policy.layer, len(policy.statements))
    scopes = {holding.scope for holding in CLOUD.holdings("policy:#1", Estate((policy,), NOW))}
    assert {"arn:aws:s3:::my-bucket", "arn:aws:s3:::my-bucket/*"} == scopes


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("arn:aws:s3:::b", {"bucket": "b"}),
        ("arn:aws:s3:::b/*", {"bucket": "b"}),
        ("arn:aws:s3:::b/in/*", {"bucket": "b", "prefix": "in/"}),
        ("arn:aws:s3:::b/in*", {"bucket": "b", "prefix": "in"}),
        ("arn:aws:s3:::b/key", {"bucket": "b", "object": "key"}),
        ("arn:aws:s3:::b/*/x*", {"bucket": "b", "object": "*/x*"}),
        ("arn:aws:s3:::b*", None),
        ("arn:aws:s3:::${aws:username}/*", None),
        ("arn:aws:sqs:x:1:b", None),
        ("*", None),
    ],
)
def test_object_stores_are_read_from_arns(text, parts):
    found = CLOUD.scope(text, "object-store")
    assert parts == (dict(found.parts) if found is not None else None)


def test_object_stores_are_written_as_buckets():
    assert store(prefix="in/") == CLOUD.write_scope(
        Scope("object-store", "gs://my-bucket", {"bucket": "my-bucket", "prefix": "in/"}), Names()
    )
    assert "arn:aws:s3:::<AWS_BUCKET>" == CLOUD.write_scope(Scope("object-store", "x", {}), Names()).native
    assert CLOUD.scope("arn:aws:s3:::b", "secret") is None


def intent(*subjects: str, issuer: str = f"https://{GITHUB}", **more: Any) -> FederationIntent:
    return FederationIntent(issuer, "github", "app-prod", subjects, **more)


def trust_of(found: Emission) -> dict[str, Any]:
    [statement] = found.natives[0].content["Statement"]
    return dict(statement)


def test_a_literal_subject_is_compared_literally_beside_audience_and_pins():
    pins = (
        ClaimPin("repository_id", ("2",)),
        ClaimPin("repository_owner_id", ("1",)),
        ClaimPin("job_workflow_ref", ("acme/app/.github/workflows/d.yml@refs/heads/main",)),
        ClaimPin("event_name", ("push",)),
    )
    found = CLOUD.emit_federation(intent(SUBJECT, pins=pins), Names({"aws-account-id": ACCOUNT}))
    expected = {
        "Effect": "Allow",
        "Principal": {"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{GITHUB}"},
        "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {
            "StringEquals": {
                f"{GITHUB}:aud": "sts.amazonaws.com",
                f"{GITHUB}:sub": SUBJECT,
                f"{GITHUB}:repository_id": "2",
                f"{GITHUB}:repository_owner_id": "1",
                f"{GITHUB}:job_workflow_ref": "acme/app/.github/workflows/d.yml@refs/heads/main",
            }
        },
    }
    assert expected == trust_of(found)
    assert [("claim event_name", LossEffect.DROP)] == [(loss.feature, loss.effect) for loss in found.losses]
    assert () == found.placeholders
    assert {"Url": f"https://{GITHUB}", "ClientIDList": ["sts.amazonaws.com"]} == found.natives[1].content


def test_subjects_with_stars_are_patterns_and_everything_else_in_them_is_plain():
    found = CLOUD.emit_federation(intent("repo:acme/app:*", "a?b${c", audience="me"), Names())
    condition = trust_of(found)["Condition"]
    assert {f"{GITHUB}:aud": "me"} == condition["StringEquals"]
    assert {f"{GITHUB}:sub": ["repo:acme/app:*", "a${?}b${$}{c"]} == condition["StringLike"]
    assert ("<AWS_ACCOUNT_ID>",) == found.placeholders


@pytest.mark.parametrize("subject", [SUBJECT, "odd?${x}", "repo:acme/app:*"])
def test_what_is_emitted_reads_back_as_what_was_meant(subject):
    pins = (ClaimPin("repository_id", ("2", "3")),)
    emission = CLOUD.emit_federation(intent(subject, pins=pins), Names({"aws-account-id": ACCOUNT}))
    found = list(CLOUD.reread(emission.natives))
    assert [] == [entity for entity in found if isinstance(entity, Unsupported)]
    assert [("sts.amazonaws.com",)] == [each.audiences for each in found if isinstance(each, IdentityProvider)]
    entities = tuple(entity for entity in found if not isinstance(entity, Unsupported))
    [trust] = CLOUD.trusts(Estate(entities, NOW))
    assert (f"https://{GITHUB}", ()) == (trust.issuer, trust.notes)
    claims = {"aud": ("sts.amazonaws.com",), "sub": (subject.replace("*", "x"),), "repository_id": ("3",)}
    for changed, admitted in (({}, True), ({"sub": ("other",)}, False), ({"repository_id": ("4",)}, False)):
        request = Request("p", "a", "r", claims | changed, Knowledge.CLOSED)
        assert admitted is (ALWAYS == reduce(trust.admits, request))


def test_commands_and_terraform_name_no_thumbprint():
    found = CLOUD.emit_federation(intent(SUBJECT), Names({"aws-account-id": ACCOUNT, "aws-role-name": "deploy it"}))
    provider, role = map(words, found.commands)
    expected = [
        "aws",
        "iam",
        "create-open-id-connect-provider",
        "--url",
        f"https://{GITHUB}",
        "--client-id-list",
        "sts.amazonaws.com",
    ]
    assert expected == provider
    assert ["aws", "iam", "create-role", "--role-name", "deploy-it"] == role[:5]
    issuer, block = found.terraform
    assert {"url": f"https://{GITHUB}", "client_id_list": ("sts.amazonaws.com",)} == issuer.body
    assert ("aws_iam_role", "deploy_it") == block.labels
    policy = block.body["assume_role_policy"]
    assert isinstance(policy, JsonEncode)
    assert "aws_iam_openid_connect_provider.token_actions_githubusercontent_com.arn" in repr(policy.content)


def test_a_built_in_issuer_gets_no_provider():
    found = CLOUD.emit_federation(intent("1234", issuer="https://accounts.google.com"), Names())
    assert "accounts.google.com" == trust_of(found)["Principal"]["Federated"]
    assert (1, 1, 1) == (len(found.natives), len(found.commands), len(found.terraform))
    assert [] == [entity for entity in CLOUD.reread(found.natives) if isinstance(entity, Unsupported)]


@pytest.mark.parametrize(
    "issuer",
    [
        "http://a.example",
        "a.example",
        "https://",
        "https://a.example?x=1",
        "https://a.example:8443",
        "https://u@a.example",
    ],
)
def test_an_issuer_that_aws_does_not_take_is_refused(issuer):
    with pytest.raises(UsageError, match="cannot be an OIDC provider"):
        CLOUD.emit_federation(intent(SUBJECT, issuer=issuer), Names())


@pytest.mark.parametrize("subjects", [(), ("",)])
def test_a_trust_without_subject_is_refused(subjects):
    with pytest.raises(UsageError, match="without a subject"):
        CLOUD.emit_federation(intent(*subjects), Names())


def test_a_long_policy_is_told_and_one_beyond_every_quota_is_refused():
    subjects = [f"repo:acme@1/app-{number}@{number}:environment:production" for number in range(200)]
    found = CLOUD.emit_federation(intent(*subjects[:60]), Names())
    assert [("trust policy size", LossEffect.SPLIT)] == [(loss.feature, loss.effect) for loss in found.losses]
    with pytest.raises(UsageError, match="characters"):
        CLOUD.emit_federation(intent(*subjects), Names())


def test_an_object_of_another_kind_is_not_read_back():
    with pytest.raises(InternalError, match="is not recognised"):
        list(CLOUD.reread([Native("gcp.policy", "x", {})]))


def test_what_is_too_long_for_one_policy_is_split():
    actions = tuple(name for service in ("ec2", "sagemaker") for name in aws_service_actions(service))
    use = RoleUse(Scope("account", "*"), (), actions, None)
    found = CLOUD.emit_grants(GrantPlan("arn:aws:iam::111122223333:role/r", (use,), "big"))

    lengths = [len(json.dumps(each.content, separators=(",", ":"))) for each in found.natives]
    assert len(lengths) > 1
    assert max(lengths) <= 6144
    assert len(found.natives) == len({each.name for each in found.natives}) == len(found.commands) // 2
    written = [name for each in found.natives for part in each.content["Statement"] for name in part["Action"]]
    assert sorted(actions) == sorted(written)
