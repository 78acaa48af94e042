"""What a document is, by its shape."""

from __future__ import annotations

import pytest

from idtrans.clouds.azure import CLOUD
from idtrans.federation import admits
from idtrans.model.documents import Unsupported
from idtrans.model.entities import (
    BindingState,
    Container,
    FederatedCredential,
    Membership,
    Principal,
    PrincipalKind,
    RoleBinding,
    RoleDefinition,
)
from idtrans.model.values import UNKNOWN

SUB = "/subscriptions/00000000-0000-0000-0000-00000000000A"
GUID = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
ROLE = f"{SUB}/providers/Microsoft.Authorization/roleDefinitions/{GUID}"
FLAT = {
    "id": f"{SUB}/providers/Microsoft.Authorization/roleAssignments/1",
    "principalId": "A0000000-0000-4000-8000-00000000000A",
    "principalName": "alice@acme.example",
    "principalType": "User",
    "roleDefinitionId": ROLE,
    "roleDefinitionName": "Reader",
    "scope": SUB,
    "type": "Microsoft.Authorization/roleAssignments",
}
INNER = {key: FLAT[key] for key in ("principalId", "principalType", "roleDefinitionId", "scope")}
NESTED = {"id": FLAT["id"], "name": "1", "type": FLAT["type"], "properties": INNER}
POWERSHELL = {
    "RoleAssignmentId": FLAT["id"],
    "Scope": SUB,
    "SignInName": "alice@acme.example",
    "RoleDefinitionName": "Reader",
    "RoleDefinitionId": GUID,
    "ObjectId": FLAT["principalId"],
    "ObjectType": "User",
}
COLUMNS = [
    "id",
    "properties_principalId",
    "properties_principalType",
    "properties_roleDefinitionId",
    "properties_scope",
]
TABLE = {
    "columns": [{"name": name, "type": "string"} for name in COLUMNS],
    "rows": [[FLAT["id"], *INNER.values()], ["too", "short"]],
}


@pytest.mark.parametrize(
    ("shape", "content"),
    [
        ("azure.role-assignments", [FLAT]),
        ("azure.role-assignments", FLAT),
        ("azure.role-assignments", {"value": [NESTED]}),
        ("azure.role-assignments", {"count": 1, "data": [NESTED]}),
        ("azure.role-assignments", {"data": TABLE}),
        ("azure.role-assignments", [POWERSHELL]),
        ("azure.role-assignments", [{"type": "Microsoft.Authorization/roleEligibilityScheduleInstances"}]),
        ("azure.role-definitions", [{"roleName": "x", "permissions": [], "assignableScopes": ["/"]}]),
        ("azure.role-definitions", {"Name": "x", "Id": GUID, "Actions": ["*"], "AssignableScopes": ["/"]}),
        ("azure.deny-assignments", [{"denyAssignmentName": "d", "permissions": []}]),
        ("azure.federated-credentials", [{"issuer": "https://i", "subject": "s", "audiences": ["a"]}]),
        ("azure.applications", {"value": [{"id": "1", "appId": "2", "passwordCredentials": []}]}),
        ("azure.app-credentials", [{"keyId": "k", "endDateTime": "2027-01-01T00:00:00Z"}]),
        ("azure.storage-accounts", [{"id": f"{SUB}/x", "type": "Microsoft.Storage/storageAccounts"}]),
        (
            "azure.storage-accounts",
            [{"id": f"{SUB}/providers/Microsoft.Storage/storageAccounts/a", "allowSharedKeyAccess": None}],
        ),
        ("azure.managed-identities", [{"id": SUB, "type": "Microsoft.ManagedIdentity/userAssignedIdentities"}]),
        ("azure.containers", [{"id": SUB, "type": "microsoft.resources/subscriptions"}]),
        ("azure.groups", [{"id": "g", "securityEnabled": True, "members": []}]),
        ("azure.directory-objects", [{"id": "u", "userPrincipalName": "u@x"}]),
        # These are somebody else's, or nothing.
        (None, []),
        (None, {}),
        (None, "text"),
        (None, [1, None, []]),
        (None, {"Version": "2012-10-17", "Statement": []}),
        (None, {"bindings": [{"role": "roles/viewer", "members": []}]}),
        (None, [{"name": "x", "permissions": ["storage.objects.get"], "includedPermissions": []}]),
        (None, [{"issuer": "https://i", "audiences": []}]),
    ],
)
def test_a_document_is_known_by_its_fields(lab, shape, content):
    assert shape == CLOUD.recognise(lab.document(content))


@pytest.mark.parametrize(
    ("expected", "hints"),
    [
        ("azure.role-assignments", {"kind": "role-assignments"}),
        ("azure.role-assignments", {"kind": "azure.role-assignments", "cloud": "azure"}),
        (None, {"kind": "role-assignments", "cloud": "gcp"}),
        (None, {"kind": "aws.trust-policy"}),
    ],
)
def test_a_hint_may_name_the_kind(lab, expected, hints):
    assert expected == CLOUD.recognise(lab.document([{"x": 1}], **hints))


