"""Small questions, each with the answer that the vendor's pages give."""

from __future__ import annotations

import pytest

ALICE = "a0000000-0000-4000-8000-00000000000a"
BOB = "b0000000-0000-4000-8000-00000000000b"
TEAM = "c0000000-0000-4000-8000-00000000000c"
SUB = "/subscriptions/00000000-0000-0000-0000-000000000001"
RG = f"{SUB}/resourceGroups/rg1"
ACC = f"{RG}/providers/Microsoft.Storage/storageAccounts/sa1"
CON = f"{ACC}/blobServices/default/containers/logs"
BLOB = f"{CON}/blobs/a.txt"
VM = f"{RG}/providers/Microsoft.Compute/virtualMachines/vm1"
BLOBS = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs"
READ, WRITE = f"{BLOBS}/read", f"{BLOBS}/write"
VMR = "Microsoft.Compute/virtualMachines/read"
VMS = "Microsoft.Compute/virtualMachines/start/action"
VMW = "Microsoft.Compute/virtualMachines/write"
OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
CONTRIB = "b24988ac-6180-42a0-ab88-20f7382dd24c"
READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
UAA = "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9"
BDR = "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"
BDC = "ba92f5b4-2d11-453d-a403-e96b0029c9fe"
OFF = [{"id": ACC, "allowSharedKeyAccess": False}]
"""The account refuses its keys, so that roles alone decide."""

ROLES = [
    ("allow", VMR, VM, SUB, {"actions": ["*"]}),
    ("implicit-deny", READ, BLOB, SUB, {"actions": ["*"]}),
    ("implicit-deny", READ, BLOB, SUB, {"actions": ["*/read"]}),
    ("allow", READ, BLOB, SUB, {"dataActions": ["*"]}),
    ("implicit-deny", VMR, VM, SUB, {"dataActions": ["*"]}),
    ("implicit-deny", VMS, VM, SUB, {"actions": ["*"], "notActions": ["Microsoft.Compute/virtualMachines/*/action"]}),
    ("implicit-deny", VMS, VM, SUB, {"actions": ["*"], "notActions": ["Microsoft.Compute/*/start/action"]}),
    ("allow", VMR, VM, SUB, {"actions": ["*"], "notActions": ["Microsoft.Compute/virtualMachines/*/action"]}),
    (
        "allow",
        "microsoft.compute/VIRTUALMACHINES/READ",
        VM.upper().replace("/SUBSCRIPTIONS", "/subscriptions"),
        SUB,
        {"actions": ["Microsoft.Compute/virtualMachines/Read"]},
    ),
    ("implicit-deny", WRITE, BLOB, SUB, {"dataActions": ["Microsoft.Storage/*"], "notDataActions": [WRITE]}),
    ("implicit-deny", "Microsoft.Authorization/roleAssignments/write", RG, SUB, CONTRIB),
    ("implicit-deny", "Microsoft.Authorization/roleAssignments/delete", RG, SUB, CONTRIB),
    ("allow", "Microsoft.Authorization/roleAssignments/read", RG, SUB, CONTRIB),
    ("implicit-deny", "Microsoft.Authorization/elevateAccess/Action", "/", "/", CONTRIB),
    ("allow", "Microsoft.Authorization/roleAssignments/write", RG, SUB, OWNER),
    ("allow", "Microsoft.Authorization/roleAssignments/write", RG, SUB, UAA),
    ("implicit-deny", VMS, VM, SUB, READER),
    ("allow", VMR, VM, SUB, READER),
    ("implicit-deny", "Microsoft.Storage/storageAccounts/listKeys/action", ACC, SUB, READER),
    ("allow", READ, BLOB, SUB, BDR),
    ("implicit-deny", WRITE, BLOB, SUB, BDR),
    ("allow", READ, BLOB, CON, BDR),
    ("implicit-deny", READ, BLOB, ACC + "/blobServices/default/containers/log", BDR),
    (
        "implicit-deny",
        "Microsoft.Compute/virtualMachines/read",
        VM,
        SUB,
        {"actions": ["Microsoft.Compute/virtualMachines"]},
    ),
    ("allow", "Microsoft.Compute/virtualMachines/read", VM, SUB, {"actions": ["Microsoft.Compute/virt*"]}),
    ("implicit-deny", VMR, VM, SUB + "/resourceGroups/rg", READER),
    ("implicit-deny", VMR, VM, "/subscriptions/00000000-0000-0000-0000-000000000002", READER),
    ("allow", VMR, VM, SUB.upper().replace("SUBSCRIPTIONS", "subscriptions") + "/RESOURCEGROUPS/RG1", READER),
    ("allow", VMR, VM, "/", READER),
    ("unknown", VMR, VM, "/providers/Microsoft.Management/managementGroups/corp", READER),
    ("implicit-deny", "Microsoft.Compute/virtualMachines/read", RG, VM, READER),
]


