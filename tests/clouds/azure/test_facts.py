"""Grants and exposures, as audit rules see them."""

from __future__ import annotations

import pytest

from idtrans.clouds.azure import CLOUD
from idtrans.model.entities import PrincipalKind
from idtrans.model.values import UNKNOWN, Plane, Reach, Use

SUB = "/subscriptions/00000000-0000-0000-0000-000000000001"
ACCOUNT = f"{SUB}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/sa"
WRITE = "Microsoft.Authorization/roleAssignments/write"
DEFINE = "Microsoft.Authorization/roleDefinitions/write"
OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
CONTRIBUTOR = "b24988ac-6180-42a0-ab88-20f7382dd24c"
ADMINISTRATOR = "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9"
RBAC = "f58310d9-a9f6-439a-9e8d-f62e7b41a168"
READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
BLOB_READER = "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"
ROLE_ID = "@Request[Microsoft.Authorization/roleAssignments:RoleDefinitionId]"
LIMITED = f"!(ActionMatches{{'{WRITE}'}}) OR ({ROLE_ID} ForAnyOfAnyValues:GuidEquals{{{READER}}})"
BARRED = (
    f"!(ActionMatches{{'{WRITE}'}}) OR ({ROLE_ID} ForAnyOfAllValues:GuidNotEquals{{{OWNER}, {ADMINISTRATOR}, {RBAC}}})"
)
BARRED_IN_PART = f"!(ActionMatches{{'{WRITE}'}}) OR ({ROLE_ID} ForAnyOfAllValues:GuidNotEquals{{{OWNER}}})"
BLOBS_ONLY = "!(ActionMatches{'Microsoft.Storage/*'}) OR (@Resource[a] StringEquals 'x')"


def owner_like(lab, role, **fields):
    documents = [[lab.assignment(role if isinstance(role, str) else role["name"], SUB, **fields)]]
    if not isinstance(role, str):
        documents.append([role])
    [grant] = CLOUD.grants(lab.estate(*documents))
    return grant.owner_like


@pytest.mark.parametrize(
    ("role", "condition", "expected"),
    [
        (OWNER, None, True),
        (ADMINISTRATOR, None, True),
        (RBAC, None, True),
        (CONTRIBUTOR, None, False),
        (READER, None, False),
        ("12345678-0000-4000-8000-000000000000", None, UNKNOWN),
        (RBAC, LIMITED, False),
        # A condition about something else lets assignments pass.
        (OWNER, BLOBS_ONLY, True),
        # A list of barred roles that leaves a powerful one out, or that a custom role can walk around.
        (OWNER, BARRED_IN_PART, True),
        (OWNER, BARRED, True),
        (RBAC, BARRED, UNKNOWN),
        (RBAC, "this is no condition", UNKNOWN),
        (RBAC, "@Request[x] StringEquals 'y'", UNKNOWN),
        (
            RBAC,
            "@Request[Microsoft.Authorization/roleAssignments:PrincipalType] StringEqualsIgnoreCase 'ServicePrincipal'",
            False,
        ),
        (
            RBAC,
            (
                "@Request[Microsoft.Authorization/roleAssignments:PrincipalId]"
                " ForAnyOfAnyValues:GuidEquals{b0000000-0000-4000-8000-00000000000b}"
            ),
            False,
        ),
    ],
)
def test_who_is_as_good_as_owner(lab, role, condition, expected):
    assert expected is owner_like(lab, role, condition=condition)


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        ({"actions": ["*/read"], "notActions": ["Microsoft.KeyVault/*/read"]}, False),
        ({"actions": ["*"], "notActions": ["Microsoft.Authorization/*/Write"]}, False),
        ({"actions": ["Microsoft.DataFactory/*"]}, False),
        ({"dataActions": ["*"]}, False),
        ({"actions": ["*"]}, True),
        ({"actions": [WRITE]}, True),
        ({"actions": ["microsoft.authorization/*"]}, True),
        ({"actions": [WRITE], "condition": LIMITED}, False),
        ({"actions": [WRITE, DEFINE], "condition": BARRED}, True),
    ],
)
def test_which_custom_roles_are_as_good_as_owner(lab, lists, expected):
    assert expected is owner_like(lab, lab.role("custom", **lists))


def test_a_role_that_is_known_in_part(lab):
    role = lab.role("custom")
    role["permissions"].append(7)
    assert UNKNOWN is owner_like(lab, role)


