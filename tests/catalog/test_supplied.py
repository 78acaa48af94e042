"""The catalogue that a person supplies: what is imported, what look-ups make of it, and bad files."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from idtrans import api
from idtrans.catalog import (
    builtin_role,
    builtin_roles,
    operation_plane,
    provider_operations,
    read_catalog,
    supplied,
    use_catalog,
)
from idtrans.model.errors import DataError, UnrecognisedError, UsageError

NOW = datetime(2026, 11, 2, tzinfo=UTC)
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
GUID = "8311e382-0749-4cb8-b61a-304f252e45ec"
GCP = [
    {"name": "roles/new.viewer", "title": "New Viewer", "etag": "x", "includedPermissions": ["new.things.get"]},
    {"name": "roles/viewer", "title": "Viewer", "etag": "x", "includedPermissions": ["a.b.get", "new.things.get"]},
    {"name": "projects/p/roles/own", "title": "Own", "etag": "x", "includedPermissions": ["new.things.get"]},
    {"name": "roles/named.only", "title": "Named", "etag": "x"},
]
AZURE = [
    {
        "assignableScopes": ["/"],
        "id": f"/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/{GUID}",
        "name": GUID,
        "permissions": [
            {
                "actions": ["Microsoft.ContainerRegistry/registries/push/write"],
                "notActions": [],
                "dataActions": [],
                "notDataActions": [],
                "condition": "!(ActionMatches{'x'})",
            }
        ],
        "roleName": "AcrPush",
        "roleType": "BuiltInRole",
        "type": "Microsoft.Authorization/roleDefinitions",
    }
]
OPERATIONS = [
    {
        "id": "/providers/Microsoft.Authorization/providerOperations/Microsoft.X",
        "name": "Microsoft.X",
        "operations": [{"name": "Microsoft.X/register/action", "isDataAction": False}],
        "resourceTypes": [
            {
                "name": "y",
                "operations": [
                    {"name": "Microsoft.X/y/read", "isDataAction": True},
                    {"name": "Microsoft.X/both/read", "isDataAction": True},
                    {"name": "Microsoft.X/both/read", "isDataAction": False},
                    {"name": 5},
                    "stray",
                ],
            },
            "stray",
        ],
    }
]


@pytest.fixture(autouse=True)
def _without_a_catalogue():
    use_catalog(None)
    yield
    use_catalog(None)


@pytest.fixture
def written(tmp_path):
    """Return a catalogue file that was imported from three lists."""
    paths = []
    for name, content in (("g", GCP), ("a", AZURE), ("o", OPERATIONS)):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        paths.append(path)
    target = tmp_path / "catalog.json"
    target.write_text(api.import_catalog(paths, now=NOW), encoding="utf-8")
    return target


def test_what_is_imported_is_looked_up(written):
    assert builtin_role("gcp", "roles/new.viewer") is None
    before = len(builtin_roles("gcp"))
    use_catalog(written)
    role = builtin_role("gcp", "roles/new.viewer")
    assert role is not None
    assert (True, ("new.things.get",)) == (role.complete, role.blocks[0].actions)
    assert before + 1 == len(builtin_roles("gcp"))
    # The vendor's own list wins over what is built in, whose basic roles are known in part.
    viewer = builtin_role("gcp", "roles/viewer")
    assert viewer is not None
    assert (True, ("a.b.get", "new.things.get")) == (viewer.complete, viewer.blocks[0].actions)
    azure = builtin_role("azure", GUID.upper())
    assert azure is not None
    assert "!(ActionMatches{'x'})" == azure.blocks[0].condition
    assert azure == builtin_role("azure", "acrpush")


def test_custom_roles_and_names_without_permissions_are_left_out(written):
    use_catalog(written)
    assert builtin_role("gcp", "projects/p/roles/own") is None
    assert builtin_role("gcp", "roles/named.only") is None


def test_operations_have_planes(written):
    assert operation_plane("Microsoft.X/y/read") is None
    use_catalog(written)
    names = ("Microsoft.X/Y/read", "Microsoft.X/register/action", "Microsoft.X/both/read", "Microsoft.X/none")
    assert ["data", "control", "either", None] == [operation_plane(name) for name in names]


def test_documents_that_list_no_operations():
    unlisted: tuple[object, ...] = ([], {}, 5, AZURE, [{"operations": [], "id": "x"}], [*OPERATIONS, "x"])
    for content in unlisted:
        assert provider_operations(content) is None
    assert 3 == len(provider_operations({"value": OPERATIONS}) or {})


def test_status_tells_coverage_and_age(written):
    bare = api.catalog_status(now=NOW)
    assert (None, 0) == (bare.path, bare.operations)
    assert ["azure", "gcp"] == [line.cloud for line in bare.clouds]
    assert all(line.supplied == 0 and line.built_in == line.roles >= line.complete for line in bare.clouds)
    api.use_catalog(written)
    found = api.catalog_status(now=NOW + timedelta(days=3))
    assert (str(written), 3, 3) == (found.path, found.age_days, found.operations)
    assert [1, 2] == [line.supplied for line in found.clouds]
    assert supplied() is not None


def test_files_that_cannot_be_imported(tmp_path):
    other = tmp_path / "x.json"
    other.write_text("[1]", encoding="utf-8")
    with pytest.raises(UnrecognisedError):
        api.import_catalog([other])
    names = tmp_path / "names.json"
    names.write_text(json.dumps([GCP[3]]), encoding="utf-8")
    with pytest.raises(UsageError, match="nothing here lists the permissions"):
        api.import_catalog([names])
    with pytest.raises(Exception, match=r"none\.json"):
        api.import_catalog([tmp_path / "none.json"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 100_000,
        "[]",
        "{}",
        '{"format": "idtrans-catalog/2"}',
        '{"format": "idtrans-catalog/1"}',
        '{"format": "idtrans-catalog/1", "imported": "x", "names": [], "roles": {}, "operations": []}',
        '{"format": "idtrans-catalog/1", "imported": "2026-01-01", "names": 5, "roles": {}, "operations": []}',
        '{"format": "idtrans-catalog/1", "imported": "2026-01-01", "names": [], "roles": [], "operations": []}',
        '{"format": "idtrans-catalog/1", "imported": "2026-01-01", "names": [], "roles": {}, "operations": [[0, 1]]}',
        (
            '{"format": "idtrans-catalog/1", "imported": "2026-01-01", "names": [], "operations": [],'
            ' "roles": {"gcp": [{"id": "roles/x", "name": "X", "blocks": [{"actions": [7]}]}]}}'
        ),
    ],
)
def test_bad_catalogues_are_refused(tmp_path, text):
    path = tmp_path / "c.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError):
        read_catalog(path)


def test_a_catalogue_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        use_catalog(tmp_path / "none.json")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the full catalogues are not here")
def test_the_full_lists_of_azure_are_imported(tmp_path):
    content = json.loads((SHARED / "azure_builtin_roles.json").read_text(encoding="utf-8"))
    path, target = tmp_path / "roles.json", tmp_path / "catalog.json"
    path.write_text(json.dumps(content["roles"]), encoding="utf-8")
    target.write_text(api.import_catalog([path], now=NOW), encoding="utf-8")
    found = read_catalog(target)
    assert len(content["roles"]) == len(found.roles["azure"])
    conditions = [block.condition for role in found.roles["azure"].values() for block in role.blocks if block.condition]
    assert 31 == len(conditions)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the full catalogues are not here")
def test_the_full_lists_of_google_are_imported(tmp_path):
    content = json.loads((SHARED / "gcp_roles_indexed.json").read_text(encoding="utf-8"))
    names = content["permissions"]
    roles = []
    for name, (title, stage, _, held) in content["roles"].items():
        numbers = [range(each[0], each[1] + 1) if isinstance(each, list) else [each] for each in held]
        permissions = [names[number] for group in numbers for number in group]
        roles.append({"name": name, "title": title, "stage": stage, "includedPermissions": permissions})
    path, target = tmp_path / "roles.json", tmp_path / "catalog.json"
    path.write_text(json.dumps(roles), encoding="utf-8")
    target.write_text(api.import_catalog([path], now=NOW), encoding="utf-8")
    found = read_catalog(target).roles["gcp"]
    assert len(roles) == len(found)
    # What is built in is a part of the vendor's list, role by role; roles change between the days of two lists.
    complete = [role for role in builtin_roles("gcp") if role.complete]
    assert [] == [role.id for role in complete if role.id not in found]
