"""Known roles: what a role file says, how it is looked up, and that the facts agree with the full catalogues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from idtrans.catalog import _roles, builtin_role, builtin_roles
from idtrans.model.errors import DataError
from idtrans.model.spans import NOWHERE


def test_shorthand_is_written_out() -> None:
    role = builtin_role("gcp", "roles/storage.legacyObjectReader")
    assert role is not None
    assert role.blocks[0].actions == ("storage.objects.get",)


@pytest.mark.parametrize(
    "key", ["acdd72a7-3385-48ef-bd42-f606fba81ae7", "ACDD72A7-3385-48EF-BD42-F606FBA81AE7", "reader"]
)
def test_azure_roles_by_guid_or_name(key: str) -> None:
    role = builtin_role("azure", key)
    assert role is not None
    assert role.name == "Reader"


@pytest.mark.parametrize("key", ["roles/Viewer", "roles/iam.serviceaccounttokencreator", "roles/nothing"])
def test_gcp_role_ids_are_exact(key: str) -> None:
    assert builtin_role("gcp", key) is None


def test_umbrella_roles_are_incomplete_and_say_what_they_lack() -> None:
    owner = builtin_role("gcp", "roles/owner")
    assert owner is not None
    assert not owner.complete
    assert "storage.objects.get" in owner.lacks
    assert "storage.objects.get" not in owner.blocks[0].actions


def test_a_cloud_without_roles_has_none() -> None:
    assert builtin_roles("aws") == ()


def test_an_unknown_key_in_a_role_is_an_error() -> None:
    with pytest.raises(DataError, match="unknown key `typo`"):
        _roles._role("gcp", {"id": "roles/x", "name": "X", "typo": 1}, NOWHERE)


def test_gcp_roles_agree_with_the_full_catalogue(shared: Path) -> None:
    full = json.loads((shared / "data" / "gcp_roles_indexed.json").read_text())
    for role in builtin_roles("gcp"):
        held: set[str] = set()
        for entry in full["roles"][role.id][3]:
            first, last = entry if isinstance(entry, list) else (entry, entry)
            held.update(full["permissions"][first : last + 1])
        listed = set(role.blocks[0].actions)
        assert listed <= held, role.id
        assert not held & set(role.lacks), role.id
        assert not role.complete or listed == held, role.id


def test_azure_roles_agree_with_the_full_catalogue(shared: Path) -> None:
    full = {
        role["name"].lower(): role["permissions"]
        for role in json.loads((shared / "data" / "azure_builtin_roles.json").read_text())["roles"]
    }
    for role in builtin_roles("azure"):
        stated = [
            {
                "actions": list(block.actions),
                "notActions": list(block.not_actions),
                "dataActions": list(block.data_actions),
                "notDataActions": list(block.not_data_actions),
            }
            for block in role.blocks
        ]
        expected = [{name: entry.get(name) or [] for name in stated[0]} for entry in full[role.id]]
        assert stated == expected, role.name
