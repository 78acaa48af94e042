"""Deny assignments: they win, where and for whom they apply."""

from __future__ import annotations

import pytest

from idtrans.clouds.azure import CLOUD
from idtrans.ports import Overlap

SUB = "/subscriptions/00000000-0000-0000-0000-000000000001"
RG = f"{SUB}/resourceGroups/rg1"
VM = f"{RG}/providers/Microsoft.Compute/virtualMachines/vm1"
OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
ALICE = {"id": "A0000000-0000-4000-8000-00000000000A", "type": "User"}
BEN = {"id": "d0000000-0000-4000-8000-00000000000d", "type": "User"}
TEAM = {"id": "b0000000-0000-4000-8000-00000000000b", "type": "Group"}
EVERYONE = {"id": "00000000-0000-0000-0000-000000000000", "type": "SystemDefined"}
DELETE = "Microsoft.Compute/virtualMachines/delete"


def deny(**fields):
    return {
        "denyAssignmentName": "lock",
        "scope": RG,
        "permissions": [{"actions": ["*/delete"]}],
        "principals": [EVERYONE],
        **fields,
    }


def team(*members):
    listed = [{"@odata.type": "#microsoft.graph.user", "id": member["id"]} for member in members]
    return {"id": TEAM["id"], "securityEnabled": True, "members": listed}


@pytest.mark.parametrize(
    ("fields", "resource", "expected"),
    [
        ({}, VM, "explicit-deny"),
        ({}, RG, "explicit-deny"),
        ({}, SUB, "allow"),
        ({}, f"{RG}2", "allow"),
        ({"principals": [ALICE]}, VM, "explicit-deny"),
        ({"principals": [BEN]}, VM, "allow"),
        ({"excludePrincipals": [ALICE]}, VM, "allow"),
        ({"excludePrincipals": [BEN]}, VM, "explicit-deny"),
        ({"doNotApplyToChildScopes": True}, VM, "allow"),
        ({"doNotApplyToChildScopes": True}, RG, "explicit-deny"),
        ({"doNotApplyToChildScopes": False}, VM, "explicit-deny"),
        ({"permissions": [{"actions": ["*"], "notActions": ["*/DELETE"]}]}, VM, "allow"),
        ({"permissions": [{"dataActions": ["*"]}]}, VM, "allow"),
        ({"permissions": [{"actions": ["*/read"]}, {"actions": ["MICROSOFT.Compute/*"]}]}, VM, "explicit-deny"),
        ({"denyAssignmentEffect": "audit"}, VM, "allow"),
        ({"principals": [TEAM]}, VM, "unknown"),
        ({"excludePrincipals": [TEAM]}, VM, "unknown"),
        ({"condition": "no condition", "conditionVersion": "2.0"}, VM, "unknown"),
        ({"condition": {}}, VM, "unknown"),
        # What cannot be read whole may take anything.
        ({"principals": []}, VM, "unknown"),
        ({"principals": "everyone"}, VM, "unknown"),
        ({"excludePrincipals": [1]}, VM, "unknown"),
        ({"permissions": []}, VM, "unknown"),
        ({"permissions": [{"actions": 1}]}, VM, "unknown"),
        ({"doNotApplyToChildScopes": "perhaps"}, VM, "unknown"),
        ({"scope": 1}, SUB, "unknown"),
    ],
)
def test_a_deny_wins_where_and_for_whom_it_applies(lab, fields, resource, expected):
    estate = lab.estate([lab.assignment(OWNER, SUB)], [deny(**fields)])
    assert expected == lab.can(estate, DELETE, resource)
    if expected == "unknown":
        assert any("deny assignment `lock`" in doubt.reason for doubt in CLOUD.doubts(lab.user, estate))


@pytest.mark.parametrize(("members", "expected"), [([ALICE], "explicit-deny"), ([BEN], "allow"), ([], "allow")])
def test_a_deny_reaches_the_members_of_a_group(lab, members, expected):
    estate = lab.estate([lab.assignment(OWNER, SUB)], [deny(principals=[TEAM])], [team(*members)])
    assert expected == lab.can(estate, DELETE, VM)


