"""Conditions: what each target can say of them, what is left out, and what is refused."""

from __future__ import annotations

import json
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idtrans.algebra import Quantifier, Test, exact, opaques
from idtrans.api import clouds
from idtrans.model.artifacts import LossEffect
from idtrans.model.values import Verdict
from idtrans.ports import OBJECT_TAG as TAGS

ACCOUNT = (
    "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001/resourceGroups/rg"
    "/providers/Microsoft.Storage/storageAccounts/stdata"
)
CONTAINER = f"{ACCOUNT}/blobServices/default/containers/data"
BUCKET = "//storage.googleapis.com/projects/_/buckets/data"
READER = "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"
BLOB = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs"
OBJECTS = "arn:aws:s3:::data/*"

TIMES = {
    "DateGreaterThanEquals": {"aws:CurrentTime": "2026-01-01T00:00:00Z"},
    "DateLessThan": {"aws:CurrentTime": "2027-01-01T00:00:00Z"},
}
IP = {"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}
MFA = {"Bool": {"aws:MultiFactorAuthPresent": "true"}}
TAG = {"StringEquals": {"aws:ResourceTag/env": ["dev", "prod"]}}
NOT_TAG = {"StringNotEquals": {"aws:ResourceTag/env": "prod"}}
OBJECT_TAG = {"StringEquals": {"s3:ExistingObjectTag/env": "prod"}}
ENDPOINT = {"StringEquals": {"aws:SourceVpce": "vpce-1"}}
PRIVATE = {"Null": {"aws:SourceVpce": "false"}}
ORGANISATION = {"StringEquals": {"aws:PrincipalOrgID": "o-abc"}}
TLS = {"Bool": {"aws:SecureTransport": "true"}}
NO_TLS = {"Bool": {"aws:SecureTransport": "false"}}

GCP_TIMES = "request.time >= timestamp('2026-01-01T00:00:00Z') && request.time < timestamp('2027-01-01T00:00:00Z')"
AZURE_TIMES = (
    "(@Environment[UtcNow] DateTimeGreaterThanEquals '2026-01-01T00:00:00Z')"
    " AND (@Environment[UtcNow] DateTimeLessThan '2027-01-01T00:00:00Z')"
)
GCP_TAG = "resource.matchTag('<GCP_TAG_PARENT>/env', 'dev') || resource.matchTag('<GCP_TAG_PARENT>/env', 'prod')"
TAGGED = f"@Resource[{BLOB}/tags:env<$key_case_sensitive$>] StringEquals 'prod'"


BELOW_LOGS = (
    "resource.name.startsWith('projects/_/buckets/data/objects/logs/') || "
    "api.getAttribute('storage.googleapis.com/objectListPrefix', '').startsWith('logs/')"
)


def allow(actions, resources, condition=None):
    block = {} if condition is None else {"Condition": condition}
    return {"Effect": "Allow", "Action": actions, "Resource": resources, **block}


def gcp_conditions(found):
    bindings = [binding for each in found.emission.natives[0].content for binding in each["policy"]["bindings"]]
    return [binding["condition"]["expression"] if "condition" in binding else None for binding in bindings]


def azure_conditions(found):
    return [each.content.get("condition") for each in found.emission.natives if "principalId" in each.content]


def aws_statements(found):
    return [
        (statement["Action"], statement["Resource"], statement.get("Condition"))
        for statement in found.emission.natives[0].content["Statement"]
    ]


@pytest.mark.parametrize(
    ("condition", "gcp", "azure"),
    [
        (TIMES, GCP_TIMES, AZURE_TIMES),
        (TAG, GCP_TAG, None),
        (NOT_TAG, "!resource.matchTag('<GCP_TAG_PARENT>/env', 'prod')", None),
        (OBJECT_TAG, None, TAGGED),
        (PRIVATE, None, "@Environment[isPrivateLink] BoolEquals true"),
        (ENDPOINT, None, None),
        (IP, None, None),
        (MFA, None, None),
        (ORGANISATION, None, None),
        ({"StringEquals": {"aws:username": "ana"}}, None, None),
        ({"ForAnyValue:StringEquals": {"aws:TagKeys": "a"}}, None, None),
    ],
)
def test_what_each_cloud_can_say_of_a_condition_of_aws(speak, condition, gcp, azure):
    for target, expected, written in (("gcp", gcp, gcp_conditions), ("azure", azure, azure_conditions)):
        found = speak.aws(target, allow("s3:GetObject", OBJECTS, condition))
        if expected is None:
            assert (Verdict.REFUSED, ()) == (found.verdict, found.emission.natives)
            assert "is not carried over" in "\n".join(found.reasons)
            assert LossEffect.WIDEN in {loss.effect for loss in found.losses}
        else:
            assert Verdict.EXACT_WITH_PARTS == found.verdict
            [text] = written(found)
            assert expected in text


@pytest.mark.parametrize("target", ["gcp", "azure"])
def test_what_every_request_of_the_target_fulfils_is_not_written(speak, target):
    plain = speak.aws(target, allow("s3:GetObject", OBJECTS))
    found = speak.aws(target, allow("s3:GetObject", OBJECTS, TLS))

    assert (plain.verdict, plain.grants, ()) == (found.verdict, found.grants, found.losses)


@pytest.mark.parametrize("target", ["gcp", "azure"])
def test_what_no_request_of_the_target_fulfils_is_not_granted(speak, target):
    found = speak.aws(target, allow("s3:GetObject", OBJECTS, NO_TLS))

    assert (Verdict.REFUSED, ()) == (found.verdict, found.grants)
    assert f"is never fulfilled in {target}" in "\n".join(found.reasons)


@pytest.mark.parametrize(
    ("resource", "gcp", "azure"),
    [
        ("arn:aws:s3:::data/logs/*", "resource.name.startsWith('{B}logs/')", "StringStartsWith 'logs/'"),
        ("arn:aws:s3:::data/a.csv", "resource.name == '{B}a.csv'", "StringEquals 'a.csv'"),
        ("arn:aws:s3:::data/*.csv", "resource.name.endsWith('.csv')", "StringLike '*.csv'"),
        ("arn:aws:s3:::data/a*b", None, "StringLike 'a*b'"),
        ("arn:aws:s3:::data/a?b", None, "StringLike 'a?b'"),
    ],
)
def test_names_of_objects(speak, resource, gcp, azure):
    found = speak.aws("gcp", allow("s3:GetObject", resource))
    if gcp is None:
        assert Verdict.REFUSED == found.verdict
        assert "conditions know starts and ends of names alone" in "\n".join(found.reasons)
    else:
        [text] = gcp_conditions(found)
        assert gcp.replace("{B}", "projects/_/buckets/data/objects/") in text
    [text] = azure_conditions(speak.aws("azure", allow("s3:GetObject", resource)))
    assert f"@Resource[{BLOB}:path] {azure}" in text


def test_a_listing_below_a_prefix(speak):
    below = {"StringLike": {"s3:prefix": ["logs/*", "data/*"]}}
    found = speak.aws("gcp", allow("s3:ListBucket", "arn:aws:s3:::data", below))

    assert Verdict.EXACT == found.verdict
    asked = "api.getAttribute('storage.googleapis.com/objectListPrefix', '').startsWith"
    assert [f"{asked}('data/') || {asked}('logs/')"] == gcp_conditions(found)
    [text] = azure_conditions(speak.aws("azure", allow("s3:ListBucket", "arn:aws:s3:::data", below)))
    assert f"@Request[{BLOB}:prefix] StringStartsWith 'data/'" in text


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (
            "request.time < timestamp('2027-01-01T00:00:00Z')",
            [{"DateLessThan": {"aws:CurrentTime": ["2027-01-01T00:00:00Z"]}}] * 2,
        ),
        ("resource.matchTag('1234/env', 'prod')", [{"StringEquals": {"aws:ResourceTag/env": ["prod"]}}] * 2),
        ("!resource.matchTag('1234/env', 'prod')", [{"StringNotEquals": {"aws:ResourceTag/env": ["prod"]}}] * 2),
        (
            BELOW_LOGS,
            [{"StringLike": {"s3:prefix": ["logs/*"]}}, None],
        ),
    ],
)
def test_conditions_of_gcp_in_aws(speak, expression, expected):
    role = {"role": "roles/storage.objectViewer", "condition": {"title": "t", "expression": expression}}
    found = speak.gcp("aws", BUCKET, role)

    assert Verdict.EXACT_WITH_PARTS == found.verdict
    assert expected == [condition for _, _, condition in aws_statements(found)]


