"""AzureHound collections, and assignments of Azure Policy."""

from __future__ import annotations

import pytest

from idtrans.clouds.azure import CLOUD
from idtrans.model.documents import Unsupported
from idtrans.model.entities import Container, Membership, Principal, PrincipalKind, RoleBinding

SUB = "/subscriptions/00000000-0000-0000-0000-000000000001"
READ = "Microsoft.Web/sites/read"
OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
APPS = "9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3"
USER, TEAM, APP, SERVICE = (f"{number:08x}-0000-4000-8000-000000000000" for number in range(1, 5))


def row(kind, **data):
    return {"kind": kind, "data": data}


def collection(*rows):
    return {"data": list(rows), "meta": {"type": "azure", "version": 5, "count": len(rows)}}


def held(principal, **properties):
    stated = {"principalId": principal, "roleDefinitionId": f"/x/roleDefinitions/{OWNER}", "scope": SUB, **properties}
    return {"id": f"{SUB}/providers/Microsoft.Authorization/roleAssignments/1", "properties": stated}


ROWS = (
    row("AZUser", id=USER, userPrincipalName="u@acme.example", userType="Guest"),
    row("AZGroup", id=TEAM, displayName="team", isAssignableToRole=False),
    row("AZGroupMember", groupId=TEAM, members=[{"groupId": TEAM, "member": {"id": USER}}]),
    row("AZGroupOwner", groupId=TEAM, owners=[{"groupId": TEAM, "owner": {"id": USER}}]),
    row("AZApp", id=APP, appId="app-id", displayName="app"),
    row("AZServicePrincipal", id=SERVICE, appId="app-id", servicePrincipalType="Application"),
    row("AZAppOwner", appId="app-id", owners=[{"appId": "app-id", "owner": {"id": USER}}]),
    row("AZSubscription", id=SUB, displayName="sub", subscriptionId="s"),
    row(
        "AZManagementGroupDescendant",
        id=SUB,
        type="/subscriptions",
        properties={"parent": {"id": "/providers/Microsoft.Management/managementGroups/m"}},
    ),
    row("AZSubscriptionOwner", subscriptionId=SUB, owners=[{"owner": held(TEAM), "subscriptionId": SUB}]),
    row("AZSubscriptionUserAccessAdmin", subscriptionId=SUB, userAccessAdmins=None),
    row(
        "AZRoleAssignment",
        roleDefinitionId=APPS,
        roleAssignments=[{"principalId": USER, "roleDefinitionId": APPS, "directoryScopeId": "/"}],
    ),
    row("AZRole", id=APPS, templateId=APPS, displayName="Application Administrator"),
    row("AZTenant", id="t", displayName="acme"),
    row("AZKeyVault", id=f"{SUB}/x", properties={"tenantId": "t"}),
)


def test_a_collection_is_read(lab):
    found = lab.parse(collection(*ROWS))
    assert [] == [item.reason for item in found if isinstance(item, Unsupported)]
    kinds = {item.id: item.kind for item in found if isinstance(item, Principal) and item.kind != "unknown"}
    assert PrincipalKind.USER == kinds[f"entra:{USER}"]
    assert PrincipalKind.GROUP == kinds[f"entra:{TEAM}"]
    assert PrincipalKind.SERVICE_IDENTITY == kinds[f"entra:{SERVICE}"]
    assert [(f"entra:{USER}", f"entra:{TEAM}")] == [(m.member, m.group) for m in found if isinstance(m, Membership)]
    assert 4 == len([item for item in found if isinstance(item, RoleBinding)])
    assert SUB in {item.id for item in found if isinstance(item, Container)}


def test_a_collection_answers_questions(lab):
    estate = lab.estate(collection(*ROWS))
    assert "allow" == lab.can(estate, READ, SUB, principal=f"entra:{USER}")
    assert "implicit-deny" == lab.can(estate, READ, SUB, principal=f"entra:{SERVICE}")
    assumed = {(each.party, each.target) for each in CLOUD.impersonations(estate)}
    assert {(f"entra:{USER}", f"entra:{TEAM}"), (f"entra:{USER}", f"entra:{SERVICE}")} == assumed


