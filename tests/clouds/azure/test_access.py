"""Who may do what: roles, planes, scopes, groups, and what is not known."""

from __future__ import annotations

import pytest

from idtrans.algebra import Status, decide, difference
from idtrans.clouds.azure import CLOUD
from idtrans.model.documents import Unsupported
from idtrans.model.errors import UsageError
from idtrans.ports import Query

SUB = "/subscriptions/00000000-0000-0000-0000-000000000001"
GROUP = f"{SUB}/resourceGroups/rg1"
VM = f"{GROUP}/providers/Microsoft.Compute/virtualMachines/vm1"
BLOB = f"{GROUP}/providers/Microsoft.Storage/storageAccounts/sa1/blobServices/default/containers/logs/blobs/2026/a.txt"
ASSIGN = "Microsoft.Authorization/roleAssignments/write"
READ_BLOB = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read"
OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
CONTRIBUTOR = "b24988ac-6180-42a0-ab88-20f7382dd24c"
READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
BLOB_READER = "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"
MANAGEMENT = "/providers/Microsoft.Management/managementGroups/team"

OPEN = "Microsoft.MessagingCatalog/things/read"
"""An operation that may stand in either plane."""


@pytest.mark.parametrize(
    ("lists", "action", "expected"),
    [
        ({"actions": ["*"]}, ASSIGN, "allow"),
        # What is left out, is left out in any case.
        ({"actions": ["*"], "notActions": ["microsoft.authorization/*/WRITE"]}, ASSIGN, "implicit-deny"),
        (
            {"actions": ["*/read"], "notActions": ["Microsoft.KeyVault/*/read"]},
            "Microsoft.KeyVault/vaults/read",
            "implicit-deny",
        ),
        ({"actions": ["*/read"], "notActions": ["Microsoft.KeyVault/*/read"]}, "Microsoft.Web/sites/read", "allow"),
        # A star spans slashes, inside of one provider too.
        ({"actions": ["Microsoft.DataFactory/*"]}, "Microsoft.DataFactory/factories/pipelines/write", "allow"),
        ({"actions": ["Microsoft.DataFactory/*"]}, ASSIGN, "implicit-deny"),
        ({"actions": ["microsoft.web/SITES/restart/Action"]}, "Microsoft.Web/sites/restart/action", "allow"),
        # The planes are apart.
        ({"actions": ["*"]}, READ_BLOB, "implicit-deny"),
        ({"dataActions": ["*"]}, READ_BLOB, "allow"),
        ({"dataActions": ["*"]}, "Microsoft.Storage/storageAccounts/read", "implicit-deny"),
        ({"dataActions": ["*"], "notDataActions": [READ_BLOB]}, READ_BLOB, "implicit-deny"),
        ({"dataActions": [READ_BLOB], "notActions": [READ_BLOB]}, READ_BLOB, "allow"),
        # A question mark is no wildcard.
        ({"actions": ["Microsoft.Web/sites/rea?"]}, "Microsoft.Web/sites/read", "implicit-deny"),
        # Managed Identity Operator's pattern, read strictly, asks for something between the slashes.
        (
            {"actions": ["Microsoft.ManagedIdentity/userAssignedIdentities/*/assign/action"]},
            "Microsoft.ManagedIdentity/userAssignedIdentities/assign/action",
            "implicit-deny",
        ),
        # An operation whose plane cannot be told is sure where both planes give it.
        ({"actions": ["Microsoft.MessagingCatalog/*"]}, OPEN, "unknown"),
        ({"dataActions": ["Microsoft.MessagingCatalog/*"]}, OPEN, "unknown"),
        ({"actions": ["*"], "dataActions": ["Microsoft.MessagingCatalog/*"]}, OPEN, "allow"),
        ({"actions": ["*"], "notActions": ["*/read"], "dataActions": ["*"]}, OPEN, "unknown"),
        ({"actions": ["*"], "notActions": ["*/read"]}, OPEN, "implicit-deny"),
        ({"actions": ["Microsoft.Web/*"]}, OPEN, "implicit-deny"),
    ],
)
def test_what_a_role_gives(lab, lists, action, expected):
    role = lab.role("custom", **lists)
    estate = lab.estate([role], [lab.assignment(role["name"], SUB)])
    assert expected == lab.can(estate, action, SUB)


