"""Which operations of Azure are data actions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from idtrans.catalog import data_actions
from idtrans.clouds.azure._operations import OperationPlane, plane_of

ROLES = Path(__file__).parents[3] / "shared" / "data" / "azure_builtin_roles.json"

PLANES = [
    ("microsoft.storage/storageaccounts/blobservices/containers/blobs/read", "data"),
    ("microsoft.storage/storageaccounts/blobservices/containers/read", "control"),
    ("microsoft.storage/storageaccounts/listkeys/action", "control"),
    ("microsoft.keyvault/vaults/secrets/getsecret/action", "data"),
    ("microsoft.keyvault/vaults/secrets/write", "control"),
    ("microsoft.keyvault/vaults/keys/read", "either"),
    ("microsoft.servicebus/namespaces/messages/receive/action", "data"),
    ("microsoft.servicebus/namespaces/queues/authorizationrules/listkeys/action", "control"),
    ("microsoft.eventhub/namespaces/messages/send/action", "data"),
    ("microsoft.containerservice/managedclusters/pods/exec/action", "data"),
    ("microsoft.containerservice/managedclusters/secrets/read", "data"),
    ("microsoft.containerservice/managedclusters/rbac.authorization.k8s.io/roles/write", "data"),
    ("microsoft.containerservice/managedclusters/agentpools/read", "control"),
    ("microsoft.containerservice/managedclusters/listclusteradmincredential/action", "control"),
    ("microsoft.containerservice/managedclusters/extensionaddons/read", "control"),
    ("microsoft.containerservice/aimanagers/secrets/read", "either"),
    ("microsoft.kubernetes/connectedclusters/configmaps/read", "data"),
    ("microsoft.kubernetes/connectedclusters/read", "control"),
    ("microsoft.cognitiveservices/accounts/openai/deployments/chat/completions/action", "data"),
    ("microsoft.cognitiveservices/accounts/deployments/write", "control"),
    ("microsoft.search/searchservices/indexes/documents/read", "data"),
    ("microsoft.search/searchservices/listadminkeys/action", "control"),
    ("microsoft.documentdb/databaseaccounts/sqldatabases/containers/items/read", "data"),
    ("microsoft.documentdb/databaseaccounts/sqldatabases/containers/read", "control"),
    ("microsoft.appconfiguration/configurationstores/keyvalues/read", "either"),
    ("microsoft.appconfiguration/configurationstores/read", "control"),
    ("microsoft.messagingcatalog/things/read", "either"),
    ("microsoft.web/sites/read", "control"),
    ("acme.own/things/read", "control"),
]


@pytest.mark.parametrize(("operation", "expected"), PLANES)
def test_the_plane_of_an_operation(operation, expected):
    assert expected == plane_of(operation).value


def test_what_roles_name_is_a_data_action_unless_all_of_its_provider_are_listed():
    named = frozenset({"acme.own/things/read", "microsoft.storage/storageaccounts/listkeys/action"})
    assert ["data", "control"] == [plane_of(each, named).value for each in sorted(named)]


@pytest.mark.skipif(not ROLES.exists(), reason="the catalogue of roles is not here")
def test_every_role_that_is_built_in_agrees():
    roles = json.loads(ROLES.read_text(encoding="utf-8"))["roles"]
    blocks = [block for role in roles for block in role["permissions"]]
    wrong = {
        (plane, name)
        for wanted, other in (("actions", OperationPlane.DATA), ("dataActions", OperationPlane.CONTROL))
        for block in blocks
        for name in block.get(wanted) or []
        if "*" not in name and (plane := plane_of(name.lower())) is other
    }
    assert set() == wrong


def test_patterns_are_in_lower_case_and_each_provider_is_one_word():
    known = data_actions()
    texts = [each.pattern for each in known.listed.values()] + [*known.both, *known.open, *known.whole]
    assert [] == [text for text in texts if text != text.lower()]
    assert known.whole <= known.listed.keys()
