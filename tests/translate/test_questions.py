"""Questions whose verdict was decided before they were asked, for every ordered pair of clouds.

The verdicts follow from what the vendors document; where a table says two, the target of the question decides.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from idtrans.model.values import Verdict
from idtrans.translate import IdMap, Pair
from tests.translate.conftest import ACCOUNT, BUCKET, SUBSCRIPTION

PROJECT: Final = "//cloudresourcemanager.googleapis.com/projects/acme"
GROUP: Final = f"{SUBSCRIPTION}/resourceGroups/rg"
CONTAINER: Final = f"{ACCOUNT}/blobServices/default/containers/logs"
DATA: Final = "arn:aws:s3:::data"
OBJECTS: Final = f"{DATA}/*"
SECRET: Final = "arn:aws:secretsmanager:eu-west-1:111122223333:secret"
READ: Final = "s3:GetObject"

PARTS, EXACT, NARROWER, REFUSED = "exact-with-parts", "exact", "narrower", "refused"


def named(table: Any) -> list[Any]:
    return [pytest.param(*row[1:], id=row[0]) for row in table]


def allow(action: Any, resource: Any = OBJECTS, **more: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": action, "Resource": resource, **more}


def limited(operator: str, key: str, value: Any, action: str = READ, resource: str = OBJECTS) -> dict[str, Any]:
    return allow(action, resource, Condition={operator: {key: value}})


def deny(action: Any, resource: Any = OBJECTS) -> dict[str, Any]:
    return {"Effect": "Deny", "Action": action, "Resource": resource}


FROM_AWS: Final[tuple[tuple[str, list[dict[str, Any]], str, str], ...]] = (
    # What is asked, and the verdicts in Google Cloud and Azure.
    ("one action", [allow(READ)], PARTS, PARTS),
    ("two statements", [allow(READ), allow("s3:ListBucket", DATA)], PARTS, PARTS),
    ("another spelling", [allow("S3:getobject")], PARTS, PARTS),
    ("a question mark", [allow("s3:GetObjec?")], PARTS, PARTS),
    ("a start", [allow("s3:Get*")], NARROWER, NARROWER),
    ("a service", [allow("s3:*", [DATA, OBJECTS])], NARROWER, NARROWER),
    ("everything", [allow("*", "*")], NARROWER, REFUSED),
    ("all but identities", [{"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"}], NARROWER, REFUSED),
    ("all but reading", [{"Effect": "Allow", "NotAction": READ, "Resource": OBJECTS}], REFUSED, NARROWER),
    ("all but a place", [{"Effect": "Allow", "Action": READ, "NotResource": "arn:aws:s3:::x/*"}], REFUSED, REFUSED),
    ("an unknown action", [allow("s3:DoesNotExist")], REFUSED, REFUSED),
    ("an unknown action beside", [allow(["s3:DoesNotExist", READ])], NARROWER, NARROWER),
    ("an unknown service", [allow("nosuch:Thing", "*")], REFUSED, REFUSED),
    ("an unknown service beside", [allow([READ, "nosuch:*"])], NARROWER, NARROWER),
    ("a start of nothing beside", [allow([READ, "s3:Nope*"])], NARROWER, NARROWER),
    ("an action of another service", [allow([READ, "iam:PassRole"])], PARTS, PARTS),
    ("a bucket action on objects", [allow([READ, "s3:ListBucket"])], PARTS, PARTS),
    ("until", [limited("DateLessThan", "aws:CurrentTime", "2027-01-01T00:00:00Z")], PARTS, PARTS),
    (
        "between",
        [
            allow(
                READ,
                Condition={
                    "DateLessThan": {"aws:CurrentTime": "2027-01-01T00:00:00Z"},
                    "DateGreaterThan": {"aws:CurrentTime": "2026-01-01T00:00:00Z"},
                },
            )
        ],
        PARTS,
        PARTS,
    ),
    ("a network", [limited("IpAddress", "aws:SourceIp", "203.0.113.0/24")], REFUSED, REFUSED),
    ("a second factor", [limited("Bool", "aws:MultiFactorAuthPresent", "true")], REFUSED, REFUSED),
    ("an organisation", [limited("StringEquals", "aws:PrincipalOrgID", "o-abc")], REFUSED, REFUSED),
    ("an endpoint", [limited("StringEquals", "aws:SourceVpce", "vpce-1")], REFUSED, REFUSED),
    ("another key", [limited("StringEquals", "aws:UserAgent", "x")], REFUSED, REFUSED),
    ("encrypted", [limited("Bool", "aws:SecureTransport", "true")], PARTS, PARTS),
    ("not encrypted", [limited("Bool", "aws:SecureTransport", "false")], REFUSED, REFUSED),
    ("a prefix listed", [limited("StringLike", "s3:prefix", "logs/*", "s3:ListBucket", DATA)], EXACT, EXACT),
    (
        "prefixes of any form",
        [limited("StringLike", "s3:prefix", ["logs/*", "*a*b*"], "s3:ListBucket", DATA)],
        REFUSED,
        EXACT,
    ),
    ("a prefix read", [allow(READ, f"{DATA}/logs/*")], PARTS, PARTS),
    ("an ending", [allow(READ, f"{DATA}/*.csv")], PARTS, PARTS),
    ("one object", [allow(READ, f"{DATA}/a")], PARTS, PARTS),
    ("the middle of names", [allow(READ, f"{DATA}/*x*")], REFUSED, PARTS),
    ("tags of objects", [limited("StringEquals", "s3:ExistingObjectTag/env", "prod")], REFUSED, PARTS),
    ("tags of the principal", [limited("StringEquals", "aws:PrincipalTag/team", "a")], REFUSED, REFUSED),
    ("an unknown operator", [limited("StringFoo", "aws:x", "a")], REFUSED, REFUSED),
    ("all values", [limited("ForAllValues:StringEquals", "aws:TagKeys", "a")], REFUSED, REFUSED),
    ("a variable", [allow(READ, f"{DATA}/${{aws:username}}/*")], REFUSED, REFUSED),
    ("a part denied", [allow([READ, "s3:ListBucket"], [DATA, OBJECTS]), deny(READ)], NARROWER, REFUSED),
    ("the service denied", [allow(READ), deny("s3:*", "*")], REFUSED, REFUSED),
    ("everything denied", [allow(READ), deny("*", "*")], REFUSED, REFUSED),
    ("an unknown action denied", [allow(READ), deny("s3:DoesNotExist")], REFUSED, REFUSED),
    ("one secret", [allow("secretsmanager:GetSecretValue", f"{SECRET}:app-??????")], EXACT, PARTS),
    ("secrets by a start", [allow("secretsmanager:GetSecretValue", f"{SECRET}:app*")], REFUSED, NARROWER),
    ("topics by a start", [allow("sns:Publish", "arn:aws:sns:eu-west-1:111122223333:a-*")], REFUSED, NARROWER),
    ("one topic", [allow("sns:Publish", "arn:aws:sns:eu-west-1:111122223333:a")], EXACT, EXACT),
    ("half of a parameter", [allow("ssm:GetParameter", "*")], REFUSED, REFUSED),
    ("a role to be passed", [allow("iam:PassRole", "arn:aws:iam::111122223333:role/x")], EXACT, EXACT),
    ("code of functions", [allow("lambda:GetFunction", "*")], EXACT, REFUSED),
)
"""Reading items of a table is `readonlykeys` in Azure, code of functions `publishxml`: refused, whatever the flags."""


@pytest.mark.parametrize(("statements", "gcp", "azure"), named(FROM_AWS))
def test_from_aws(speak, statements, gcp, azure):
    found = {to: speak.aws(to, *statements) for to in ("gcp", "azure")}

    assert {"gcp": gcp, "azure": azure} == {to: each.verdict.value for to, each in found.items()}
    assert {each.verdict is Verdict.REFUSED for each in found.values()} >= {
        () == each.emission.natives for each in found.values()
    }


def when(expression: str) -> dict[str, Any]:
    return {
        "role": "roles/storage.legacyObjectReader",
        "condition": {"title": "t", "expression": expression},
    }


FROM_GCP: Final = (
    # Where, what is bound, and the verdicts in AWS and Azure.
    ("objects of a bucket", BUCKET, {"role": "roles/storage.objectViewer"}, PARTS, PARTS),
    ("viewer", PROJECT, {"role": "roles/viewer"}, NARROWER, REFUSED),
    ("owner", PROJECT, {"role": "roles/owner"}, NARROWER, REFUSED),
    ("security reviewer", PROJECT, {"role": "roles/iam.securityReviewer"}, NARROWER, NARROWER),
    ("no such role", PROJECT, {"role": "roles/nosuch.role"}, REFUSED, REFUSED),
    ("a custom role that is not there", PROJECT, {"role": "projects/acme/roles/custom"}, REFUSED, REFUSED),
    ("one of an organisation", PROJECT, {"role": "organizations/1/roles/custom"}, REFUSED, REFUSED),
    ("secrets", PROJECT, {"role": "roles/secretmanager.secretAccessor"}, EXACT, PARTS),
    ("a place of no known service", "//x.googleapis.com/x/y", {"role": "roles/viewer"}, REFUSED, REFUSED),
    ("until", BUCKET, when("request.time < timestamp('2027-01-01T00:00:00Z')"), PARTS, PARTS),
    ("a prefix", BUCKET, when("resource.name.startsWith('projects/_/buckets/data/objects/logs/')"), PARTS, PARTS),
    ("access levels", BUCKET, when("request.auth.access_levels == ['x']"), REFUSED, REFUSED),
    ("no expression", BUCKET, when("this is none ("), REFUSED, REFUSED),
    ("never", BUCKET, when("false"), REFUSED, REFUSED),
    ("exports by a viewer", PROJECT, {"role": "roles/cloudsql.viewer"}, REFUSED, REFUSED),
    ("tokens", PROJECT, {"role": "roles/iam.serviceAccountTokenCreator"}, NARROWER, NARROWER),
    (
        "an organisation",
        "//cloudresourcemanager.googleapis.com/organizations/123",
        {"role": "roles/storage.legacyObjectReader"},
        NARROWER,
        NARROWER,
    ),
    (
        "a folder",
        "//cloudresourcemanager.googleapis.com/folders/5",
        {"role": "roles/storage.legacyObjectReader"},
        NARROWER,
        NARROWER,
    ),
)


@pytest.mark.parametrize(("scope", "binding", "aws", "azure"), named(FROM_GCP))
def test_from_google_cloud(speak, scope, binding, aws, azure):
    found = {to: speak.gcp(to, scope, binding).verdict.value for to in ("aws", "azure")}

    assert {"aws": aws, "azure": azure} == found


def assigned(role: str, scope: str, condition: str | None = None) -> dict[str, Any]:
    path = f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/{role}"
    limit = {} if condition is None else {"condition": condition, "conditionVersion": "2.0"}
    return {"scope": scope, "roleDefinitionId": path, **limit}


BLOB_READER, READER = "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1", "acdd72a7-3385-48ef-bd42-f606fba81ae7"
SECRETS_USER, VAULT_READER = "4633458b-17de-408a-b874-0445c86b69e6", "21090545-7ca7-4776-b22c-e363652d74d2"
OWNER, CONTRIBUTOR = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635", "b24988ac-6180-42a0-ab88-20f7382dd24c"
KEYED_READER, COSMOS_READER = "c12c1c16-33a1-487b-954d-41c89c60f349", "fbdf93bf-df7d-467e-a4d2-9458aa1360c8"

FROM_AZURE: Final = (
    # What is assigned, and the verdicts in AWS and Google Cloud.
    ("blobs", assigned(BLOB_READER, GROUP), PARTS, PARTS),
    ("blobs of a container", assigned(BLOB_READER, CONTAINER), PARTS, PARTS),
    ("blobs of the tenant", assigned(BLOB_READER, "/"), NARROWER, NARROWER),
    ("reader", assigned(READER, SUBSCRIPTION), NARROWER, NARROWER),
    ("owner", assigned(OWNER, SUBSCRIPTION), NARROWER, NARROWER),
    ("contributor", assigned(CONTRIBUTOR, SUBSCRIPTION), NARROWER, NARROWER),
    ("no such role", assigned("00000000-0000-4000-8000-00000000dead", SUBSCRIPTION), REFUSED, REFUSED),
    ("secrets", assigned(SECRETS_USER, SUBSCRIPTION), PARTS, PARTS),
    # A reader that lists the keys of accounts: no other cloud has a key of all data.
    ("reader with keys", assigned(KEYED_READER, SUBSCRIPTION), REFUSED, REFUSED),
    ("reader with read-only keys", assigned(COSMOS_READER, SUBSCRIPTION), NARROWER, NARROWER),
    ("vaults", assigned(VAULT_READER, SUBSCRIPTION), NARROWER, NARROWER),
    ("no condition", assigned(BLOB_READER, ACCOUNT, "garbage (("), REFUSED, REFUSED),
    ("until", assigned(BLOB_READER, CONTAINER, "@Environment[UtcNow] DateTimeLessThan '2027-01-01'"), PARTS, PARTS),
    ("private", assigned(BLOB_READER, CONTAINER, "@Environment[isPrivateLink] BoolEquals true"), PARTS, REFUSED),
    ("no scope", assigned(BLOB_READER, "garbage"), REFUSED, REFUSED),
)


@pytest.mark.parametrize(("assignment", "aws", "gcp"), named(FROM_AZURE))
def test_from_azure(speak, assignment, aws, gcp):
    found = {to: speak.azure(to, assignment).verdict.value for to in ("aws", "gcp")}

    assert {"aws": aws, "gcp": gcp} == found


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (SUBSCRIPTION, Verdict.EXACT_WITH_PARTS),
        # Which subscriptions lie in it is not known, so that nothing could be checked.
        ("/providers/Microsoft.Management/managementGroups/mg", Verdict.REFUSED),
    ],
)
def test_what_holds_many_accounts_is_what_the_map_says(speak, place, expected):
    folder = "//cloudresourcemanager.googleapis.com/folders/5"
    mapping = IdMap(scopes=(Pair("folders/5", place),))
    found = speak.gcp("azure", folder, {"role": "roles/storage.legacyObjectReader"}, mapping=mapping)

    assert expected == found.verdict


@pytest.mark.parametrize("role", [SECRETS_USER, BLOB_READER, "7f951dda-4ed3-4680-a7ca-43fe172d538d"])
@pytest.mark.parametrize("to", ["aws", "gcp"])
@pytest.mark.parametrize("place", ["Microsoft.Compute/disks/d", "Microsoft.Search/searchServices/x"])
def test_operations_of_other_types_are_not_held_on_a_resource(speak, role, to, place):
    found = speak.azure(to, assigned(role, f"{GROUP}/providers/{place}"))

    assert () == found.capabilities
    assert Verdict.REFUSED == found.verdict


@pytest.mark.parametrize("role", ["roles/viewer", "roles/editor", "roles/pubsub.publisher"])
@pytest.mark.parametrize("place", ["spanner.googleapis.com/projects/a/instances/x", "x.googleapis.com/y"])
def test_permissions_of_other_services_are_not_held_on_a_resource(speak, role, place):
    found = speak.gcp("aws", f"//{place}", {"role": role})

    assert () == found.capabilities
    assert Verdict.REFUSED == found.verdict
