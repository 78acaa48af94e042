"""Keys of other resources than storage accounts: who may have them uses the data, unless the resource refuses keys."""

from __future__ import annotations

import pytest

from idtrans.algebra import Status, decide, difference
from idtrans.catalog import keyed_types
from idtrans.clouds.azure import CLOUD
from idtrans.model.documents import Unsupported
from idtrans.model.entities import Resource
from idtrans.ports import Query

SUB = "/subscriptions/00000000-0000-0000-0000-000000000001"
GROUP = f"{SUB}/resourceGroups/rg1"
CONTRIBUTOR = "b24988ac-6180-42a0-ab88-20f7382dd24c"
READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
KINDS = keyed_types()
STATED = [kind for kind in KINDS if kind.off or kind.on]
BUS = f"{GROUP}/providers/Microsoft.ServiceBus/namespaces/n"
RECEIVE = "Microsoft.ServiceBus/namespaces/messages/receive/action"


def name_of(kind):
    return f"{kind.type}: {kind.what}"


def resource_of(kind_type, group=GROUP):
    """Return the id of a resource of a type."""
    provider, *types = kind_type.split("/")
    return f"{group}/providers/{provider}/" + "/".join(f"{each}/x" for each in types)


def stating(kind, value):
    """Return a document about the outermost resource of a kind."""
    return [{"id": resource_of(kind.root), "name": "x", "properties": {kind.off or kind.on: value}}]


def lister(lab, kind, operation, scope=GROUP, **lists):
    role = lab.role("lister", actions=[operation], **lists)
    return [role], [lab.assignment(role["name"], scope)]


def data(kind):
    return f"data:{kind.shows}"


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_who_lists_keys_perhaps_uses_the_data(lab, kind):
    place = resource_of(kind.type)
    for operation in kind.lists:
        assert "unknown" == lab.can(lab.estate(*lister(lab, kind, operation)), data(kind), place)
    beside = lab.estate(*lister(lab, kind, f"{kind.type}/read"))
    assert "implicit-deny" == lab.can(beside, data(kind), place)
    elsewhere = lab.estate(*lister(lab, kind, kind.lists[0], f"{SUB}/resourceGroups/other"))
    assert "implicit-deny" == lab.can(elsewhere, data(kind), place)


@pytest.mark.parametrize("kind", STATED, ids=name_of)
@pytest.mark.parametrize(("value", "refused"), [(True, True), (False, False), (None, False), ("yes", None)])
def test_a_property_of_the_resource_refuses_keys(lab, kind, value, refused):
    estate = lab.estate(*lister(lab, kind, kind.lists[0]), stating(kind, value))
    if kind.on is not None and refused is not None:
        refused = value is not True
    expected = {True: "implicit-deny", False: "allow", None: "unknown"}[refused]
    assert expected == lab.can(estate, data(kind), resource_of(kind.type))
    assert (refused is None) is bool(estate.unsupported)
    # Another resource of the type is another matter.
    role = lister(lab, kind, kind.lists[0], SUB)
    other = resource_of(kind.type, f"{SUB}/resourceGroups/other")
    assert "unknown" == lab.can(lab.estate(*role, stating(kind, value)), data(kind), other)


def test_two_documents_that_disagree_leave_it_unknown(lab):
    kind = STATED[0]
    estate = lab.estate(*lister(lab, kind, kind.lists[0]), stating(kind, True), stating(kind, False))
    assert "unknown" == lab.can(estate, data(kind), resource_of(kind.type))


@pytest.mark.parametrize(
    ("scope", "action", "asked", "expected"),
    [
        (BUS, "namespaces/authorizationRules/listkeys/action", BUS, "allow"),
        (BUS, "namespaces/authorizationRules/listkeys/action", f"{BUS}/queues/q", "allow"),
        (f"{BUS}/queues/q", "namespaces/authorizationRules/listkeys/action", f"{BUS}/queues/q", "implicit-deny"),
        (f"{BUS}/queues/q", "namespaces/queues/authorizationRules/listkeys/action", f"{BUS}/queues/q", "allow"),
        (f"{BUS}/queues/q", "namespaces/queues/authorizationRules/listkeys/action", f"{BUS}/queues/p", "implicit-deny"),
        (f"{BUS}/queues/q", "namespaces/queues/authorizationRules/listkeys/action", BUS, "implicit-deny"),
        (BUS, "namespaces/queues/authorizationRules/listkeys/action", f"{BUS}/queues/q", "allow"),
        (GROUP, "namespaces/topics/authorizationRules/listkeys/action", f"{BUS}/topics/t", "allow"),
        (GROUP, "namespaces/topics/authorizationRules/listkeys/action", f"{BUS}/queues/q", "implicit-deny"),
        (f"{BUS}2", "namespaces/authorizationRules/listkeys/action", BUS, "implicit-deny"),
        (f"{GROUP}/providers/Microsoft.Web/sites/s", "*", BUS, "implicit-deny"),
    ],
)
def test_keys_of_the_whole_and_of_a_part(lab, scope, action, asked, expected):
    role = lab.role("r", actions=[f"Microsoft.ServiceBus/{action}"])
    accepting = [{"id": BUS, "disableLocalAuth": False}]
    estate = lab.estate([role], [lab.assignment(role["name"], scope)], accepting)
    assert expected == lab.can(estate, RECEIVE, asked)