@pytest.mark.parametrize(
    ("expression", "resource"),
    [
        ("resource.name.startsWith('projects/_/buckets/data/objects/logs/')", "logs/*"),
        ("resource.name == 'projects/_/buckets/data/objects/a.csv'", "a.csv"),
        ("resource.name.endsWith('.csv')", "*.csv"),
        ("resource.type == 'storage.googleapis.com/Object'", "*"),
    ],
)
def test_names_of_gcp_in_aws(speak, expression, resource):
    role = {"role": "roles/storage.objectViewer", "condition": {"title": "t", "expression": expression}}

    assert [(["s3:GetObject"], f"arn:aws:s3:::data/{resource}", None)] == aws_statements(speak.gcp("aws", BUCKET, role))


def test_what_is_not_understood_is_told_and_not_carried_over(speak):
    role = {"role": "roles/storage.objectViewer", "condition": {"title": "t", "expression": "odd(request)"}}
    found = speak.gcp("aws", BUCKET, role)

    assert Verdict.REFUSED == found.verdict
    assert "more may be held, which is not carried over: `odd(request)`" in "\n".join(found.reasons)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (
            "@Environment[UtcNow] DateTimeLessThan '2027-01-01T00:00:00Z'",
            [{"DateLessThan": {"aws:CurrentTime": ["2027-01-01T00:00:00Z"]}}] * 2,
        ),
        ("@Environment[isPrivateLink] BoolEquals true", [{"Null": {"aws:SourceVpce": ["false"]}}] * 2),
        # A listing has no tags of blobs, so that the condition keeps it out.
        (TAGGED, [{"StringEquals": {"s3:ExistingObjectTag/env": ["prod"]}}]),
        (
            "@Resource[Microsoft.Storage/storageAccounts/blobServices/containers:name] StringEquals 'data'",
            [None, None],
        ),
    ],
)
def test_conditions_of_azure_in_aws(speak, condition, expected):
    found = speak.azure("aws", assigned(condition))

    assert Verdict.EXACT_WITH_PARTS == found.verdict
    assert expected == [block for _, _, block in aws_statements(found)]


