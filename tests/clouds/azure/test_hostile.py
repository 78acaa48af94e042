"""Documents in which anything may stand anywhere."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.clouds.azure import CLOUD
from idtrans.model.data import fixtures_dir
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Entity
from idtrans.model.errors import UsageError
from idtrans.model.estate import Estate
from idtrans.model.spans import Place
from idtrans.ports import Query

SUB = "/subscriptions/00000000-0000-0000-0000-000000000001"
CREDENTIAL = {
    "issuer": "https://i",
    "subject": "s",
    "audiences": ["a"],
    "claimsMatchingExpression": {"value": "claims['sub'] eq 'x'", "languageVersion": 1},
}
VALID = [
    {
        "principalId": "p",
        "principalType": "Group",
        "roleDefinitionId": "acdd72a7-3385-48ef-bd42-f606fba81ae7",
        "scope": SUB,
    },
    {
        "id": "x",
        "properties": {"principalId": "p", "roleDefinitionId": "r", "scope": "/", "condition": "Exists @Resource[a]"},
    },
    {"name": "r", "roleName": "R", "permissions": [{"actions": ["*"], "condition": None}], "assignableScopes": ["/"]},
    CREDENTIAL,
    {
        "id": "o",
        "appId": "a",
        "passwordCredentials": [{"keyId": "k", "endDateTime": "2027-01-01T00:00:00Z"}],
        "keyCredentials": [{"keyId": "k", "customKeyIdentifier": "t"}],
        "federatedIdentityCredentials": [CREDENTIAL],
    },
    {
        "id": f"{SUB}/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a",
        "allowSharedKeyAccess": None,
        "keyCreationTime": {"key1": "2026-01-01T00:00:00Z"},
        "networkRuleSet": {"defaultAction": "Allow"},
        "allowSharedKeyAccessForServices": {"blob": {"enabled": True}},
    },
    {"id": SUB, "type": "microsoft.resources/subscriptions", "managementGroupAncestorsChain": [{"name": "m"}]},
    {"id": "g", "securityEnabled": True, "members": [{"id": "u", "@odata.type": "#microsoft.graph.group"}]},
    {"denyAssignmentName": "d", "scope": SUB},
    {"id": f"{SUB}/x", "principalId": "p", "type": "Microsoft.ManagedIdentity/userAssignedIdentities"},
    {"keyId": "k", "endDateTime": None},
    {
        "denyAssignmentName": "d",
        "scope": SUB,
        "permissions": [{"actions": ["*"], "dataActions": ["*"], "condition": "Exists @Resource[a]"}],
        "principals": [{"id": "00000000-0000-0000-0000-000000000000", "type": "SystemDefined"}],
        "excludePrincipals": [{"id": "p", "type": "Group"}],
        "doNotApplyToChildScopes": True,
        "denyAssignmentEffect": "enforced",
    },
    {
        "type": "Microsoft.Authorization/roleEligibilityScheduleInstances",
        "properties": {
            "principalId": "p",
            "roleDefinitionId": "r",
            "scope": SUB,
            "startDateTime": "2026-01-01T00:00:00Z",
            "endDateTime": None,
            "status": "Accepted",
        },
    },
    {"type": "Microsoft.Authorization/classicAdministrators", "emailAddress": "a@b", "role": "CoAdministrator"},
    {
        "id": "/providers/Microsoft.Management/managementGroups/m",
        "type": "Microsoft.Management/managementGroups",
        "details": {"parent": {"id": "/providers/Microsoft.Management/managementGroups/n"}},
        "children": [{"id": SUB, "type": "/subscriptions", "children": None}],
    },
    {
        "principalId": "u",
        "roleDefinitionId": "62e90394-69f5-4237-9190-012177145e10",
        "directoryScopeId": "/administrativeUnits/a",
        "principal": {"@odata.type": "#microsoft.graph.user"},
    },
    {"roleTemplateId": "62e90394-69f5-4237-9190-012177145e10", "members": [{"id": "u"}]},
    {"id": "c", "displayName": "C", "rolePermissions": [{"allowedResourceActions": ["x"]}]},
    {"principalId": "o", "appRoleId": "9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8", "resourceId": "s"},
    {"@odata.type": "#microsoft.graph.administrativeUnit", "id": "a", "members": [{"id": "u"}]},
    {"policyDefinitionId": "x", "enforcementMode": "Default", "scope": SUB, "notScopes": [SUB]},
    {"kind": "AZGroupMember", "data": {"groupId": "g", "members": [{"member": {"id": "u"}}]}},
    {"kind": "AZAppOwner", "data": {"appId": "a", "owners": [{"owner": {"id": "u"}}]}},
    {"kind": "AZUser", "data": {"id": "u", "userPrincipalName": "u@b"}},
    {"kind": "AZSubscriptionOwner", "data": {"owners": [{"owner": {"principalId": "u", "roleDefinitionId": "r"}}]}},
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "name", "value", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def paths(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from paths(item, (*path, key))


def put(content, path, value):
    if not path:
        return value
    changed = copy.deepcopy(content)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return changed


def ask_everything(entities, now):
    unsupported = tuple(item for item in entities if isinstance(item, Unsupported))
    estate = Estate(tuple(item for item in entities if not isinstance(item, Unsupported)), now, unsupported)
    for principal in CLOUD.principals(estate):
        CLOUD.access(principal, estate)
        CLOUD.doubts(principal, estate)
        CLOUD.holdings(principal, estate)
        assert CLOUD.owns(principal)
        CLOUD.request(Query(principal, "Microsoft.Web/sites/read", "/"), estate)
    CLOUD.impersonations(estate)
    return CLOUD.domain(estate), CLOUD.trusts(estate), CLOUD.exposures(estate), CLOUD.grants(estate)


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_only_entities_and_remarks_come_out(data):
    from datetime import UTC, datetime

    content = VALID
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(paths(content))))
        content = put(content, path, data.draw(JSON))
    hints = Hints(principal=data.draw(st.sampled_from([None, "entra:g"])))
    document = Document(Place("x"), Format.JSON, content, hints)
    shape = CLOUD.recognise(document) or "azure.role-assignments"
    found = list(CLOUD.parse(document, shape))
    assert all(isinstance(item, Entity | Unsupported) for item in found)
    ask_everything(found, datetime(2026, 11, 1, tzinfo=UTC))


@given(
    JSON, st.sampled_from(["azure.storage-accounts", "azure.groups", "azure.applications", "azure.role-definitions"])
)
@settings(max_examples=100, deadline=None)
def test_a_document_that_only_claims_to_be_of_a_kind(content, kind):
    document = Document(Place("x"), Format.JSON, content, Hints(kind=kind))
    found = list(CLOUD.parse(document, CLOUD.recognise(document) or kind))
    assert all(isinstance(item, Entity | Unsupported) for item in found)


FOLDER = fixtures_dir() / "acme" / "azure"


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the sample estate is not there")
def test_the_sample_estate_answers_every_question(lab):
    from datetime import UTC, datetime

    found: list[Entity | Unsupported] = []
    for path in sorted(FOLDER.glob("*.json")):
        document = lab.document(json.loads(path.read_text(encoding="utf-8")), path.name)
        shape = CLOUD.recognise(document)
        assert shape is not None, path
        found += CLOUD.parse(document, shape)
    assert [] == [item.reason for item in found if isinstance(item, Unsupported)]
    _, trusts, exposures, grants = ask_everything(found, datetime(2026, 11, 1, tzinfo=UTC))
    assert trusts
    assert exposures
    assert grants


def test_an_empty_estate_answers_every_question(lab):
    from datetime import UTC, datetime

    domain, *facts = ask_everything([], datetime(2026, 11, 1, tzinfo=UTC))
    assert () == domain.actions
    assert [(), (), ()] == facts
    with pytest.raises(UsageError):
        CLOUD.principal("entra:nobody", lab.estate())


def test_the_name():
    assert "azure" == CLOUD.name
    assert not CLOUD.owns("arn:aws:iam::111122223333:role/x")
    assert not CLOUD.owns("user:a@b.example")


@pytest.mark.parametrize("holder", [None, 5, {}, [], ""])
def test_an_assignment_that_anybody_may_hold_leaves_every_answer_open(lab, holder):
    estate = lab.estate([lab.assignment("8e3af657-a8ff-443c-a75c-2fe8c4bcb635", lab.sub, principal=holder)])
    assert "unknown" == lab.can(estate, "Microsoft.Web/sites/delete", lab.sub)


@pytest.mark.parametrize("stray", ["x", 7, None, [], [{"principalId": "y"}], True])
def test_what_is_no_object_among_assignments_may_give_or_deny_anything(lab, stray):
    reader = lab.assignment("acdd72a7-3385-48ef-bd42-f606fba81ae7", lab.sub)
    read, write = "Microsoft.Web/sites/read", "Microsoft.Web/sites/write"
    held = lab.estate([reader, stray])
    assert ["allow", "unknown"] == [lab.can(held, action, lab.sub) for action in (read, write)]
    denies = [{"denyAssignmentName": "d", "scope": "/subscriptions/x", "permissions": [], "principals": []}, stray]
    denied = lab.estate([reader], denies)
    assert ["unknown", "implicit-deny"] == [lab.can(denied, action, lab.sub) for action in (read, write)]
