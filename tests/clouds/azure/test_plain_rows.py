"""Rows that are read in a few steps say what the reader of all spellings says of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from idtrans.clouds.azure import CLOUD
from idtrans.clouds.azure._parse_plain import PlainAssignments
from idtrans.model.documents import Document, Format, Hints, Json
from idtrans.model.entities import RoleBinding
from idtrans.model.spans import Place, Source

S = "/subscriptions/00000000-0000-0000-0000-0000000000AA"
GROUP = f"{S}/resourceGroups/Group"
ROLE = f"{S}/providers/Microsoft.Authorization/roleDefinitions/ACDD72A7-3385-48ef-bd42-f606fba81ae7"
ROW: dict[str, Json] = {
    "condition": None,
    "conditionVersion": None,
    "createdBy": "x",
    "createdOn": "2025-11-04T10:21:07.194523+00:00",
    "delegatedManagedIdentityResourceId": None,
    "description": None,
    "id": f"{GROUP}/providers/Microsoft.Authorization/roleAssignments/A0000000-0000-0000-0000-000000000000",
    "name": "a0000000-0000-0000-0000-000000000000",
    "principalId": "20000000-0000-0000-0000-00000000000F",
    "principalName": "ana@example.com",
    "principalType": "User",
    "roleDefinitionId": ROLE,
    "roleDefinitionName": "Reader",
    "scope": GROUP,
    "type": "Microsoft.Authorization/roleAssignments",
}
CONDITION = "@Resource[Microsoft.Storage/storageAccounts/blobServices/containers:name] StringEquals 'x'"
PLAIN: dict[str, dict[str, Json]] = {
    "as printed": {},
    "a condition": {"condition": CONDITION, "conditionVersion": "2.0"},
    "a guest": {"principalName": "bo_b.example#EXT#@a.example"},
    "a group": {"principalType": "Group", "principalName": None},
    "a foreign group": {"principalType": "ForeignGroup"},
    "an unknown kind": {"principalType": "Robot"},
    "everybody": {"principalId": "00000000-0000-0000-0000-000000000000"},
    "an id without hyphens": {"principalId": "2000000000000000000000000000000F"},
    "a subscription": {"scope": S},
    "a slash at the end": {"scope": f"{S}/"},
    "a resource": {"scope": f"{S}/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a"},
    "a provider of the subscription": {"scope": f"{S}/providers/Microsoft.X/y/z"},
    "a management group": {"scope": "/providers/Microsoft.Management/managementGroups/Root"},
    "the root": {"scope": "/"},
    "a subscription without id": {"scope": "/subscriptions//resourceGroups/g"},
    "a placeholder": {"scope": "/subscriptions/<AZURE_SUBSCRIPTION>"},
}
ODD: dict[str, dict[str, Json]] = {
    "a scope that is no path": {"scope": "nowhere"},
    "a scope that is no text": {"scope": 5},
    "no scope": {"scope": None},
    "a role by name": {"roleDefinitionId": "Reader"},
    "no role": {"roleDefinitionId": None},
    "a classic administrator": {"roleDefinitionId": "NA(classic admins)"},
    "no holder": {"principalId": ""},
    "a holder of spaces": {"principalId": "  "},
    "a holder without id": {"principalId": "entra:"},
    "an eligible one": {"id": f"{S}/providers/Microsoft.Authorization/roleEligibilityScheduleInstances/a"},
    "an id that is no path": {"id": "a"},
    "a condition that is no text": {"condition": {"x": 1}},
    "a condition of spaces": {"condition": " "},
    "a version that is a number": {"conditionVersion": 2.0},
    "another type": {"type": "Microsoft.Authorization/roleAssignmentScheduleInstances"},
    "another object": {"type": "Microsoft.Authorization/denyAssignments"},
    "a field that another shape has": {"denyAssignmentName": "x"},
    "a field twice": {"SCOPE": S},
    "times": {"startDateTime": "2026-01-01T00:00:00Z"},
}


def nested(row: dict[str, Json]) -> dict[str, Json]:
    """Return a row as the REST API and Resource Graph print it."""
    outer = ("id", "name", "type")
    inner = {key: value for key, value in row.items() if key not in outer}
    return {key: row[key] for key in outer} | {"properties": inner}


LAYOUTS: dict[str, Callable[[dict[str, Json]], dict[str, Json]]] = {"flat": dict, "nested": nested}


def document(*rows: Json) -> Document:
    return Document(Place("x"), Format.JSON, list(rows), Hints())


def in_general(row: Json, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    with monkeypatch.context() as patched:
        patched.setattr(PlainAssignments, "read", lambda *_: None)
        return list(CLOUD.parse(document(row), "azure.role-assignments"))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", PLAIN)
def test_plain_rows_are_read_as_in_general(name: str, layout: str, monkeypatch: pytest.MonkeyPatch):
    row = LAYOUTS[layout](ROW | PLAIN[name])
    assert PlainAssignments().read(row, Source(Place("x"), "/0")) is not None
    found = list(CLOUD.parse(document(row), "azure.role-assignments"))
    assert in_general(row, monkeypatch) == found


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ODD)
def test_odd_rows_are_left_to_the_general_reader(name: str, layout: str, monkeypatch: pytest.MonkeyPatch):
    row = LAYOUTS[layout](ROW | ODD[name])
    assert PlainAssignments().read(row, Source(Place("x"), "/0")) is None
    assert in_general(row, monkeypatch) == list(CLOUD.parse(document(row), "azure.role-assignments"))


@pytest.mark.parametrize("properties", [None, 5, [], {}, {"id": "x"}, {"properties": {}}, {"scope": S, "SCOPE": S}])
def test_odd_properties_are_left_to_the_general_reader(properties: Json, monkeypatch: pytest.MonkeyPatch):
    row = nested(ROW) | {"properties": properties}
    assert PlainAssignments().read(row, Source(Place("x"), "/0")) is None
    assert in_general(row, monkeypatch) == list(CLOUD.parse(document(row), "azure.role-assignments"))


def test_a_field_beside_properties_and_in_them(monkeypatch: pytest.MonkeyPatch):
    row = nested(ROW) | {"scope": S}
    assert PlainAssignments().read(row, Source(Place("x"), "/0")) is None
    assert in_general(row, monkeypatch) == list(CLOUD.parse(document(row), "azure.role-assignments"))


@pytest.mark.parametrize("row", [None, 5, "x", [ROW], {}])
def test_what_is_no_row(row: Json):
    assert PlainAssignments().read(row, Source(Place("x"))) is None


def test_holders_and_containers_are_stated_once():
    rows = [ROW, ROW | {"scope": S}, ROW | {"principalType": "Group"}, ROW | {"startDateTime": None}]
    found = list(CLOUD.parse(document(*rows), "azure.role-assignments"))
    assert ["/0", "/1", "/2", "/3"] == [each.source.pointer for each in found if isinstance(each, RoleBinding)]
    others = [replace(each, source=Source(Place("x"))) for each in found if not isinstance(each, RoleBinding)]
    kinds = ["Principal", "Container", "Container", "Principal"]
    assert kinds == [type(each).__name__ for each in others]