def test_the_stated_plane_is_asked_alone(lab):
    role = lab.role("custom", actions=["Microsoft.App/*"])
    estate = lab.estate([role], [lab.assignment(role["name"], SUB)])
    answers = [lab.can(estate, "Microsoft.App/things/read", SUB, plane=plane) for plane in ("control", "data")]
    assert ["allow", "implicit-deny"] == answers


def test_contributor_cannot_assign_roles_but_another_role_may(lab):
    estate = lab.estate([lab.assignment(CONTRIBUTOR, SUB)])
    assert "implicit-deny" == lab.can(estate, ASSIGN, GROUP)
    role = lab.role("assigner", actions=[ASSIGN])
    both = lab.estate([role], [lab.assignment(CONTRIBUTOR, SUB), lab.assignment(role["name"], GROUP)])
    assert "allow" == lab.can(both, ASSIGN, GROUP)
    assert "implicit-deny" == lab.can(both, ASSIGN, SUB)


def test_a_denial_says_what_the_role_leaves_out(lab):
    estate = lab.estate([lab.assignment(CONTRIBUTOR, SUB)])
    request = CLOUD.request(Query(lab.user, ASSIGN, SUB), estate)
    [reason] = decide(CLOUD.access(lab.user, estate), request).reasons
    assert reason.statement.startswith("notActions of role Contributor at /subscriptions/")


@pytest.mark.parametrize(
    ("scope", "resource", "expected"),
    [
        ("/", VM, "allow"),
        (SUB, VM, "allow"),
        (SUB.upper().replace("SUBSCRIPTIONS", "Subscriptions") + "/", VM, "allow"),
        (f"{SUB}/resourcegroups/RG1", VM, "allow"),
        (VM, VM, "allow"),
        (VM, f"{VM}/extensions/x", "allow"),
        # Scope flows down, not up, and not to a neighbour whose name starts alike.
        (VM, SUB, "implicit-deny"),
        (VM, GROUP, "implicit-deny"),
        (VM, f"{VM}2", "implicit-deny"),
        (f"{SUB}/resourceGroups/rg", VM, "implicit-deny"),
    ],
)
def test_a_scope_contains_what_lies_below_it(lab, scope, resource, expected):
    estate = lab.estate([lab.assignment(OWNER, scope)])
    assert expected == lab.can(estate, "Microsoft.Compute/virtualMachines/delete", resource)


def test_the_prefix_of_a_role_definition_id_means_nothing(lab):
    forms = [f"{prefix}/providers/Microsoft.Authorization/roleDefinitions/{READER}" for prefix in ("", SUB)]
    old, new = (lab.estate([lab.assignment(form, SUB)]) for form in forms)
    found = difference(CLOUD.access(lab.user, new), CLOUD.access(lab.user, old), domain=CLOUD.domain(new))
    assert Status.EMPTY == found.status


def test_new_access_has_a_witness(lab):
    old = lab.estate([lab.assignment(READER, SUB)])
    new = lab.estate([lab.assignment(CONTRIBUTOR, SUB)])
    found = difference(CLOUD.access(lab.user, new), CLOUD.access(lab.user, old), domain=CLOUD.domain(new))
    assert Status.WITNESS == found.status
    back = difference(CLOUD.access(lab.user, old), CLOUD.access(lab.user, new), domain=CLOUD.domain(old))
    assert Status.EMPTY == back.status
    assert found.witness is not None
    assert ":" not in CLOUD.shown(found.witness).action


def test_an_unknown_role_is_unknown_and_the_same_on_both_sides(lab):
    estate = lab.estate([lab.assignment("12345678-0000-4000-8000-000000000000", SUB)])
    assert "unknown" == lab.can(estate, "Microsoft.Web/sites/read", SUB)
    assert "implicit-deny" == lab.can(estate, "Microsoft.Web/sites/read", "/subscriptions/other")
    access = CLOUD.access(lab.user, estate)
    assert Status.EMPTY == difference(access, access).status
    assert ["is not known" in doubt.reason for doubt in CLOUD.doubts(lab.user, estate)] == [True]


