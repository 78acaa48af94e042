"""Questions put together at random: every one has an answer, and what is refused writes nothing."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from idtrans.model.values import Verdict
from tests.translate.conftest import ACCOUNT, BUCKET, SUBSCRIPTION

PROJECT: Final = "//cloudresourcemanager.googleapis.com/projects/acme"
BLOBS: Final = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs"
EXPRESSIONS: Final = (
    "request.time < timestamp('2027-01-01T00:00:00Z')",
    "resource.name.startsWith('projects/_/buckets/data-')",
    "resource.name.startsWith('projects/_/buckets/data/objects/logs/')",
    "!resource.name.startsWith('projects/_/buckets/data/objects/logs/')",
    "resource.name.endsWith('.csv')",
    "resource.matchTag('1/env', 'prod')",
    "api.getAttribute('storage.googleapis.com/objectListPrefix', '').startsWith('logs/')",
    "resource.name == 'projects/_/buckets/one' || resource.name.startsWith('projects/_/buckets/one/')",
    "resource.service == 'storage.googleapis.com'",
)
ROLES: Final = (
    "storage.objectViewer",
    "storage.admin",
    "storage.bucketViewer",
    "viewer",
    "secretmanager.secretAccessor",
)
PLACES: Final = (
    BUCKET,
    PROJECT,
    "//cloudresourcemanager.googleapis.com/folders/5",
    "//pubsub.googleapis.com/projects/acme/topics/t",
    f"{BUCKET}/objects/logs/",
)
CONDITIONS: Final = (
    "@Resource[Microsoft.Storage/storageAccounts/blobServices/containers:name] StringLike 'a*'",
    "@Resource[Microsoft.Storage/storageAccounts/blobServices/containers:name] StringNotLike 'a*'",
    f"(!(ActionMatches{{'{BLOBS}/read'}})) OR (@Resource[{BLOBS}:path] StringStartsWith 'x/')",
    f"@Resource[{BLOBS}/tags:env<$key_case_sensitive$>] StringEquals 'prod'",
    "@Environment[UtcNow] DateTimeLessThan '2027-01-01T00:00:00Z'",
    f"@Request[{BLOBS}:prefix] StringStartsWith 'x/'",
)
DEFINITIONS: Final = (
    "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
    "acdd72a7-3385-48ef-bd42-f606fba81ae7",
    "4633458b-17de-408a-b874-0445c86b69e6",
)
SCOPES: Final = (
    "/",
    SUBSCRIPTION,
    ACCOUNT,
    f"{ACCOUNT}/blobServices/default/containers/logs",
    f"{SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/v/secrets/s",
)


def binding(random: Random) -> dict[str, Any]:
    limit = {"condition": {"title": "t", "expression": random.choice(EXPRESSIONS)}} if random.random() < 0.7 else {}
    return {"role": f"roles/{random.choice(ROLES)}", **limit}


def assignment(random: Random) -> dict[str, Any]:
    limited = random.random() < 0.7
    limit = {"condition": random.choice(CONDITIONS), "conditionVersion": "2.0"} if limited else {}
    role = f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/{random.choice(DEFINITIONS)}"
    return {"scope": random.choice(SCOPES), "roleDefinitionId": role, **limit}


@pytest.mark.parametrize("shard", range(4))
@pytest.mark.parametrize("to", ["aws", "azure"])
def test_from_google_cloud(speak, to, shard):
    random = Random(shard)
    for _ in range(12):
        _checked(speak.gcp(to, random.choice(PLACES), binding(random), binding(random)))


@pytest.mark.parametrize("shard", range(4))
@pytest.mark.parametrize("to", ["aws", "gcp"])
def test_from_azure(speak, to, shard):
    random = Random(shard)
    for _ in range(12):
        _checked(speak.azure(to, assignment(random), assignment(random)))


def _checked(found: Any) -> None:
    refused = found.verdict is Verdict.REFUSED
    assert refused is (() == found.emission.natives)
    assert found.verdict is not Verdict.BROADER