def test_a_group_without_members_is_known_to_be_empty(lab):
    members = row("AZGroupMember", groupId=TEAM, members=None)
    owner = row("AZSubscriptionOwner", owners=[{"owner": held(TEAM)}])
    estate = lab.estate(collection(row("AZGroup", id=TEAM), members, owner))
    assert "implicit-deny" == lab.can(estate, READ, SUB, principal=f"entra:{USER}")
    unlisted = lab.estate(collection(row("AZGroup", id=TEAM), owner))
    assert "unknown" == lab.can(unlisted, READ, SUB, principal=f"entra:{USER}")


def deep(levels):
    return {"inner": deep(levels - 1)} if levels else {"end": "x"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (row("AZKeyVaultAccessPolicy", keyVaultId="x", permissions={"secrets": ["get"]}), "are not read"),
        (row("AZSomethingNew", value=7), "are not read"),
        (row("AZSubscriptionOwner", owners=deep(9)), "too deeply"),
        (row("AZGroupMember", members=[]), "without its id"),
        (row("AZGroupMember", groupId=TEAM, members=[{"member": 7}]), "not an object"),
        (row("AZAppOwner", appId="x", owners=[{"owner": {}}, 7]), "no readable id"),
    ],
)
def test_what_is_not_read_is_said(lab, content, reason):
    problems = [item.reason for item in lab.parse(content) if isinstance(item, Unsupported)]
    assert problems
    assert all(reason in each for each in problems)


def test_rows_that_are_not_read_are_counted(lab):
    rows = [row("AZSomethingNew", value=number) for number in range(3)]
    found = lab.parse(collection(*rows, row("AZOtherNew", value=7), *ROWS))
    assert [
        "rows of AzureHound of kind `AZSomethingNew` are not read: 3",
        "rows of AzureHound of kind `AZOtherNew` are not read: 1",
    ] == [item.reason for item in found if isinstance(item, Unsupported)]


@pytest.mark.parametrize("kind", ["AZRoleAssignment", "AZSubscriptionOwner", "AZSomethingNew"])
def test_a_row_without_data_may_give_anybody_anything(lab, kind):
    estate = lab.estate(collection(*ROWS, {"kind": kind, "data": 7}))
    assert "unknown" == lab.can(estate, READ, SUB, principal=f"entra:{SERVICE}")
    silent = lab.estate(collection(*ROWS, {"kind": "AZTenant", "data": 7}))
    assert "implicit-deny" == lab.can(silent, READ, SUB, principal=f"entra:{SERVICE}")
    assert 1 == len(silent.unsupported)


POLICY = {
    "id": f"{SUB}/providers/Microsoft.Authorization/policyAssignments/p",
    "name": "p",
    "displayName": "No public addresses",
    "policyDefinitionId": "/providers/Microsoft.Authorization/policyDefinitions/x",
    "scope": SUB,
    "notScopes": [f"{SUB}/resourceGroups/Free"],
    "enforcementMode": "Default",
}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, [f"below `{SUB}`, but not in `{SUB}/resourcegroups/free`"]),
        ({"notScopes": []}, [f"below `{SUB}`;"]),
        ({"scope": None}, [f"below `{SUB}`"]),
        ({"scope": None, "id": None}, ["everywhere"]),
        ({"enforcementMode": "DoNotEnforce"}, []),
        ({"enforcementMode": "doNotEnforce"}, []),
    ],
)
def test_a_policy_may_refuse_what_roles_allow(lab, fields, expected):
    flat = {**POLICY, **fields}
    nested = {key: flat.pop(key) for key in ("id", "name")} | {"properties": flat}
    nested["type"] = "Microsoft.Authorization/policyAssignments"
    for content in ({**flat, "id": nested["id"], "name": "p"}, nested):
        problems = [item.reason for item in lab.parse([content]) if isinstance(item, Unsupported)]
        assert [True] * len(expected) == [part in each for part, each in zip(expected, problems, strict=True)]