def test_a_role_that_documents_disagree_on_is_known_in_part(lab):
    one, two = lab.role("r", actions=["Microsoft.Web/sites/read"]), lab.role("r", actions=["*"])
    estate = lab.estate([one], [two], [lab.assignment(one["name"], SUB)])
    answers = [lab.can(estate, f"Microsoft.Web/sites/{verb}", SUB) for verb in ("read", "write")]
    assert ["allow", "unknown"] == answers
    assert any("not known in full" in doubt.reason for doubt in CLOUD.doubts(lab.user, estate))


@pytest.mark.parametrize("fields", [{"condition": 7}, {"roleDefinitionId": None}, {"scope": None, "id": None}])
def test_an_assignment_that_is_not_understood_is_unknown(lab, fields):
    estate = lab.estate([{**lab.assignment(READER, SUB), **fields}])
    assert "unknown" == lab.can(estate, "Microsoft.Web/sites/read", SUB)
    assert CLOUD.doubts(lab.user, estate)


ELIGIBLE = "Microsoft.Authorization/roleEligibilityScheduleInstances"
ACTIVE = "Microsoft.Authorization/roleAssignmentScheduleInstances"
SITE = "Microsoft.Web/sites/read"


def test_an_eligible_assignment_gives_nothing_until_it_is_activated(lab):
    estate = lab.estate([lab.assignment(OWNER, SUB, type=ELIGIBLE)])
    for closed in (True, False):
        assert "implicit-deny" == lab.can(estate, SITE, SUB, closed=closed)
        assert "allow" == lab.can(estate, SITE, SUB, closed=closed, context={"@PIM[activated]": ("true",)})
    assert () == CLOUD.grants(estate)
    assert () == CLOUD.holdings(lab.user, estate)
    assert (lab.user,) == CLOUD.principals(estate)


def test_a_denial_names_the_eligible_assignment(lab):
    estate = lab.estate([lab.assignment(OWNER, SUB, type=ELIGIBLE)])
    request = CLOUD.request(Query(lab.user, SITE, SUB), estate)
    [reason] = decide(CLOUD.access(lab.user, estate), request).reasons
    assert reason.statement.startswith("role Owner at ")
    assert "(eligible, not active)" in reason.statement
    assert "needs @PIM[activated] is `true`, @PIM[activated] is absent" == reason.why


def test_activation_is_new_access(lab):
    eligible = lab.estate([lab.assignment(OWNER, SUB, type=ELIGIBLE)])
    active = lab.estate([lab.assignment(OWNER, SUB, type=ACTIVE, assignmentType="Activated")])
    nothing = lab.estate()
    steps = [(eligible, active), (nothing, eligible), (active, eligible)]
    found = [
        difference(CLOUD.access(lab.user, new), CLOUD.access(lab.user, old), domain=CLOUD.domain(new)).status
        for old, new in steps
    ]
    assert [Status.WITNESS, Status.WITNESS, Status.EMPTY] == found


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2026-10-31T00:00:00Z", "2026-11-02T00:00:00Z", "allow"),
        ("2026-10-31T00:00:00Z", None, "allow"),
        (None, "2026-11-01T00:00:00Z", "implicit-deny"),
        ("2026-11-02T00:00:00.0000000Z", None, "implicit-deny"),
        ("soon", None, "unknown"),
        (7, None, "unknown"),
    ],
)
def test_an_assignment_counts_in_its_time(lab, start, end, expected):
    dated = lab.assignment(OWNER, SUB, type=ACTIVE, assignmentType="Assigned", startDateTime=start, endDateTime=end)
    estate = lab.estate([dated])
    assert expected == lab.can(estate, SITE, SUB)
    assert (end == "2026-11-01T00:00:00Z") == (CLOUD.grants(estate) == ())


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"roleEligibilityScheduleId": "x", "memberType": "Direct"}, "implicit-deny"),
        ({"roleAssignmentScheduleId": "x", "assignmentType": "Activated"}, "allow"),
        ({"id": f"{SUB}/providers/Microsoft.Authorization/roleEligibilityScheduleInstances/1"}, "implicit-deny"),
        ({"type": "microsoft.authorization/roleeligibilityschedules", "status": "Provisioned"}, "implicit-deny"),
        ({"type": "microsoft.authorization/roleassignmentschedules", "status": "Provisioned"}, "allow"),
        # What becomes of a request, its status alone does not say.
        ({"type": "microsoft.authorization/roleassignmentschedules", "status": "PendingApproval"}, "unknown"),
        ({"type": "microsoft.authorization/roleassignmentschedules", "status": "Revoked"}, "unknown"),
    ],
)
def test_eligible_and_active_are_told_apart_in_every_shape(lab, fields, expected):
    assert expected == lab.can(lab.estate([{**lab.assignment(OWNER, SUB), **fields}]), SITE, SUB)


