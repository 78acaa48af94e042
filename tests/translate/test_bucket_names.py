"""Patterns of names of buckets: said by conditions and by ARNs, and refused where no cloud can say them."""

from __future__ import annotations

from typing import Any

import pytest

from idtrans.model.values import Verdict
from idtrans.translate import IdMap, Pair
from tests.translate.conftest import SUBSCRIPTION

PROJECT = "//cloudresourcemanager.googleapis.com/projects/acme"
GROUP = f"{SUBSCRIPTION}/resourceGroups/rg"
BLOBS = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs"
CONTAINER = "Microsoft.Storage/storageAccounts/blobServices/containers:name"
READER = "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"


def allow(action: Any, resource: Any, **more: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": action, "Resource": resource, **more}


def deny(action: Any, resource: Any, **more: Any) -> dict[str, Any]:
    return {**allow(action, resource, **more), "Effect": "Deny"}


def conditions(found: Any) -> list[str | None]:
    """Return the conditions of what was written, as Google Cloud and Azure write them."""
    contents = [native.content for native in found.emission.natives]
    entries = [each for content in contents for each in (content if isinstance(content, list) else [content])]
    bindings = [b for e in entries for b in e.get("policy", {}).get("bindings", ())]
    assigned = [e for e in entries if "roleDefinitionId" in e or "roleDefinitionId" in e.get("properties", {})]
    return [b.get("condition", {}).get("expression") for b in bindings] + [
        e.get("condition", e.get("properties", {}).get("condition")) for e in assigned
    ]


@pytest.mark.parametrize(
    ("action", "resource", "expected"),
    [
        ("s3:GetObject", "arn:aws:s3:::data-*/*", "resource.name.startsWith('projects/_/buckets/data-')"),
        ("s3:GetObject", "arn:aws:s3:::data-*", "resource.name.startsWith('projects/_/buckets/data-')"),
        ("s3:ListBucket", "arn:aws:s3:::data-*", "resource.name.startsWith('projects/_/buckets/data-')"),
        ("s3:PutObject", "arn:aws:s3:::data-*/*", "resource.name.startsWith('projects/_/buckets/data-')"),
        ("s3:GetObject", "arn:aws:s3:::*/*", None),
        ("s3:GetObject", "arn:aws:s3:::*", None),
        ("s3:ListBucket", "arn:aws:s3:::*", None),
    ],
)
def test_starts_of_names_of_buckets_to_google_cloud(speak, action, resource, expected):
    found = speak.aws("gcp", allow(action, resource))

    assert found.verdict in {Verdict.EXACT, Verdict.EXACT_WITH_PARTS}
    assert [expected] == conditions(found)


@pytest.mark.parametrize("action", ["s3:GetObject", "s3:PutObject", "s3:ListBucket"])
def test_starts_of_names_of_buckets_to_azure(speak, action):
    found = speak.aws("azure", allow(action, ["arn:aws:s3:::data-*", "arn:aws:s3:::data-*/*"]))

    assert found.verdict in {Verdict.EXACT, Verdict.EXACT_WITH_PARTS}
    [condition] = conditions(found)
    assert f"(!(ActionMatches{{'{BLOBS}/*'}})) OR (@Resource[{CONTAINER}] StringStartsWith 'data-')" in str(condition)


@pytest.mark.parametrize("to", ["gcp", "azure"])
@pytest.mark.parametrize(
    "resource",
    [
        # A star stands for slashes as well: these name objects of other buckets, too.
        "arn:aws:s3:::*-data/*",
        "arn:aws:s3:::*-data",
        "arn:aws:s3:::d*a/*",
        "arn:aws:s3:::data-*/logs/*",
        "arn:aws:s3:::d?ta-*/*",
        "arn:aws:s3:::d?ta/*",
        "arn:aws:s3:::${aws:username}-*/*",
    ],
)
def test_other_patterns_of_buckets_are_refused(speak, to, resource):
    found = speak.aws(to, allow("s3:GetObject", resource))

    assert Verdict.REFUSED == found.verdict
    assert () == found.emission.natives


def test_what_lies_in_buckets_of_some_names_goes_with_them(speak):
    found = speak.aws("gcp", allow("s3:GetObject", ["arn:aws:s3:::data-*/*", "arn:aws:s3:::*/*"]))

    assert [None] == conditions(found)


def test_names_of_buckets_and_other_limits_hold_together(speak):
    until = {"DateLessThan": {"aws:CurrentTime": "2027-01-01T00:00:00Z"}}
    found = speak.aws("gcp", allow("s3:GetObject", "arn:aws:s3:::data-*/*", Condition=until))

    [condition] = conditions(found)
    assert "request.time < timestamp('2027-01-01T00:00:00Z')" in str(condition)
    assert "resource.name.startsWith('projects/_/buckets/data-')" in str(condition)


@pytest.mark.parametrize("to", ["gcp", "azure"])
def test_settings_of_buckets_of_some_names_are_not_given_on_all(speak, to):
    found = speak.aws(to, allow("s3:GetBucket*", "arn:aws:s3:::data-*"))

    whole = [grant for grant in found.grants if grant.condition is None]
    assert [] == whole


@pytest.mark.parametrize("to", ["gcp", "azure"])
def test_a_deny_on_buckets_of_some_names_is_not_forgotten(speak, to):
    found = speak.aws(to, allow("s3:GetObject", "*"), deny("s3:GetObject", "arn:aws:s3:::secret-*/*"))

    assert Verdict.REFUSED == found.verdict
    assert "secret-" in " ".join(found.reasons)


def test_a_deny_on_one_of_the_buckets_is_not_forgotten(speak):
    found = speak.aws("gcp", allow("s3:GetObject", "arn:aws:s3:::data-*/*"), deny("s3:*", "arn:aws:s3:::data-x/*"))

    assert Verdict.REFUSED == found.verdict


def test_nothing_of_the_account_is_taken_from_a_pattern_of_buckets(speak):
    found = speak.aws("azure", allow("*", "arn:aws:s3:::data-*"), allow_broader=True)

    ids = {each.id for each in found.capabilities}
    assert {each for each in ids if not each.startswith("objstore.")} == set()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("resource.name.startsWith('projects/_/buckets/data-')", ["arn:aws:s3:::data-*/*"]),
        (
            "resource.name.startsWith('projects/_/buckets/a-') || resource.name.startsWith('projects/_/buckets/b-')",
            ["arn:aws:s3:::a-*/*", "arn:aws:s3:::b-*/*"],
        ),
    ],
)
def test_google_cloud_to_names_in_arns(speak, expression, expected):
    condition = {"title": "t", "expression": expression}
    found = speak.gcp("aws", PROJECT, {"role": "roles/storage.legacyObjectReader", "condition": condition})

    statements = [each for native in found.emission.natives for each in native.content["Statement"]]
    assert expected == sorted(each["Resource"] for each in statements if "s3:GetObject" in each["Action"])