@pytest.mark.parametrize("target", ["azure", "gcp"])
@pytest.mark.parametrize(
    ("action", "resource"),
    [
        ("s3:ListBucket", "arn:aws:s3:::data"),
        ("s3:ListBucketVersions", "arn:aws:s3:::data"),
        ("s3:DeleteObject", "arn:aws:s3:::data/*"),
        ("s3:PutObject", "arn:aws:s3:::data/*"),
    ],
)
def test_tags_of_objects_keep_out_what_has_none(speak, target, action, resource):
    tagged = {"StringEquals": {"s3:ExistingObjectTag/env": "prod"}}
    found = speak.aws(target, allow(action, resource, condition=tagged))

    assert (Verdict.REFUSED, ()) == (found.verdict, found.capabilities)


@pytest.mark.parametrize(
    ("action", "resource"), [("s3:ListBucket", "arn:aws:s3:::data"), ("s3:DeleteObject", "arn:aws:s3:::data/*")]
)
def test_a_negated_tag_of_objects_is_there_without_any(speak, action, resource):
    untagged = {"StringNotEquals": {"s3:ExistingObjectTag/env": "prod"}}

    found = speak.aws("azure", allow(action, resource, condition=untagged))

    assert found.verdict in {Verdict.EXACT, Verdict.EXACT_WITH_PARTS}
    assert [None] == [each.condition for each in found.capabilities]


def test_nothing_is_written_for_a_listing_by_tags():
    tag = Test(f"{TAGS}env", Quantifier.ONE, exact("prod"))
    blobs = "data:microsoft.storage/storageaccounts/blobservices/containers/blobs/read"

    assert tag == clouds()["azure"].fit(tag, blobs)
    assert opaques(clouds()["azure"].fit(tag, blobs, "Blob.List"))
    assert tag == clouds()["aws"].fit(tag, "s3:GetObject")
    assert opaques(clouds()["aws"].fit(tag, "s3:ListBucket"))