@pytest.mark.parametrize(
    ("given", "denied", "expected"),
    [
        ({"actions": ["*"], "dataActions": ["*"]}, {"actions": ["*"]}, "unknown"),
        ({"actions": ["*"], "dataActions": ["*"]}, {"dataActions": ["*"]}, "unknown"),
        ({"actions": ["*"], "dataActions": ["*"]}, {"actions": ["*/write"], "dataActions": ["*/write"]}, "allow"),
        ({"actions": ["*"]}, {"actions": ["*"]}, "explicit-deny"),
        ({"dataActions": ["*"]}, {"dataActions": ["*"]}, "explicit-deny"),
        ({"actions": ["*"], "dataActions": ["*"]}, {"actions": ["*"], "dataActions": ["*"]}, "explicit-deny"),
    ],
)
def test_a_deny_of_one_plane_leaves_the_other_alone(lab, given, denied, expected):
    role = lab.role("r", **given)
    everyone = [{"id": "00000000-0000-0000-0000-000000000000", "type": "SystemDefined"}]
    deny = {"denyAssignmentName": "d", "scope": SUB, "permissions": [denied], "principals": everyone}
    estate = lab.estate([role], [lab.assignment(role["name"], SUB)], [deny])
    assert expected == lab.can(estate, OPEN, SUB)


def containers(*chain):
    names = [{"name": name} for name in chain]
    return [{"id": SUB, "type": "microsoft.resources/subscriptions", "managementGroupAncestorsChain": names}]


@pytest.mark.parametrize(
    ("hierarchy", "expected"),
    [
        (containers("team", "root"), "allow"),
        (containers("other", "root"), "implicit-deny"),
        # Without its place in the hierarchy nobody knows.
        ([{"id": "/subscriptions/x", "type": "microsoft.resources/subscriptions"}], "unknown"),
    ],
)
def test_a_management_group_reaches_the_subscriptions_below_it(lab, hierarchy, expected):
    estate = lab.estate([lab.assignment(READER, MANAGEMENT)], hierarchy)
    assert expected == lab.can(estate, "Microsoft.Web/sites/read", VM)
    assert "allow" == lab.can(estate, "Microsoft.Management/managementGroups/read", MANAGEMENT)


TENANT = "70000000-0000-4000-8000-000000000007"


def managed(name, *children, **fields):
    identifier = f"/providers/Microsoft.Management/managementGroups/{name}"
    kind = "/providers/Microsoft.Management/managementGroups"
    return {"id": identifier, "name": name, "tenantId": TENANT, "type": kind, "children": list(children), **fields}


