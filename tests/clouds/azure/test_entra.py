"""Roles of the directory and application permissions: a system of their own, with ways into Azure's roles."""

from __future__ import annotations

import pytest

from idtrans.algebra import decide
from idtrans.clouds.azure import CLOUD
from idtrans.graph import build
from idtrans.model.documents import Unsupported
from idtrans.ports import Impersonator, Query

SUB = "/subscriptions/00000000-0000-0000-0000-000000000001"
ASSIGN = "Microsoft.Authorization/roleAssignments/write"
READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
GLOBAL = "62e90394-69f5-4237-9190-012177145e10"
APPS = "9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3"
GROUPS = "fdd7a751-b60b-444a-984c-02652fe8fa1c"
HELPDESK = "729827e3-9c14-49f7-bb1b-9608f156bbb8"
PRIVILEGED_PASSWORDS = "7be44c8a-adaf-4e2a-84d6-ab2649e08a13"
GLOBAL_READER = "f2ef992c-3afb-46b9-b7cf-a126ee74c451"
ADMIN, USER, OTHER = (f"{number:08x}-0000-4000-8000-000000000000" for number in (1, 2, 3))
SERVICE, MANAGED, APP, TEAM, UNIT, API = (f"{number:08x}-0000-4000-8000-000000000000" for number in range(4, 10))
APP_ID = "bbbbbbbb-0000-4000-8000-000000000001"


def held(role, principal=ADMIN, scope="/", **fields):
    return {"id": "x", "principalId": principal, "roleDefinitionId": role, "directoryScopeId": scope, **fields}


def reader(identifier, kind):
    return {"principalId": identifier, "principalType": kind, "roleDefinitionId": READER, "scope": SUB}


HOLDERS = [reader(USER, "User"), reader(SERVICE, "ServicePrincipal"), reader(MANAGED, "ServicePrincipal")]
HOLDERS += [reader(TEAM, "Group")]
SERVICES = [
    {"id": SERVICE, "appId": APP_ID, "servicePrincipalType": "Application"},
    {"id": MANAGED, "appId": "c", "servicePrincipalType": "ManagedIdentity"},
]


def reached(lab, *documents):
    found = CLOUD.impersonations(lab.estate(*documents))
    return {(each.party[6:14], each.target.removeprefix("entra:")[:20], each.sure) for each in found}


def short(identifier):
    return identifier[:20]


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        (APPS, {SERVICE}),
        (GROUPS, {TEAM}),
        (HELPDESK, {USER}),
        (PRIVILEGED_PASSWORDS, {USER}),
        (GLOBAL_READER, set()),
        (GLOBAL, {"directory:/", SERVICE, TEAM, USER}),
    ],
)
def test_what_a_role_leads_to(lab, role, expected):
    team = {"id": TEAM, "securityEnabled": True, "isAssignableToRole": None, "members": []}
    found = reached(lab, HOLDERS, SERVICES, [team], [held(role)])
    assert {(ADMIN[:8], short(target), True) for target in expected} == {each for each in found if ADMIN[:8] == each[0]}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [({"isAssignableToRole": True}, []), ({"isAssignableToRole": False}, [True]), ({}, [False])],
)
def test_groups_that_roles_can_be_assigned_to_are_protected(lab, fields, expected):
    team = {"id": TEAM, "securityEnabled": True, "members": [], **fields}
    assert expected == [sure for _, _, sure in reached(lab, HOLDERS, [team], [held(GROUPS)])]


def test_a_helpdesk_cannot_become_an_administrator(lab):
    found = reached(lab, HOLDERS, [held(HELPDESK), held(GLOBAL_READER, USER)])
    assert set() == found
    in_group = {"id": TEAM, "securityEnabled": True, "members": [{"id": USER}]}
    assert {(ADMIN[:8], short(USER), False)} == reached(
        lab, HOLDERS, [in_group], [held(HELPDESK), held(GROUPS, TEAM)]
    ) - {(TEAM[:8], short(TEAM), False)}