def test_listings_of_every_bucket_are_limited_by_what_they_ask_for(speak):
    limited = {"StringLike": {"s3:prefix": "logs/*"}}
    found = speak.aws("gcp", allow("s3:ListBucket", "*", condition=limited))

    assert Verdict.NARROWER >= found.verdict, found.reasons
    assert ["api.getAttribute('storage.googleapis.com/objectListPrefix', '').startsWith('logs/')"] == gcp_conditions(
        found
    )


def test_names_of_objects_of_every_bucket_are_not_limited(speak):
    found = speak.aws("gcp", allow("s3:GetObject", "arn:aws:s3:::*/logs/*"))

    assert found.verdict in {Verdict.REFUSED, Verdict.NARROWER}
    assert not found.emission.natives or "logs/" in str(found.emission.natives)


def assigned(condition):
    role = f"{CONTAINER}/x/roleDefinitions/{READER}"
    return {"scope": CONTAINER, "roleDefinitionId": role, "condition": condition, "conditionVersion": "2.0"}


def test_an_alternative_that_cannot_be_said_is_left_out(speak):
    found = speak.azure(
        "gcp",
        assigned(
            "@Environment[UtcNow] DateTimeLessThan '2027-01-01T00:00:00Z'"
            " OR @Environment[isPrivateLink] BoolEquals true"
        ),
    )

    assert Verdict.NARROWER == found.verdict
    assert ["request.time < timestamp('2027-01-01T00:00:00Z')"] == gcp_conditions(found)
    assert {LossEffect.NARROW} == {loss.effect for loss in found.losses if loss.feature == "condition"}


def test_a_condition_has_no_effect_on_what_is_no_data_of_azure(speak):
    found = speak.aws("azure", allow("s3:ListAllMyBuckets", "*", TIMES))

    assert Verdict.REFUSED == found.verdict
    assert "a condition has no effect on" in "\n".join(found.reasons)


CONDITIONS = [None, TIMES, TAG, NOT_TAG, OBJECT_TAG, PRIVATE, IP, MFA, ORGANISATION, TLS]
NAMES = ["*", "logs/*", "*.csv", "a.csv", "a?b*"]


@pytest.mark.parametrize("target", ["gcp", "azure"])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    statements=st.lists(
        st.tuples(
            st.lists(st.sampled_from(["s3:GetObject", "s3:PutObject", "s3:ListBucket"]), min_size=1, unique=True),
            st.sampled_from(NAMES),
            st.sampled_from(CONDITIONS),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_generated_policies_with_conditions_are_written_within_what_was_held(speak, target, statements):
    policy = [
        allow(actions, ["arn:aws:s3:::data", f"arn:aws:s3:::data/{name}"], condition)
        for actions, name, condition in statements
    ]
    # Reading back inside `translate` fails when a permission is given under any other limit than it was wanted under.
    found = speak.aws(target, *policy)

    assert (found.verdict is Verdict.REFUSED) == (not found.emission.natives)
    widened = [loss for loss in found.losses if loss.feature == "condition" and loss.effect is LossEffect.WIDEN]
    assert not (widened and found.emission.natives)


@pytest.mark.parametrize(("condition", "target"), [*product([TIMES, TLS, TAG, NOT_TAG], ["gcp"])])
def test_there_and_back(speak, condition, target):
    there = speak.aws(target, allow("s3:GetObject", OBJECTS, condition))
    [binding] = there.emission.natives[0].content[0]["policy"]["bindings"]
    back = speak.gcp("aws", BUCKET, {key: value for key, value in binding.items() if key != "members"})

    [(_, _, block)] = aws_statements(back)
    expected = {} if condition == TLS else condition
    assert json.dumps(expected, sort_keys=True).replace("[", "").replace("]", "") == json.dumps(
        block or {}, sort_keys=True
    ).replace("[", "").replace("]", "")


def test_every_cloud_has_the_same_words():
    assert {"aws", "azure", "gcp"} == {name for name, cloud in clouds().items() if hasattr(cloud, "limit")}
