"""Which roles bear what is wanted: those looked at by hand, then those of the catalogue that was supplied."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from idtrans import api
from idtrans.catalog import capability, roles_listing, use_catalog
from idtrans.model.translations import Searched
from idtrans.translate import _cover
from idtrans.translate._realise import realise
from tests.translate.conftest import SUBSCRIPTION

NOW = datetime(2026, 11, 2, tzinfo=UTC)
LISTED = sorted(capability("net.address.list").column("gcp").permissions)
HOSTS = ["compute.globalAddresses.get", "compute.addresses.get"]
ADDRESSES = {"Effect": "Allow", "Action": "ec2:DescribeAddresses", "Resource": "*"}
OBJECTS = {
    "Effect": "Allow",
    "Action": ["s3:GetObject", "s3:ListBucket"],
    "Resource": ["arn:aws:s3:::data", "arn:aws:s3:::data/*"],
}
GUID = "44444444-0000-4000-8000-00000000000%d"


def gcp(name, permissions):
    return {"name": f"roles/{name}", "title": name, "etag": "x", "includedPermissions": list(permissions)}


def azure(number, actions, data_actions=(), **more):
    permissions = {"actions": list(actions), "notActions": [], "dataActions": list(data_actions), "notDataActions": []}
    name = GUID % number
    return {
        "assignableScopes": ["/"],
        "id": f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/{name}",
        "name": name,
        "permissions": [{**permissions, **more}],
        "roleName": f"Role {number}",
        "roleType": "BuiltInRole",
        "type": "Microsoft.Authorization/roleDefinitions",
    }


@pytest.fixture
def supply(tmp_path):
    """Return a function that puts roles into the catalogue in use."""

    def supplied(*roles):
        file = tmp_path / "roles.json"
        file.write_text(json.dumps(list(roles)), "utf-8")
        written = tmp_path / "catalog.json"
        written.write_text(api.import_catalog([file], now=NOW), "utf-8")
        use_catalog(written)

    yield supplied
    use_catalog(None)


def granted(found):
    return [grant.role for grant in found.grants]


def test_without_a_catalogue_permissions_are_listed(speak):
    assert [None] == granted(speak.aws("gcp", ADDRESSES))


def test_a_supplied_role_that_gives_just_this_is_used(speak, supply):
    supply(gcp("net.addressViewer", LISTED))
    found = speak.aws("gcp", ADDRESSES)
    assert (["roles/net.addressViewer"], "exact") == (granted(found), found.verdict.value)


@pytest.mark.parametrize(
    "role",
    [
        gcp("net.more", [*LISTED, "compute.instances.delete"]),
        gcp("net.secret", [*LISTED, "secretmanager.versions.access"]),
        gcp("net.less", LISTED[:-1]),
        gcp("net.serviceAgent", LISTED),
    ],
)
def test_a_supplied_role_that_gives_more_or_less_is_not(speak, supply, role):
    supply(role)
    assert [None] == granted(speak.aws("gcp", ADDRESSES))


def test_of_supplied_roles_the_one_that_gives_least_beside(speak, supply):
    parts = sorted(set(HOSTS) - set(LISTED)) or ["compute.addresses.get"]
    supply(gcp("net.b", [*LISTED, *parts]), gcp("net.a", LISTED))
    assert ["roles/net.a"] == granted(speak.aws("gcp", ADDRESSES))


def test_a_role_that_was_looked_at_by_hand_comes_first(speak, supply):
    before = granted(speak.aws("gcp", OBJECTS))
    permissions = {
        name
        for each in ("objstore.object.read", "objstore.object.list")
        for name in capability(each).column("gcp").permissions
    }
    supply(gcp("storage.slim", sorted(permissions)))
    assert before == granted(speak.aws("gcp", OBJECTS)) == ["roles/storage.objectViewer"]


def test_supplied_roles_of_azure(supply):
    supply(
        azure(1, ["Microsoft.X/y/Read"], ["Microsoft.X/y/z/read"]),
        azure(2, ["Microsoft.X/*/read"]),
        azure(3, ["Microsoft.X/y/read"], condition="@Resource[x] StringEquals 'y'"),
    )
    names = frozenset({"control:microsoft.x/y/read", "data:microsoft.x/y/z/read"})
    assert ((GUID % 1, names),) == roles_listing("azure", ["control:microsoft.x/y/read"])
    assert () == roles_listing("azure", ["data:microsoft.x/y/read"])
    assert () == roles_listing("azure", [])


def test_how_far_the_search_went_is_said(speak):
    found = speak.aws("gcp", OBJECTS)
    assert (True, _cover.NODE_LIMIT) == (found.searched.complete, found.searched.limit)
    assert 1 <= found.searched.nodes <= _cover.NODE_LIMIT


def test_a_search_that_ended_early_says_so(speak, monkeypatch):
    def cut(*asked):
        found = realise(*asked)
        monkeypatch.setattr(type(found), "searched", Searched(2001, 2000, complete=False))
        return found

    monkeypatch.setattr("idtrans.translate._translate.realise", cut)
    found = speak.aws("gcp", OBJECTS)
    assert (False, True) == (
        found.searched.complete,
        any(reason.startswith("the search for roles ended") for reason in found.reasons),
    )
