"""A binding reads alike whether its members and role were met before or not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from idtrans.clouds.gcp import CLOUD
from idtrans.model.documents import Document, Format, Hints, Json, Unsupported
from idtrans.model.entities import Entity, Principal, RoleBinding
from idtrans.model.spans import NOWHERE, Place

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