@pytest.mark.parametrize(
    "expression",
    [
        "resource.name.endsWith('-data')",
        "resource.name == 'projects/_/buckets/one'",
        "resource.name.startsWith('projects/_/buckets/one/objects/logs/')",
        "resource.name.startsWith('projects/_/buckets/')",
        "!resource.name.startsWith('projects/_/buckets/data-')",
    ],
)
def test_other_names_on_a_project_are_not_told_apart(speak, expression):
    condition = {"title": "t", "expression": expression}
    found = speak.gcp("aws", PROJECT, {"role": "roles/storage.legacyObjectReader", "condition": condition})

    assert found.verdict in {Verdict.REFUSED, Verdict.NARROWER}
    assert "arn:aws:s3:::*" not in str(found.emission.natives)


def test_a_bucket_by_its_whole_name_is_not_given_on_all(speak):
    one = "resource.name == 'projects/_/buckets/one' || resource.name.startsWith('projects/_/buckets/one/')"
    binding = {"role": "roles/storage.legacyObjectReader", "condition": {"title": "t", "expression": one}}
    to_aws, to_azure = (speak.gcp(to, PROJECT, binding) for to in ("aws", "azure"))

    assert Verdict.REFUSED == to_aws.verdict
    assert () == to_aws.emission.natives
    assert any(f"@Resource[{CONTAINER}] StringEquals 'one'" in str(each) for each in conditions(to_azure))


