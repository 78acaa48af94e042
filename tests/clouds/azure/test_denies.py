"""Deny assignments: they win, where and for whom they apply."""

from __future__ import annotations

import pytest

from idtrans.clouds.azure import CLOUD

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
    assert any("`lock` takes access away" in reason for reason in one.unsure)
    spared = lab.estate([lab.assignment(OWNER, SUB)], [deny(principals=[BEN])])
    assert not CLOUD.holdings(lab.user, spared)[0].unsure