LISTED = {"id": SUB.upper(), "name": "sub", "type": "/subscriptions", "children": None}


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (managed(TENANT, managed("team", managed("inner", LISTED))), "allow"),
        (managed("Team", LISTED), "allow"),
        (managed(TENANT, managed("team"), managed("other", LISTED)), "implicit-deny"),
        # Nobody says what is above the other group.
        (managed("other", LISTED), "unknown"),
        ([managed("other", LISTED), managed("team")], "unknown"),
        ([managed("other", LISTED, details={"parent": {"id": MANAGEMENT.upper()}}), managed("team")], "allow"),
        ([managed("other", LISTED, parent={"id": MANAGEMENT})], "allow"),
        (managed("team", {"id": 7}), "unknown"),
        (managed("team", children="many"), "unknown"),
    ],
)
def test_management_groups_as_the_command_line_shows_them(lab, tree, expected):
    estate = lab.estate([lab.assignment(READER, MANAGEMENT)], tree)
    assert expected == lab.can(estate, "Microsoft.Web/sites/read", VM)


@pytest.mark.parametrize(
    ("row", "who", "expected"),
    [
        (
            {
                "id": f"{SUB}/providers/Microsoft.Authorization/classicAdministrators/1",
                "type": "Microsoft.Authorization/classicAdministrators",
                "properties": {"emailAddress": "Ann@acme.example", "role": "ServiceAdministrator;AccountAdministrator"},
            },
            "entra:ann@acme.example",
            "allow",
        ),
        (
            {
                "id": "NA(classic admins)",
                "principalId": "a0000000-0000-4000-8000-00000000000a",
                "principalName": "ann@acme.example",
                "roleDefinitionId": "NA(classic admin role)",
                "roleDefinitionName": "CoAdministrator",
                "scope": SUB,
            },
            "entra:a0000000-0000-4000-8000-00000000000a",
            "allow",
        ),
        (
            {
                "type": "Microsoft.Authorization/classicAdministrators",
                "emailAddress": "ann@acme.example",
                "role": "AccountAdministrator",
            },
            "entra:ann@acme.example",
            "implicit-deny",
        ),
        (
            {
                "type": "Microsoft.Authorization/classicAdministrators",
                "emailAddress": "ann@acme.example",
                "role": "Wizard",
            },
            "entra:ann@acme.example",
            "unknown",
        ),
        (
            {
                "type": "Microsoft.Authorization/classicAdministrators",
                "emailAddress": "ann@acme.example",
                "role": "CoAdministrator",
            },
            "entra:ann@acme.example",
            "unknown",
        ),
    ],
)
def test_classic_administrators_are_owners(lab, row, who, expected):
    estate = lab.estate([row])
    assert expected == lab.can(estate, "Microsoft.Authorization/roleAssignments/write", VM, principal=who)


def test_a_classic_administrator_is_the_user_of_that_name(lab):
    row = {"type": "Microsoft.Authorization/classicAdministrators", "emailAddress": "ann@acme.example"}
    row |= {"role": "CoAdministrator", "id": f"{SUB}/providers/Microsoft.Authorization/classicAdministrators/1"}
    user = {"id": lab.alice, "userPrincipalName": "Ann@acme.example"}
    estate = lab.estate([row], [user])
    assert "allow" == lab.can(estate, ASSIGN, VM)
    [problem] = [item for item in lab.parse([{**row, "emailAddress": None}]) if isinstance(item, Unsupported)]
    assert "no readable address" in problem.reason


GROUP_ID = "b0000000-0000-4000-8000-00000000000b"
NESTED_ID = "c0000000-0000-4000-8000-00000000000c"


def group(identifier, *members):
    return {"id": identifier, "securityEnabled": True, "members": list(members)}


def member(identifier, kind="user"):
    return {"@odata.type": f"#microsoft.graph.{kind}", "id": identifier}


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ([group(GROUP_ID, member("a0000000-0000-4000-8000-00000000000a"))], "allow"),
        ([group(GROUP_ID)], "implicit-deny"),
        ([group(GROUP_ID, member("d0000000-0000-4000-8000-00000000000d"))], "implicit-deny"),
        ([group(NESTED_ID)], "unknown"),
        ([group(GROUP_ID, member(NESTED_ID, "group"))], "unknown"),
        ([group(GROUP_ID, member(NESTED_ID, "group")), group(NESTED_ID)], "implicit-deny"),
        (
            [
                group(GROUP_ID, member(NESTED_ID, "group")),
                group(NESTED_ID, member("A0000000-0000-4000-8000-00000000000A")),
            ],
            "allow",
        ),
    ],
)
def test_access_through_groups(lab, groups, expected):
    held = lab.assignment(READER, SUB, GROUP_ID, principalType="Group")
    estate = lab.estate([held], groups)
    assert expected == lab.can(estate, "Microsoft.Web/sites/read", SUB)
    assert ("unknown" == expected) == any("member" in doubt.reason for doubt in CLOUD.doubts(lab.user, estate))
    assert ("allow" == expected) == bool(CLOUD.holdings(lab.user, estate))