def test_azure_to_names_in_arns_and_back(speak):
    written = f"(!(ActionMatches{{'{BLOBS}/read'}})) OR (@Resource[{CONTAINER}] StringLike 'data-*')"
    role = f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/{READER}"
    assigned = {"scope": GROUP, "roleDefinitionId": role, "condition": written, "conditionVersion": "2.0"}
    to_aws = speak.azure("aws", assigned)
    to_gcp = speak.azure("gcp", assigned)

    statements = [each for native in to_aws.emission.natives for each in native.content["Statement"]]
    assert {"arn:aws:s3:::data-*", "arn:aws:s3:::data-*/*"} <= {each["Resource"] for each in statements}
    assert any("projects/_/buckets/data-" in str(each) for each in conditions(to_gcp))


def test_a_map_puts_a_project_in_place_of_the_account(speak):
    mapping = IdMap(scopes=(Pair("111122223333", "projects/acme"),))
    found = speak.aws("gcp", allow("s3:GetObject", "arn:aws:s3:::data-*/*"), mapping=mapping)

    assert [PROJECT] == [grant.resource for grant in found.grants]
    assert ["bucket name is `data-*`"] == [grant.condition for grant in found.grants]


@pytest.mark.parametrize(
    ("role", "expression"),
    [
        # Where there are many buckets, the star of an ARN takes slashes in, too.
        ("roles/storage.legacyObjectReader", "resource.name.extract('/objects/{x}').startsWith('logs/')"),
        (
            "roles/storage.objectViewer",
            "api.getAttribute('storage.googleapis.com/objectListPrefix', '').startsWith('a/')",
        ),
    ],
)
def test_names_of_objects_in_many_buckets(speak, role, expression):
    found = speak.gcp("aws", PROJECT, {"role": role, "condition": {"title": "t", "expression": expression}})

    assert "s3:GetObject" not in str(found.emission.natives)


def test_a_listing_below_a_prefix_of_every_bucket(speak):
    prefix = f"@Request[{BLOBS}:prefix] StringStartsWith 'x/'"
    written = f"(!(ActionMatches{{'{BLOBS}/read'}} AND SubOperationMatches{{'Blob.List'}})) OR ({prefix})"
    role = f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/{READER}"
    assigned = {"scope": GROUP, "roleDefinitionId": role, "condition": written, "conditionVersion": "2.0"}
    found = speak.azure("aws", assigned)

    statements = [each for native in found.emission.natives for each in native.content["Statement"]]
    [listing] = [each for each in statements if "s3:ListBucket" in each["Action"]]
    assert {"StringLike": {"s3:prefix": ["x/*"]}} == listing["Condition"]


@pytest.mark.parametrize("to", ["aws", "gcp"])
def test_names_of_containers_mean_nothing_for_other_services(speak, to):
    secrets = f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6"
    limit = f"@Resource[{CONTAINER}] StringLike 'a*'"
    found = speak.azure(
        to, {"scope": GROUP, "roleDefinitionId": secrets, "condition": limit, "conditionVersion": "2.0"}
    )

    assert Verdict.REFUSED == found.verdict


def test_settings_are_not_given_on_names_of_objects(speak):
    place = "//storage.googleapis.com/projects/_/buckets/data/objects/logs/"
    found = speak.gcp("aws", place, {"role": "roles/storage.bucketViewer"})

    assert Verdict.REFUSED == found.verdict


def test_what_rides_along_without_the_limit_is_refused(speak):
    start = f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions"
    until = "@Environment[UtcNow] DateTimeLessThan '2027-01-01T00:00:00Z'"
    limited = {"condition": until, "conditionVersion": "2.0"}
    found = speak.azure(
        "gcp",
        {"scope": SUBSCRIPTION, "roleDefinitionId": f"{start}/acdd72a7-3385-48ef-bd42-f606fba81ae7", **limited},
        {"scope": SUBSCRIPTION, "roleDefinitionId": f"{start}/{READER}"},
    )

    assert () == found.emission.natives or found.verdict is Verdict.NARROWER
