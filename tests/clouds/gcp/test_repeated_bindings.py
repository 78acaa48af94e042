"""What comes again in an export reads alike: bindings of known members, and assets that are read in a few steps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from idtrans.clouds.gcp import CLOUD
from idtrans.clouds.gcp._parse_plain import PlainAssets
from idtrans.model.documents import Document, Format, Hints, Json, Unsupported
from idtrans.model.entities import Entity, Principal, RoleBinding
from idtrans.model.spans import NOWHERE, Place, Source

ROLE = "roles/storage.admin"
ANA, BO = "user:Ana@example.com", "serviceAccount:bo@p.iam.gserviceaccount.com"
EXPRESSION = 'resource.name == "x"'
BINDINGS: dict[str, Json] = {
    "plain": {"role": ROLE, "members": [ANA, BO]},
    "no members": {"role": ROLE, "members": []},
    "members absent": {"role": ROLE},
    "members twice": {"role": ROLE, "members": [ANA, BO, ANA]},
    "two spellings of one": {"role": ROLE, "members": [ANA, ANA.lower()]},
    "another member": {"role": ROLE, "members": [ANA, "user:new@example.com"]},
    "a doubtful member": {"role": ROLE, "members": [ANA, "nobody"]},
    "a number as member": {"role": ROLE, "members": [ANA, 5]},
    "an object as member": {"role": ROLE, "members": [ANA, {}]},
    "members are a text": {"role": ROLE, "members": ANA},
    "another role": {"role": "roles/storage.objectViewer", "members": [ANA]},
    "a role that is no text": {"role": [ROLE], "members": [ANA]},
    "a role of another case": {"role": "roles/storage.ADMIN", "members": [ANA]},
    "a mangled role": {"role": f"{ROLE}_withcond_0a1b", "members": [ANA]},
    "no role": {"members": [ANA]},
    "a condition": {"role": ROLE, "members": [ANA], "condition": {"expression": EXPRESSION}},
    "a condition on a basic role": {
        "role": "roles/owner",
        "members": [ANA],
        "condition": {"expression": EXPRESSION},
    },
    "a condition without expression": {"role": ROLE, "members": [ANA], "condition": {"title": "x"}},
    "a condition that is a text": {"role": ROLE, "members": [ANA], "condition": EXPRESSION},
    "an expression that is no text": {"role": ROLE, "members": [ANA], "condition": {"expression": 1}},
    "no object": ROLE,
}
BEFORE = [{"role": role, "members": [ANA, BO, ANA.lower()]} for role in (ROLE, "roles/owner")]


def asset(bindings: list[Json]) -> Json:
    name = "//storage.googleapis.com/b"
    return {"name": name, "asset_type": "storage.googleapis.com/Bucket", "iam_policy": {"bindings": bindings}}


def read(*assets: Json) -> list[Entity | Unsupported]:
    document = Document(Place("x"), Format.NDJSON, list(assets), Hints())
    return list(CLOUD.parse(document, "gcp.asset-export"))


def of(found: list[Entity | Unsupported]) -> tuple[list[RoleBinding], list[str]]:
    bindings = [replace(each, source=NOWHERE) for each in found if isinstance(each, RoleBinding)]
    return bindings, [each.reason for each in found if isinstance(each, Unsupported)]


@pytest.mark.parametrize("name", BINDINGS)
def test_a_binding_reads_alike_after_others(name: str):
    alone, after = read(asset([BINDINGS[name]])), read(asset(BEFORE), asset([BINDINGS[name]]))
    bindings, problems = of(after)
    assert of(alone) == (bindings[len(BEFORE) :], problems)


@pytest.mark.parametrize("name", BINDINGS)
def test_every_principal_is_stated_once(name: str):
    after = read(asset(BEFORE), asset([BINDINGS[name]]))
    ids = [each.id for each in after if isinstance(each, Principal)]
    assert len(set(ids)) == len(ids)
    alone = {each.id for each in read(asset([BINDINGS[name]])) if isinstance(each, Principal)}
    assert alone <= set(ids)


def test_places_of_bindings():
    found = read(asset(BEFORE), asset([BINDINGS["plain"], BINDINGS["a condition"]]))
    places = [each.source.pointer for each in found if isinstance(each, RoleBinding)]
    expected = ["/0/iam_policy/bindings/0", "/0/iam_policy/bindings/1"]
    assert [*expected, "/1/iam_policy/bindings/0", "/1/iam_policy/bindings/1"] == places


NAMES = {
    "a bucket": "//storage.googleapis.com/b",
    "an object": "//storage.googleapis.com/projects/_/buckets/b/objects/x",
    "spaces and slashes around": " //storage.googleapis.com/b/ ",
    "a name with a project id": "//compute.googleapis.com/projects/my-project/zones/z/instances/i",
    "a name with the project number": "//compute.googleapis.com/projects/7/zones/z/instances/i",
}
ODD: dict[str, dict[str, Json]] = {
    "a project": {"name": "//cloudresourcemanager.googleapis.com/projects/7"},
    "a service account": {"name": "//iam.googleapis.com/projects/p/serviceAccounts/a@p.iam.gserviceaccount.com"},
    "a name that is no full name": {"name": "b"},
    "a name that is no text": {"name": 7},
    "no name": {"name": ""},
    "a type that is no text": {"asset_type": None},
    "other ancestors": {"ancestors": ["projects/8", "organizations/1"]},
    "ancestors that are none": {"ancestors": ["projects/7", "nothing"]},
    "ancestors that are no texts": {"ancestors": [["projects/7"]]},
    "ancestors that are a text": {"ancestors": "projects/7"},
    "a policy that is a list": {"iam_policy": []},
    "bindings that are an object": {"iam_policy": {"bindings": {}}},
    "no bindings": {"iam_policy": {}},
    "both spellings": {"assetType": "x.googleapis.com/Y"},
    "tags": {"effectiveTags": [{"namespacedTagKey": "1/env", "namespacedTagValue": "1/env/prod"}]},
    "data": {"resource": {"data": {"iamConfiguration": {"publicAccessPrevention": "enforced"}}}},
}
ASSET = asset([BINDINGS["plain"], BINDINGS["a doubtful member"]]) | {
    "ancestors": ["projects/7", "organizations/1"],
    "update_time": "2026-01-05T09:12:33.481516Z",
}


def in_general(monkeypatch: pytest.MonkeyPatch, *assets: Json) -> list[Entity | Unsupported]:
    with monkeypatch.context() as patched:
        patched.setattr(PlainAssets, "read", lambda *_: None)
        return read(*assets)


def count_plain(monkeypatch: pytest.MonkeyPatch, *assets: Json) -> int:
    """Return how many assets are read in a few steps."""
    plain, known = PlainAssets.read, []

    def counting(self: PlainAssets, row: Json, source: Source) -> list[Entity | Unsupported] | None:
        found = plain(self, row, source)
        known.append(found is not None)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(PlainAssets, "read", counting)
        read(*assets)
    return sum(known)


@pytest.mark.parametrize("name", NAMES)
def test_plain_assets_are_read_as_in_general(name: str, monkeypatch: pytest.MonkeyPatch):
    camel = {"name": "name", "asset_type": "assetType", "iam_policy": "iamPolicy", "update_time": "updateTime"}
    row = ASSET | {"name": NAMES[name]}
    rows = (ASSET, row, {camel.get(key, key): value for key, value in row.items()})
    assert in_general(monkeypatch, *rows) == read(*rows)
    assert len(rows) - 1 == count_plain(monkeypatch, *rows)


@pytest.mark.parametrize("name", ODD)
def test_odd_assets_are_left_to_the_general_reader(name: str, monkeypatch: pytest.MonkeyPatch):
    rows = (ASSET, ASSET | ODD[name], ASSET)
    assert in_general(monkeypatch, *rows) == read(*rows)
    assert 1 == count_plain(monkeypatch, *rows)


@pytest.mark.parametrize("row", [None, 5, "x", [ASSET], {}])
def test_what_is_no_asset(row: Json, monkeypatch: pytest.MonkeyPatch):
    assert in_general(monkeypatch, row, ASSET) == read(row, ASSET)
