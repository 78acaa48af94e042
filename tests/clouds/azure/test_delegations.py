"""Delegations to another tenant: what its principals hold here."""

from __future__ import annotations

import pytest

from idtrans.clouds.azure import CLOUD

SUB = "/subscriptions/00000000-0000-0000-0000-000000000001"
OPS = "a0000000-0000-4000-8000-00000000000a"
CONTRIBUTOR = "b24988ac-6180-42a0-ab88-20f7382dd24c"
READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
ADMINISTRATOR = "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9"
READ, WRITE = "Microsoft.Web/sites/read", "Microsoft.Web/sites/write"
ASSIGN = "Microsoft.Authorization/roleAssignments/write"
ROLE = "@Request[Microsoft.Authorization/roleAssignments:RoleDefinitionId]"


def delegated(scope=SUB, role=READER, eligible=(), **fields):
    definition = {
        "managedByTenantId": "t",
        "registrationDefinitionName": "Partner",
        "authorizations": [{"principalId": OPS, "roleDefinitionId": role, "principalIdDisplayName": "ops", **fields}],
        "eligibleAuthorizations": list(eligible),
    }
    return {
        "id": f"{scope}/providers/Microsoft.ManagedServices/registrationAssignments/x",
        "name": "x",
        "type": "Microsoft.ManagedServices/registrationAssignments",
        "properties": {"registrationDefinition": {"properties": definition}},
    }


@pytest.mark.parametrize(
    ("document", "action", "scope", "expected"),
    [
        (delegated(), READ, SUB, "allow"),
        (delegated(), WRITE, SUB, "implicit-deny"),
        (delegated(role=CONTRIBUTOR), WRITE, SUB, "allow"),
        (delegated(f"{SUB}/resourceGroups/a"), READ, f"{SUB}/resourceGroups/a", "allow"),
        (delegated(f"{SUB}/resourceGroups/a"), READ, SUB, "implicit-deny"),
        (delegated(principalId=None), READ, SUB, "unknown"),
        (delegated(roleDefinitionId=5), READ, SUB, "unknown"),
    ],
)
def test_what_principals_of_another_tenant_hold(lab, document, action, scope, expected):
    assert expected == lab.can(lab.estate([document]), action, scope)


def test_an_eligible_authorization_is_not_active(lab):
    eligible = [{"principalId": OPS, "roleDefinitionId": CONTRIBUTOR, "justInTimeAccessPolicy": {}}]
    estate = lab.estate([delegated(eligible=eligible)])
    assert ["allow", "implicit-deny"] == [lab.can(estate, action, SUB) for action in (READ, WRITE)]
    assert "allow" == lab.can(estate, WRITE, SUB, context={"@PIM[activated]": ("true",)})


@pytest.mark.parametrize(("role", "expected"), [(READER, "allow"), (CONTRIBUTOR, "implicit-deny")])
def test_an_administrator_assigns_the_listed_roles_alone(lab, role, expected):
    estate = lab.estate([delegated(role=ADMINISTRATOR, delegatedRoleDefinitionIds=[READER])])
    assert expected == lab.can(estate, ASSIGN, SUB, context={ROLE: (role,)})
    assert [False] == [fact.owner_like for fact in CLOUD.grants(estate)]


def test_what_a_delegation_does_not_state_is_said(lab):
    bare = {**delegated(), "properties": {"registrationDefinitionId": "/x"}}
    estate = lab.estate([bare])
    assert ["the authorizations of a delegation to another tenant are not stated: read it with them"] == [
        each.reason for each in CLOUD.doubts(lab.user, estate)
    ]
    odd = delegated()
    odd["properties"]["registrationDefinition"]["properties"]["authorizations"].append("x")
    assert "unknown" == lab.can(lab.estate([odd]), WRITE, SUB)