def test_a_deny_assignment_may_take_away_below_its_scope(lab):
    deny = {"denyAssignmentName": "lock", "scope": GROUP, "permissions": [{"actions": ["*/delete"]}]}
    estate = lab.estate([lab.assignment(OWNER, SUB)], [deny])
    answers = [lab.can(estate, "Microsoft.Compute/virtualMachines/delete", scope) for scope in (VM, SUB)]
    assert ["unknown", "allow"] == answers
    assert any("deny assignment `lock`" in doubt.reason for doubt in CLOUD.doubts(lab.user, estate))
    audited = lab.estate([lab.assignment(OWNER, SUB)], [{**deny, "denyAssignmentEffect": "audit"}])
    assert "allow" == lab.can(audited, "Microsoft.Compute/virtualMachines/delete", VM)


def test_a_remark_about_a_principal_makes_its_access_unknown(lab):
    application = {"id": lab.alice, "appId": "x", "passwordCredentials": [7]}
    estate = lab.estate([application])
    assert "unknown" == lab.can(estate, "Microsoft.Web/sites/read", SUB)


def test_everybody_holds_what_everyone_is_given(lab):
    everyone = lab.assignment(READER, SUB, "00000000-0000-0000-0000-000000000000", principalType="Everyone")
    estate = lab.estate([everyone])
    assert "allow" == lab.can(estate, "Microsoft.Web/sites/read", SUB)
    [exposure] = CLOUD.exposures(estate)
    assert "tenant" == exposure.reach


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("entra:A0000000-0000-4000-8000-00000000000A", "entra:a0000000-0000-4000-8000-00000000000a"),
        ("ENTRA:a00000000000400080000000000000" + "0a", "entra:a0000000-0000-4000-8000-00000000000a"),
        ("entra:Alice@Acme.example", "entra:a0000000-0000-4000-8000-00000000000a"),
        # The app id leads to the service principal, which holds the access.
        ("entra:BBBBBBBB-0000-4000-8000-000000000001", "entra:5e000000-0000-4000-8000-000000000005"),
        ("entra:ffffffff-0000-4000-8000-000000000009", "entra:ffffffff-0000-4000-8000-000000000009"),
        ("ffffffff-0000-4000-8000-000000000009", "entra:ffffffff-0000-4000-8000-000000000009"),
        ("FFFFFFFF-0000-4000-8000-000000000009", "entra:ffffffff-0000-4000-8000-000000000009"),
        ("bbbbbbbb-0000-4000-8000-000000000001", "entra:5e000000-0000-4000-8000-000000000005"),
        (
            f"{SUB}/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/MI",
            "entra:10000000-0000-4000-8000-000000000001",
        ),
    ],
)
def test_a_principal_by_any_of_its_names(lab, name, expected):
    app_id = "bbbbbbbb-0000-4000-8000-000000000001"
    estate = lab.estate(
        [lab.assignment(READER, SUB, principalName="alice@acme.example")],
        [{"id": "a9000000-0000-4000-8000-000000000009", "appId": app_id, "signInAudience": "x"}],
        [{"id": "5e000000-0000-4000-8000-000000000005", "appId": app_id, "servicePrincipalType": "Application"}],
        [
            {
                "id": f"{SUB}/resourcegroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/mi",
                "principalId": "10000000-0000-4000-8000-000000000001",
                "type": "Microsoft.ManagedIdentity/userAssignedIdentities",
            }
        ],
    )
    assert CLOUD.owns(name)
    assert expected == CLOUD.principal(name, estate)
    applications = "entra:a9000000-0000-4000-8000-000000000009"
    assert applications not in CLOUD.principals(estate)


