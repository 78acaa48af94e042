"""Account keys: who may have them reads the data, whatever roles say."""

from __future__ import annotations

import pytest

from idtrans.algebra import Status, decide, difference
from idtrans.clouds.azure import CLOUD
from idtrans.ports import Query

SUB = "/subscriptions/00000000-0000-0000-0000-000000000001"
GROUP = f"{SUB}/resourceGroups/rg1"
ACCOUNT = f"{GROUP}/providers/Microsoft.Storage/storageAccounts/sa1"
BLOB = f"{ACCOUNT}/blobServices/default/containers/logs/blobs/a.txt"
QUEUE = f"{ACCOUNT}/queueServices/default/queues/q"
READ = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read"
READ_QUEUE = "Microsoft.Storage/storageAccounts/queueServices/queues/messages/read"
LIST = "Microsoft.Storage/storageAccounts/listKeys/action"
CONTRIBUTOR = "b24988ac-6180-42a0-ab88-20f7382dd24c"
READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
ON = {"id": ACCOUNT, "allowSharedKeyAccess": True}
OFF = {"id": ACCOUNT, "allowSharedKeyAccess": False}


def services(**flags):
    return {name: {"enabled": flag} for name, flag in flags.items()}


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        (ON, "allow"),
        (OFF, "implicit-deny"),
        ({**ON, "allowSharedKeyAccess": None}, "allow"),
        ({"id": ACCOUNT, "primaryEndpoints": {}}, "allow"),
        # Nothing is said about the account.
        (None, "unknown"),
        ({**ON, "allowSharedKeyAccess": "no"}, "unknown"),
        ({**ON, "allowSharedKeyAccessForServices": services(blob=False)}, "implicit-deny"),
        ({**ON, "allowSharedKeyAccessForServices": services(queue=False)}, "allow"),
        ({**ON, "allowSharedKeyAccessForServices": 7}, "unknown"),
        ({**ON, "allowSharedKeyAccessForServices": {"blob": "x"}}, "unknown"),
        ({**OFF, "allowSharedKeyAccessForServices": services(blob=True)}, "unknown"),
        ({**OFF, "allowSharedKeyAccessForServices": services(blob=False)}, "implicit-deny"),
    ],
)
def test_who_may_list_keys_reads_blobs_while_the_account_accepts_keys(lab, account, expected):
    estate = lab.estate([lab.assignment(CONTRIBUTOR, SUB)], *([[account]] if account else []))
    assert expected == lab.can(estate, READ, BLOB)


def test_services_are_apart(lab):
    account = {**ON, "allowSharedKeyAccessForServices": services(blob=False, queue=True)}
    estate = lab.estate([lab.assignment(CONTRIBUTOR, SUB)], [account])
    assert ["implicit-deny", "allow"] == [lab.can(estate, READ, BLOB), lab.can(estate, READ_QUEUE, QUEUE)]


def test_two_documents_that_disagree_leave_it_unknown(lab):
    estate = lab.estate([lab.assignment(CONTRIBUTOR, SUB)], [ON], [OFF])
    assert "unknown" == lab.can(estate, READ, BLOB)


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("/", "allow"),
        (GROUP, "allow"),
        (ACCOUNT, "allow"),
        # Whoever holds a role on a container alone cannot list the keys of its account.
        (f"{ACCOUNT}/blobServices/default/containers/logs", "implicit-deny"),
        (f"{ACCOUNT}2", "implicit-deny"),
        (f"{GROUP}/providers/Microsoft.Compute/virtualMachines/vm", "implicit-deny"),
        (f"{SUB}/resourceGroups/other", "implicit-deny"),
        ("/providers/Microsoft.Management/managementGroups/team", "unknown"),
    ],
)
def test_the_scope_of_the_keys(lab, scope, expected):
    estate = lab.estate([lab.assignment(CONTRIBUTOR, scope)], [ON])
    assert expected == lab.can(estate, READ, BLOB)


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (LIST, "allow"),
        ("Microsoft.Storage/storageAccounts/regenerateKey/action", "allow"),
        ("Microsoft.Storage/storageAccounts/listAccountSas/action", "allow"),
        ("Microsoft.Storage/*", "allow"),
        ("Microsoft.Storage/storageAccounts/read", "implicit-deny"),
    ],
)
def test_what_hands_out_keys(lab, action, expected):
    role = lab.role("r", actions=[action])
    estate = lab.estate([role], [lab.assignment(role["name"], SUB)], [ON])
    assert expected == lab.can(estate, READ, BLOB)
    left_out = lab.role("l", actions=["*"], notActions=["Microsoft.Storage/storageAccounts/*/action"])
    estate = lab.estate([left_out], [lab.assignment(left_out["name"], SUB)], [ON])
    assert "implicit-deny" == lab.can(estate, READ, BLOB)


