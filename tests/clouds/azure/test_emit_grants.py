"""Role assignments that are written, and read back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from idtrans.algebra import decide
from idtrans.clouds.azure import CLOUD
from idtrans.model.artifacts import JsonArgument, Reference
from idtrans.model.documents import Unsupported
from idtrans.model.errors import UsageError
from idtrans.model.estate import Estate
from idtrans.model.intents import Names, Scope
from idtrans.ports import GrantPlan, Query, RoleUse

READ = "data:microsoft.storage/storageaccounts/blobservices/containers/blobs/read"
LIST = "control:Microsoft.Storage/storageAccounts/blobServices/containers/read"
ACCOUNT = "/subscriptions/S1/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/sa"
CONTAINER = f"{ACCOUNT}/blobServices/default/containers/logs"
USER = "entra:a0000000-0000-4000-8000-00000000000a"


def plan(principal=USER, role="Storage Blob Data Reader", scope=None, **fields):
    place = scope or Scope("object-store", CONTAINER)
    return GrantPlan(principal, (RoleUse(place, ("object.read",), (READ, LIST), role, **fields),), "reader")


def read_back(emission):
    found = list(CLOUD.reread(emission.natives))
    entities = tuple(item for item in found if not isinstance(item, Unsupported))
    assert len(entities) == len(found)
    return Estate(entities, datetime(2026, 11, 1, tzinfo=UTC))


def outcome(estate, principal, action, resource, **context):
    request = CLOUD.request(Query(principal, action, resource, context, closed=True), estate)
    return str(decide(CLOUD.access(request.principal, estate), request).outcome)


@pytest.mark.parametrize("role", ["Storage Blob Data Reader", "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1", None])
@pytest.mark.parametrize("principal", [USER, "entra:alice@acme.example", "<AZURE_PRINCIPAL>"])
def test_what_is_written_gives_what_is_asked(role, principal):
    emission = CLOUD.emit_grants(plan(principal, role))
    estate = read_back(emission)
    holder = principal if principal.startswith("entra:") else f"entra:{principal}"
    asked = [
        (READ.removeprefix("data:"), f"{CONTAINER}/blobs/a", "allow"),
        (LIST.removeprefix("control:"), CONTAINER, "allow"),
        (READ.removeprefix("data:"), f"{CONTAINER}2/blobs/a", "implicit-deny"),
        (READ.removeprefix("data:").replace("read", "delete"), f"{CONTAINER}/blobs/a", "implicit-deny"),
    ]
    assert [row[2] for row in asked] == [outcome(estate, holder, *row[:2]) for row in asked]


def test_an_assignment_to_an_object_id():
    emission = CLOUD.emit_grants(plan())
    [native] = emission.natives
    role = "/subscriptions/S1/providers/Microsoft.Authorization/roleDefinitions/2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"
    expected = {
        "principalId": "a0000000-0000-4000-8000-00000000000a",
        "roleDefinitionId": role,
        "roleDefinitionName": "Storage Blob Data Reader",
        "scope": CONTAINER,
    }
    assert expected == native.content
    [command] = emission.commands
    expected_words = (
        *("az", "role", "assignment", "create", "--assignee-object-id", "a0000000-0000-4000-8000-00000000000a"),
        *("--role", "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1", "--scope", CONTAINER),
    )
    assert expected_words == command.words
    [block] = emission.terraform
    assert ("azurerm_role_assignment", "reader") == block.labels
    assert {"scope": CONTAINER, "role_definition_id": role, "principal_id": expected["principalId"]} == block.body
    assert () == emission.placeholders


def test_a_user_name_is_looked_up_by_the_tools():
    emission = CLOUD.emit_grants(plan("entra:alice@acme.example"))
    assert "alice@acme.example" in emission.commands[0].words
    data, block = emission.terraform
    assert (("azuread_user", "reader"), {"user_principal_name": "alice@acme.example"}) == (data.labels, data.body)
    assert Reference("data.azuread_user.reader.object_id") == block.body["principal_id"]
    assert ("<AZURE_PRINCIPAL_OBJECT_ID>",) == emission.placeholders


def test_a_custom_role_where_no_role_is_named():
    emission = CLOUD.emit_grants(plan(role=None))
    definition, assignment = emission.natives
    permissions = {"actions": [LIST.removeprefix("control:")], "dataActions": [READ.removeprefix("data:")]}
    assert [{"notActions": [], "notDataActions": [], **permissions}] == definition.content["permissions"]
    assert ["/subscriptions/S1"] == definition.content["assignableScopes"]
    assert assignment.content["roleDefinitionId"].endswith(definition.content["name"])
    assert emission == CLOUD.emit_grants(plan(role=None))
    body = emission.commands[0].words[-1]
    assert isinstance(body, JsonArgument)
    assert ["Name", "IsCustom", "Description", "Actions", "NotActions", "DataActions", "NotDataActions"] == list(
        body.content
    )[:7]
    assert (
        Reference("azurerm_role_definition.reader.role_definition_resource_id")
        == (emission.terraform[1].body["role_definition_id"])
    )


def test_permissions_without_plane_are_sorted_by_what_is_known_of_them():
    use = replace(plan(role=None).uses[0], permissions=(READ.partition(":")[2], LIST.partition(":")[2]))
    emission = CLOUD.emit_grants(GrantPlan(USER, (use,), "reader"))
    [permissions] = emission.natives[0].content["permissions"]
    assert ([LIST.partition(":")[2]], [READ.partition(":")[2]]) == (permissions["actions"], permissions["dataActions"])


def test_a_role_that_is_not_known_is_a_placeholder():
    emission = CLOUD.emit_grants(plan(role="Acme Reader"))
    assert ("<AZURE_ROLE_DEFINITION_ID>",) == emission.placeholders
    assert "Acme Reader" in emission.commands[0].words
    assert "Acme Reader" == emission.terraform[0].body["role_definition_name"]


def test_several_uses_have_names_of_their_own():
    two = GrantPlan(USER, plan().uses * 2, "reader")
    emission = CLOUD.emit_grants(two)
    assert ["reader-1-assignment", "reader-2-assignment"] == [native.name for native in emission.natives]


@pytest.mark.parametrize(
    ("blob", "context", "expected"),
    [
        ("2026/a", {}, "allow"),
        ("2025/a", {}, "implicit-deny"),
        ("", {"@Request[subOperation]": ("Blob.List",), "prefix": ("2026/",)}, "allow"),
        ("", {"@Request[subOperation]": ("Blob.List",), "prefix": ("",)}, "implicit-deny"),
    ],
)
def test_a_prefix_becomes_a_condition(blob, context, expected):
    kind = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs"
    scope = Scope("object-store", CONTAINER, {"prefix": "2026/"})
    emission = CLOUD.emit_grants(plan(scope=scope, condition="Exists @Resource[x]"))
    spelled = {key: value for key, value in context.items() if key != "prefix"}
    if "prefix" in context:
        spelled[f"@Request[{kind}:prefix]"] = context["prefix"]
    else:
        spelled[f"@Resource[{kind}:path]"] = (blob,)
    answer = outcome(
        read_back(emission),
        USER,
        READ.removeprefix("data:"),
        f"{CONTAINER}/blobs/{blob}",
        **spelled,
        **{"@Resource[x]": ("1",)},
    )
    assert expected == answer
    assert "2.0" == emission.commands[0].words[-1]
    assert "2.0" == emission.terraform[0].body["condition_version"]


def test_a_prefix_that_cannot_be_quoted_is_refused():
    with pytest.raises(UsageError):
        CLOUD.emit_grants(plan(scope=Scope("object-store", CONTAINER, {"prefix": "it's"})))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (ACCOUNT.upper().replace("SUBSCRIPTIONS", "subscriptions"), {"account": "sa"}),
        (f"{CONTAINER}/", {"account": "sa", "container": "logs", "bucket": "logs"}),
    ],
)
def test_object_stores_are_read(text, parts):
    expected = {"subscription": "s1", "resource_group": "rg", **parts}
    scope = CLOUD.scope(text, "object-store")
    assert scope is not None
    assert expected == scope.parts


@pytest.mark.parametrize("text", ["/subscriptions/S1", "/", f"{CONTAINER}/blobs/x", "arn:aws:s3:::b", ""])
def test_other_scopes_are_no_object_stores(text):
    assert CLOUD.scope(text, "object-store") is None
    assert CLOUD.scope(ACCOUNT, "queue") is None


PLACE = "/subscriptions/<AZURE_SUBSCRIPTION_ID>/resourceGroups/<AZURE_RESOURCE_GROUP>/providers/Microsoft.Storage"


@pytest.mark.parametrize(
    ("parts", "names", "expected"),
    [
        (
            {"bucket": "my-bucket"},
            {},
            f"{PLACE}/storageAccounts/<AZURE_STORAGE_ACCOUNT>/blobServices/default/containers/my-bucket",
        ),
        (
            {"bucket": "my.bucket"},
            {"azure-storage-account": "sa"},
            f"{PLACE}/storageAccounts/sa/blobServices/default/containers/<AZURE_CONTAINER>",
        ),
        (
            {"bucket": "b"},
            {
                "azure-subscription-id": "s",
                "azure-resource-group": "g",
                "azure-storage-account": "a",
                "azure-container": "ccc",
            },
            (
                "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a"
                "/blobServices/default/containers/ccc"
            ),
        ),
        (
            {"subscription": "s", "resource_group": "g", "account": "a"},
            {},
            ACCOUNT.replace("S1", "s").replace("rg", "g")[:-2] + "a",
        ),
        ({}, {}, f"{PLACE}/storageAccounts/<AZURE_STORAGE_ACCOUNT>/blobServices/default/containers/<AZURE_CONTAINER>"),
    ],
)
def test_object_stores_are_written(parts, names, expected):
    written = CLOUD.write_scope(Scope("object-store", "x", {**parts, "prefix": "p/"}), Names(names))
    assert (expected, "p/") == (written.native, written.parts["prefix"])
    again = CLOUD.scope(written.native, "object-store")
    assert again is not None
    assert again.native == CLOUD.write_scope(again, Names()).native.replace("resourcegroups", "resourceGroups")