def test_an_administrative_unit_limits_a_role(lab):
    """Only the member of the unit can get a new password, not the administrator outside."""
    unit = {"@odata.type": "#microsoft.graph.administrativeUnit", "id": UNIT}
    members = [{"@odata.type": "#microsoft.graph.user", "id": OTHER, "userPrincipalName": "o@acme.example"}]
    scoped = held(PRIVILEGED_PASSWORDS, scope=f"/administrativeUnits/{UNIT.upper()}")
    assert {(ADMIN[:8], short(OTHER), True)} == reached(lab, HOLDERS, [{**unit, "members": members}], [scoped])
    # The members are not known.
    assert [False] == [sure for _, _, sure in reached(lab, HOLDERS, [scoped])]
    [problem] = [item for item in lab.parse([{**unit, "members": [7]}]) if isinstance(item, Unsupported)]
    assert "administrative unit" in problem.reason


def test_a_role_on_one_application(lab):
    application = {"id": APP, "appId": APP_ID, "signInAudience": "AzureADMyOrg"}
    found = reached(lab, HOLDERS, SERVICES, [application], [held(APPS, scope=f"/{APP}")])
    assert {(ADMIN[:8], short(SERVICE), True)} == found


def test_owners(lab):
    application = {"id": APP, "appId": APP_ID, "signInAudience": "x", "owners": [{"id": OTHER}]}
    team = {"id": TEAM, "securityEnabled": True, "members": [{"id": USER}], "owners": [{"id": ADMIN}, 7]}
    found = reached(lab, HOLDERS, SERVICES, [application], [team])
    assert {(OTHER[:8], short(SERVICE), True), (ADMIN[:8], short(TEAM), True)} == found


def app_role(role):
    return {"principalId": MANAGED, "principalType": "ServicePrincipal", "appRoleId": role, "resourceId": API}


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9", {SERVICE}),
        ("9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8", {"directory:/"}),
        ("06B708A9-e830-4db3-a914-8e69da51d44f", {"directory:/"}),
        ("cc117bb9-00cf-4eb8-b580-ea2a878fe8f7", {USER}),
        ("50483e42-d915-4231-9639-7fdb7fd190e5", {USER}),
        ("41202f2c-f7ab-45be-b001-85c9728b9d69", {TEAM}),
        ("00000000-0000-4000-8000-00000000ffff", set()),
    ],
)
def test_application_permissions(lab, role, expected):
    rows = [{**app_role(role), "resourceDisplayName": "Microsoft Graph", "principalDisplayName": "robot"}]
    assert {(MANAGED[:8], short(target), True) for target in expected} == reached(lab, HOLDERS, SERVICES, rows)


def definition(*actions, **fields):
    permissions = [{"allowedResourceActions": list(actions)}]
    return {"id": OTHER, "displayName": "Custom", "isBuiltIn": False, "rolePermissions": permissions, **fields}


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([[definition("microsoft.directory/applications/credentials/update")]], {(short(SERVICE), True)}),
        ([[definition("microsoft.directory/users/standard/read")]], set()),
        # An owner adds credentials.
        ([[definition("microsoft.directory/applications/owners/update")]], {(short(SERVICE), True)}),
        ([[definition("microsoft.directory/groups.security/owners/update")]], {(short(TEAM), False)}),
        ([[definition("microsoft.directory/groups/dynamicMembershipRule/update")]], {(short(TEAM), False)}),
        # Secrets of provisioning sign nobody in, and assigning users to an application grants no permission of Graph.
        ([[definition("microsoft.directory/servicePrincipals/synchronizationCredentials/manage")]], set()),
        ([[definition("microsoft.directory/servicePrincipals/appRoleAssignedTo/update")]], set()),
        (
            [
                [
                    definition(
                        "microsoft.directory/servicePrincipals/managePermissionGrantsForAll.microsoft-company-admin"
                    )
                ]
            ],
            {("directory:/", True)},
        ),
        ([[definition(rolePermissions=[7])]], {("directory:/", False)}),
        # A role that nobody describes may give anything.
        ([], {("directory:/", False)}),
    ],
)
def test_custom_roles(lab, documents, expected):
    found = reached(lab, HOLDERS, SERVICES, *documents, [held(OTHER)])
    assert expected == {(target, sure) for _, target, sure in found}


