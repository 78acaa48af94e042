"""The same read grant in each cloud, said in each other: the whole of every answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from idtrans import api, documents
from idtrans.api import clouds
from idtrans.model.data import fixtures_dir
from idtrans.model.values import Verdict
from idtrans.translate import NO_MAP, read_map, translate

FOLDER = fixtures_dir() / "acme" / "translate"
ARN = "arn:aws:iam::111122223333:user/data-scientist"
MEMBER = "user:data-scientist@company.com"
ENTRA = "entra:cccccccc-0000-4000-8000-000000000009"
ACCOUNT = (
    "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001/resourceGroups/rg-data-prod"
    "/providers/Microsoft.Storage/storageAccounts/stacmedata"
)
BUCKET = "//storage.googleapis.com/projects/_/buckets/my-bucket"

VERSIONS_GCP = "objstore.object.version.read comes along, gcp has no grant without it"
TAGS_GCP = "objstore.object.tags.read comes along, gcp has no grant without it"
FOLDERS = "`storage.folders.get`, `storage.folders.list`, `storage.managedFolders.get`, `storage.managedFolders.list`"
FOLDERS_GAINED = f"parts of the same object come along: {FOLDERS}"
FOLDERS_LEFT = f"parts of the same object that gcp names apart are left out: {FOLDERS}"
CONTAINERS = "`control:microsoft.storage/storageaccounts/blobservices/containers/read`"
CONTAINERS_GAINED = f"parts of the same object come along: {CONTAINERS}"
CONTAINERS_LEFT = f"parts of the same object that azure names apart are left out: {CONTAINERS}"
SIGNS = (
    "self-delegation: the holder can sign links to what it may read that work without an identity for up to seven days"
)
SIGNED = "self-delegation: signing links with a delegation key is not carried over; what the holder may read is"
WHOLE_ACCOUNT = "every container in it is covered"
ONE_BUCKET = "the map puts the one bucket"

CASES = {
    ("aws", "gcp"): (
        ("roles/storage.objectViewer", BUCKET, MEMBER),
        [TAGS_GCP, VERSIONS_GCP, FOLDERS_GAINED],
    ),
    ("aws", "azure"): (
        ("Storage Blob Data Reader", ACCOUNT, ENTRA),
        [SIGNS, "objstore.object.version.read comes along, azure has", CONTAINERS_GAINED, WHOLE_ACCOUNT],
    ),
    ("gcp", "aws"): (
        (None, "arn:aws:s3:::my-bucket", ARN),
        ["objstore.object.tags.read comes with what is held", "objstore.object.version.read comes with", FOLDERS_LEFT],
    ),
    ("gcp", "azure"): (
        ("Storage Blob Data Reader", ACCOUNT, ENTRA),
        [
            SIGNS,
            CONTAINERS_GAINED,
            "objstore.object.tags.read comes with what is held in gcp",
            FOLDERS_LEFT,
            WHOLE_ACCOUNT,
        ],
    ),
    ("azure", "aws"): (
        (None, "arn:aws:s3:::my-bucket", ARN),
        [SIGNED, "objstore.object.version.read comes with what is held in azure", CONTAINERS_LEFT, ONE_BUCKET],
    ),
    ("azure", "gcp"): (
        ("roles/storage.objectViewer", BUCKET, MEMBER),
        [
            TAGS_GCP,
            FOLDERS_GAINED,
            SIGNED,
            CONTAINERS_LEFT,
            ONE_BUCKET,
        ],
    ),
}
NATIVES = {
    "aws": [
        {
            "Version": "2012-10-17",
            "Statement": [
                {"Effect": "Allow", "Action": ["s3:ListBucket"], "Resource": "arn:aws:s3:::my-bucket"},
                {"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": "arn:aws:s3:::my-bucket/*"},
            ],
        }
    ],
    "gcp": [
        [
            {
                "resource": BUCKET,
                "policy": {"version": 1, "bindings": [{"role": "roles/storage.objectViewer", "members": [MEMBER]}]},
            }
        ]
    ],
    "azure": [
        {
            "principalId": "cccccccc-0000-4000-8000-000000000009",
            "roleDefinitionId": "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001"
            "/providers/Microsoft.Authorization/roleDefinitions/2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
            "roleDefinitionName": "Storage Blob Data Reader",
            "scope": ACCOUNT,
        }
    ],
}


@pytest.fixture(scope="module")
def estate():
    return api.load([FOLDER])


@pytest.fixture(scope="module")
def id_map():
    path = FOLDER / "map.yaml"
    return read_map(documents.decode(path.read_bytes(), "map.yaml"))


@pytest.mark.parametrize(("source", "target"), CASES)
def test_all_six_directions(source, target, estate, id_map):
    [found] = translate(clouds()[source], clouds()[target], estate, mapping=id_map)
    (role, resource, principal), reasons = CASES[source, target]

    assert Verdict.EXACT_WITH_PARTS == found.verdict
    assert [(principal, role, resource, None)] == [
        (grant.principal, grant.role, grant.resource, grant.condition) for grant in found.grants
    ]
    assert len(reasons) == len(found.reasons)
    assert all(expected in said for expected, said in zip(reasons, found.reasons, strict=True)), found.reasons
    assert ["objstore.object.list", "objstore.object.read"] == [each.id for each in found.capabilities]
    assert NATIVES[target] == [native.content for native in found.emission.natives]
    assert ((), ()) == (found.placeholders, found.residue)
    assert ({"self-delegation"} if "azure" in (source, target) else set()) == {loss.feature for loss in found.losses}


@pytest.mark.parametrize(("source", "target"), CASES)
def test_without_a_map_what_is_not_known_is_a_placeholder(source, target, estate):
    [found] = translate(clouds()[source], clouds()[target], estate, mapping=NO_MAP)

    # An account holds many containers, and nothing says which of them the one bucket is.
    assert (Verdict.NARROWER if source == "azure" else Verdict.EXACT_WITH_PARTS) == found.verdict
    assert f"<{target.upper()}_PRINCIPAL>" in found.placeholders
    assert (f"<{target.upper()}_BUCKET>" in found.placeholders) == (source == "azure")
    assert found.reasons[-1].startswith("the output cannot be applied as it stands: replace <")
    assert "nothing says who" in found.reasons[-2]


@pytest.mark.parametrize("target", ["gcp", "azure"])
def test_there_and_back_again_is_the_same_access(target, estate, id_map):
    [there] = translate(clouds()["aws"], clouds()[target], estate, mapping=id_map)
    other = clouds()[target]
    written = replace(estate, entities=tuple(other.reread(there.emission.natives)), memo={})
    [back] = translate(other, clouds()["aws"], written, mapping=id_map)

    assert NATIVES["aws"] == [native.content for native in back.emission.natives]