@pytest.mark.parametrize(
    ("scope", "level"),
    [
        ("/", "root"),
        ("/providers/Microsoft.Management/managementGroups/x", "management-group"),
        (SUB, "subscription"),
        (f"{SUB}/resourceGroups/rg", "resource-group"),
        (ACCOUNT, "resource"),
        (None, "unknown"),
    ],
)
def test_the_level_of_a_scope(lab, scope, level):
    [grant] = CLOUD.grants(lab.estate([{**lab.assignment(OWNER, SUB), "scope": scope}]))
    assert level == grant.scope_level


@pytest.mark.parametrize(
    ("role", "plane", "read_only", "conditional"),
    [
        (OWNER, Plane.ADMIN, False, False),
        (CONTRIBUTOR, Plane.ADMIN, False, False),
        (BLOB_READER, Plane.DATA, UNKNOWN, False),
        ("12345678-0000-4000-8000-000000000000", UNKNOWN, UNKNOWN, False),
        ({"actions": ["Microsoft.Web/sites/read"]}, Plane.CONFIG, True, False),
        ({"actions": ["Microsoft.Web/*"]}, Plane.CONFIG, False, False),
        ({"dataActions": ["Microsoft.KeyVault/vaults/secrets/*"]}, Plane.SECRET, False, False),
        ({"actions": ["Microsoft.Web/sites/read"], "condition": "Exists @Resource[x]"}, Plane.CONFIG, True, True),
        ({}, UNKNOWN, True, False),
    ],
)
def test_what_a_grant_touches(lab, role, plane, read_only, conditional):
    custom = lab.role("custom", **role) if isinstance(role, dict) else None
    held = lab.assignment(custom["name"] if custom else role, SUB, principalType="ServicePrincipal")
    [grant] = CLOUD.grants(lab.estate([held], *([[custom]] if custom else [])))
    assert (plane, read_only, conditional) == (grant.plane, grant.read_only, grant.conditional)
    assert PrincipalKind.SERVICE_IDENTITY == grant.principal_kind


@pytest.mark.parametrize(
    ("settings", "reach"),
    [
        ({"allowBlobPublicAccess": True}, Reach.ANYONE),
        ({"allowBlobPublicAccess": True, "publicNetworkAccess": "Enabled"}, Reach.ANYONE),
        ({"allowBlobPublicAccess": True, "networkRuleSet": {"defaultAction": "Allow"}}, Reach.ANYONE),
        ({"allowBlobPublicAccess": None}, Reach.ANYONE),
        ({}, Reach.UNKNOWN),
        ({"allowBlobPublicAccess": "yes"}, Reach.UNKNOWN),
        ({"allowBlobPublicAccess": True, "publicNetworkAccess": "SecuredByPerimeter"}, Reach.UNKNOWN),
        ({"allowBlobPublicAccess": True, "networkRuleSet": {}}, Reach.UNKNOWN),
        ({"allowBlobPublicAccess": False}, None),
        ({"allowBlobPublicAccess": True, "publicNetworkAccess": "disabled"}, None),
        ({"allowBlobPublicAccess": True, "networkAcls": {"defaultAction": "Deny"}}, None),
        ({"publicNetworkAccess": "Disabled"}, None),
    ],
)
def test_storage_accounts_that_let_anybody_in(lab, settings, reach):
    found = CLOUD.exposures(lab.estate([{"id": ACCOUNT, "type": "Microsoft.Storage/storageAccounts", **settings}]))
    assert ([] if reach is None else [reach]) == [fact.reach for fact in found]
    assert all((Plane.DATA, Use.READ, True) == (fact.plane, fact.use, fact.conditional) for fact in found)


@pytest.mark.parametrize(
    ("role", "use"), [(READER, Use.READ), (OWNER, Use.WRITE), ("12345678-0000-4000-8000-000000000000", UNKNOWN)]
)
def test_a_guest_with_a_role_is_an_exposure(lab, role, use):
    guest = lab.assignment(role, SUB, principalName="bob_partner.example#EXT#@acme.example")
    member = lab.assignment(role, SUB, "b0000000-0000-4000-8000-00000000000b", principalName="bob@acme.example")
    [exposure] = CLOUD.exposures(lab.estate([guest, member]))
    assert (SUB, Reach.WORKLOAD, "binding", use) == (exposure.subject, exposure.reach, exposure.through, exposure.use)