def test_read_only_keys_read_alone(lab):
    role = lab.role("r", actions=["Microsoft.DocumentDB/databaseAccounts/readonlykeys/action"])
    account = f"{GROUP}/providers/Microsoft.DocumentDB/databaseAccounts/c"
    estate = lab.estate([role], [lab.assignment(role["name"], SUB)], [{"id": account, "disableLocalAuth": False}])
    items = "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/items"
    assert ["allow", "implicit-deny"] == [lab.can(estate, f"{items}/{verb}", account) for verb in ("read", "create")]


def deny(*actions, data_actions=()):
    everyone = [{"id": "00000000-0000-0000-0000-000000000000", "type": "SystemDefined"}]
    permission = {"actions": list(actions), "dataActions": list(data_actions)}
    return [{"denyAssignmentName": "no", "scope": GROUP, "permissions": [permission], "principals": everyone}]


@pytest.mark.parametrize(
    ("denied", "expected"),
    [
        (deny("*/listKeys/action", "*/regenerateKeys/action"), "implicit-deny"),
        # One way to a key is enough.
        (deny("*/listKeys/action"), "allow"),
        # A key passes by what is denied on the data.
        (deny(data_actions=["*"]), "allow"),
        (deny("Microsoft.Storage/storageAccounts/listKeys/action"), "allow"),
    ],
)
def test_denies_keep_keys_away(lab, denied, expected):
    accepting = [{"id": BUS, "disableLocalAuth": False}]
    role = lab.role("r", actions=["Microsoft.ServiceBus/namespaces/authorizationRules/*"])
    estate = lab.estate([role], [lab.assignment(role["name"], SUB)], accepting, denied)
    assert expected == lab.can(estate, RECEIVE, BUS)


def test_the_answer_says_both(lab):
    estate = lab.estate([lab.assignment(CONTRIBUTOR, SUB)])
    request = CLOUD.request(Query(lab.user, RECEIVE, BUS), estate)
    decision = decide(CLOUD.access(lab.user, estate), request)
    assert "unknown" == decision.outcome
    assert "shared access keys of the Service Bus namespace, which can be listed by role Contributor" in str(decision)
    assert "`disableLocalAuth` of the resource is not stated" in str(decision)


def test_questions_look_at_keys_of_their_service_alone(lab):
    estate = lab.estate([lab.assignment(CONTRIBUTOR, SUB)], [{"id": BUS, "disableLocalAuth": False}])
    for action, place in ((RECEIVE, BUS), (data(KINDS[0]), resource_of(KINDS[0].type)), ("Microsoft.Web/x/read", SUB)):
        request = CLOUD.request(Query(lab.user, action, place), estate)
        whole, narrow = (
            decide(each, request) for each in (CLOUD.access(lab.user, estate), CLOUD.about(request, estate))
        )
        assert (whole.outcome, whole.reasons) == (narrow.outcome, narrow.reasons)


def test_keys_that_are_turned_on_are_new_access(lab):
    old, new = (
        lab.estate([lab.assignment(CONTRIBUTOR, SUB)], [{"id": BUS, "disableLocalAuth": off}]) for off in (True, False)
    )
    found = difference(CLOUD.access(lab.user, new), CLOUD.access(lab.user, old), domain=CLOUD.domain(new))
    assert Status.WITNESS == found.status
    assert found.witness is not None
    assert BUS.lower() in found.witness.resource.lower()


@pytest.mark.parametrize(
    "content",
    [
        {"id": f"{GROUP}/providers/Microsoft.Web/sites/x", "disableLocalAuth": True},
        {"id": f"{BUS}/queues/q", "disableLocalAuth": True},
        {"id": BUS, "name": "n"},
        {"id": 5, "disableLocalAuth": True},
    ],
)
def test_other_objects_are_not_resources_with_keys(lab, content):
    assert None is CLOUD.recognise(lab.document([content]))


def test_a_resource_with_keys_is_read_in_every_spelling(lab):
    for content in (
        {"id": BUS, "name": "n", "disableLocalAuth": True},
        {"id": BUS.lower(), "name": "n", "properties": {"DisableLocalAuth": True}},
        {"ID": f"{BUS}/", "Name": "n", "DisableLocalAuth": True},
    ):
        found = lab.parse([content])
        assert [False] == [each.settings["acceptsKeys"] for each in found if isinstance(each, Resource)]
    named = lab.parse([{"id": "x"}], kind="azure.resources-with-keys")
    assert ["a resource with keys has no readable id"] == [
        each.reason for each in named if isinstance(each, Unsupported)
    ]