def test_powershell_spells_principals_in_its_own_way(lab):
    written = {
        "DenyAssignmentName": "lock",
        "Scope": RG,
        "Actions": ["*/delete"],
        "NotActions": [],
        "Principals": [{"ObjectId": ALICE["id"], "ObjectType": "User"}],
        "ExcludePrincipals": [],
        "DoNotApplyToChildScopes": False,
    }
    assert "explicit-deny" == lab.can(lab.estate([lab.assignment(OWNER, SUB)], [written]), DELETE, VM)


def test_what_is_held_says_that_something_takes_it_away(lab):
    estate = lab.estate([lab.assignment(OWNER, SUB)], [deny()])
    (one, *_) = CLOUD.holdings(lab.user, estate)
    assert () == one.unsure
    assert {RG.lower()} == {each.denied.scope for each in CLOUD.denials(lab.user, estate)}
    alone = lab.estate([lab.assignment(OWNER, SUB)], [deny(doNotApplyToChildScopes=True)])
    assert any("`lock` takes access away" in reason for reason in CLOUD.holdings(lab.user, alone)[0].unsure)
    assert () == CLOUD.denials(lab.user, alone)
    spared = lab.estate([lab.assignment(OWNER, SUB)], [deny(principals=[BEN])])
    assert not CLOUD.holdings(lab.user, spared)[0].unsure
    assert () == CLOUD.denials(lab.user, spared)


@pytest.mark.parametrize(
    ("denied", "held", "expected"),
    [
        (SUB, SUB, Overlap.WHOLE),
        (SUB, RG, Overlap.WHOLE),
        (RG, SUB, Overlap.PART),
        ("/subscriptions/other", SUB, Overlap.NOTHING),
        ("/providers/microsoft.management/managementgroups/unknown", SUB, Overlap.UNKNOWN),
    ],
)
def test_what_a_deny_has_in_common_with_an_assignment(lab, denied, held, expected):
    estate = lab.estate([lab.assignment(OWNER, SUB)])
    assert expected is CLOUD.overlap(denied.lower(), held.lower(), estate)


IDENTIFIED = {"id": f"{RG}/providers/Microsoft.Authorization/denyAssignments/1", "name": "1"}
TYPED = {**IDENTIFIED, "type": "Microsoft.Authorization/denyAssignments"}
BLOCK = {"actions": ["*/delete"], "notActions": [], "dataActions": [], "notDataActions": []}
POWERSHELL = {
    "Id": IDENTIFIED["id"],
    "DenyAssignmentName": "lock",
    "Actions": ["*/delete"],
    "NotActions": [],
    "DataActions": [],
    "NotDataActions": [],
    "Scope": RG,
    "DoNotApplyToChildScopes": False,
    "Principals": [{"DisplayName": "All Principals", "ObjectType": "SystemDefined", "ObjectId": EVERYONE["id"]}],
    "ExcludePrincipals": [],
    "IsSystemProtected": True,
}


@pytest.mark.parametrize(
    "row",
    [
        {**TYPED, **deny(scope=RG.upper(), permissions=[BLOCK])},
        {**TYPED, **deny(denyAssignmentEffect="enforced", excludePrincipals=None, conditionVersion=None)},
        {**TYPED, "properties": deny(permissions=[BLOCK])},
        # The scope stands in the id alone.
        {**TYPED, "properties": {key: value for key, value in deny().items() if key != "scope"}},
        {**TYPED, **{f"properties_{key}": value for key, value in deny().items()}},
        POWERSHELL,
    ],
)
def test_every_spelling_of_a_deny_assignment(lab, row):
    estate = lab.estate([lab.assignment(OWNER, SUB)], [row])
    assert ["explicit-deny", "allow"] == [lab.can(estate, DELETE, scope) for scope in (VM, SUB)]


def test_an_effect_of_another_name_may_block(lab):
    estate = lab.estate([lab.assignment(OWNER, SUB)], [deny(denyAssignmentEffect="perhaps")])
    assert "unknown" == lab.can(estate, DELETE, VM)
    assert any("may take access away" in doubt.reason for doubt in CLOUD.doubts(lab.user, estate))


def test_a_deny_that_cannot_be_read_at_a_management_group_may_block_anywhere(lab):
    group = "/providers/Microsoft.Management/managementGroups/m"
    estate = lab.estate([lab.assignment(OWNER, SUB)], [deny(scope=group, principals=7)])
    assert "unknown" == lab.can(estate, DELETE, VM)