@pytest.mark.parametrize("name", ["alice@acme.example", "entra:nobody@acme.example", "entra:twin"])
def test_a_name_that_tells_nobody_is_refused(lab, name):
    twins = [
        lab.assignment(READER, SUB, f"{number}0000000-0000-4000-8000-000000000000", principalName="twin")
        for number in (1, 2)
    ]
    with pytest.raises(UsageError):
        CLOUD.principal(name, lab.estate(twins))


@pytest.mark.parametrize(
    "query",
    [
        Query("entra:x", "Microsoft.Web/sites/read", "sites/x"),
        Query("entra:x", "Microsoft.Web/*", "/"),
        Query("entra:x", "", "/"),
        Query("entra:x", "Microsoft.Web/sites/read", "/", plane="both"),
        Query("x", "Microsoft.Web/sites/read", "/"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(lab, query):
    with pytest.raises(UsageError):
        CLOUD.request(query, lab.estate([lab.assignment(READER, SUB, "x")]))


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("Microsoft.Web/sites/read", "control:microsoft.web/sites/read"),
        (READ_BLOB, f"data:{READ_BLOB.lower()}"),
        ("data:Microsoft.Web/sites/read", "data:microsoft.web/sites/read"),
        (
            "Microsoft.KeyVault/vaults/secrets/getSecret/action",
            "data:microsoft.keyvault/vaults/secrets/getsecret/action",
        ),
        ("Microsoft.KeyVault/vaults/secrets/read", "control:microsoft.keyvault/vaults/secrets/read"),
        ("Microsoft.KeyVault/vaults/keys/read", "either:microsoft.keyvault/vaults/keys/read"),
        ("Microsoft.MessagingCatalog/things/read", "either:microsoft.messagingcatalog/things/read"),
        # A role definition names it as a data action.
        ("Acme.Own/things/open/action", "data:acme.own/things/open/action"),
        ("Acme.Own/things/other/action", "control:acme.own/things/other/action"),
    ],
)
def test_the_plane_of_an_operation(lab, action, expected):
    role = lab.role("custom", dataActions=["Acme.Own/things/open/action"])
    estate = lab.estate([role], [lab.assignment(role["name"], SUB)])
    request = CLOUD.request(Query(lab.user, action, "/"), estate)
    assert expected == request.action
    assert expected.partition(":")[2] == CLOUD.shown(request).action


def test_holdings_are_told_by_plane_and_scope(lab):
    estate = lab.estate([lab.assignment(BLOB_READER, GROUP)])
    control, data = CLOUD.holdings(lab.user, estate)
    assert ("Storage Blob Data Reader", GROUP.lower(), None) == (data.role, data.scope, data.condition_text)
    assert data.permissions.matches(f"data:{READ_BLOB.lower()}")
    assert not control.permissions.matches(f"data:{READ_BLOB.lower()}")
    assert control.permissions.matches("control:microsoft.storage/storageaccounts/blobservices/containers/read")


def test_holdings_of_what_is_not_known(lab):
    role = lab.role("odd")
    role["permissions"].append(7)
    unknown = {**lab.assignment("12345678-0000-4000-8000-000000000000", SUB), "scope": None}
    estate = lab.estate([role], [lab.assignment(role["name"], SUB), unknown])
    incomplete, nothing = CLOUD.holdings(lab.user, estate)
    assert (SUB, "") == (incomplete.scope, nothing.scope)
    assert incomplete.permissions.matches("control:anything/at/all")
    assert [item for item in estate.unsupported if isinstance(item, Unsupported)]


def test_conditions_of_assignment_and_role_stand_together(lab):
    role = lab.role("r", actions=["*"], condition="@Resource[a] StringEquals 'x'")
    estate = lab.estate([role], [lab.assignment(role["name"], SUB, condition="@Resource[b] StringEquals 'y'")])
    [holding] = CLOUD.holdings(lab.user, estate)
    assert "(@Resource[b] StringEquals 'y') AND (@Resource[a] StringEquals 'x')" == holding.condition_text