@pytest.mark.parametrize("content", [FLAT, {"value": [NESTED]}, {"data": [NESTED]}, {"data": TABLE}, [POWERSHELL]])
def test_every_spelling_of_an_assignment_says_the_same(lab, content):
    [binding] = [item for item in lab.parse(content) if isinstance(item, RoleBinding)]
    expected = ("entra:a0000000-0000-4000-8000-00000000000a",), GUID, SUB.lower(), BindingState.ACTIVE
    assert expected == (binding.members, binding.role, binding.scope, binding.state)


def test_an_assignment_names_its_principal_and_its_containers(lab):
    found = lab.parse([{**FLAT, "scope": f"{SUB}/resourceGroups/RG/providers/M.X/y/z"}])
    [principal] = [item for item in found if isinstance(item, Principal)]
    assert (PrincipalKind.USER, ("alice@acme.example",)) == (principal.kind, principal.aliases)
    containers = [(item.id, item.kind, item.parent) for item in found if isinstance(item, Container)]
    group = f"{SUB.lower()}/resourcegroups/rg"
    assert [(SUB.lower(), "subscription", None), (group, "resource-group", SUB.lower())] == containers


@pytest.mark.parametrize(
    ("scope", "kind"), [("/", "root"), ("/providers/Microsoft.Management/managementGroups/Root", "management-group")]
)
def test_scopes_above_subscriptions_are_containers_too(lab, scope, kind):
    found = [item for item in lab.parse([{**FLAT, "scope": scope}]) if isinstance(item, Container)]
    assert [(scope.lower(), kind)] == [(item.id, item.kind) for item in found]


def test_an_eligible_assignment_is_not_active(lab):
    [binding] = [
        item
        for item in lab.parse([{**FLAT, "type": "Microsoft.Authorization/roleEligibilityScheduleInstances"}])
        if isinstance(item, RoleBinding)
    ]
    assert BindingState.ELIGIBLE == binding.state


@pytest.mark.parametrize(
    ("fields", "scope"),
    [
        ({"scope": None}, SUB.lower()),
        ({"scope": None, "id": None}, UNKNOWN),
        ({"scope": "no-path", "id": None}, UNKNOWN),
        ({"scope": None, "id": "/providers/Microsoft.Authorization/roleAssignments/1"}, "/"),
    ],
)
def test_a_scope_that_is_not_stated_is_read_from_the_id_or_unknown(lab, fields, scope):
    [binding] = [item for item in lab.parse([{**FLAT, **fields}]) if isinstance(item, RoleBinding)]
    assert scope == binding.scope


@pytest.mark.parametrize(
    ("fields", "doubt"),
    [
        ({"condition": 5}, "`condition` is not a text"),
        ({"roleDefinitionId": None}, "it names no role definition"),
        ({"Scope": "/other"}, "`scope` is stated twice, with different values"),
    ],
)
def test_an_assignment_that_is_not_understood_says_why(lab, fields, doubt):
    [binding] = [item for item in lab.parse([{**FLAT, **fields}]) if isinstance(item, RoleBinding)]
    assert doubt in binding.doubts


def test_an_assignment_without_principal_is_reported(lab):
    [problem] = lab.parse([{**FLAT, "principalId": 7}])
    assert isinstance(problem, Unsupported)
    assert "principalId" in problem.reason


@pytest.mark.parametrize(
    "content",
    [
        {"name": GUID, "roleName": "R", "permissions": [{"actions": ["*/read"]}], "assignableScopes": ["/"]},
        {
            "name": GUID,
            "properties": {"roleName": "R", "permissions": [{"actions": "*/read"}], "assignableScopes": ["/"]},
        },
        {"Name": "R", "Id": GUID.upper(), "IsCustom": True, "Actions": ["*/read"], "AssignableScopes": ["/"]},
        {"id": ROLE, "type": "microsoft.authorization/roledefinitions", "roleName": "R", "actions": ["*/read"]},
    ],
)
def test_every_spelling_of_a_definition_says_the_same(lab, content):
    [role] = lab.parse([content])
    assert isinstance(role, RoleDefinition)
    assert (GUID, "R", ("*/read",)) == (role.id, role.name, role.blocks[0].actions)
    assert role.complete


@pytest.mark.parametrize("permissions", ["*", [7], [{"actions": [1]}], [{"actions": {"a": 1}}], [{"condition": []}]])
def test_a_definition_that_cannot_be_read_is_incomplete(lab, permissions):
    found = lab.parse([{"roleName": "R", "permissions": permissions, "assignableScopes": ["/"]}])
    [role] = [item for item in found if isinstance(item, RoleDefinition)]
    assert not role.complete
    assert [item for item in found if isinstance(item, Unsupported)]


def test_a_definition_without_name_is_reported(lab):
    [problem] = lab.parse([{"permissions": [], "assignableScopes": ["/"]}])
    assert isinstance(problem, Unsupported)