def test_roles_as_lists_of_members(lab):
    role = {"id": "y", "roleTemplateId": APPS, "displayName": "Application Administrator", "members": [{"id": ADMIN}]}
    assert {(ADMIN[:8], short(SERVICE), True)} == reached(lab, HOLDERS, SERVICES, [role])
    assert [True] == [isinstance(item, Unsupported) for item in lab.parse([{"roleTemplateId": 7, "members": []}])]


def test_an_eligible_role_says_so(lab):
    eligible = held(APPS, type="#microsoft.graph.unifiedRoleEligibilityScheduleInstance", roleEligibilityScheduleId="z")
    [found] = CLOUD.impersonations(lab.estate(HOLDERS, SERVICES, [eligible]))
    assert "the role is activated" == found.condition
    assert "add-credentials (Application Administrator)" == found.permission


def test_a_global_administrator_may_elevate_its_access(lab):
    estate = lab.estate([held(GLOBAL)])
    who = f"entra:{ADMIN}"
    assert "implicit-deny" == lab.can(estate, ASSIGN, SUB, principal=who)
    assert "allow" == lab.can(estate, ASSIGN, SUB, principal=who, context={"@PIM[activated]": ("true",)})
    request = CLOUD.request(Query(who, ASSIGN, SUB), estate)
    [reason] = decide(CLOUD.access(who, estate), request).reasons
    assert reason.statement.startswith(
        "role User Access Administrator (a Global Administrator may elevate its access) at /"
    )
    # Not within one administrative unit, and no other role.
    for row in (held(GLOBAL, scope=f"/administrativeUnits/{UNIT}"), held(APPS)):
        access = lab.can(lab.estate([row]), ASSIGN, SUB, principal=who, context={"@PIM[activated]": ("true",)})
        assert "implicit-deny" == access


def test_directory_roles_are_no_roles_of_azure(lab):
    estate = lab.estate([held(READER)])
    assert "implicit-deny" == lab.can(estate, "Microsoft.Web/sites/read", SUB, principal=f"entra:{ADMIN}")
    assert () == CLOUD.grants(estate)
    assert () == CLOUD.holdings(f"entra:{ADMIN}", estate)


def test_the_graph_has_the_way_from_an_administrator_to_the_subscription(lab):
    estate = lab.estate(HOLDERS, SERVICES, [held(APPS), held(GLOBAL, OTHER)])
    graph = build(estate, {"azure": CLOUD})
    assumed = {(edge.source, edge.target) for edge in graph.edges("can-assume")}
    holds = {(edge.source, edge.target, edge.attributes.get("state")) for edge in graph.edges("holds")}
    assert (f"entra:{ADMIN}", f"entra:{SERVICE}") in assumed
    assert (f"entra:{SERVICE}", SUB, "active") in holds
    assert (f"entra:{OTHER}", "/", "eligible") in holds
    assert isinstance(CLOUD, Impersonator)


@pytest.mark.parametrize(
    "row",
    [
        {"principalId": 7, "roleDefinitionId": APPS, "directoryScopeId": "/"},
        {"principalId": 7, "appRoleId": "x", "resourceId": "y"},
        {"id": 7, "rolePermissions": []},
        {"id": 7, "isMemberManagementRestricted": False},
    ],
)
def test_what_cannot_be_read_is_said(lab, row):
    assert [True] == [isinstance(item, Unsupported) for item in lab.parse([row])]


def test_an_assignment_without_a_scope_is_unsure(lab):
    found = reached(lab, HOLDERS, SERVICES, [held(APPS, scope=None)])
    assert {(ADMIN[:8], short(SERVICE), False)} == found