def deny(*actions, scope=GROUP, **fields):
    return {
        "denyAssignmentName": "no",
        "scope": scope,
        "permissions": [{"actions": list(actions), "dataActions": fields.pop("data", [])}],
        "principals": [{"id": "00000000-0000-0000-0000-000000000000", "type": "SystemDefined"}],
        **fields,
    }


@pytest.mark.parametrize(
    ("denied", "expected"),
    [
        (deny("*/action"), "implicit-deny"),
        # One way to get the keys is left.
        (deny(LIST), "allow"),
        # Requests signed with a key are not checked against deny assignments.
        (deny(data=["*"]), "allow"),
        (deny("*", scope=f"{ACCOUNT}/blobServices/default/containers/logs"), "allow"),
        (deny("*", doNotApplyToChildScopes=True), "allow"),
        (deny("*", scope=ACCOUNT, doNotApplyToChildScopes=True), "implicit-deny"),
        (deny("*", scope=f"{SUB}/resourceGroups/other"), "allow"),
        (deny("*", condition="@Request[x] StringEquals 'y'"), "unknown"),
        (deny("*", condition="nonsense"), "unknown"),
        ({**deny("*"), "principals": None}, "unknown"),
    ],
)
def test_denies_keep_keys_away(lab, denied, expected):
    estate = lab.estate([lab.assignment(CONTRIBUTOR, SUB)], [ON], [denied])
    assert expected == lab.can(estate, READ, BLOB)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (f"!(ActionMatches{{'{READ}'}}) OR @Resource[x] StringEquals 'y'", "allow"),
        (f"!(ActionMatches{{'{LIST}'}}) OR @Resource[x] StringEquals @Request[z]", "unknown"),
        ("ActionMatches{'Microsoft.Compute/*'}", "implicit-deny"),
        ("@Environment[isPrivateLink] BoolEquals true", "implicit-deny"),
    ],
)
def test_the_condition_is_asked_for_the_listing(lab, condition, expected):
    role = lab.role("r", actions=[LIST])
    estate = lab.estate([role], [lab.assignment(role["name"], SUB, condition=condition)], [ON])
    assert expected == lab.can(estate, READ, BLOB)


def test_the_answer_names_the_key(lab):
    estate = lab.estate([lab.assignment(CONTRIBUTOR, SUB)], [ON])
    request = CLOUD.request(Query(lab.user, READ, BLOB), estate)
    [reason] = decide(CLOUD.access(lab.user, estate), request).reasons
    assert "account key" == reason.layer
    assert reason.statement.startswith("account keys, which can be listed by role Contributor at /subscriptions/")


def test_the_answer_names_the_role_and_the_key(lab):
    role = lab.role("both", actions=[LIST], dataActions=[READ])
    estate = lab.estate([role], [lab.assignment(role["name"], SUB)], [ON])
    request = CLOUD.request(Query(lab.user, READ, BLOB), estate)
    reasons = decide(CLOUD.access(lab.user, estate), request).reasons
    assert ["role assignment", "account key"] == [reason.layer for reason in reasons]


def test_the_right_to_list_keys_is_new_access_to_data(lab):
    old = lab.estate([lab.assignment(READER, SUB)], [ON])
    new = lab.estate([lab.assignment(CONTRIBUTOR, SUB)], [ON])
    same = difference(CLOUD.access(lab.user, new), CLOUD.access(lab.user, new), domain=CLOUD.domain(new))
    more = difference(CLOUD.access(lab.user, new), CLOUD.access(lab.user, old), domain=CLOUD.domain(new))
    assert [Status.EMPTY, Status.WITNESS] == [same.status, more.status]
    off = lab.estate([lab.assignment(CONTRIBUTOR, SUB)], [OFF])
    on = lab.estate([lab.assignment(CONTRIBUTOR, SUB)], [ON])
    turned = difference(CLOUD.access(lab.user, on), CLOUD.access(lab.user, off), domain=CLOUD.domain(on))
    assert turned.witness is not None
    assert READ.lower() == CLOUD.shown(turned.witness).action