@pytest.mark.parametrize("question", ROLES)
def test_roles_and_scopes(lab, question):
    expected, action, resource, scope, role = question
    custom = [] if isinstance(role, str) else [lab.role("r", **role)]
    held = role if isinstance(role, str) else custom[0]["name"]
    assert expected == lab.can(
        lab.estate(*([custom] if custom else []), [lab.assignment(held, scope)], OFF), action, resource
    )


EVERYBODY = ({"id": "00000000-0000-0000-0000-000000000000", "type": "SystemDefined"},)


def deny(actions=("*/delete", "*/write"), data=(), scope=RG, principals=EVERYBODY, ex=(), **more):
    permission = {"actions": list(actions), "notActions": more.pop("notActions", []), "dataActions": list(data)}
    return [
        {
            "denyAssignmentName": "d",
            "scope": scope,
            "permissions": [permission],
            "principals": list(principals),
            "excludePrincipals": list(ex),
            "doNotApplyToChildScopes": False,
            "isSystemProtected": True,
            **more,
        }
    ]


DENIES = [
    ("explicit-deny", deny(), VMW, VM, OWNER),
    ("allow", deny(), VMR, VM, OWNER),
    ("allow", deny(scope=SUB + "/resourceGroups/other"), VMW, VM, OWNER),
    ("allow", deny(ex=[{"id": ALICE, "type": "User"}]), VMW, VM, OWNER),
    ("explicit-deny", deny(ex=[{"id": BOB, "type": "User"}]), VMW, VM, OWNER),
    ("unknown", deny(ex=[{"id": TEAM, "type": "Group"}]), VMW, VM, OWNER),
    ("allow", deny(principals=[{"id": BOB, "type": "User"}]), VMW, VM, OWNER),
    ("explicit-deny", deny(principals=[{"id": ALICE.upper(), "type": "User"}]), VMW, VM, OWNER),
    ("unknown", deny(principals=[{"id": TEAM, "type": "Group"}]), VMW, VM, OWNER),
    ("allow", deny(notActions=[VMW]), VMW, VM, OWNER),
    ("allow", deny(doNotApplyToChildScopes=True), VMW, VM, OWNER),
    ("explicit-deny", deny(scope=VM, doNotApplyToChildScopes=True), VMW, VM, OWNER),
    ("allow", deny(denyAssignmentEffect="audit"), VMW, VM, OWNER),
    ("explicit-deny", deny(denyAssignmentEffect="enforced"), VMW, VM, OWNER),
    ("unknown", deny(denyAssignmentEffect="maybe"), VMW, VM, OWNER),
    ("explicit-deny", deny(actions=(), data=["*"]), READ, BLOB, BDR),
    ("allow", deny(actions=["*"]), READ, BLOB, BDR),
    ("allow", deny(condition="@Resource[Microsoft.X:y] StringEquals 'a'", conditionVersion="2.0"), VMW, VM, OWNER),
    ("unknown", deny(condition="((", conditionVersion="2.0"), VMW, VM, OWNER),
]


@pytest.mark.parametrize("question", DENIES)
def test_denies(lab, question):
    expected, denied, action, resource, role = question
    assert expected == lab.can(lab.estate([lab.assignment(role, SUB)], denied), action, resource)


C = "@Resource[Microsoft.Storage/storageAccounts/blobServices/containers:name]"
P = "@Resource[Microsoft.Storage/storageAccounts/blobServices/containers/blobs:path]"
T = "@Resource[Microsoft.Storage/storageAccounts/blobServices/containers/blobs/tags:Project<$key_case_sensitive$>]"
A1 = f"(!(ActionMatches{{'{READ}'}})) OR "
PA = "@Principal[Microsoft.Directory/CustomSecurityAttributes/Id:Eng_Project]"

