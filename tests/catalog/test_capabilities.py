from __future__ import annotations

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from idtrans.algebra import ANY_TEXT, glob, one_of
from idtrans.catalog import (
    REST,
    Apart,
    acting,
    aws_action,
    builtin_role,
    builtin_roles,
    capabilities,
    capability,
    known_losses,
    listed,
    noise,
    read_capabilities,
    read_capability,
    service_of,
)
from idtrans.catalog import _rides_along as rides
from idtrans.model.data import rules_dir
from idtrans.model.errors import DataError
from idtrans.model.intents import Scope
from idtrans.model.values import Plane, Use

DATA = Path(__file__).parents[3] / "shared" / "data"

GOOD = """
id = "thing.read"
title = "Read things"
plane = "data"
effect = "read"
family = "thing"
scope = "account"

[aws]
permissions = ["thing:Get"]
levels = ["account"]

[gcp]
permissions = ["thing.things.get"]
optional = ["thing.things.list*"]
levels = ["account"]

[azure]
no_counterpart = "there are no things"
"""


def test_every_file_holds_to_the_schema():
    found = capabilities()

    assert sorted(path.stem for path in (rules_dir() / "capabilities").glob("*.toml")) == [each.id for each in found]
    assert len(found) >= 25
    assert "Read the content of objects" == capability("objstore.object.read").title


def test_a_column_is_spelled_as_actions_are_and_keeps_what_the_vendor_writes():
    column = capability("objstore.object.read").column("azure")

    [name] = column.permissions
    assert "data:microsoft.storage/storageaccounts/blobservices/containers/blobs/read" == name
    assert "data:Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read" == column.written[name]
    assert ["objstore.object.list"] == [apart.capability for apart in column.apart]
    assert isinstance(column.apart[0], Apart)


def test_a_capability_is_read():
    found = read_capability(GOOD, name="thing.read.toml")

    assert (Plane.DATA, Use.READ, "account") == (found.plane, found.effect, found.scope)
    assert found.column("gcp").belonging.matches("thing.things.listAll")
    assert "there are no things" == found.column("azure").no_counterpart
    assert "nothing is known of it in elsewhere" == found.column("elsewhere").no_counterpart


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('family = "thing"', 'family = "thing"\ncolour = "red"', "unknown key `colour`"),
        ('levels = ["account"]\n\n[gcp]', 'level = ["account"]\n\n[gcp]', "unknown key `aws.level`"),
        ('plane = "data"', 'plane = "dates"', "`plane` is not valid"),
        ('effect = "read"', 'effect = "look"', "`effect` is not valid"),
        ('scope = "account"', 'scope = "everything"', "`scope` is not valid"),
        ('id = "thing.read"', 'id = "Thing"', "`id` is not valid"),
        ('title = "Read things"\n', "", "`title` is not valid"),
        ('permissions = ["thing:Get"]\n', "", "a column has permissions, or says why there is no counterpart"),
        ('no_counterpart = "there are no things"', "", "a column has permissions"),
        ('permissions = ["thing:Get"]\nlevels = ["account"]', 'permissions = ["thing:Get"]', "at which levels"),
        ('id = "thing.read"', 'id = "thing.write"', "the file of `thing.write` is called `thing.read.toml`"),
        ('id = "thing.read"', "id = ", "not valid TOML"),
    ],
)
def test_a_broken_file_says_what_is_wrong(old, new, message):
    assert old in GOOD
    with pytest.raises(DataError) as caught:
        read_capability(GOOD.replace(old, new), name="thing.read.toml")

    assert message in caught.value.message
    assert caught.value.source is not None
    assert "rules/capabilities/thing.read.toml" == caught.value.source.path


def test_a_part_must_exist(tmp_path):
    path = tmp_path / "thing.read.toml"
    path.write_text(GOOD.replace('scope = "account"', 'scope = "account"\nparts = ["thing.look"]'), encoding="utf-8")

    with pytest.raises(DataError, match=r"names `thing\.look`, which no file describes"):
        read_capabilities(tmp_path)

    path.write_text(GOOD, encoding="utf-8")
    assert ["thing.read"] == [each.id for each in read_capabilities(tmp_path)]


def test_an_unknown_capability_is_an_error():
    with pytest.raises(DataError, match=r"there is no capability `thing\.read`"):
        capability("thing.read")


def test_aws_actions_are_real():
    columns = [each.column("aws") for each in capabilities()]
    names = {name for column in columns for name in (*column.permissions, *column.optional, *column.parts)}

    known = {name: aws_action(name) for name in names}
    assert [] == [name for name, action in known.items() if action is None or action.name != name]


def test_roles_are_known_in_full():
    named = {
        (cloud, role) for each in capabilities() for cloud in ("gcp", "azure") for role in each.column(cloud).roles
    }

    roles = {pair: builtin_role(*pair) for pair in named}
    assert [] == [pair for pair, role in roles.items() if role is None or not role.complete]


