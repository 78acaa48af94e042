from __future__ import annotations

import pytest

from idtrans.api import clouds
from idtrans.catalog import capability
from idtrans.model.intents import Names, Scope
from idtrans.translate._levels import lies_in, read_scope, stands_at

SUBSCRIPTION = "/subscriptions/s"
GROUP = f"{SUBSCRIPTION}/resourceGroups/g"
ACCOUNT = f"{GROUP}/providers/Microsoft.Storage/storageAccounts/a"
CONTAINER = f"{ACCOUNT}/blobServices/default/containers/c"


@pytest.mark.parametrize(
    ("cloud", "text", "kind", "parts"),
    [
        ("aws", "*", "account", set()),
        ("aws", "arn:aws:s3:::b/logs/*", "object-store", {"bucket", "prefix"}),
        ("aws", "arn:aws:s3:::b*", "account", {"buckets"}),
        ("aws", "arn:aws:s3:::*b", "resource", {"resource"}),
        ("gcp", "projects/p", "account", {"project_id"}),
        ("gcp", "//cloudresourcemanager.googleapis.com/folders/1", "account", {"folders"}),
        ("gcp", "gs://b", "object-store", {"bucket"}),
        ("gcp", "//secretmanager.googleapis.com/projects/p/secrets/s", "secret", {"project_id", "name"}),
        ("azure", "/", "account", {"management_group"}),
        ("azure", "/providers/Microsoft.Management/managementGroups/m", "account", {"management_group"}),
        ("azure", SUBSCRIPTION, "account", {"subscription_id"}),
        ("azure", GROUP, "account", {"subscription_id", "resource_group"}),
        ("azure", ACCOUNT, "object-store", {"subscription", "resource_group", "account"}),
        ("azure", CONTAINER, "object-store", {"subscription", "resource_group", "account", "container", "bucket"}),
        ("azure", f"{GROUP}/providers/Microsoft.KeyVault/vaults/v", "resource", {"resource"}),
        ("azure", "not a path", "resource", {"resource"}),
        ("gcp", SUBSCRIPTION, "resource", {"resource"}),
        ("azure", "//storage.googleapis.com/b", "resource", {"resource"}),
    ],
)
def test_every_scope_has_a_kind(cloud, text, kind, parts):
    found = read_scope(text, clouds()[cloud])

    assert (kind, parts) == (found.kind, set(found.parts))


@pytest.mark.parametrize(
    ("cloud", "inner", "outer", "expected"),
    [
        ("aws", "arn:aws:s3:::b/*", "arn:aws:s3:::b", True),
        ("aws", "arn:aws:s3:::b/x/y/*", "arn:aws:s3:::b/x/*", True),
        ("aws", "arn:aws:s3:::b/x/*", "arn:aws:s3:::b/x/y/*", False),
        ("aws", "arn:aws:s3:::b", "arn:aws:s3:::b/x/*", False),
        ("aws", "arn:aws:s3:::b", "arn:aws:s3:::c", False),
        ("aws", "arn:aws:s3:::b", "*", False),
        ("azure", CONTAINER, ACCOUNT.upper().replace("/SUBSCRIPTIONS", "/subscriptions"), True),
        ("azure", ACCOUNT, CONTAINER, False),
        ("azure", GROUP, SUBSCRIPTION, True),
    ],
)
def test_what_lies_in_what(cloud, inner, outer, expected):
    assert expected == lies_in(read_scope(inner, clouds()[cloud]), read_scope(outer, clouds()[cloud]))


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("objstore.object.read", "object-store", True),
        ("objstore.object.read", "account", True),
        ("objstore.object.read", "resource", False),
        ("objstore.bucket.list", "object-store", False),
        ("secret.value.read", "resource", True),
        ("secret.value.read", "object-store", False),
        ("iam.policy.read", "resource", False),
        ("nosql.item.read", "resource", False),
    ],
)
def test_where_a_grant_can_stand(name, kind, expected):
    assert expected == stands_at(capability(name), "gcp", Scope(kind, "x"))


@pytest.mark.parametrize(
    ("cloud", "kind", "native"),
    [
        ("gcp", "account", "//cloudresourcemanager.googleapis.com/projects/p"),
        ("gcp", "resource", "//<GCP_RESOURCE>"),
        ("azure", "account", "/subscriptions/s/resourceGroups/<AZURE_RESOURCE_GROUP>"),
        ("azure", "resource", "/subscriptions/s/resourceGroups/<AZURE_RESOURCE_GROUP>/providers/<AZURE_RESOURCE>"),
    ],
)
def test_scopes_are_written_with_names_and_placeholders(cloud, kind, native):
    names = Names({"gcp-project-id": "p", "azure-subscription-id": "s"})

    assert native == clouds()[cloud].write_scope(Scope(kind, "x"), names).native