G = "@Request[Microsoft.X:g]"
UTC = "@Environment[UtcNow]"
TODAY = {UTC: "2026-11-01T00:00:00Z"}
LINK = "@Environment[isPrivateLink]"

CONDITIONS = [
    ("allow", f"({A1}({C} StringEquals 'logs'))", READ, {}),
    ("implicit-deny", f"({A1}({C} StringEquals 'data'))", READ, {}),
    ("allow", f"({A1}({C} StringEquals 'data'))", WRITE, {}),
    ("implicit-deny", f"{C} StringEquals 'LOGS'", READ, {}),
    ("allow", f"{C} StringEqualsIgnoreCase 'LOGS'", READ, {}),
    ("allow", f"{P} StringLike 'a.*'", READ, {}),
    ("allow", f"{P} StringLike '?.txt'", READ, {}),
    ("implicit-deny", f"{P} StringLike 'a'", READ, {}),
    ("allow", f"{P} StringStartsWith 'a'", READ, {}),
    ("implicit-deny", f"{P} StringNotStartsWith 'a'", READ, {}),
    ("implicit-deny", f"{T} StringEquals 'x'", READ, {}),
    ("allow", f"{T} StringEquals 'x'", READ, {T: "x"}),
    ("implicit-deny", f"Exists {T}", READ, {}),
    ("allow", f"NOT Exists {T}", READ, {}),
    ("allow", f"{C} ForAnyOfAnyValues:StringEquals {{'logs','x'}}", READ, {}),
    ("implicit-deny", f"{C} ForAnyOfAllValues:StringEquals {{'logs','x'}}", READ, {}),
    ("allow", f"{C} ForAllOfAnyValues:StringEquals {{'logs','x'}}", READ, {}),
    ("implicit-deny", f"{C} ForAllOfAllValues:StringEquals {{'logs','x'}}", READ, {}),
    ("allow", f"{C} ForAnyOfAllValues:StringNotEquals {{'a','x'}}", READ, {}),
    ("implicit-deny", f"{C} ForAnyOfAllValues:StringNotEquals {{'logs','x'}}", READ, {}),
    ("allow", f"({C} StringEquals 'logs') && ({P} StringStartsWith 'a')", READ, {}),
    ("allow", f"({C} StringEquals 'x') || ({P} StringStartsWith 'a')", READ, {}),
    ("implicit-deny", f"NOT ({C} StringEquals 'logs')", READ, {}),
    ("allow", "@Environment[UtcNow] DateTimeGreaterThan '2020-01-01T00:00:00Z'", READ, TODAY),
    ("implicit-deny", "@Environment[UtcNow] DateTimeLessThan '2020-01-01T00:00:00Z'", READ, TODAY),
    ("allow", f"{LINK} BoolEquals true", READ, {LINK: "true"}),
    ("implicit-deny", f"{LINK} BoolEquals true", READ, {}),
    (
        "implicit-deny",
        f"!(ActionMatches{{'{READ}'}} AND NOT SubOperationMatches{{'Blob.List'}}) OR ({C} StringEquals 'data')",
        READ,
        {},
    ),
    ("allow", f"{PA} StringEquals 'x'", READ, {PA: "x"}),
    ("implicit-deny", f"{PA} StringEquals 'x'", READ, {}),
    ("allow", f"{PA} StringEquals {T}", READ, {PA: "x", T: "x"}),
    ("implicit-deny", f"{PA} StringEquals {T}", READ, {PA: "x", T: "y"}),
    ("unknown", f"{C} StringSoundsLike 'logs'", READ, {}),
    ("unknown", "((", READ, {}),
    ("allow", "@Request[Microsoft.X:n] NumericLessThan '5'", READ, {"@Request[Microsoft.X:n]": "4"}),
    ("allow", f"{G} GuidEquals AAAAAAAA-0000-4000-8000-000000000000", READ, {G: "aaaaaaaa000040008000000000000000"}),
]


@pytest.mark.parametrize(("expected", "condition", "action", "context"), CONDITIONS)
def test_conditions(lab, expected, condition, action, context):
    held = lab.assignment(BDC, SUB, condition=condition, conditionVersion="2.0")
    given = {key: (value,) for key, value in context.items()}
    assert expected == lab.can(lab.estate([held], OFF), action, BLOB, context=given)
