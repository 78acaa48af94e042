"""Roles that are called readers and give more."""

from __future__ import annotations

import pytest

from idtrans.catalog import false_reader


@pytest.mark.parametrize(
    ("cloud", "name", "permissions", "expected"),
    [
        ("gcp", "roles/cloudsql.viewer", ["cloudsql.instances.get", "cloudsql.instances.export"], True),
        ("gcp", "roles/gkemulticloud.viewer", ["gkemulticloud.attachedClusters.generateAccessToken"], True),
        ("gcp", "roles/cloudsql.admin", ["cloudsql.instances.export"], False),
        ("gcp", "roles/storage.objectViewer", ["storage.objects.get"], False),
        ("azure", "Reader and Data Access", ["control:microsoft.storage/storageaccounts/listkeys/action"], True),
        ("azure", "Reader", ["control:*/read"], False),
        ("aws", "ReadOnlyAccess", ["s3:GetObject"], False),
    ],
)
def test_what_a_reader_must_not_give(cloud, name, permissions, expected):
    assert expected == false_reader(cloud, name, permissions)