def test_every_role_carries_a_permission_of_its_capability():
    for each in capabilities():
        for name in each.column("gcp").roles:
            role = builtin_role("gcp", name)
            assert role is not None
            held = {action for block in role.blocks for action in block.actions}
            assert held.intersection(each.column("gcp").permissions), (each.id, name)


def test_permissions_of_gcp_and_azure_are_real():
    if not DATA.is_dir():
        pytest.skip("the vendors' lists of permissions are not here")
    listing = json.loads((DATA / "gcp_roles_indexed.json").read_text(encoding="utf-8"))
    gcp = set(listing["permissions"]) | {
        action for role in builtin_roles("gcp") for block in role.blocks for action in block.actions
    }
    azure = (DATA / "azure_operations_partial.json").read_text(encoding="utf-8").lower()
    azure += (DATA / "azure_builtin_roles.json").read_text(encoding="utf-8").lower()
    # The list of operations is not complete; operations that only a pattern of a role names are real too.
    blocks = [block for role in builtin_roles("azure") for block in role.blocks]
    patterns = [name.lower() for block in blocks for name in (*block.actions, *block.data_actions) if "*" in name[1:]]
    patterns += re.findall(r'"(\*?(?:microsoft\.[^"]*)?\*[^"]*)"', azure)

    for each in capabilities():
        column = each.column("gcp")
        for name in (*column.permissions, *column.optional, *column.parts):
            assert any(fnmatchcase(known, name) for known in gcp), (each.id, name)
        for name in (text.partition(":")[2] for text in each.column("azure").permissions):
            assert name in azure or any(fnmatchcase(name, pattern) for pattern in patterns), (each.id, name)


def test_what_rides_along():
    assert noise("gcp").silent.matches("resourcemanager.projects.get")
    assert noise("gcp").printed.matches("cloudkms.locations.list")
    assert not noise("gcp").printed.matches("storage.objects.list")
    assert noise("aws").silent.is_empty()
    [loss] = known_losses("azure")
    assert "self-delegation" == loss.feature
    assert () == known_losses("aws")


@pytest.mark.parametrize(
    ("cloud", "parts", "permission", "expected"),
    [
        ("gcp", {"bucket": "b"}, "storage.objects.get", True),
        ("gcp", {"bucket": "b"}, "storage.buckets.list", False),
        ("gcp", {"bucket": "b"}, "resourcemanager.projects.get", False),
        ("azure", {"account": "a"}, "control:microsoft.storage/storageaccounts/read", True),
        ("azure", {"account": "a", "container": "c"}, "control:microsoft.storage/storageaccounts/read", False),
        ("azure", {"account": "a"}, "data:microsoft.keyvault/vaults/secrets/getsecret/action", False),
        ("aws", {"bucket": "b"}, "s3:GetObject", True),
    ],
)
def test_what_acts_at_a_scope(cloud, parts, permission, expected):
    assert expected == acting(cloud, Scope("object-store", "x", parts)).matches(permission)


def test_everything_acts_at_a_scope_without_a_row():
    assert ANY_TEXT == acting("gcp", Scope("account", "projects/p"))


def test_broken_tables_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(rides, "rules_dir", lambda: tmp_path)
    for cached in (rides._file, rides.noise, rides.known_losses, rides._rows):
        cached.cache_clear()
    try:
        with pytest.raises(DataError, match="the file cannot be read"):
            rides.noise("gcp")
        (tmp_path / "noise.toml").write_text('[[loss]]\ncloud = "gcp"\n', encoding="utf-8")
        with pytest.raises(DataError, match="a loss lacks the key `permission`"):
            rides.known_losses("gcp")
        (tmp_path / "scopes.toml").write_text('[[gcp]]\nkind = "x"\n', encoding="utf-8")
        with pytest.raises(DataError, match="a row of `gcp` lacks the key `has`"):
            rides.acting("gcp", Scope("x", "x"))
    finally:
        for cached in (rides._file, rides.noise, rides.known_losses, rides._rows):
            cached.cache_clear()


@pytest.mark.parametrize(
    ("permission", "expected"),
    [
        ("s3:GetObject", "s3"),
        ("storage.objects.get", "storage"),
        ("iam.googleapis.com/workloadIdentityPools.get", "iam.googleapis.com"),
        ("control:Microsoft.Storage/storageAccounts/read", "microsoft.storage"),
        ("", ""),
    ],
)
def test_the_service_of_a_permission(permission, expected):
    assert expected == service_of(permission)


def test_permissions_are_listed_by_service():
    assert {"a": ("a.b.get",), "c": ("c.d.get", "c.d.list")} == listed(
        "gcp", one_of(["c.d.list", "a.b.get", "c.d.get"])
    )
    assert "s3:GetBucketAcl" in listed("aws", glob("s3:getbucketa*", fold=True))["s3"]
    assert {REST: ("more than 0 that are known here",)} == listed("gcp", glob("nothing.of.that.kind.*"))
    assert "storage.objects.get" in listed("gcp", glob("storage.objects.*"))["storage"]