def test_the_chain_of_management_groups_is_read_to_the_root(lab):
    chain = [{"name": "Team", "displayName": "T"}, {"name": "root"}]
    found = lab.parse({"data": [{"id": SUB, "name": "s", "properties": {"managementGroupAncestorsChain": chain}}]})
    groups = "/providers/microsoft.management/managementgroups"
    expected = [(SUB.lower(), f"{groups}/team"), (f"{groups}/team", f"{groups}/root"), (f"{groups}/root", "/")]
    assert expected == [(item.id, item.parent) for item in found if isinstance(item, Container)]


@pytest.mark.parametrize("chain", ["x", [7], [{}]])
def test_a_chain_that_cannot_be_read_is_reported(lab, chain):
    found = lab.parse(
        [{"id": SUB, "type": "microsoft.resources/subscriptions", "managementGroupAncestorsChain": chain}]
    )
    assert [True, False] == [isinstance(item, Unsupported) for item in found]


def test_members_come_with_their_group(lab):
    group = {"id": "G", "securityEnabled": True, "displayName": "devs", "members": [{"id": "U", "mail": "u@x"}, 7]}
    found = lab.parse([group])
    assert [("entra:U", "entra:G")] == [(item.member, item.group) for item in found if isinstance(item, Membership)]
    assert 1 == len([item for item in found if isinstance(item, Unsupported)])


def test_a_list_of_members_needs_its_group_from_the_hints(lab):
    member = {"@odata.type": "#microsoft.graph.user", "id": "U", "userPrincipalName": "u_gmail.com#EXT#@x"}
    with_hint = lab.parse([member], principal="entra:G")
    assert [("entra:U", "entra:G")] == [(item.member, item.group) for item in with_hint if isinstance(item, Membership)]
    [alone] = lab.parse([member])
    assert (PrincipalKind.USER, "Guest") == (alone.kind, alone.attributes["userType"])


@pytest.mark.parametrize(
    ("fields", "hint", "owner"),
    [
        ({}, None, UNKNOWN),
        ({}, "entra:77777777-0000-4000-8000-000000000001", "entra:77777777-0000-4000-8000-000000000001"),
        ({}, "77777777-0000-4000-8000-000000000001", "entra:77777777-0000-4000-8000-000000000001"),
        (
            {"id": f"{SUB}/resourceGroups/R/providers/Microsoft.ManagedIdentity/userAssignedIdentities/Mi/f/x"},
            None,
            f"{SUB.lower()}/resourcegroups/r/providers/microsoft.managedidentity/userassignedidentities/mi",
        ),
        (
            {"@odata.context": "https://g/v1.0/$metadata#applications('ab')/federatedIdentityCredentials"},
            None,
            "entra:ab",
        ),
    ],
)
def test_the_owner_of_a_federated_credential(lab, fields, hint, owner):
    content = {"issuer": "https://i", "subject": "s", "audiences": ["a"], "name": "n", **fields}
    [credential] = lab.parse([content], principal=hint)
    assert isinstance(credential, FederatedCredential)
    assert owner == credential.owner


@pytest.mark.parametrize(
    "fields", [{"issuer": 5}, {"audiences": [5]}, {"subject": None}, {"subject": None, "claimsMatchingExpression": ""}]
)
def test_a_federated_credential_that_cannot_be_read_is_reported(lab, fields):
    problem, *found = lab.parse([{"issuer": "https://i", "subject": "s", "audiences": ["a"], **fields}])
    assert isinstance(problem, Unsupported)
    # Which tokens the others take is then open; without an issuer no token can be meant.
    assert [FederatedCredential] * (fields.get("issuer") is None) == [type(each) for each in found]


@pytest.mark.parametrize("fields", [{"audiences": [5]}, {"subject": 5}, {"subject": ""}, {"subject": None}])
def test_whether_a_credential_that_cannot_be_read_takes_a_token_is_unknown(lab, fields):
    owner = f"{SUB}/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/mi"
    stated = {"id": f"{owner}/federatedIdentityCredentials/f", "issuer": "https://i.example", "audiences": ["a"]}
    [trust] = CLOUD.trusts(lab.estate([{**stated, "subject": "s", **fields}]))
    answer = admits(trust, {"iss": "https://i.example", "sub": "s", "aud": "a"})
    assert "unknown" == answer.admitted.value


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "Microsoft.ManagedIdentity/userAssignedIdentities"}],
        [{"appId": 7, "passwordCredentials": []}],
        [{"type": "microsoft.resources/subscriptions", "id": "/x"}],
        [{"members": [], "mailEnabled": False}],
        [{"type": "Microsoft.Storage/storageAccounts", "id": 4}],
    ],
)
def test_an_object_without_id_is_reported(lab, content):
    [problem] = lab.parse(content)
    assert isinstance(problem, Unsupported)


def test_rows_of_several_kinds_are_read_each_by_its_own_shape(lab):
    role = {"name": GUID, "roleName": "Reader", "permissions": [{"actions": ["*/read"]}], "assignableScopes": ["/"]}
    found = lab.parse([FLAT, role, "noise"])
    kinds = {type(item) for item in found}
    assert {RoleBinding, RoleDefinition, Principal, Container, Unsupported} == kinds
